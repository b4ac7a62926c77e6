import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type Consumer, type EachBatchPayload, Kafka, type KafkaConfig, logLevel } from 'kafkajs';
import type { Outgoing } from './outgoing-connections.ts';

// Kafka over checked outgoing connections: brokers name each other, so each address that the library connects to is
// checked as if a user had named it.

export type KafkaClient = Kafka;
export type KafkaConsumer = Consumer;
export type KafkaBatch = EachBatchPayload;

export interface KafkaTarget {
  readonly brokers: readonly string[];
  readonly isTls: boolean;
  /** PEM; the system's authorities when empty. */
  readonly caCertificate: string;
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

const CONNECT_MS = 5_000;
const REQUEST_MS = 20_000;
/** An answer that says to be longer ends its connection: the library would keep all of it. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** The checked address, whatever name is asked for: the host itself may be an address, which is looked up by nobody. */
function checkedLookup(outgoing: Outgoing, host: string, port: number, isTls: boolean): LookupFunction {
  return (_name, options, done) => {
    outgoing
      .addressFor({ host, port }, { signal: AbortSignal.timeout(CONNECT_MS), onlyListed: !isTls })
      .then(({ address }) => {
        const family = isIP(address);
        if (options.all) done(null, [{ address, family }]);
        else done(null, address, family);
      })
      .catch((error: Error) => done(error as NodeJS.ErrnoException, '', 0));
  };
}

/** Ends a connection whose next answer would be too long. */
function boundAnswers(socket: Socket): void {
  let left = 0;
  let head: Buffer = Buffer.alloc(0);
  socket.on('data', (data: Buffer) => {
    for (let at = 0; at < data.length; ) {
      if (left === 0) {
        const part = data.subarray(at, at + 4 - head.length);
        head = Buffer.concat([head, part]);
        at += part.length;
        if (head.length < 4) return;
        left = head.readUInt32BE();
        head = Buffer.alloc(0);
        if (left > MOST_ANSWER_BYTES) socket.destroy(new Error('an answer is too long'));
        continue;
      }
      const taken = Math.min(left, data.length - at);
      left -= taken;
      at += taken;
    }
  });
}

/** A client whose every connection is checked. It connects when its consumer or administration does. */
export function createKafkaClient(outgoing: Outgoing, target: KafkaTarget): KafkaClient {
  const { isTls, caCertificate, sasl } = target;
  return new Kafka({
    clientId: 'tyrian',
    brokers: [...target.brokers],
    logLevel: logLevel.NOTHING,
    connectionTimeout: CONNECT_MS,
    requestTimeout: REQUEST_MS,
    retry: { retries: 2, initialRetryTime: 200, maxRetryTime: 2_000 },
    ...(sasl ? { sasl: { ...sasl } as NonNullable<KafkaConfig['sasl']> } : {}),
    ...(isTls ? { ssl: caCertificate ? { ca: [caCertificate] } : true } : {}),
    socketFactory: ({ host, port, onConnect }) => {
      const to = { host: 'checked.invalid', port, lookup: checkedLookup(outgoing, host, port, isTls) };
      const socket = isTls
        ? connectTls(
            {
              ...to,
              ...(caCertificate ? { ca: caCertificate } : {}),
              // The certificate is checked against the broker's own name.
              ...(isIP(host) === 0 ? { servername: host } : { checkServerIdentity: () => undefined }),
            },
            onConnect,
          )
        : connectTcp(to, onConnect);
      boundAnswers(socket);
      return socket;
    },
  });
}
