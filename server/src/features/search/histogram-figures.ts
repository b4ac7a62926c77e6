import { FIGURE_SETTINGS, minutesWithin } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { AskedSearch } from './asked-search.ts';
import type { EventPart } from './event-part.ts';
import type { BucketCount } from './histogram.ts';

// The histogram of a query without filters, from the figures that inserts fill: whole minutes come from there, and only
// what lies at the two ends of the range beside a whole minute is counted in the events.

type Range = AskedSearch['range'];

const MINUTE_MS = 60_000;
/** Milliseconds from 0001-01-01, where `bin` counts from, to 1970: a whole number of minutes. */
const ORIGIN_MINUTES = 62_135_596_800_000 / MINUTE_MS;
/** Fields that figures tell apart. */
const TOLD_APART = new Set(['Stream', 'SourceName', 'SourceType', 'ParseStatus']);

export interface FigureHistogram {
  readonly stream: string | null;
  readonly field: string;
  /** Whole minutes. */
  readonly inner: Range;
  /** What is left of the range before and behind them. */
  readonly ends: readonly Range[];
}

/** How the histogram is read from figures; null where their grain does not fit. */
export function figureHistogramOf(
  part: EventPart,
  stackBy: string,
  widthMs: number,
  range: Range,
): FigureHistogram | null {
  const { node } = part;
  if (node.kind !== 'scan' || node.scope !== undefined) return null;
  if (!TOLD_APART.has(stackBy) || widthMs % MINUTE_MS !== 0) return null;
  const inner = {
    from: Math.ceil(range.from / MINUTE_MS) * MINUTE_MS,
    to: Math.floor(range.to / MINUTE_MS) * MINUTE_MS,
  };
  if (inner.from >= inner.to) return null;
  const ends = [
    { from: range.from, to: inner.from },
    { from: inner.to, to: range.to },
  ].filter(({ from, to }) => from < to);
  return { stream: node.stream, field: stackBy, inner, ends };
}

/** Events of the whole minutes by bucket and value, or null when there are more than `mostGroups` of both. */
export async function countFromFigures(
  events: Pick<EventStore, 'rows'>,
  asked: AskedSearch,
  { stream, field, inner }: FigureHistogram,
  widthMs: number,
  maxGroups: number,
): Promise<BucketCount[] | null> {
  const { where, params } = minutesWithin(inner);
  asked.onScopes(asked.scopes);
  const { rows } = await events.rows(asked.clusterId, {
    sql: `SELECT intDiv(toInt64(EventMinute) + ${ORIGIN_MINUTES}, {width:Int64}) AS Bucket, toString(${field}) AS Value, sum(Events)
      FROM event_figures
      WHERE Scope IN {scopes:Array(String)} AND ({stream:String} = '' OR Stream = {stream:String}) AND ${where}
      GROUP BY Bucket, Value HAVING sum(Events) > 0 LIMIT ${maxGroups + 1}`,
    params: { ...params, width: widthMs / MINUTE_MS, scopes: [...asked.scopes], stream: stream ?? '' },
    settings: FIGURE_SETTINGS,
    scopes: asked.scopes,
    signal: asked.signal,
  });
  if (rows.length > maxGroups) return null;
  return rows.map(([bucket, value, count]) => ({
    time: (Number(bucket) * (widthMs / MINUTE_MS) - ORIGIN_MINUTES) * MINUTE_MS,
    value: String(value),
    count: Number(count),
  }));
}
