import { type dailyStreamDetails, type OutputOf, SILENT_INPUT_MS, type StreamStatus } from '@tyrian/contract';
import { FIGURE_SETTINGS } from '../../platform/clickhouse/event-figures.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { signalsByStream } from '../signals/rule-noise.ts';
import type { KnownRule } from './known-rules.ts';

// What the streams of a scope received, from the figures that inserts fill: no event is read.

const DAY_MS = 86_400_000;
/** An event further back is not looked for. */
const LOOK_BACK_MS = 7 * DAY_MS;

export interface StreamDeps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'rows'>;
  readonly clock: Clock;
}

const BY_STREAM = `SELECT Stream, sum(Events) AS Count,
  sumIf(Events, IngestedMinute >= toDateTime({recent:UInt32}, 'UTC')), toUnixTimestamp64Milli(max(LastIngested))
FROM event_figures
WHERE Scope = {scope:String} AND Stream != 'Signals' AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
GROUP BY Stream HAVING Count > 0`;

export interface StreamInput {
  readonly events24h: number;
  readonly lastEvent: number;
}

const secondsOf = (ms: number): number => Math.max(0, Math.floor(ms / 60_000) * 60);

/** Streams of a scope with events of the last seven days. */
export async function streamInputs(
  { events, clock }: StreamDeps,
  clusterId: string,
  scopeId: string,
): Promise<ReadonlyMap<string, StreamInput>> {
  const nowMs = clock.now();
  const { rows } = await events.rows(clusterId, {
    sql: BY_STREAM,
    params: {
      scope: scopeId,
      recent: secondsOf(nowMs - DAY_MS),
      from: secondsOf(nowMs - LOOK_BACK_MS),
    },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  return new Map(
    rows.map(([stream, , recent, last]) => [
      String(stream),
      { events24h: Number(recent), lastEvent: Number(last) },
    ]),
  );
}

/** The streams that a rule reads and that received nothing for a day; a rule that reads any is silent with all of them. */
export function silentStreams(
  { streams }: Pick<KnownRule, 'streams'>,
  inputs: ReadonlyMap<string, StreamInput>,
  nowMs: number,
): string[] {
  const isSilent = (stream: string): boolean =>
    nowMs - (inputs.get(stream)?.lastEvent ?? 0) > SILENT_INPUT_MS;
  if (streams !== null && !streams.includes('*')) return streams.filter(isSilent);
  return [...inputs.keys()].every(isSilent) ? ['*'] : [];
}

/** The streams that a scope receives or its rules read. */
export async function streamStatus(
  deps: StreamDeps,
  clusterId: string,
  scopeId: string,
  rules: readonly Pick<KnownRule, 'streams'>[],
): Promise<StreamStatus[]> {
  const nowMs = deps.clock.now();
  const inputs = await streamInputs(deps, clusterId, scopeId);
  const signals = await deps.postgres.inTenant(clusterId, (trx) =>
    signalsByStream(trx, clusterId, scopeId, { countMs: nowMs - DAY_MS, lastMs: nowMs - LOOK_BACK_MS }),
  );
  const names = new Set([...inputs.keys(), ...rules.flatMap(({ streams }) => streams ?? [])]);
  names.delete('*');
  const found = [...names].sort().map((stream): StreamStatus => {
    // A signal of a rule that reads several streams counts for each of them.
    const mine = signals.filter(({ streams }) => streams === '*' || streams.split(', ').includes(stream));
    const input = inputs.get(stream);
    return {
      stream,
      events_24h: input?.events24h ?? 0,
      last_event: input?.lastEvent ?? null,
      signals_24h: mine.reduce((sum, { count }) => sum + count, 0),
      last_signal: mine.length === 0 ? null : Math.max(...mine.map(({ last }) => last)),
      rules: rules.filter(
        ({ streams }) => streams === null || streams.includes('*') || streams.includes(stream),
      ).length,
    };
  });
  return found;
}

const BY_DAY = `SELECT Stream, toUnixTimestamp(toStartOfDay(IngestedMinute, 'UTC')) AS Day, sum(Events) AS Count,
  sumIf(Events, ParseStatus != 'PAD'), sum(RawBytes)
FROM event_figures
WHERE Scope = {scope:String} AND Stream != 'Signals' AND IngestedMinute >= toDateTime({from:UInt32}, 'UTC')
GROUP BY Stream, Day HAVING Count > 0 ORDER BY Stream, Day`;

/** Events of each stream by day, today and the days before it; days without events are absent. */
export async function streamDays(
  { events, clock }: StreamDeps,
  clusterId: string,
  scopeId: string,
  days: number,
): Promise<OutputOf<typeof dailyStreamDetails>> {
  const from = Math.floor(clock.now() / DAY_MS) * DAY_MS - (days - 1) * DAY_MS;
  const { rows } = await events.rows(clusterId, {
    sql: BY_DAY,
    params: { scope: scopeId, from: secondsOf(from) },
    settings: FIGURE_SETTINGS,
    scopes: [scopeId],
  });
  const streams = new Map<string, OutputOf<typeof dailyStreamDetails>[number]>();
  for (const [stream, day, count, unparsed, bytes] of rows) {
    const name = String(stream);
    const one = streams.get(name) ?? { stream: name, days: [] };
    one.days.push({
      day: Number(day) * 1000,
      events: Number(count),
      unparsed: Number(unparsed),
      raw_bytes: Number(bytes),
    });
    streams.set(name, one);
  }
  return [...streams.values()];
}
