import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// The events themselves that no extractor knew or could read: what an engineer makes an extractor from.

const UNPARSED = `SELECT toUnixTimestamp64Milli(IngestedTime), ParseStatus, ifNull(ParseError, ''), SourceType,
  substringUTF8(Raw, 1, 2000) FROM events
WHERE Scope = {scope:String} AND SourceName = {name:String} AND ParseStatus != 'PAD'
  AND IngestedTime >= fromUnixTimestamp64Milli({from:Int64})
ORDER BY IngestedTime DESC LIMIT {count:UInt32}`;

/** The last events of a name that are not parsed, newest first. */
export async function lastUnparsed(
  events: Pick<EventStore, 'rows'>,
  { clusterId, scopeId }: ScopeRef,
  of: { readonly name: string; readonly fromMs: number; readonly count: number },
): Promise<{ time: number; status: string; error: string; extractor: string; raw: string }[]> {
  const { rows } = await events.rows(clusterId, {
    sql: UNPARSED,
    params: { scope: scopeId, name: of.name, from: of.fromMs, count: of.count },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return rows.map(([time, status, error, extractor, raw]) => ({
    time: Number(time),
    status: String(status),
    error: String(error),
    extractor: String(extractor),
    raw: String(raw),
  }));
}
