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

/** A chain longer than this is parted into groups: the binder of KQL goes as deep as a chain is long. */
const LONGEST_CHAIN = 100;

/** The condition with its long chains parted, so that it can be written as KQL. */
export function withShortChains(condition: Scalar): Scalar {
  if (condition.kind !== 'call') return condition;
  const { fn } = condition;
  if (fn !== 'and' && fn !== 'or' && fn !== 'not' && fn !== 'coalesce') return condition;
  const args = condition.args.map(withShortChains);
  return fn === 'and' || fn === 'or' ? parted(fn, args) : { ...condition, args };
}

function parted(fn: 'and' | 'or', args: readonly Scalar[]): Scalar {
  if (args.length <= LONGEST_CHAIN) return call('bool', fn, ...args);
  const size = Math.max(LONGEST_CHAIN, Math.ceil(args.length / LONGEST_CHAIN));
  const groups: Scalar[] = [];
  for (let at = 0; at < args.length; at += size) {
    const part = args.slice(at, at + size);
    const [only] = part;
    groups.push(part.length === 1 && only ? only : parted(fn, part));
  }
  return call('bool', fn, ...groups);
}
