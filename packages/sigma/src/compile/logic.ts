import { call, constant, type Scalar } from '@tyrian/plan';

// And, or and not over conditions that are never null. Chains are flat, as the KQL compiler makes them.

const flat = (fn: 'and' | 'or', parts: readonly Scalar[]): readonly Scalar[] =>
  parts.flatMap((part) => (part.kind === 'call' && part.fn === fn ? part.args : [part]));

function chain(fn: 'and' | 'or', parts: readonly Scalar[]): Scalar {
  const all = flat(fn, parts);
  const [only] = all;
  if (only === undefined) return constant('bool', fn === 'and');
  return all.length === 1 ? only : call('bool', fn, ...all);
}

/** True when all are; of none it is true. */
export const allOf = (parts: readonly Scalar[]): Scalar => chain('and', parts);

/** True when one is; of none it is false. */
export const anyOf = (parts: readonly Scalar[]): Scalar => chain('or', parts);

export const not = (part: Scalar): Scalar => call('bool', 'not', part);

/** A condition that may be null, as false where it is. */
export const orFalse = (part: Scalar): Scalar => call('bool', 'coalesce', part, constant('bool', false));
