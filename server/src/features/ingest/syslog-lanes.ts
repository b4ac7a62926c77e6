import type { SyslogMessageBytes } from '@tyrian/ingest';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
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
  source: IngestSource;
  readonly address: string;
  messages: SyslogMessageBytes[];
  bytes: number;
  timer: NodeJS.Timeout | null;
  sending: Promise<void> | null;
  readonly waiters: (() => void)[];
}

export interface SyslogLanes {
  add(source: IngestSource, address: string, message: SyslogMessageBytes): void;
  isFull(source: IngestSource, address: string): boolean;
  /** Resolves when some of what waits has been stored; at once when nothing waits. */
  room(source: IngestSource, address: string): Promise<void>;
  /** Stores what waits; what cannot be stored then is counted as lost. */
  stop(): Promise<void>;
}

export interface SyslogLanesDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
}

interface SyslogLanesParts extends SyslogLanesDeps {
  isStopped: boolean;
  readonly stopped: Promise<void>;
  readonly lanes: Map<string, Lane>;
  readonly sayStopped: () => void;
}

export function createSyslogLanes(deps: SyslogLanesDeps): SyslogLanes {
  const lanes = new Map<string, Lane>();
  let sayStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    sayStopped = resolve;
  });
  const parts: SyslogLanesParts = { ...deps, isStopped: false, stopped, lanes, sayStopped };
  return bindDeps(parts, { add, isFull, room, stop });
}

/** Tries until the messages are stored, or can never be. */
async function store(
  parts: SyslogLanesParts,
  { source, address }: Lane,
  messages: readonly SyslogMessageBytes[],
): Promise<void> {
  const { sources, ingest, log, stopped } = parts;
  const { clusterId, scopeId, sourceId, sourceName } = source;
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
      if (parts.isStopped) {
        lost();
        return;
      }
      log.warn({ err: (error as Error).message }, 'syslog waits for the store');
      await Promise.race([new Promise((resolve) => setTimeout(resolve, RETRY_MS)), stopped]);
    }
  }
}

async function send(parts: SyslogLanesParts, lane: Lane): Promise<void> {
  const { messages, bytes } = lane;
  lane.messages = [];
  await store(parts, lane, messages);
  lane.bytes -= bytes;
  lane.sending = null;
  for (const wake of lane.waiters.splice(0)) wake();
  if (lane.messages.length > 0) plan(parts, lane);
  // Addresses can be forged: a lane lives only as long as something waits in it.
  else parts.lanes.delete(lane.key);
}

function start(parts: SyslogLanesParts, lane: Lane): void {
  if (lane.timer !== null) clearTimeout(lane.timer);
  lane.timer = null;
  if (lane.sending === null && lane.messages.length > 0) lane.sending = send(parts, lane);
}

function plan(parts: SyslogLanesParts, lane: Lane): void {
  if (lane.sending !== null) return;
  if (lane.bytes >= GATHER_BYTES || parts.isStopped) start(parts, lane);
  else lane.timer ??= setTimeout(() => start(parts, lane), GATHER_MS);
}

function keyOf(source: IngestSource, address: string) {
  return `${source.sourceId} ${address}`;
}

function add(
  parts: SyslogLanesParts,
  source: IngestSource,
  address: string,
  message: SyslogMessageBytes,
): void {
  const key = keyOf(source, address);
  let lane = parts.lanes.get(key);
  if (lane === undefined) {
    lane = { key, source, address, messages: [], bytes: 0, timer: null, sending: null, waiters: [] };
    parts.lanes.set(key, lane);
  }
  lane.source = source;
  lane.messages.push(message);
  lane.bytes += message.bytes.length;
  plan(parts, lane);
}

function isFull({ lanes }: SyslogLanesParts, source: IngestSource, address: string): boolean {
  return (lanes.get(keyOf(source, address))?.bytes ?? 0) > MOST_WAITING;
}

function room({ lanes }: SyslogLanesParts, source: IngestSource, address: string): Promise<void> {
  return new Promise((resolve) => {
    const lane = lanes.get(keyOf(source, address));
    if (lane === undefined) resolve();
    else lane.waiters.push(resolve);
  });
}

async function stop(parts: SyslogLanesParts): Promise<void> {
  parts.isStopped = true;
  parts.sayStopped();
  for (const lane of parts.lanes.values()) start(parts, lane);
  await Promise.all([...parts.lanes.values()].map(({ sending }) => sending));
}
