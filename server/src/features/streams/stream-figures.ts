import type { OutputOf, streamAnalytics } from '@tyrian/contract';
import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Volume of streams, from the figures that inserts fill: no event is read.

type Events = Pick<EventStore, 'rows'>;

const MOST_SOURCES = 200;

export interface StreamVolume {
  readonly stream: string;
  readonly events: number;
  readonly rawBytes: number;
  readonly storedBytes: number;
  readonly lastMs: number;
}

const seconds = (ms: number): number => Math.max(0, Math.floor(ms / 60_000) * 60);

/** The streams of a scope, with what came in since a time; those without events since then have zeros. */
export async function streamVolumes(
  events: Events,
  { clusterId, scopeId }: ScopeRef,
  fromMs: number,
): Promise<StreamVolume[]> {
  const since = "IngestedMinute >= toDateTime({from:UInt32}, 'UTC')";
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT Stream, sumIf(Events, ${since}), sumIf(RawBytes, ${since}), sumIf(StoredBytes, ${since}),
        toUnixTimestamp64Milli(max(LastIngested))
      FROM event_figures WHERE Scope = {scope:String} GROUP BY Stream HAVING sum(Events) > 0 ORDER BY Stream`,
    params: { scope: scopeId, from: seconds(fromMs) },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return rows.map(([stream, count, raw, stored, last]) => ({
    stream: String(stream),
    events: Number(count),
    rawBytes: Number(raw),
    storedBytes: Number(stored),
    lastMs: Number(last),
  }));
}

/** What all events of the tenant are before they are packed, in bytes. */
export async function storedBytesOfTenant(events: Events, clusterId: string): Promise<number> {
  const { rows } = await events.rows(clusterId, {
    sql: 'SELECT sum(StoredBytes) FROM event_figures',
    settings: FIGURE_SETTINGS,
    scopes: 'all',
  });
  return Number(rows[0]?.[0] ?? 0);
}

/** Events of a stream, of one name of a source or of all, since a time. */
export async function eventsSince(
  events: Events,
  { clusterId, scopeId }: ScopeRef,
  of: { readonly stream: string; readonly source?: string | undefined; readonly fromMs: number },
): Promise<number> {
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT sum(Events) FROM event_figures WHERE Scope = {scope:String} AND Stream = {stream:String}
      AND ({source:String} = '' OR SourceName = {source:String}) AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')`,
    params: { scope: scopeId, stream: of.stream, source: of.source ?? '', from: seconds(of.fromMs) },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return Number(rows[0]?.[0] ?? 0);
}

/** One stream by day, by source and by the decoder that read its events. */
export async function figuresOfStream(
  events: Events,
  { clusterId, scopeId }: ScopeRef,
  stream: string,
  fromMs: number,
): Promise<OutputOf<typeof streamAnalytics>> {
  const ask = async (select: string, group: string) =>
    (
      await events.rows(clusterId, {
        sql: `SELECT ${select}, sum(Events) AS Count, sumIf(Events, ParseStatus != 'PAD'), sum(RawBytes)
          FROM event_figures WHERE Scope = {scope:String} AND Stream = {stream:String}
            AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
          GROUP BY ${group} HAVING Count > 0 ORDER BY Count DESC LIMIT ${MOST_SOURCES * 2}`,
        params: { scope: scopeId, stream, from: seconds(fromMs) },
        settings: FIGURE_SETTINGS,
        scopes: [scopeId],
      })
    ).rows;
  const [days, sources, extractors] = await Promise.all([
    ask("toUnixTimestamp(toStartOfDay(IngestedMinute, 'UTC')) AS Day", 'Day'),
    ask('SourceName', 'SourceName'),
    ask('SourceType', 'SourceType'),
  ]);
  const figures = ([, count, unparsed, raw]: readonly unknown[]) => ({
    events: Number(count),
    unparsed: Number(unparsed),
    raw_bytes: Number(raw),
  });
  return {
    stream,
    days: days.map((row) => ({ day: Number(row[0]) * 1000, ...figures(row) })).sort((a, b) => a.day - b.day),
    sources: sources.map((row) => ({ source: String(row[0]), ...figures(row) })),
    extractors: extractors.map((row) => ({ extractor: String(row[0]), events: Number(row[1]) })),
  };
}

export interface TenantVolume {
  readonly days: ReadonlyMap<number, { readonly rawBytes: number; readonly events: number }>;
  readonly streams: { stream: string; events: number; raw_bytes: number }[];
}

/** What came into a tenant by UTC day and by stream in a range that begins and ends with days. */
export async function volumeOfTenant(
  events: Events,
  clusterId: string,
  range: { readonly fromMs: number; readonly toMs: number },
): Promise<TenantVolume> {
  const { rows } = await events.rows(clusterId, {
    sql: `SELECT Stream, toUnixTimestamp(toStartOfDay(IngestedMinute, 'UTC')) AS Day, sum(Events), sum(RawBytes)
      FROM event_figures WHERE Stream != 'Signals' AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
        AND IngestedMinute < toDateTime({to:UInt32}, 'UTC') GROUP BY Stream, Day`,
    params: { from: seconds(range.fromMs), to: seconds(range.toMs) },
    settings: FIGURE_SETTINGS,
    scopes: 'all',
  });
  const days = new Map<number, { rawBytes: number; events: number }>();
  const streams = new Map<string, { stream: string; events: number; raw_bytes: number }>();
  for (const [name, at, count, raw] of rows) {
    const day = days.get(Number(at) * 1000) ?? { rawBytes: 0, events: 0 };
    days.set(Number(at) * 1000, {
      rawBytes: day.rawBytes + Number(raw),
      events: day.events + Number(count),
    });
    const stream = streams.get(String(name)) ?? { stream: String(name), events: 0, raw_bytes: 0 };
    stream.events += Number(count);
    stream.raw_bytes += Number(raw);
    streams.set(stream.stream, stream);
  }
  return { days, streams: [...streams.values()].sort((a, b) => b.raw_bytes - a.raw_bytes) };
}
