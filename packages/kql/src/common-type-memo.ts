// The language service finds out which type all arguments of a call share once for each argument, by going over all of
// them: a `case` of 3,000 branches took 45 seconds to bind. Asked again about lists that did not change in between, it is
// answered from memory, so that a call is bound in time linear in its arguments.

/** A list of the language service. It uses lists again for other calls; each change counts its version up. */
export interface VersionedList {
  readonly _version?: number;
}

type CommonTypeOf<T> = (
  parameters: VersionedList,
  types: VersionedList,
  defaultType?: T | null,
  ignoreDynamic?: boolean,
) => T | null;

/** `ask` with its last answer kept: the binder asks for all arguments of one call before those of another. */
export function rememberCommonType<T>(ask: CommonTypeOf<T>): CommonTypeOf<T> {
  let known: readonly unknown[] = [];
  let answer: T | null = null;
  return (parameters, types, defaultType = null, ignoreDynamic = false) => {
    const { _version: ofParameters } = parameters;
    const { _version: ofTypes } = types;
    if (ofParameters === undefined || ofTypes === undefined)
      return ask(parameters, types, defaultType, ignoreDynamic);
    const asked = [parameters, ofParameters, types, ofTypes, defaultType, ignoreDynamic];
    if (asked.some((part, index) => part !== known[index])) {
      answer = ask(parameters, types, defaultType, ignoreDynamic);
      known = asked;
    }
    return answer;
  };
}
