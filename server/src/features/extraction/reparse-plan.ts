import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ReparseRow } from './reparse-store.ts';

// How many events a run reads, and in which units: told by figures, no event is read.

export interface Selection {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Time of arrival, epoch milliseconds, half-open; whole minutes. */
  readonly from: number;
  readonly to: number;
  readonly source: string | null;
  readonly which: ReparseRow['which'];
}

export interface PlannedUnit {
  readonly partition: string;
  readonly from: number;
  readonly to: number;
}

export const MINUTE_MS = 60_000;
/** Events of a unit at most, where a minute holds no more: a part of the table is rewritten once for each. */
const UNIT_EVENTS = 500_000;
/** A day. */
const MOST_MINUTES = 1_440;

/** Conditions on events and figures alike; `time` is the column of the time of arrival. */
export function whereOf({ source, which }: Selection): string {
  return [
    `Scope = {scope:String} AND Stream != 'Signals'`,
    ...(source === null ? [] : ['SourceName = {source:String}']),
    ...(which === 'all' ? [] : ["ParseStatus IN ('NLF', 'PER')"]),
  ].join(' AND ');
}

export const paramsOf = ({ scopeId, source }: Selection) => ({
  scope: scopeId,
  ...(source === null ? {} : { source }),
});

const IN_MINUTES = `IngestedMinute >= toDateTime({from:UInt32}, 'UTC') AND IngestedMinute < toDateTime({to:UInt32}, 'UTC')`;

const askOf = (eventStore: Pick<EventStore, 'rows'>, selection: Selection) => ({
  rows: async (sql: string, params: Readonly<Record<string, unknown>> = {}) =>
    (
      await eventStore.rows(selection.clusterId, {
        sql,
        params: {
          ...paramsOf(selection),
          from: Math.max(0, Math.floor(selection.from / 1000)),
          to: Math.max(0, Math.ceil(selection.to / 1000)),
          ...params,
        },
        settings: FIGURE_SETTINGS,
        scopes: [selection.scopeId],
      })
    ).rows,
});

export async function countEvents(
  eventStore: Pick<EventStore, 'rows'>,
  selection: Selection,
): Promise<{ readonly events: number; readonly bytes: number }> {
  const [row] = await askOf(eventStore, selection).rows(
    `SELECT sum(Events), sum(RawBytes) FROM event_figures WHERE ${whereOf(selection)} AND ${IN_MINUTES}`,
  );
  return { events: Math.max(0, Number(row?.[0] ?? 0)), bytes: Math.max(0, Number(row?.[1] ?? 0)) };
}

/** The next stretch behind what is covered; undefined at the end. */
export async function planUnit(
  eventStore: Pick<EventStore, 'rows'>,
  selection: Selection,
  { partition, covered }: Pick<ReparseRow, 'partition' | 'covered'>,
): Promise<PlannedUnit | undefined> {
  const rows = await askOf(eventStore, selection).rows(
    `SELECT concat(toString(toYYYYMMDD(IngestedMinute)), '-', toString(RetentionDays)) AS Part,
        toUnixTimestamp(IngestedMinute) AS Minute, sum(Events) AS Count
      FROM event_figures WHERE ${whereOf(selection)} AND ${IN_MINUTES}
        AND (Part > {part:String} OR (Part = {part:String} AND Minute >= {covered:UInt32}))
      GROUP BY Part, Minute HAVING Count > 0 ORDER BY Part, Minute LIMIT ${MOST_MINUTES}`,
    { part: partition, covered: Math.floor((covered ?? 0) / 1000) },
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const part = String(first[0]);
  let events = 0;
  let to = 0;
  for (const [name, minute, count] of rows) {
    if (String(name) !== part || (events > 0 && events + Number(count) > UNIT_EVENTS)) break;
    events += Number(count);
    to = Number(minute) * 1000 + MINUTE_MS;
  }
  return { partition: part, from: Number(first[1]) * 1000, to };
}
