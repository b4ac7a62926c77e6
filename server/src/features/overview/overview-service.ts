import type { ScopeOverview } from '@tyrian/contract';
import { FIGURE_SETTINGS, hoursWithin, minutesWithin } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';

// Figures of a scope, read from what inserts count: no event is read. The range holds by the minute, that of hosts by
// the hour.

export interface OverviewRequest {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Epoch milliseconds, half-open. */
  readonly start: number;
  readonly end: number;
  readonly signal?: AbortSignal;
}

export interface OverviewService {
  read(request: OverviewRequest): Promise<ScopeOverview>;
}

const MAX_SLICES = 96;
const TOP = 8;
const MAX_SOURCES = 1_000;
const MAX_SILENT = 20;
const SILENT_AFTER_MS = 3_600_000;
const SLICES_MS = [
  60e3,
  300e3,
  900e3,
  1800e3,
  3600e3,
  3 * 3600e3,
  6 * 3600e3,
  12 * 3600e3,
  86400e3,
  7 * 86400e3,
];

/** The narrowest round slice that keeps a range under 96 slices. */
export function sliceOf(start: number, end: number): number {
  return SLICES_MS.find((slice) => (end - start) / slice <= MAX_SLICES) ?? 30 * 86_400_000;
}

type Ask = (
  sql: string,
  params?: Readonly<Record<string, unknown>>,
) => Promise<readonly (readonly unknown[])[]>;

const NO_SIGNALS = "Scope = {scope:String} AND Stream != 'Signals'";

function askOf(eventStore: Pick<EventStore, 'rows'>, request: OverviewRequest): Ask {
  const { clusterId, scopeId, signal } = request;
  return async (sql, params) => {
    const { rows } = await eventStore.rows(clusterId, {
      sql,
      params: { ...params, scope: scopeId },
      settings: FIGURE_SETTINGS,
      scopes: [scopeId],
      ...(signal ? { signal } : {}),
    });
    return rows;
  };
}

/** Events and unparsed ones, by stream and slice. */
async function readSeries(ask: Ask, range: { from: number; to: number }, slice: number) {
  const { where, params } = minutesWithin(range);
  const rows = await ask(
    `SELECT Stream, intDiv(EventMinute, {minutes:Int32}) - (EventMinute < 0 AND EventMinute % {minutes:Int32} != 0) AS Slice,
       sum(Events), sumIf(Events, ParseStatus != 'PAD')
     FROM event_figures WHERE ${NO_SIGNALS} AND ${where} GROUP BY Stream, Slice HAVING sum(Events) > 0`,
    { ...params, minutes: slice / 60_000 },
  );
  return rows.map(([stream, at, events, unparsed]) => ({
    stream: String(stream),
    time: Number(at) * slice,
    count: Number(events),
    unparsed: Number(unparsed),
  }));
}

/** Sources, those with most events first, and how many there are. */
async function readSources(ask: Ask, range: { from: number; to: number }) {
  const { where, params } = minutesWithin(range);
  const rows = await ask(
    `SELECT SourceName, sum(Events) AS Count, toUnixTimestamp64Milli(max(LastEvent)), count() OVER ()
     FROM event_figures WHERE ${NO_SIGNALS} AND ${where}
     GROUP BY SourceName HAVING Count > 0 ORDER BY Count DESC, SourceName LIMIT ${MAX_SOURCES}`,
    params,
  );
  const sources = rows
    .map(([name, count, last]) => ({ name: String(name), count: Number(count), last: Number(last) }))
    .filter(({ name }) => name !== '');
  return { count: Number(rows[0]?.[3] ?? 0), sources };
}

/** Signals by detection and score. */
async function readSignals(ask: Ask, range: { from: number; to: number }) {
  const { where, params } = minutesWithin(range);
  const rows = await ask(
    `SELECT Detection, Score, sum(Events) AS Count FROM event_figures
     WHERE Scope = {scope:String} AND Stream = 'Signals' AND ${where} GROUP BY Detection, Score HAVING Count > 0`,
    params,
  );
  const signals = { critical: 0, high: 0, medium: 0, low: 0 };
  const detections = new Map<string, number>();
  for (const [detection, score, count] of rows) {
    const band = bandOf(Number(score));
    signals[band] += Number(count);
    const name = String(detection);
    if (name !== '') detections.set(name, (detections.get(name) ?? 0) + Number(count));
  }
  const top = [...detections].map(([name, count]) => ({ name, count }));
  top.sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
  return { signals, topDetections: top.slice(0, TOP) };
}

function bandOf(score: number): 'critical' | 'high' | 'medium' | 'low' {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  return score >= 4 ? 'medium' : 'low';
}

async function readHosts(ask: Ask, range: { from: number; to: number }) {
  const { where, params } = hoursWithin(range);
  const rows = await ask(
    `SELECT DvcHostname, sum(Events) AS Count FROM host_figures WHERE ${NO_SIGNALS} AND ${where}
     GROUP BY DvcHostname HAVING Count > 0 ORDER BY Count DESC, DvcHostname LIMIT ${TOP}`,
    params,
  );
  return rows.map(([name, count]) => ({ name: String(name), count: Number(count) }));
}

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

export function createOverviewService(eventStore: Pick<EventStore, 'rows'>): OverviewService {
  return {
    async read(request) {
      const { start, end } = request;
      const slice = sliceOf(start, end);
      const ask = askOf(eventStore, request);
      const range = { from: start, to: end };
      const [series, found, { signals, topDetections }, hosts] = await Promise.all([
        readSeries(ask, range, slice),
        readSources(ask, range),
        readSignals(ask, range),
        readHosts(ask, range),
      ]);
      return {
        interval_ms: slice,
        events: series.map(({ stream, time, count }) => ({ stream, time, count })),
        totals: {
          events: sumOf(series.map(({ count }) => count)),
          sources: found.count,
          unparsed: sumOf(series.map(({ unparsed }) => unparsed)),
          signals: sumOf(Object.values(signals)),
        },
        signals,
        top_detections: topDetections,
        top_sources: found.sources.slice(0, TOP).map(({ name, count }) => ({ name, count })),
        top_hosts: hosts,
        silent_sources: silentAt(end, found.sources),
      };
    },
  };
}

/** Of sources with their last event, those that sent nothing in the last hour before `end`. */
function silentAt(
  end: number,
  sources: readonly { readonly name: string; readonly last: number }[],
): ScopeOverview['silent_sources'] {
  return sources
    .map(({ name, last }) => ({ name, last_event: last }))
    .filter(({ last_event: last }) => last < end - SILENT_AFTER_MS)
    .sort((a, b) => a.last_event - b.last_event)
    .slice(0, MAX_SILENT);
}
