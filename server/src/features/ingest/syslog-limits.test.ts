import net from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type IngestFeature, ingestFeature } from './ingest-feature.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Connections of syslog that take more than their share.

const MIB = 1024 * 1024;
const IDLE_MS = 1_000;

let setup: SenderSetup;
let feature: IngestFeature;
let port: number;

beforeAll(async () => {
  setup = await senderSetup();
  feature = ingestFeature(setup.test.platform, {
    audit: setup.company.identity.audit,
    limits: {
      syslogConnections: 8,
      syslogConnectionsPerAddress: 5,
      syslogIdleMs: IDLE_MS,
      syslogUnfinishedBytes: 2 * MIB,
    },
  });
  await feature.work.start();
  port = feature.work.ports().syslog.tcp;
  await setup.giveNetworks('127.0.0.1/32');
  const { clusterId, scope: scopeId } = setup.company.a;
  const networks = ['127.0.0.1/32'];
  await feature.sources.create({ clusterId, scopeId, name: 'syslog', kind: 'syslog', networks, by: null });
});
afterAll(async () => {
  await feature.work.stop();
  await setup.close();
});

interface Client {
  readonly socket: net.Socket;
  readonly closed: Promise<void>;
}

function open(from: string): Client {
  const socket = net.connect({ port, host: '127.0.0.1', localAddress: from });
  socket.on('error', () => undefined);
  socket.resume();
  return { socket, closed: new Promise((resolve) => socket.on('close', () => resolve())) };
}

const refusals = async (reason: string) => {
  await feature.sources.flush();
  const all = (await feature.sources.refusals()).filter((one) => one.reason === reason);
  return all.reduce((sum, { value }) => sum + value, 0);
};
const untilRefused = (reason: string, count: number) =>
  expect.poll(() => refusals(reason), { timeout: 10_000 }).toBe(count);

it('[S11] closes connections beyond the caps, and an idle one with what it had said stored', async () => {
  const own = Array.from({ length: 6 }, () => open('127.0.0.1'));
  await untilRefused('too-many-connections', 1);
  own[0]?.socket.write('<13>1 - h a - - - said before silence');
  await Promise.all(own.map(({ closed }) => closed));
  await expect.poll(() => setup.count("Raw LIKE '%said before silence%'"), { timeout: 10_000 }).toBe(1);
});

it('[S11] bounds the bytes of unfinished messages', async () => {
  const own = Array.from({ length: 4 }, () => open('127.0.0.1'));
  for (const { socket } of own) socket.write(`<13>1 - h a - - - ${'x'.repeat(900_000)}`);
  await expect
    .poll(() => refusals('syslog-too-much-unfinished'), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(1);
  for (const { socket } of own) socket.destroy();
  await Promise.all(own.map(({ closed }) => closed));
  const next = open('127.0.0.1');
  next.socket.end('<13>1 - h a - - - served again\n');
  await expect.poll(() => setup.count("Raw LIKE '%served again%'"), { timeout: 10_000 }).toBe(1);
});

it('[S11] an unknown sender is closed at its first message, or when that is long', async () => {
  const spoken = open('127.0.0.9');
  spoken.socket.write('<13>1 - h a - - - who am I\n');
  const long = open('127.0.0.10');
  long.socket.write('x'.repeat(200_000));
  await Promise.all([spoken.closed, long.closed]);
  await untilRefused('unknown-syslog-sender', 1);
  await untilRefused('syslog-first-message-too-long', 1);
  expect(await setup.count("Raw LIKE '%who am I%'")).toBe(0);
});
