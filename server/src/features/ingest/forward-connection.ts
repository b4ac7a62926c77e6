import type net from 'node:net';
import { encode } from '@msgpack/msgpack';
import { lastOfList, MsgpackStream } from '@tyrian/ingest';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import { createHandshake, type Handshake } from './forward-handshake.ts';
import { decodeForward } from './forward-records.ts';
import type { IngestService } from './ingest-service.ts';
import { isFields } from './plain-values.ts';
import type { BodyBudget, SenderLimits } from './sender-limits.ts';
import type { SyslogQueues } from './syslog-queues.ts';
import type { SyslogSenders } from './syslog-senders.ts';

// One connection of Fluent forward. A message with a chunk is acknowledged when its records are durable, and stored once
// however often it comes; others wait for company like syslog, and the connection is read as fast as they are stored.

/** The longest message; chunks of Fluentd have 8 MB as a rule. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
/** What a sender may say before it has proved itself, and how long it may take. */
const FIRST_BYTES = 64 * 1024;
const FIRST_MS = 20_000;
/** A sender whose chunk cannot be taken is left after so long; it sends it again. */
const BUSY_MS = 1_000;
/** How long a refused connection stays, so that its sender can read why. */
const LINGER_MS = 500;

export interface ForwardConnectionDeps {
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly senders: SyslogSenders;
  readonly queues: SyslogQueues;
  readonly budget: BodyBudget;
  readonly limits: SenderLimits;
  readonly unfinished: { bytes: number };
}

interface Connection extends ForwardConnectionDeps {
  readonly socket: net.Socket;
  readonly address: string;
  readonly stream: MsgpackStream;
  pending: number;
  /** Null until the sender is known. */
  source: IngestSource | null;
  handshake: Handshake | null;
}

/** Reads a connection until it ends. */
export function readForwardConnection(
  socket: net.Socket,
  address: string,
  deps: ForwardConnectionDeps,
): void {
  const stream = new MsgpackStream(MAX_MESSAGE_BYTES);
  const connection: Connection = {
    ...deps,
    socket,
    address,
    stream,
    pending: 0,
    source: null,
    handshake: null,
  };
  socket.on('data', (chunk: Buffer) => onData(connection, chunk));
  socket.on('close', () => {
    deps.unfinished.bytes -= connection.pending;
    connection.pending = 0;
  });
  socket.on('timeout', () => {
    if (!socket.isPaused()) socket.destroy();
  });
  socket.setKeepAlive(true, 60_000);
  socket.setTimeout(Math.min(FIRST_MS, deps.limits.syslogIdleMs));
  socket.pause();
  greet(connection).then(
    () => socket.resume(),
    () => refuse(connection, 'forward-sender-not-looked-up'),
  );
}

/** An address that belongs to a source needs no handshake; any other is asked for its key. */
async function greet(connection: Connection): Promise<void> {
  const { senders, address, sources, socket } = connection;
  if (await senders.knows({ address })) {
    connection.source = await sources.findBySender(address);
    socket.setTimeout(connection.limits.syslogIdleMs);
    return;
  }
  connection.handshake = createHandshake(sources);
  socket.write(connection.handshake.hello);
}

function refuse({ sources, address, socket }: Connection, reason: string): void {
  sources.refuse(reason, address);
  socket.destroy();
}

function countPending(connection: Connection): void {
  const { stream, unfinished } = connection;
  unfinished.bytes += stream.pendingBytes - connection.pending;
  connection.pending = stream.pendingBytes;
}

function onData(connection: Connection, chunk: Buffer): void {
  const { stream, socket, unfinished, limits } = connection;
  let messages: Uint8Array[];
  try {
    messages = stream.push(chunk);
  } catch {
    // What is behind it cannot be read either.
    malformed(connection);
    return;
  }
  countPending(connection);
  const isUnknown = connection.source === null;
  if (isUnknown && connection.pending > FIRST_BYTES) refuse(connection, 'forward-first-message-too-long');
  else if (unfinished.bytes > limits.syslogUnfinishedBytes && connection.pending > 0)
    refuse(connection, 'forward-too-much-unfinished');
  if (messages.length === 0 || socket.destroyed) return;
  socket.pause();
  deliver(connection, messages).then(
    () => socket.resume(),
    () => socket.destroy(),
  );
}

function malformed(connection: Connection): void {
  const { source, sources, socket } = connection;
  if (source === null) refuse(connection, 'forward-malformed');
  else {
    sources.count(source.clusterId, source.sourceId, { refused_malformed: 1 });
    socket.destroy();
  }
}

async function deliver(connection: Connection, messages: readonly Uint8Array[]): Promise<void> {
  for (const message of messages) {
    // What comes behind a refusal is not looked at.
    if (connection.socket.destroyed || connection.socket.writableEnded) return;
    if (connection.handshake === null) await take(connection, message);
    else await meet(connection, connection.handshake, message);
  }
}

async function meet(connection: Connection, handshake: Handshake, message: Uint8Array): Promise<void> {
  const { socket, sources, address, limits } = connection;
  const met = await handshake.read(message);
  if (met === null) {
    sources.refuse('forward-wrong-key', address);
    socket.end(handshake.refusal);
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
    return;
  }
  connection.source = met.source;
  connection.handshake = null;
  socket.setTimeout(limits.syslogIdleMs);
  socket.write(met.answer);
}

/** The chunk that a message wants acknowledged. */
function chunkOf(message: Uint8Array): string | undefined {
  const last = lastOfList(message);
  const code = last?.[0] ?? 0;
  if (last === undefined || !((code >= 0x80 && code < 0x90) || code === 0xde || code === 0xdf))
    return undefined;
  // The last value of a message without options is its record, which may be large and is none of our business here.
  if (last.length > 4_096) return undefined;
  try {
    const option = decodeForward(last);
    return isFields(option) && typeof option.chunk === 'string' && option.chunk !== ''
      ? option.chunk
      : undefined;
  } catch {
    return undefined;
  }
}

/** The source as it is now: it may have been revoked, or its scope disabled, since the handshake. */
async function sourceNow(connection: Connection): Promise<IngestSource | null> {
  const { source, sources } = connection;
  return source === null ? null : await sources.findById(source.clusterId, source.sourceId);
}

async function take(connection: Connection, message: Uint8Array): Promise<void> {
  const { socket, sources, queues, address } = connection;
  const source = await sourceNow(connection);
  if (source === null) {
    refuse(connection, 'forward-source-ended');
    return;
  }
  if (!source.isScopeEnabled) {
    sources.count(source.clusterId, source.sourceId, { 'refused_scope-disabled': 1 });
    socket.destroy();
    return;
  }
  const chunk = chunkOf(message);
  if (chunk !== undefined) {
    await acknowledge(connection, source, message, chunk);
    return;
  }
  queues.add(source, address, { bytes: message, length: message.length });
  if (queues.isFull(source, address)) await queues.waitForSpace(source, address);
}

async function acknowledge(
  connection: Connection,
  source: IngestSource,
  message: Uint8Array,
  chunk: string,
): Promise<void> {
  const { socket, budget, address } = connection;
  const lease = budget.reserve(source.clusterId, message.length);
  try {
    if (lease === null) throw new Error('busy');
    await storeChunk(connection, source, { message, chunk, address });
  } catch {
    connection.sources.count(source.clusterId, source.sourceId, { refused_busy: 1 });
    await new Promise((resolve) => setTimeout(resolve, BUSY_MS));
    socket.destroy();
  } finally {
    lease?.release();
  }
}

async function storeChunk(
  { ingest, sources, socket }: Connection,
  { clusterId, scopeId, sourceId, sourceName }: IngestSource,
  { message, chunk, address }: { message: Uint8Array; chunk: string; address: string },
): Promise<void> {
  const target = { clusterId, scopeId, sourceId, sourceName, sourceAddress: address };
  const lengths = [message.length];
  const { outcome, answered } = await ingest.receive(target, {
    ...{ format: 'forward', body: message, lengths, key: `forward-${chunk}` },
  });
  if (outcome.kind === 'in-progress') throw new Error('the chunk is being stored');
  if (outcome.kind === 'key-reused') {
    sources.count(clusterId, sourceId, { 'refused_key-reused': 1 });
    socket.destroy();
    return;
  }
  await answered(!socket.destroyed);
  // A chunk that cannot be read by any means is counted as refused; repeating it would not help.
  if (!socket.destroyed) socket.write(encode({ ack: chunk }));
}
