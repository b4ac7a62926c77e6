import { KEY_KINDS } from '@tyrian/ingest';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { InScope } from './enrichment-set-store.ts';

// One query for a piece of time: the different values of the columns that hold addresses, names, URLs, hashes and mail
// addresses, each with the keys that a list may have of it, against the keys of the list, which lie in a table.

/** A value that is on the list, and the events of the piece that have it. */
export interface PieceFind {
  readonly field: string;
  readonly value: string;
  readonly kind: number;
  readonly key: string;
  readonly events: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

export interface Piece extends InScope {
  readonly huntId: string;
  readonly from: number;
  readonly to: number;
  readonly prefixes: { readonly 4: readonly number[]; readonly 6: readonly number[] };
  readonly kinds: ReadonlySet<number>;
  /** Different values to answer at most. */
  readonly most: number;
  readonly signal: AbortSignal;
}

const LIMITS = {
  max_execution_time: 600,
  max_memory_usage: 2 * 1024 ** 3,
  max_bytes_before_external_group_by: 1024 ** 3,
  max_threads: 2,
} as const;

const hexOf = (number: string, digits: number) => `leftPad(lower(hex(${number})), ${digits}, '0')`;

/** The keys of the networks that may hold an address, as `networkKey` writes them. */
const NETWORK_KEYS = `multiIf(
  isIPv4String(V), arrayMap(p -> concat('4/', toString(p), '/',
    ${hexOf('toUInt32(IPv4CIDRToRange(toIPv4OrDefault(V), p).1)', 8)}), {v4:Array(UInt8)}),
  isIPv6String(V), arrayMap(p -> concat('6/', toString(p), '/',
    lower(hex(IPv6StringToNum(toString(IPv6CIDRToRange(toIPv6OrDefault(V), p).1))))), {v6:Array(UInt8)}),
  [])`;

/** A name and all names above it. */
const namesOf = (
  name: string,
) => `arrayMap(n -> arrayStringConcat(arraySlice(splitByChar('.', ${name}), n), '.'),
  range(1, length(splitByChar('.', ${name})) + 1))`;
const PLAIN_NAME = `trimRight(lower(V), '.')`;
const URL_KEY = `lower(trimRight(cutFragment(replaceRegexpOne(V, '^[A-Za-z][A-Za-z0-9+.-]*://', '')), '/'))`;

interface Place {
  readonly kind: number;
  readonly columns: readonly string[];
  readonly keys: string;
}

const PLACES: readonly Place[] = [
  { kind: KEY_KINDS.network, columns: ['SrcIpAddr', 'DstIpAddr'], keys: NETWORK_KEYS },
  { kind: KEY_KINDS.domain, columns: ['DnsQuery', 'DstHostname'], keys: namesOf(PLAIN_NAME) },
  { kind: KEY_KINDS.domain, columns: ['Url'], keys: namesOf('lower(domain(V))') },
  { kind: KEY_KINDS.url, columns: ['Url'], keys: `[${URL_KEY}]` },
  {
    kind: KEY_KINDS.hash,
    columns: ['FileHashMd5', 'FileHashSha1', 'FileHashSha256', 'FileHashImphash'],
    keys: '[lower(V)]',
  },
  { kind: KEY_KINDS.email, columns: ['EmailSender', 'EmailRecipient'], keys: '[lower(V)]' },
];

function statement(kinds: ReadonlySet<number>): string {
  const parts = PLACES.filter(({ kind }) => kinds.has(kind)).flatMap(({ kind, columns, keys }) =>
    columns.map(
      (name) => `SELECT '${name}' AS Field, V, toUInt8(${kind}) AS Kind, ${keys} AS Keys, Found, First, Last
        FROM (SELECT ${name} AS V, count() AS Found, min(TimeGenerated) AS First, max(TimeGenerated) AS Last
          FROM events WHERE Scope = {scope:String}
            AND TimeGenerated >= fromUnixTimestamp64Milli({from:Int64})
            AND TimeGenerated < fromUnixTimestamp64Milli({to:Int64}) AND ${name} != '' GROUP BY V)`,
    ),
  );
  return `SELECT Field, V, Kind, Key, toInt64(Found), toUnixTimestamp64Milli(First), toUnixTimestamp64Milli(Last)
    FROM (${parts.join('\nUNION ALL\n')}) ARRAY JOIN Keys AS Key
    WHERE (Kind, Key) IN (SELECT Kind, Key FROM indicator_sets
      WHERE Scope = {scope:String} AND HuntId = {hunt:String})
    ORDER BY Field, V LIMIT {most:UInt32}`;
}

/** The values of the piece that are on the list. */
export async function findInPiece(events: EventStore, piece: Piece): Promise<readonly PieceFind[]> {
  const { clusterId, scopeId, huntId, from, to, prefixes, kinds, most, signal } = piece;
  if (kinds.size === 0) return [];
  const { rows } = await events.rows(clusterId, {
    sql: statement(kinds),
    params: { scope: scopeId, hunt: huntId, from, to, v4: prefixes[4], v6: prefixes[6], most },
    settings: LIMITS,
    scopes: [scopeId],
    givesWay: true,
    signal,
  });
  return rows.map(([field, value, kind, key, found, first, last]) => ({
    field: String(field),
    value: String(value),
    kind: Number(kind),
    key: String(key),
    events: Number(found),
    firstMs: Number(first),
    lastMs: Number(last),
  }));
}
