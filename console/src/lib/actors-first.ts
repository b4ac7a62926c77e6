/** Who acts is asked first, then where; a file or a hash says little without them. */
const ASKED_FIRST = ['user', 'host', 'ip'];

const rank = (type: string): number => {
  const at = ASKED_FIRST.indexOf(type);
  return at < 0 ? ASKED_FIRST.length : at;
};

/** Entities in the order in which they are asked for: users, hosts, addresses, then all others as they came. */
export const actorsFirst = <T extends { readonly type: string }>(entities: readonly T[]): T[] =>
  [...entities].sort((a, b) => rank(a.type) - rank(b.type));
