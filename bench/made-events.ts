import type { EventStore } from '../server/src/platform/clickhouse/event-store.ts';

// The events that queries are timed on: a day of five streams, made inside the engine, always the same.

export const TENANT = 'bench';
const HOUR_MS = 3_600_000;
export const END = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
export const START = END - 24 * HOUR_MS;
const PIECE = 500_000;

const SPAN = `TimeGenerated >= fromUnixTimestamp64Milli(${START}) AND TimeGenerated < fromUnixTimestamp64Milli(${END})`;

/** From and where of SQL written by hand, as the tenant pass writes them: one stream, or all of them. */
export const inStream = (stream: string, scope = 'main') =>
  `FROM events WHERE Scope = '${scope}' AND Stream = '${stream}' AND ${SPAN}`;
export const inAll = fromAll('main');
export function fromAll(scope: string): string {
  return `FROM events WHERE Scope = '${scope}' AND ${SPAN}`;
}

/** A query, and the SQL that one would write by hand for it. */
export interface Pair {
  readonly name: string;
  readonly kql: string;
  readonly sql: string;
}

/** Makes so many events, in the tenant `bench` when no other is named. */
export async function makeEvents(
  events: EventStore,
  total: number,
  { clusterId, scope } = { clusterId: TENANT, scope: 'main' },
): Promise<void> {
  for (let from = 0; from < total; from += PIECE)
    await events.command(clusterId, insertOf(scope, total, from, Math.min(PIECE, total - from)));
}

const insertOf = (scope: string, total: number, from: number, count: number) => `
  INSERT INTO events (EventUid, TimeGenerated, IngestedTime, Scope, Stream, SourceName, DvcHostname,
    ActorUsername, SrcIpAddr, DstIpAddr, DstPortNumber, DvcAction, CommandLine, DnsQuery, Ext, Raw)
  SELECT generateUUIDv4(), fromUnixTimestamp64Milli(${START} + intDiv(number * ${END - START}, ${total})) AS t, t,
    '${scope}', ['NetworkSession', 'NetworkSession', 'Dns', 'ProcessEvent', 'WebSession'][number % 5 + 1] AS s, 'bench',
    concat('host', toString(cityHash64(number) % 300)), concat('user', toString(cityHash64(number, 1) % 500)),
    if(number % 1000003 = 7, '10.9.8.7', concat('10.1.', toString(cityHash64(number, 2) % 200), '.', toString(cityHash64(number, 3) % 250))),
    concat('198.18.', toString(cityHash64(number, 4) % 250), '.', toString(cityHash64(number, 5) % 250)), 443, 'accept',
    if(s = 'ProcessEvent', concat('C:\\\\Tools\\\\run.exe --job ', toString(cityHash64(number, 6) % 20000)), ''),
    if(s = 'Dns', concat('site', toString(cityHash64(number, 7) % 5000), '.example'), ''),
    concat('{"colour":"', if(number % 97 = 0, 'red', 'blue'), '","size":', toString(number % 4000), '}'),
    concat('event ', toString(number), ' of ', s, ' on host', toString(cityHash64(number) % 300), if(number % 500009 = 3, ' needle4711', ''))
  FROM numbers(${from}, ${count})`;

/** How long a query took, and how many rows it gave. */
export async function timed(work: () => Promise<number>): Promise<{ ms: number; rows: number }> {
  const began = performance.now();
  const rows = await work();
  return { ms: performance.now() - began, rows };
}

/** The value that `share` of the values do not exceed, e.g. 0.95. */
export function ranked(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => ranked(values, 0.5);
