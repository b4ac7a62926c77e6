// Which kind of entity a column usually names, so that choosing `ActorUsername` makes a user and not the first kind
// of the list.

const KINDS: readonly (readonly [RegExp, string])[] = [
  [/hash|md5|sha1|sha256|imphash/i, 'hash'],
  [/ip(addr(ess)?)?$/i, 'ip'],
  [/port(number)?$/i, 'port'],
  [/url|domain|dnsquery/i, 'url'],
  [/user|account|upn|identity/i, 'user'],
  [/host|computer|device/i, 'host'],
  [/process|image|commandline/i, 'process'],
  [/file|path|task|service|registry|object|group|module/i, 'object'],
  [/resource|bucket|instance/i, 'resource'],
];

/** The kind among `types` that the name of a column suggests; undefined when it suggests none of them. */
export function entityKindOf<T extends string>(field: string, types: readonly T[]): T | undefined {
  const named = KINDS.find(([pattern]) => pattern.test(field))?.[1];
  return types.find((type) => type === named);
}

/** The kind after a change of the field: a kind that somebody chose against its field stays. */
export function kindAfter<T extends string>(
  before: { readonly type: T; readonly field: string },
  field: string,
  types: readonly T[],
): T {
  const isOwnChoice = before.type !== (entityKindOf(before.field, types) ?? types[0]);
  return isOwnChoice ? before.type : (entityKindOf(field, types) ?? before.type);
}
