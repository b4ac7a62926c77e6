import { ALL_EVENTS } from '@tyrian/catalog';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';

/** A stream counts as silent when it has received nothing for a day. */
const HAS_DATA_MS = 24 * 3_600_000;
const LOOK_BACK_MS = 30 * HAS_DATA_MS;

const SQL = `SELECT Stream, toUnixTimestamp64Milli(max(LastIngested)) FROM event_figures
WHERE Scope = {scope:String} AND (Stream IN {streams:Array(String)} OR {all:UInt8} = 1)
  AND IngestedMinute >= toDateTime(intDiv({since:Int64}, 1000), 'UTC')
GROUP BY Stream HAVING sum(Events) > 0`;

export interface StreamFlow {
  stream: string;
  last_event: number | null;
  has_data: boolean;
}

/** Whether streams receive data in a scope, looking back thirty days. */
export interface StreamFlowService {
  lastEvents(clusterId: string, scopeId: string, streams: readonly string[]): Promise<StreamFlow[]>;
}

export function createStreamFlowService(deps: {
  readonly events: EventStore;
  readonly clock: Clock;
}): StreamFlowService {
  return {
    lastEvents: async (clusterId, scopeId, streams) => {
      const all = streams.includes(ALL_EVENTS);
      const { rows } = await deps.events.rows(clusterId, {
        sql: SQL,
        params: {
          scope: scopeId,
          streams: [...streams],
          all: all ? 1 : 0,
          since: deps.clock.now() - LOOK_BACK_MS,
        },
        scopes: [scopeId],
      });
      const last = new Map(rows.map(([stream, time]) => [String(stream), Number(time)]));
      if (all) last.set(ALL_EVENTS, Math.max(0, ...last.values()));
      return streams.map((stream) => {
        const time = last.get(stream);
        const lastEvent = time === undefined || time === 0 ? null : time;
        return {
          stream,
          last_event: lastEvent,
          has_data: lastEvent !== null && deps.clock.now() - lastEvent < HAS_DATA_MS,
        };
      });
    },
  };
}
