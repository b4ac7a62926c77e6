import { readFileSync } from 'node:fs';
import type net from 'node:net';
import { bindDeps } from '../../platform/bind-deps.ts';
import { readForwardConnection } from './forward-connection.ts';
import type { OtlpGrpcDeps } from './otlp-grpc.ts';
import { listenForConnections, plainAddress, type SenderPort } from './sender-port.ts';
import { createSyslogQueues, type SyslogQueues } from './syslog-queues.ts';
import { createSyslogSenders } from './syslog-senders.ts';

// Fluent forward: Fluentd, Fluent Bit and the loggers that speak it.

interface ForwardParts extends OtlpGrpcDeps {
  readonly queues: SyslogQueues;
  readonly unfinished: { bytes: number };
  listening: SenderPort | null;
}

export interface ForwardListener {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** The port once started; 0 when it could not be had. */
  port(): number;
}

export function createForwardListener(deps: OtlpGrpcDeps): ForwardListener {
  const queues = createSyslogQueues({ ...deps, format: 'forward' });
  const parts: ForwardParts = { ...deps, queues, unfinished: { bytes: 0 }, listening: null };
  return bindDeps(parts, { start, stop, port });
}

async function start(parts: ForwardParts): Promise<void> {
  const { config, sources } = parts;
  const senders = createSyslogSenders(sources);
  const onSocket = (socket: net.Socket) => {
    const address = plainAddress(socket.remoteAddress);
    readForwardConnection(socket, address, { ...parts, senders });
  };
  const { tls } = config;
  parts.listening = await listenForConnections(
    {
      ...{ bind: config.bind, port: config.forwardPort, variable: 'TYRIAN_FORWARD_PORT', onSocket },
      what: 'Fluent forward',
      ...(tls ? { secured: { cert: readFileSync(tls.cert), key: readFileSync(tls.key) } } : {}),
    },
    parts,
  );
}

async function stop({ listening, queues }: ForwardParts): Promise<void> {
  listening?.close();
  await queues.stop();
}

function port({ listening }: ForwardParts): number {
  return listening?.port ?? 0;
}
