import net from 'node:net';
import { type EventModes, FluentClient } from '@fluent-org/logger';
import { encode } from '@msgpack/msgpack';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

// Fluent forward, from the Fluent logger of npm and by hand.

let setup: SenderSetup;
let key = '';
let port = 0;

beforeAll(async () => {
  setup = await senderSetup();
  const { clusterId, scope: scopeId } = setup.company.a;
  const made = await setup.feature.sources.create({
    ...{ clusterId, scopeId, name: 'fluent', kind: 'http', networks: [], by: null },
    withSharedKey: true,
  });
  key = made.token ?? '';
  await setup.feature.work.start();
  port = setup.feature.work.ports().forward;
});
afterAll(() => setup.close());

const client = (eventMode: EventModes, sharedKey?: string) =>
  new FluentClient('app', {
    eventMode,
    milliseconds: true,
    socket: { host: '127.0.0.1', port, timeout: 20_000 },
    ack: { ackTimeout: 20_000 },
    ...(sharedKey === undefined
      ? {}
      : {
          security: {
            clientHostname: 'sender.test',
            sharedKey,
            username: key.slice(0, 10),
            password: 'any',
          },
        }),
  });

const MODES: readonly EventModes[] = ['Message', 'Forward', 'PackedForward', 'CompressedPackedForward'];

it('[T-ways] acknowledges every mode of a logger that proves its shared key, once the rows are there', async () => {
  for (const mode of MODES) {
    const logger = client(mode, key);
    const at = new Date('2026-01-04T05:06:07.008Z');
    await Promise.all([
      logger.emit(
        'web',
        { log: '<38>Nov 22 07:47:06 srv1 sshd[1]: Failed password for root from 185.1.2.3 port 5 ssh2' },
        at,
      ),
      logger.emit('web', { mode, 'user.name': 'ada', n: 7, list: [1, null] }, at),
    ]);
    expect(await setup.count(`Ext.mode.:String = '${mode}'`), mode).toBe(1);
    await logger.disconnect();
  }
  expect(
    await setup.rows(
      "SELECT Stream, ActorUsername, toString(TimeGenerated), toString(Ext.tag), toString(Ext.n) FROM events WHERE Ext.mode.:String = 'Forward'",
    ),
  ).toEqual([['Generic', 'ada', '2026-01-04 05:06:07.008', 'app.web', '7']]);
  expect(await setup.count("Stream = 'Authentication' AND TargetUsername = 'root'")).toBe(4);
});

it('[T-ways] refuses a wrong key, and reads nothing before the key is proven', async () => {
  const ping = ['PING', 'sender.test', 'salt', '0'.repeat(128), key.slice(0, 10), ''];
  const event = ['x', 1_767_500_000, { never: 1 }, { chunk: 'bmV2ZXI=' }];
  for (const first of [ping, event]) {
    const answer = await say(Buffer.concat([encode(first), encode(event)]), 'end');
    expect(answer).toContain('the shared key or the user name is wrong');
    expect(answer).not.toContain('bmV2ZXI=');
  }
  expect(await setup.count('Ext.never.:Int64 = 1')).toBe(0);
  await setup.feature.sources.flush();
  const refused = await setup.feature.sources.refusals();
  expect(refused.find(({ reason }) => reason === 'forward-wrong-key')?.value).toBe(2);
});

/** Writes bytes on a connection of its own; resolves with what came back when it ended, or after an answer. */
function say(bytes: Uint8Array, until: 'end' | 'answer'): Promise<string> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (until === 'answer') socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
  });
}

it('[T-ways] knows a sender by its network, stores a chunk once, and keeps what it cannot read as text', async () => {
  await setup.giveNetworks('127.0.0.1/32');
  const { clusterId, scope: scopeId } = setup.company.a;
  const networks = ['127.0.0.1/32'];
  await setup.feature.sources.create({ clusterId, scopeId, name: 'bit', kind: 'syslog', networks, by: null });
  setup.test.platform.clock.advance(6_000);

  const packed = Buffer.concat([
    encode([1_767_500_000, { chunked: 'first' }]),
    encode('no entry'),
    encode([1_767_500_001, { chunked: 'second', bytes: Buffer.from('raw') }]),
    Buffer.from([0xc1]),
  ]);
  const message = encode(['t', packed, { size: 4, chunk: 'Y2h1bms=' }]);
  for (const _ of [1, 2]) expect(await say(message, 'answer')).toContain('Y2h1bms=');
  expect(await setup.count("Ext.chunked.:String IN ('first', 'second')")).toBe(2);
  expect(await setup.count("SourceName = 'bit' AND ParseStatus = 'PER'")).toBe(2);

  // Without a chunk nothing is answered; it is stored all the same.
  void say(encode(['t', 1_767_500_002, { chunked: 'third' }]), 'end');
  await expect.poll(() => setup.count("Ext.chunked.:String = 'third'"), { timeout: 15_000 }).toBe(1);

  expect(await say(Uint8Array.from([0x93, 0xc1]), 'end')).toBe('');
  const status = await setup.feature.sources.status(clusterId, scopeId);
  await setup.feature.sources.flush();
  expect(status.map(({ source_name }) => source_name)).toContain('bit');
  const counts = (await setup.feature.sources.status(clusterId, scopeId)).find(
    ({ source_name }) => source_name === 'bit',
  )?.counts;
  expect(counts).toMatchObject({ refused_malformed: 1, repeated_batch: 1, 'malformed-record': 2 });
});
