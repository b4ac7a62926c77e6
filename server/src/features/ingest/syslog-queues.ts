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
const MAX_WAITING = 32 * 1024 * 1024;
const RETRY_MS = 1_000;

interface SourceQueue {
  readonly key: string;
  source: IngestSource;
  readonly address: string;
  messages: SyslogMessageBytes[];
  bytes: number;
  timer: NodeJS.Timeout | null;
  sending: Promise<void> | null;
  readonly waiters: (() => void)[];
}

export interface SyslogQueues {
  add(source: IngestSource, address: string, message: SyslogMessageBytes): void;
  isFull(source: IngestSource, address: string): boolean;
  /** Resolves when some of what waits has been stored; at once when nothing waits. */
  waitForSpace(source: IngestSource, address: string): Promise<void>;
  /** Stores what waits; what cannot be stored then is counted as lost. */
  stop(): Promise<void>;
}

export interface SyslogQueuesDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
  /** What the messages are; syslog as a rule. */
  readonly format?: 'messages' | 'forward' | 'gelf';
}

interface SyslogQueuesParts extends SyslogQueuesDeps {
  isStopped: boolean;
  readonly stopped: Promise<void>;
  readonly queues: Map<string, SourceQueue>;
  readonly sayStopped: () => void;
}

export function createSyslogQueues(deps: SyslogQueuesDeps): SyslogQueues {
  const queues = new Map<string, SourceQueue>();
  let sayStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    sayStopped = resolve;
  });
  const parts: SyslogQueuesParts = { ...deps, isStopped: false, stopped, queues, sayStopped };
  return bindDeps(parts, { add, isFull, waitForSpace, stop });
}

/** Tries until the messages are stored, or can never be. */
async function store(
  parts: SyslogQueuesParts,
  { source, address }: SourceQueue,
  messages: readonly SyslogMessageBytes[],
): Promise<void> {
  const { sources, ingest, log, stopped, format = 'messages' } = parts;
  const { clusterId, scopeId, sourceId, sourceName } = source;
  const target = { clusterId, scopeId, sourceId, sourceName, sourceAddress: address };
  const body = Buffer.concat(messages.map((message) => message.bytes));
  const lengths = messages.map((message) => message.bytes.length);
  const cut = messages.filter((message) => message.length > message.bytes.length).length;
  const lost = () => sources.count(clusterId, sourceId, { lost: messages.length });
  for (;;) {
    try {
      const { outcome, answered } = await ingest.receive(target, { format, body, lengths });
      if (outcome.kind !== 'stored' && outcome.kind !== 'fault')
        throw new Error(`not stored yet: ${outcome.kind}`);
      await answered(true);
      if (outcome.kind === 'fault') {
        // Not even kept as text: trying again would hold up what the sender says next, for ever.
        log.error({ err: outcome.fault.message, sourceId }, 'messages of a sender could not be read');
        lost();
      } else if (cut > 0) sources.count(clusterId, sourceId, { truncated: cut });
      return;
    } catch (error) {
      if (parts.isStopped) {
        lost();
        return;
      }
      log.warn({ err: (error as Error).message }, 'messages wait for the store');
      await Promise.race([new Promise((resolve) => setTimeout(resolve, RETRY_MS)), stopped]);
    }
  }
}

async function send(parts: SyslogQueuesParts, queue: SourceQueue): Promise<void> {
  const { messages, bytes } = queue;
  queue.messages = [];
  await store(parts, queue, messages);
  queue.bytes -= bytes;
  queue.sending = null;
  for (const wake of queue.waiters.splice(0)) wake();
  if (queue.messages.length > 0) plan(parts, queue);
  // Addresses can be forged: a queue lives only as long as something waits in it.
  else parts.queues.delete(queue.key);
}

function start(parts: SyslogQueuesParts, queue: SourceQueue): void {
  if (queue.timer !== null) clearTimeout(queue.timer);
  queue.timer = null;
  if (queue.sending === null && queue.messages.length > 0) queue.sending = send(parts, queue);
}

function plan(parts: SyslogQueuesParts, queue: SourceQueue): void {
  if (queue.sending !== null) return;
  if (queue.bytes >= GATHER_BYTES || parts.isStopped) start(parts, queue);
  else queue.timer ??= setTimeout(() => start(parts, queue), GATHER_MS);
}

function keyOf(source: IngestSource, address: string) {
  return `${source.sourceId} ${address}`;
}

function add(
  parts: SyslogQueuesParts,
  source: IngestSource,
  address: string,
  message: SyslogMessageBytes,
): void {
  const key = keyOf(source, address);
  let queue = parts.queues.get(key);
  if (queue === undefined) {
    queue = { key, source, address, messages: [], bytes: 0, timer: null, sending: null, waiters: [] };
    parts.queues.set(key, queue);
  }
  queue.source = source;
  queue.messages.push(message);
  queue.bytes += message.bytes.length;
  plan(parts, queue);
}

function isFull({ queues }: SyslogQueuesParts, source: IngestSource, address: string): boolean {
  return (queues.get(keyOf(source, address))?.bytes ?? 0) > MAX_WAITING;
}

function waitForSpace({ queues }: SyslogQueuesParts, source: IngestSource, address: string): Promise<void> {
  return new Promise((resolve) => {
    const queue = queues.get(keyOf(source, address));
    if (queue === undefined) resolve();
    else queue.waiters.push(resolve);
  });
}

async function stop(parts: SyslogQueuesParts): Promise<void> {
  parts.isStopped = true;
  parts.sayStopped();
  for (const queue of parts.queues.values()) start(parts, queue);
  await Promise.all([...parts.queues.values()].map(({ sending }) => sending));
}
