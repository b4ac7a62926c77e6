import { EXTRACTOR_LIMITS, type OutputOf, type readUnparsedEvents } from '@tyrian/contract';
import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { QueryService } from '../search/query-service.ts';
import { readEntry } from '../search/read-entry.ts';
import type { ExtractionScope } from './extractor-changes.ts';

// Events that nothing could read, for whoever writes an extractor for them: which sources have some is told by figures, and
// their text by a query like any other, in the scope of the call, with its entry in the audit trail.

export interface UnparsedDeps {
  readonly queries: QueryService;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly audit: AuditService;
}

type UnparsedEvents = OutputOf<typeof readUnparsedEvents>;

const DAY_MS = 86_400_000;
const MOST_SOURCES = 500;

const sinceMs = (clock: Clock): number => clock.now() - EXTRACTOR_LIMITS.unparsedDays * DAY_MS;

/** Sources with such events in the last days, the one with the most first. */
export async function unparsedSources(
  { eventStore, clock }: UnparsedDeps,
  { clusterId, scopeId }: ExtractionScope,
): Promise<{ source: string; unparsed: number; events: number; last: number }[]> {
  const { rows } = await eventStore.rows(clusterId, {
    sql: `SELECT SourceName, sumIf(Events, ParseStatus != 'PAD') AS Unparsed, sum(Events),
        toUnixTimestamp64Milli(maxIf(LastIngested, ParseStatus != 'PAD'))
      FROM event_figures
      WHERE Scope = {scope:String} AND Stream != 'Signals' AND IngestedMinute >= toDateTime({since:UInt32}, 'UTC')
      GROUP BY SourceName HAVING Unparsed > 0 ORDER BY Unparsed DESC, SourceName LIMIT ${MOST_SOURCES}`,
    params: { scope: scopeId, since: Math.floor(sinceMs(clock) / 60_000) * 60 },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return rows.map(([source, unparsed, events, last]) => ({
    source: String(source),
    unparsed: Number(unparsed),
    events: Number(events),
    last: Number(last),
  }));
}

/** The newest such events of a source. The read stands in the audit trail before its answer leaves. */
export async function unparsedEvents(
  { queries, clock, audit }: UnparsedDeps,
  { clusterId, scopeId, caller }: ExtractionScope,
  { source, limit }: { readonly source: string; readonly limit: number },
): Promise<UnparsedEvents> {
  const kql = `Events
| where SourceName == ${JSON.stringify(source)} and ParseStatus in ("NLF", "PER")
| project TimeGenerated, ParseStatus, ParseError, Raw`;
  const range = { from: sinceMs(clock), to: clock.now() + 1 };
  const answer = await queries.run({
    ...{ clusterId, userId: caller.userId, kql },
    scopes: [scopeId],
    ingestRange: range,
    order: 'newest-first',
    maxRows: limit,
    queue: 'interactive',
  });
  const at = new Map(answer.columns.map(({ name }, index) => [name, index]));
  const cell = (row: readonly unknown[], name: string) => row[at.get(name) ?? -1];
  const found = answer.rows.map((row) => ({
    raw: String(cell(row, 'Raw') ?? ''),
    time: Number(new Date(cell(row, 'TimeGenerated') as string | number)),
    parse_status: String(cell(row, 'ParseStatus') ?? ''),
    reason: String(cell(row, 'ParseError') ?? ''),
  }));
  const entry = readEntry(
    'extractor.unparsed',
    { clusterId, scopeId, query: kql, range },
    { rows: found.length },
  );
  await audit.record({ ...entry, entity: source });
  return found;
}
