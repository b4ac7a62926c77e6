import { ALL_EVENTS } from '@tyrian/catalog';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Which streams a scope still receives. A stream is silent when nothing came in for a day, or when all that came in within a
// day is of sources that fell silent since: those are told of after an hour already.

const SILENT_MS = 24 * 3_600_000;
const LOOK_BACK_MS = 30 * SILENT_MS;
/** The stream of signals is quiet when nothing happens, which is no fault. */
const NEVER_SILENT = 'Signals';

const SQL = `SELECT Stream, SourceName, toUnixTimestamp64Milli(max(LastIngested)) FROM event_figures
WHERE Scope = {scope:String} AND IngestedMinute >= toDateTime(intDiv({since:Int64}, 1000), 'UTC')
GROUP BY Stream, SourceName HAVING sum(Events) > 0 ORDER BY Stream, SourceName LIMIT 20000`;

interface StreamInflow {
  readonly lastEvent: number;
  readonly isSilent: boolean;
  readonly silentSources: readonly string[];
}

export interface Inflow {
  readonly of: ReadonlyMap<string, StreamInflow>;
  /** Of what a rule reads (`Events`: anything), the streams that do not arrive; empty while one of them does. */
  missing(streams: readonly string[]): readonly string[];
}

export type InflowOf = (scope: ScopeRef) => Promise<Inflow>;

export function createInflowOf(deps: {
  readonly events: EventStore;
  readonly clock: { now(): number };
  readonly silentSources: (scope: ScopeRef) => Promise<ReadonlySet<string>>;
}): InflowOf {
  return async (scope) => {
    const nowMs = deps.clock.now();
    const [{ rows }, silent] = await Promise.all([
      deps.events.rows(scope.clusterId, {
        sql: SQL,
        params: { scope: scope.scopeId, since: nowMs - LOOK_BACK_MS },
        scopes: [scope.scopeId],
      }),
      deps.silentSources(scope),
    ]);
    const found = rows.map(([stream, source, last]) => ({
      stream: String(stream),
      source: String(source),
      last: Number(last),
    }));
    return inflowOf(found, silent, nowMs);
  };
}

interface Received {
  readonly stream: string;
  readonly source: string;
  readonly last: number;
}

/** What the last arrivals of each source say of the streams. */
function inflowOf(received: readonly Received[], silent: ReadonlySet<string>, nowMs: number): Inflow {
  const of = new Map<string, StreamInflow>();
  for (const { stream, source, last } of received) {
    const known = of.get(stream) ?? { lastEvent: 0, isSilent: true, silentSources: [] };
    const isFlowing = nowMs - last < SILENT_MS && !silent.has(source);
    of.set(stream, {
      lastEvent: Math.max(known.lastEvent, last),
      isSilent: known.isSilent && !isFlowing && stream !== NEVER_SILENT,
      silentSources: isFlowing ? known.silentSources : [...known.silentSources, source],
    });
  }
  const flows = (stream: string) => stream === NEVER_SILENT || of.get(stream)?.isSilent === false;
  const hasAny = [...of.keys()].some((stream) => stream !== NEVER_SILENT && flows(stream));
  return {
    of,
    missing: (streams) => {
      const isAny = streams.length === 0 || streams.includes(ALL_EVENTS);
      if (isAny) return hasAny ? [] : [ALL_EVENTS];
      return streams.some(flows) ? [] : streams;
    },
  };
}
