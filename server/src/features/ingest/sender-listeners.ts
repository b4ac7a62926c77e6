import { createForwardListener } from './forward-listener.ts';
import { createGelfListener } from './gelf-listener.ts';
import { createOtlpGrpc, type OtlpGrpcDeps } from './otlp-grpc.ts';
import { createSyslogListeners } from './syslog-listeners.ts';

// What listens for senders beside HTTP.

export interface SenderPorts {
  readonly syslog: { readonly udp: number; readonly tcp: number; readonly tls: number | null };
  /** 0 when the port could not be had; so with the others. */
  readonly otlpGrpc: number;
  /** Fluent forward. */
  readonly forward: number;
  readonly gelf: { readonly udp: number; readonly tcp: number };
}

export interface SenderListeners {
  start(): Promise<void>;
  /** Ends connections and stores what has come in. */
  stop(): Promise<void>;
  ports(): SenderPorts;
}

export function createSenderListeners(deps: OtlpGrpcDeps): SenderListeners {
  const syslog = createSyslogListeners(deps);
  const otlpGrpc = createOtlpGrpc(deps);
  const forward = createForwardListener(deps);
  const gelf = createGelfListener(deps);
  const all = [syslog, otlpGrpc, forward, gelf] as const;
  return {
    start: async () => {
      for (const listener of all) await listener.start();
    },
    stop: async () => {
      await Promise.all(all.map((listener) => listener.stop()));
    },
    ports: () => ({
      syslog: syslog.ports(),
      otlpGrpc: otlpGrpc.port(),
      forward: forward.port(),
      gelf: gelf.ports(),
    }),
  };
}
