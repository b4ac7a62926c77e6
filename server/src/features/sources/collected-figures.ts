import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// What became of the events of each source, from the figures that inserts fill: no event is read. Figures of a reading that
// was replaced add up to nothing, and sumMap leaves such names out.

const HOUR_S = 3_600;
const DAY_S = 24 * HOUR_S;
const LOOK_BACK_DAYS = 7;
/** A sender may give any name to its events: what is beyond is left out, least first. */
const MAX_NAMES = 2_000;

export interface CollectedFigures {
  readonly name: string;
  readonly events24h: number;
  readonly unparsed24h: number;
  /** When its last event came in, epoch milliseconds. */
  readonly lastMs: number;
  readonly extractors: readonly string[];
  readonly streams: readonly string[];
  /** Events of each of the last 24 hours, the running one last. */
  readonly hours: readonly number[];
}

const RECENT = "IngestedMinute >= toDateTime({day:UInt32}, 'UTC')";
const BY_SOURCE = `SELECT SourceName, sumIf(Events, ${RECENT}) AS Recent, sumIf(Events, ${RECENT} AND ParseStatus != 'PAD'),
  toUnixTimestamp64Milli(max(LastIngested)),
  arraySlice(sumMap([toString(SourceType)], [Events]).1, 1, 20), arraySlice(sumMap([toString(Stream)], [Events]).1, 1, 20),
  sumMapIf([toInt64(intDiv(toInt64(toUnixTimestamp(IngestedMinute)) - {day:UInt32}, ${HOUR_S}))], [Events], ${RECENT})
FROM event_figures
WHERE Scope = {scope:String} AND Stream != 'Signals' AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
GROUP BY SourceName HAVING sum(Events) > 0 ORDER BY Recent DESC, SourceName LIMIT ${MAX_NAMES}`;

type Events = Pick<EventStore, 'rows'>;

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String).sort() : []);

function hoursOf(value: unknown): number[] {
  const [hours, counts] = Array.isArray(value) ? (value as [unknown[], unknown[]]) : [[], []];
  const all = new Array<number>(24).fill(0);
  hours.forEach((hour, at) => {
    const index = Number(hour);
    if (index >= 0 && index < 24) all[index] = Number(counts[at]);
  });
  return all;
}

/** Every name of a source with events of the last seven days. */
export async function collectedFigures(
  events: Events,
  { clusterId, scopeId }: ScopeRef,
  nowMs: number,
): Promise<readonly CollectedFigures[]> {
  const hour = Math.floor(nowMs / 1000 / HOUR_S) * HOUR_S;
  const day = Math.max(0, hour - DAY_S + HOUR_S);
  const { rows } = await events.rows(clusterId, {
    sql: BY_SOURCE,
    params: { scope: scopeId, day, from: Math.max(0, hour - LOOK_BACK_DAYS * DAY_S) },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return rows.map(([name, recent, unparsed, last, extractors, streams, hours]) => ({
    name: String(name),
    events24h: Number(recent),
    unparsed24h: Number(unparsed),
    lastMs: Number(last),
    extractors: textsOf(extractors),
    streams: textsOf(streams),
    hours: hoursOf(hours),
  }));
}

/** How many events the store has of a name, of those that came in from `fromMs` on. */
export async function storedOf(
  events: Events,
  { clusterId, scopeId }: ScopeRef,
  name: string,
  fromMs: number,
): Promise<number> {
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT sum(Events) FROM event_figures WHERE Scope = {scope:String} AND Stream != 'Signals'
      AND SourceName = {name:String} AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')`,
    params: { scope: scopeId, name, from: Math.max(0, Math.floor(fromMs / 60_000) * 60) },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return Number(rows[0]?.[0] ?? 0);
}
