import type net from 'node:net';
import { GelfChunks, GelfStream, type SyslogMessageBytes } from '@tyrian/ingest';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Config } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import type { IngestSource } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestService } from './ingest-service.ts';
import type { SenderLimits } from './sender-limits.ts';
import { listenForConnections, listenForDatagrams, plainAddress, type SenderPort } from './sender-port.ts';
import { createSyslogQueues, type SyslogQueues } from './syslog-queues.ts';

// GELF over UDP and TCP. Whose it is, the address says, as with syslog. Neither has an acknowledgement: TCP is read as
// fast as rows become durable; what UDP cannot keep, and messages of which a chunk is missing, are counted as lost.

/** Datagrams whose source is being looked up. */
const MAX_LOOKUPS = 1_024;
const FIRST_MS = 20_000;

export interface GelfListenerDeps {
  readonly config: Config;
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly limits: SenderLimits;
  readonly log: Logger;
}

interface GelfParts extends GelfListenerDeps {
  readonly queues: SyslogQueues;
  readonly chunks: GelfChunks;
  readonly unfinished: { bytes: number };
  lookups: number;
  udp: SenderPort | null;
  tcp: SenderPort | null;
}

export interface GelfListener {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** 0 for a port that could not be had. */
  ports(): { readonly udp: number; readonly tcp: number };
}

export function createGelfListener(deps: GelfListenerDeps): GelfListener {
  const parts: GelfParts = {
    ...deps,
    queues: createSyslogQueues({ ...deps, format: 'gelf' }),
    ...{ chunks: new GelfChunks(), unfinished: { bytes: 0 }, lookups: 0, udp: null, tcp: null },
  };
  return bindDeps(parts, { start, stop, ports });
}

/** The source of an address that may send now; what it may not is counted. */
async function sourceOf({ sources }: GelfParts, address: string): Promise<IngestSource | null> {
  const source = await sources.findBySender(address);
  if (source === null) sources.refuse('unknown-gelf-sender', address);
  else if (!source.isScopeEnabled)
    sources.count(source.clusterId, source.sourceId, { 'refused_scope-disabled': 1 });
  else return source;
  return null;
}

/** Messages of a sender of which a chunk never came. */
async function countLost({ sources }: GelfParts, addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const source = await sources.findBySender(address);
    if (source === null) sources.refuse('gelf-chunks-missing', address);
    else sources.count(source.clusterId, source.sourceId, { lost: 1, 'gelf-chunks-missing': 1 });
  }
}

function onDatagram(parts: GelfParts, bytes: Buffer, address: string): void {
  const { chunks, sources, queues } = parts;
  const { message, lost } = chunks.push(bytes, address, performance.now());
  if (lost.length > 0) void countLost(parts, lost).catch(() => undefined);
  if (message === undefined) return;
  if (parts.lookups >= MAX_LOOKUPS) {
    sources.refuse('gelf-too-many-look-ups', address);
    return;
  }
  parts.lookups += 1;
  sourceOf(parts, address)
    .then((source) => {
      if (source === null) return;
      if (queues.isFull(source, address)) sources.count(source.clusterId, source.sourceId, { lost: 1 });
      else queues.add(source, address, { bytes: message, length: message.length });
    })
    .catch(() => sources.refuse('gelf-sender-not-looked-up', address))
    .finally(() => {
      parts.lookups -= 1;
    });
}

async function deliver(
  parts: GelfParts,
  socket: net.Socket,
  address: string,
  messages: readonly SyslogMessageBytes[],
): Promise<void> {
  const { queues } = parts;
  if (messages.length === 0) return;
  // Asked anew each time: a source may be revoked while its connection stands.
  const source = await sourceOf(parts, address);
  if (source === null) {
    socket.destroy();
    return;
  }
  for (const message of messages) queues.add(source, address, message);
  if (queues.isFull(source, address)) await queues.waitForSpace(source, address);
}

function onSocket(parts: GelfParts, socket: net.Socket): void {
  const { sources, unfinished, limits } = parts;
  const address = plainAddress(socket.remoteAddress);
  const stream = new GelfStream();
  let pending = 0;
  const countPending = (): void => {
    unfinished.bytes += stream.pendingBytes - pending;
    pending = stream.pendingBytes;
  };
  const give = (messages: readonly SyslogMessageBytes[]): void => {
    countPending();
    if (unfinished.bytes > limits.syslogUnfinishedBytes && pending > 0) {
      sources.refuse('gelf-too-much-unfinished', address);
      socket.destroy();
      return;
    }
    socket.pause();
    deliver(parts, socket, address, messages).then(
      () => socket.resume(),
      () => socket.destroy(),
    );
  };
  socket.on('data', (chunk: Buffer) => give(stream.push(chunk)));
  socket.on('end', () => give(stream.end()));
  socket.on('close', () => {
    stream.end();
    countPending();
  });
  socket.on('timeout', () => {
    if (!socket.isPaused()) socket.destroy();
  });
  socket.setKeepAlive(true, 60_000);
  socket.setTimeout(Math.min(FIRST_MS, limits.syslogIdleMs));
  socket.pause();
  sourceOf(parts, address).then(
    (source) => {
      // Nothing is read of a sender that nobody knows.
      if (source === null) socket.destroy();
      else socket.setTimeout(limits.syslogIdleMs);
      socket.resume();
    },
    () => socket.destroy(),
  );
}

async function start(parts: GelfParts): Promise<void> {
  const { config, log } = parts;
  const ask = { bind: config.bind, variable: 'TYRIAN_GELF_PORT' };
  parts.tcp = await listenForConnections(
    {
      ...{ ...ask, port: config.gelfPort, what: 'GELF over TCP' },
      onSocket: (socket) => onSocket(parts, socket),
    },
    parts,
  );
  // With port 0 both protocols share the port that the system chose for TCP.
  const port = config.gelfPort === 0 ? parts.tcp.port : config.gelfPort;
  parts.udp = await listenForDatagrams(
    {
      ...{ ...ask, port, what: 'GELF over UDP' },
      onDatagram: (bytes, address) => onDatagram(parts, bytes, address),
    },
    log,
  );
}

async function stop(parts: GelfParts): Promise<void> {
  parts.udp?.close();
  parts.tcp?.close();
  parts.udp = null;
  await countLost(parts, parts.chunks.expire(Number.POSITIVE_INFINITY)).catch(() => undefined);
  await parts.queues.stop();
}

function ports({ udp, tcp }: GelfParts): { readonly udp: number; readonly tcp: number } {
  return { udp: udp?.port ?? 0, tcp: tcp?.port ?? 0 };
}
