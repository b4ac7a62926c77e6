import dgram from 'node:dgram';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { type SyslogMessageBytes, SyslogStream } from '@tyrian/ingest';
import type { Config } from '../../platform/config.ts';
import { explainListenError } from '../../platform/http/listen.ts';
import type { Logger } from '../../platform/log.ts';
import type { SourcePlace } from '../sources/source-place.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestService } from './ingest-service.ts';

// Syslog over UDP, TCP and TLS. A sender is known by its address: a source of kind syslog names the networks that
// belong to it. Messages of unknown senders are counted and stored nowhere. Syslog knows no acknowledgement, so
// TCP is read only as fast as rows become durable, and what UDP cannot keep is counted as lost.

/** Messages of one source wait so long for company. */
const GATHER_MS = 200;
const GATHER_BYTES = 1024 * 1024;
/** Bytes of one source that may wait; beyond it UDP is lost (and counted) and TCP is not read. */
const MOST_WAITING = 32 * 1024 * 1024;
const RETRY_MS = 1_000;
const MOST_CONNECTIONS = 2_000;

interface Gathered {
  readonly place: SourcePlace;
  readonly address: string;
  messages: SyslogMessageBytes[];
  bytes: number;
  timer: NodeJS.Timeout | null;
  sending: boolean;
  readonly waiters: (() => void)[];
}

export interface SyslogListeners {
  start(): Promise<void>;
  stop(): Promise<void>;
  ports(): { readonly udp: number; readonly tcp: number; readonly tls: number | null };
}

export interface SyslogDeps {
  readonly config: Config;
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly log: Logger;
}

/** An IPv4 address that a dual-stack socket shows as IPv6. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

export function createSyslogListeners({ config, ingest, sources, log }: SyslogDeps): SyslogListeners {
  const gathered = new Map<string, Gathered>();
  const sockets = new Set<net.Socket>();
  let udp: dgram.Socket | null = null;
  const servers: { tcp: net.Server | null; tls: tls.Server | null } = { tcp: null, tls: null };
  let isStopped = false;
  let sayStopped: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    sayStopped = resolve;
  });

  const send = async (lane: Gathered): Promise<void> => {
    lane.timer = null;
    if (lane.sending || lane.messages.length === 0) return;
    lane.sending = true;
    const { messages, bytes } = lane;
    lane.messages = [];
    const { clusterId, scopeId, sourceId, sourceName } = lane.place;
    const target = { clusterId, scopeId, sourceId, sourceName, sourceAddress: lane.address };
    const body = Buffer.concat(messages.map((message) => message.bytes));
    const lengths = messages.map((message) => message.bytes.length);
    const cut = messages.filter((message) => message.length > message.bytes.length).length;
    for (;;) {
      try {
        const { outcome, answered } = await ingest.receive(target, { format: 'messages', body, lengths });
        if (outcome.kind !== 'stored' && outcome.kind !== 'fault')
          throw new Error(`not stored yet: ${outcome.kind}`);
        await answered(true);
        if (outcome.kind === 'fault') {
          // Not even kept as text: trying again would hold up what the sender says next, for ever.
          log.error({ err: outcome.fault.message, sourceId }, 'messages of syslog could not be read');
          sources.count(clusterId, sourceId, { lost: messages.length });
          break;
        }
        if (cut > 0) sources.count(clusterId, sourceId, { truncated: cut });
        break;
      } catch (error) {
        if (isStopped) {
          sources.count(clusterId, sourceId, { lost: messages.length });
          break;
        }
        log.warn({ err: (error as Error).message }, 'syslog waits for the store');
        await Promise.race([new Promise((resolve) => setTimeout(resolve, RETRY_MS)), stopped]);
      }
    }
    lane.bytes -= bytes;
    lane.sending = false;
    for (const wake of lane.waiters.splice(0)) wake();
    if (lane.messages.length > 0) plan(lane);
  };

  const plan = (lane: Gathered): void => {
    if (lane.sending) return;
    if (lane.bytes >= GATHER_BYTES) {
      if (lane.timer !== null) clearTimeout(lane.timer);
      void send(lane);
    } else lane.timer ??= setTimeout(() => void send(lane), GATHER_MS);
  };

  const laneOf = (place: SourcePlace, address: string): Gathered => {
    const key = `${place.sourceId} ${address}`;
    const known = gathered.get(key);
    if (known !== undefined) return known;
    const lane: Gathered = {
      place,
      address,
      messages: [],
      bytes: 0,
      timer: null,
      sending: false,
      waiters: [],
    };
    gathered.set(key, lane);
    return lane;
  };

  const add = (lane: Gathered, messages: readonly SyslogMessageBytes[]): void => {
    for (const message of messages) {
      lane.messages.push(message);
      lane.bytes += message.bytes.length;
    }
    plan(lane);
  };

  const onDatagram = (bytes: Buffer, from: string): void => {
    const address = plainAddress(from);
    sources
      .findBySender(address)
      .then((place) => {
        if (place === null) {
          sources.refuse('unknown-syslog-sender', address);
          return;
        }
        const lane = laneOf(place, address);
        if (lane.bytes > MOST_WAITING) sources.count(place.clusterId, place.sourceId, { lost: 1 });
        else add(lane, [{ bytes, length: bytes.length }]);
      })
      .catch(() => sources.refuse('syslog-sender-not-looked-up', address));
  };

  const onConnection = async (socket: net.Socket): Promise<void> => {
    const address = plainAddress(socket.remoteAddress);
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.pause();
    const place = await sources.findBySender(address).catch(() => null);
    if (place === null) {
      sources.refuse('unknown-syslog-sender', address);
      socket.destroy();
      return;
    }
    const stream = new SyslogStream();
    const lane = laneOf(place, address);
    socket.on('data', (chunk: Buffer) => {
      add(lane, stream.push(chunk));
      if (lane.bytes <= MOST_WAITING) return;
      socket.pause();
      lane.waiters.push(() => socket.resume());
    });
    socket.on('end', () => add(lane, stream.end()));
    socket.resume();
  };

  const listenTcp = (server: net.Server, port: number, variable: string): Promise<void> =>
    new Promise((resolve, reject) => {
      server.maxConnections = MOST_CONNECTIONS;
      server.once('error', (error) =>
        reject(explainListenError(error, { bind: config.bind, port, variable })),
      );
      server.listen({ host: config.bind, port }, resolve);
    });

  const listenUdp = (socket: dgram.Socket, port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const variable = 'TYRIAN_SYSLOG_PORT';
      socket.once('error', (error) =>
        reject(explainListenError(error, { bind: config.bind, port, variable })),
      );
      socket.bind({ address: config.bind, port }, () => {
        // A burst is read late when the process is busy; the kernel keeps it that long.
        socket.setRecvBufferSize(8 * 1024 * 1024);
        resolve();
      });
    });

  const portOf = (server: { address(): unknown } | null): number =>
    (server?.address() as { port?: number } | null)?.port ?? 0;

  return {
    start: async () => {
      servers.tcp = net.createServer((socket) => void onConnection(socket));
      await listenTcp(servers.tcp, config.syslogPort, 'TYRIAN_SYSLOG_PORT');
      udp = dgram.createSocket({ type: config.bind.includes(':') ? 'udp6' : 'udp4' });
      // With port 0 both protocols share the port that the system chose for TCP.
      await listenUdp(udp, config.syslogPort === 0 ? portOf(servers.tcp) : config.syslogPort);
      udp.on('message', (bytes, from) => onDatagram(bytes, from.address));
      udp.on('error', (error) => log.warn({ err: error.message }, 'syslog over UDP'));
      if (config.tls === undefined) return;
      const { cert, key } = config.tls;
      servers.tls = tls.createServer(
        { cert: readFileSync(cert), key: readFileSync(key) },
        (socket) => void onConnection(socket),
      );
      await listenTcp(servers.tls, config.syslogTlsPort, 'TYRIAN_SYSLOG_TLS_PORT');
    },
    stop: async () => {
      isStopped = true;
      sayStopped();
      udp?.close();
      udp = null;
      for (const server of [servers.tcp, servers.tls]) server?.close();
      for (const socket of sockets) socket.destroy();
      await Promise.all([...gathered.values()].map((lane) => send(lane)));
    },
    ports: () => ({
      udp: (udp?.address() as net.AddressInfo | undefined)?.port ?? 0,
      tcp: portOf(servers.tcp),
      tls: servers.tls === null ? null : portOf(servers.tls),
    }),
  };
}
