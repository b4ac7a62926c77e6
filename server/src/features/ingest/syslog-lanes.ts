import type { SyslogMessageBytes } from '@tyrian/ingest';
import type { Logger } from '../../platform/log.ts';
import type { SourcePlace } from '../sources/source-place.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestService } from './ingest-service.ts';

// Messages of syslog wait here for company and are stored as batches, in order for each source and address. Syslog knows
// no acknowledgement: what the store cannot take yet is kept and tried again, up to a limit.

/** Messages of one source wait so long for company. */
const GATHER_MS = 200;
const GATHER_BYTES = 1024 * 1024;
/** Bytes of one source and address that may wait; beyond it UDP is lost (and counted) and TCP is not read. */
const MOST_WAITING = 32 * 1024 * 1024;
const RETRY_MS = 1_000;

interface Lane {
  readonly key: string;
  place: SourcePlace;
  readonly address: string;
  messages: SyslogMessageBytes[];
  bytes: number;
  timer: NodeJS.Timeout | null;
  sending: Promise<void> | null;
  readonly waiters: (() => void)[];
}

export interface SyslogLanes {
  add(place: SourcePlace, address: string, message: SyslogMessageBytes): void;
  isFull(place: SourcePlace, address: string): boolean;
  /** Resolves when some of what waits has been stored; at once when nothing waits. */
  room(place: SourcePlace, address: string): Promise<void>;
  /** Stores what waits; what cannot be stored then is counted as lost. */
  stop(): Promise<void>;
}

export interface SyslogLanesDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
}

export function createSyslogLanes({ ingest, sources, log }: SyslogLanesDeps): SyslogLanes {
  const lanes = new Map<string, Lane>();
  let isStopped = false;
  let sayStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    sayStopped = resolve;
  });

  /** Tries until the messages are stored, or can never be. */
  const store = async ({ place, address }: Lane, messages: readonly SyslogMessageBytes[]): Promise<void> => {
    const { clusterId, scopeId, sourceId, sourceName } = place;
    const target = { clusterId, scopeId, sourceId, sourceName, sourceAddress: address };
    const body = Buffer.concat(messages.map((message) => message.bytes));
    const lengths = messages.map((message) => message.bytes.length);
    const cut = messages.filter((message) => message.length > message.bytes.length).length;
    const lost = () => sources.count(clusterId, sourceId, { lost: messages.length });
    for (;;) {
      try {
        const { outcome, answered } = await ingest.receive(target, { format: 'messages', body, lengths });
        if (outcome.kind !== 'stored' && outcome.kind !== 'fault')
          throw new Error(`not stored yet: ${outcome.kind}`);
        await answered(true);
        if (outcome.kind === 'fault') {
          // Not even kept as text: trying again would hold up what the sender says next, for ever.
          log.error({ err: outcome.fault.message, sourceId }, 'messages of syslog could not be read');
          lost();
        } else if (cut > 0) sources.count(clusterId, sourceId, { truncated: cut });
        return;
      } catch (error) {
        if (isStopped) {
          lost();
          return;
        }
        log.warn({ err: (error as Error).message }, 'syslog waits for the store');
        await Promise.race([new Promise((resolve) => setTimeout(resolve, RETRY_MS)), stopped]);
      }
    }
  };

  const send = async (lane: Lane): Promise<void> => {
    const { messages, bytes } = lane;
    lane.messages = [];
    await store(lane, messages);
    lane.bytes -= bytes;
    lane.sending = null;
    for (const wake of lane.waiters.splice(0)) wake();
    if (lane.messages.length > 0) plan(lane);
    // Addresses can be forged: a lane lives only as long as something waits in it.
    else lanes.delete(lane.key);
  };

  const start = (lane: Lane): void => {
    if (lane.timer !== null) clearTimeout(lane.timer);
    lane.timer = null;
    if (lane.sending === null && lane.messages.length > 0) lane.sending = send(lane);
  };

  const plan = (lane: Lane): void => {
    if (lane.sending !== null) return;
    if (lane.bytes >= GATHER_BYTES || isStopped) start(lane);
    else lane.timer ??= setTimeout(() => start(lane), GATHER_MS);
  };

  const keyOf = (place: SourcePlace, address: string) => `${place.sourceId} ${address}`;

  return {
    add: (place, address, message) => {
      const key = keyOf(place, address);
      let lane = lanes.get(key);
      if (lane === undefined) {
        lane = { key, place, address, messages: [], bytes: 0, timer: null, sending: null, waiters: [] };
        lanes.set(key, lane);
      }
      lane.place = place;
      lane.messages.push(message);
      lane.bytes += message.bytes.length;
      plan(lane);
    },
    isFull: (place, address) => (lanes.get(keyOf(place, address))?.bytes ?? 0) > MOST_WAITING,
    room: (place, address) =>
      new Promise((resolve) => {
        const lane = lanes.get(keyOf(place, address));
        if (lane === undefined) resolve();
        else lane.waiters.push(resolve);
      }),
    stop: async () => {
      isStopped = true;
      sayStopped();
      for (const lane of lanes.values()) start(lane);
      await Promise.all([...lanes.values()].map(({ sending }) => sending));
    },
  };
}
