import dgram from 'node:dgram';
import net from 'node:net';
import tls from 'node:tls';
import { ConfigError } from '../../platform/config.ts';
import { limitConnections } from '../../platform/http/limit-connections.ts';
import { explainListenError } from '../../platform/http/listen.ts';
import type { Logger } from '../../platform/log.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { SenderLimits } from './sender-limits.ts';

// Ports of senders beside those of HTTP and syslog. One that another program has is said once and left alone: the rest
// of the server starts.

export interface SenderPortAsk {
  readonly bind: string;
  readonly port: number;
  /** The variable that sets the port. */
  readonly variable: string;
  /** What would have been served there. */
  readonly what: string;
}

export interface SenderPortDeps {
  readonly sources: SourceService;
  readonly limits: Pick<SenderLimits, 'syslogConnections' | 'syslogConnectionsPerAddress'>;
  readonly log: Logger;
}

/** A port that listens, or could not be had. */
export interface SenderPort {
  /** 0 when it could not be had. */
  readonly port: number;
  /** Ends what is open on it. */
  close(): void;
}

/** How long a handshake of TLS may take. */
const HANDSHAKE_MS = 20_000;
/** A burst is read late when the process is busy; the kernel keeps it that long. */
const RECEIVE_BUFFER_BYTES = 8 * 1024 * 1024;

/** The port once it listens; 0, with a line in the log, when it cannot be had. Other errors are thrown. */
async function orSay(listening: Promise<number>, { what }: SenderPortAsk, log: Logger): Promise<number> {
  try {
    return await listening;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.warn(`${what} is not served: ${error.message}`);
    return 0;
  }
}

export interface ConnectionPort extends SenderPortAsk {
  readonly onSocket: (socket: net.Socket) => void;
  /** Certificate and key: then the port speaks TLS alone. */
  readonly secured?: { readonly cert: Buffer; readonly key: Buffer };
}

/** Listens for connections, of which no more are kept than the limits allow. */
export async function listenForConnections(
  ask: ConnectionPort,
  { sources, limits, log }: SenderPortDeps,
): Promise<SenderPort> {
  const sockets = new Set<net.Socket>();
  const onSocket = (socket: net.Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    ask.onSocket(socket);
  };
  const server =
    ask.secured === undefined
      ? net.createServer(onSocket)
      : tls.createServer({ ...ask.secured, handshakeTimeout: HANDSHAKE_MS }, onSocket);
  server.on('tlsClientError', (_error, socket: net.Socket) => socket.destroy());
  limitConnections(server, {
    most: limits.syslogConnections,
    perAddress: limits.syslogConnectionsPerAddress,
    onRefused: (address) => sources.refuse('too-many-connections', address),
  });
  const listening = new Promise<number>((resolve, reject) => {
    server.once('error', (error) => reject(explainListenError(error, ask)));
    server.listen({ host: ask.bind, port: ask.port }, () =>
      resolve((server.address() as net.AddressInfo).port),
    );
  });
  return {
    port: await orSay(listening, ask, log),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

export interface DatagramPort extends SenderPortAsk {
  readonly onDatagram: (bytes: Buffer, address: string) => void;
}

/** Listens for datagrams. */
export async function listenForDatagrams(ask: DatagramPort, log: Logger): Promise<SenderPort> {
  const socket = dgram.createSocket({ type: ask.bind.includes(':') ? 'udp6' : 'udp4' });
  const listening = new Promise<number>((resolve, reject) => {
    socket.once('error', (error) => reject(explainListenError(error, ask)));
    socket.bind({ address: ask.bind, port: ask.port }, () => {
      socket.setRecvBufferSize(RECEIVE_BUFFER_BYTES);
      socket.on('error', (error) => log.warn({ err: error.message }, ask.what));
      socket.on('message', (bytes, from) => ask.onDatagram(bytes, plainAddress(from.address)));
      resolve(socket.address().port);
    });
  });
  return { port: await orSay(listening, ask, log), close: () => socket.close() };
}

/** An IPv4 address that a dual-stack socket shows as IPv6. */
export function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}
