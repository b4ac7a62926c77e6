import dgram from 'node:dgram';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import tls from 'node:tls';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Config } from '../../platform/config.ts';
import { limitConnections } from '../../platform/http/limit-connections.ts';
import { explainListenError } from '../../platform/http/listen.ts';
import type { Logger } from '../../platform/log.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { IngestService } from './ingest-service.ts';
import type { SenderLimits } from './sender-limits.ts';
import { readSyslogConnection } from './syslog-connection.ts';
import { createSyslogQueues } from './syslog-queues.ts';
import { createSyslogSenders, type SyslogSender } from './syslog-senders.ts';

// Syslog over UDP, TCP and TLS. Messages of unknown senders are counted and stored nowhere. Syslog knows no
// acknowledgement, so TCP is read only as fast as rows become durable, and what UDP cannot keep is counted as lost.

/** Datagrams whose source is being looked up; a flood from forged addresses must not fill the queue of the database. */
const MAX_LOOKUPS = 1_024;
const HANDSHAKE_MS = 20_000;

export interface SyslogListeners {
  start(): Promise<void>;
  stop(): Promise<void>;
  ports(): { readonly udp: number; readonly tcp: number; readonly tls: number | null };
}

export interface SyslogDeps {
  readonly config: Config;
  readonly ingest: IngestService;
  readonly sources: SourceService;
  readonly limits: SenderLimits;
  readonly log: Logger;
}

/** An IPv4 address that a dual-stack socket shows as IPv6. */
function plainAddress(address: string | undefined): string {
  return (address ?? '').replace(/^::ffff:(?=\d+\.)/, '');
}

/** Who speaks on a TLS connection; undefined for a certificate that no authority of ours has signed. */
function tlsSender(socket: tls.TLSSocket): SyslogSender | undefined {
  const address = plainAddress(socket.remoteAddress);
  const certificate = socket.getPeerCertificate();
  if (certificate?.fingerprint256 === undefined) return { address };
  if (!socket.authorized) return undefined;
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  const commonName: unknown = certificate.subject?.CN;
  const names = typeof commonName === 'string' ? [fingerprint, commonName.toLowerCase()] : [fingerprint];
  return { address, certificate: names };
}

interface SyslogListenersParts extends SyslogDeps {
  lookups: number;
  readonly senders: ReturnType<typeof createSyslogSenders>;
  readonly queues: ReturnType<typeof createSyslogQueues>;
  readonly sockets: Set<net.Socket>;
  readonly unfinished: { bytes: number };
  readonly servers: { tcp: net.Server | null; tls: tls.Server | null };
  udp: dgram.Socket | null;
}

export function createSyslogListeners(deps: SyslogDeps): SyslogListeners {
  const { ingest, sources, log } = deps;
  const queues = createSyslogQueues({ ingest, sources, log });
  const senders = createSyslogSenders(sources);
  const unfinished = { bytes: 0 };
  const sockets = new Set<net.Socket>();
  const servers: { tcp: net.Server | null; tls: tls.Server | null } = { tcp: null, tls: null };
  const parts: SyslogListenersParts = {
    ...deps,
    lookups: 0,
    senders,
    queues,
    sockets,
    unfinished,
    servers,
    udp: null,
  };
  return bindDeps(parts, { start, stop, ports });
}

function onDatagram(parts: SyslogListenersParts, bytes: Buffer, from: string): void {
  const { sources, senders, queues } = parts;
  const address = plainAddress(from);
  if (parts.lookups >= MAX_LOOKUPS) {
    sources.refuse('syslog-too-many-look-ups', address);
    return;
  }
  parts.lookups += 1;
  senders
    .route({ address }, [{ bytes, length: bytes.length }])
    .then(([routed]) => {
      if (routed === undefined) return;
      const { source, message } = routed;
      if (queues.isFull(source, address)) sources.count(source.clusterId, source.sourceId, { lost: 1 });
      else queues.add(source, address, message);
    })
    .catch(() => sources.refuse('syslog-sender-not-looked-up', address))
    .finally(() => {
      parts.lookups -= 1;
    });
}

function onConnection(
  { sockets, sources, senders, queues, limits, unfinished }: SyslogListenersParts,
  socket: net.Socket,
  sender: SyslogSender | undefined,
): void {
  sockets.add(socket);
  socket.on('close', () => sockets.delete(socket));
  socket.on('error', () => socket.destroy());
  if (sender === undefined) {
    sources.refuse('wrong-syslog-certificate', plainAddress(socket.remoteAddress));
    socket.destroy();
    return;
  }
  readSyslogConnection(socket, sender, { senders, sources, queues, limits, unfinished });
}

function listenTcp(
  { limits, sources, config }: SyslogListenersParts,
  server: net.Server,
  port: number,
  variable: string,
): Promise<void> {
  return new Promise((resolve, reject) => {
    limitConnections(server, {
      most: limits.syslogConnections,
      perAddress: limits.syslogConnectionsPerAddress,
      onRefused: (address) => sources.refuse('too-many-connections', address),
    });
    server.once('error', (error) => reject(explainListenError(error, { bind: config.bind, port, variable })));
    server.listen({ host: config.bind, port }, resolve);
  });
}

function listenUdp({ config }: SyslogListenersParts, socket: dgram.Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const variable = 'TYRIAN_SYSLOG_PORT';
    socket.once('error', (error) => reject(explainListenError(error, { bind: config.bind, port, variable })));
    socket.bind({ address: config.bind, port }, () => {
      // A burst is read late when the process is busy; the kernel keeps it that long.
      socket.setRecvBufferSize(8 * 1024 * 1024);
      resolve();
    });
  });
}

function listenTls(
  parts: SyslogListenersParts,
  files: { readonly cert: string; readonly key: string },
): Promise<void> {
  const { servers } = parts;
  const { syslogClientCa: ca } = parts.config;
  const options = {
    cert: readFileSync(files.cert),
    key: readFileSync(files.key),
    handshakeTimeout: HANDSHAKE_MS,
    // Senders without a certificate are known by token or address; a wrong certificate is refused above.
    ...(ca === undefined ? {} : { ca: readFileSync(ca), requestCert: true, rejectUnauthorized: false }),
  };
  servers.tls = tls.createServer(options, (socket) => onConnection(parts, socket, tlsSender(socket)));
  servers.tls.on('tlsClientError', (_error, socket) => socket.destroy());
  return listenTcp(parts, servers.tls, parts.config.syslogTlsPort, 'TYRIAN_SYSLOG_TLS_PORT');
}

function portOf(server: { address(): unknown } | null): number {
  return (server?.address() as { port?: number } | null)?.port ?? 0;
}

async function start(parts: SyslogListenersParts): Promise<void> {
  const { servers, config, log } = parts;
  servers.tcp = net.createServer((socket) =>
    onConnection(parts, socket, { address: plainAddress(socket.remoteAddress) }),
  );
  await listenTcp(parts, servers.tcp, config.syslogPort, 'TYRIAN_SYSLOG_PORT');
  parts.udp = dgram.createSocket({ type: config.bind.includes(':') ? 'udp6' : 'udp4' });
  // With port 0 both protocols share the port that the system chose for TCP.
  await listenUdp(parts, parts.udp, config.syslogPort === 0 ? portOf(servers.tcp) : config.syslogPort);
  parts.udp.on('message', (bytes, from) => onDatagram(parts, bytes, from.address));
  parts.udp.on('error', (error) => log.warn({ err: error.message }, 'syslog over UDP'));
  if (config.tls !== undefined) await listenTls(parts, config.tls);
}

async function stop(parts: SyslogListenersParts): Promise<void> {
  const { servers, sockets, queues } = parts;
  parts.udp?.close();
  parts.udp = null;
  for (const server of [servers.tcp, servers.tls]) server?.close();
  for (const socket of sockets) socket.destroy();
  await queues.stop();
}

function ports(parts: SyslogListenersParts): {
  readonly udp: number;
  readonly tcp: number;
  readonly tls: number | null;
} {
  const { servers } = parts;
  return {
    udp: (parts.udp?.address() as net.AddressInfo | undefined)?.port ?? 0,
    tcp: portOf(servers.tcp),
    tls: servers.tls === null ? null : portOf(servers.tls),
  };
}
