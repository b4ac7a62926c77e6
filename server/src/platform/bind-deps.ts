// A service is small functions over what they need, not one closure: each takes its dependencies first, and the
// factory of the service hands them in once.

type Bound<Functions> = {
  [Name in keyof Functions]: Functions[Name] extends (deps: never, ...rest: infer Rest) => infer Result
    ? (...rest: Rest) => Result
    : never;
};

/** The functions with `deps` as their first argument given: `bindDeps(deps, { close, open })`. */
export function bindDeps<Deps, Functions extends Record<string, (deps: Deps, ...rest: never[]) => unknown>>(
  deps: Deps,
  functions: Functions,
): Bound<Functions> {
  const bound = Object.entries(functions).map(([name, work]) => [
    name,
    (...rest: never[]) => work(deps, ...rest),
  ]);
  return Object.fromEntries(bound) as Bound<Functions>;
}
