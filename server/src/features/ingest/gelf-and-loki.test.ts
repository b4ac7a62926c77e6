import dgram from 'node:dgram';
import { deflateSync, gzipSync } from 'node:zlib';
import gelf from 'gelf-pro';
import pinoLoki from 'pino-loki';
import snappy from 'snappyjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '../../platform/http/listen.ts';
import { writePushRequest } from './loki-messages.ts';
import { type SenderSetup, senderSetup } from './testing/sender-setup.ts';

/** Its levels are made when it starts, which its types do not know. */
type GelfLogger = typeof gelf &
  Record<'error' | 'info', (message: string, ...more: readonly unknown[]) => void>;

// GELF and Loki, from their clients of npm and by hand.

let setup: SenderSetup;
let address = '';
let ports: { readonly udp: number; readonly tcp: number };

beforeAll(async () => {
  setup = await senderSetup();
  const port = await listen(setup.test.ingestApp, { bind: '127.0.0.1', port: 0, variable: 'none' });
  address = `http://127.0.0.1:${port}`;
  await setup.giveNetworks('127.0.0.1/32');
  const { clusterId, scope: scopeId } = setup.company.a;
  const networks = ['127.0.0.1/32'];
  await setup.feature.sources.create({
    clusterId,
    scopeId,
    name: 'gelf',
    kind: 'syslog',
    networks,
    by: null,
  });
  await setup.feature.work.start();
  ports = setup.feature.work.ports().gelf;
});
afterAll(() => setup.close());

const stored = (where: string) => expect.poll(() => setup.count(where), { timeout: 15_000 });

async function countsOfGelf(): Promise<Readonly<Record<string, number>>> {
  const { clusterId, scope } = setup.company.a;
  await setup.feature.sources.flush();
  const status = await setup.feature.sources.status(clusterId, scope);
  return status.find(({ source_name }) => source_name === 'gelf')?.counts ?? {};
}

describe('GELF', () => {
  it('[T-ways] takes what gelf-pro sends over UDP, packed and in chunks, and over TCP', async () => {
    for (const [adapterName, port] of [
      ['udp', ports.udp],
      ['tcp', ports.tcp],
    ] as const) {
      const logger = Object.create(gelf) as GelfLogger;
      logger.setConfig({
        adapterName,
        adapterOptions: { host: '127.0.0.1', port },
        fields: { adapter: adapterName },
      });
      const random = Array.from({ length: 4_000 }, (_, n) => (n * 2_654_435_761) % 99_991).join(' ');
      await new Promise((resolve) => logger.error('disk of db1 is full', { team: 'red' }, resolve));
      await new Promise((resolve) => logger.info(`long ${random}`, resolve));
      await stored(`Ext.adapter.:String = '${adapterName}'`).toBe(2);
    }
    expect(
      await setup.rows(
        "SELECT EventSeverity, Raw, toString(Ext.team), length(DvcHostname) > 0 FROM events WHERE Ext.team.:String = 'red'",
      ),
    ).toEqual([
      ['High', 'disk of db1 is full', 'red', 1],
      ['High', 'disk of db1 is full', 'red', 1],
    ]);
  });

  it('[T-ways] reads zlib, gzip and plain, keeps what is broken, and counts a chunk that never came', async () => {
    const message = (n: number) =>
      Buffer.from(
        JSON.stringify({
          version: '1.1',
          host: 'h',
          short_message: `udp ${n}`,
          timestamp: 1767225600.25,
          _n: n,
        }),
      );
    const socket = dgram.createSocket('udp4');
    const send = (bytes: Uint8Array) =>
      new Promise((resolve) => socket.send(bytes, ports.udp, '127.0.0.1', resolve));
    await send(message(1));
    await send(gzipSync(message(2)));
    await send(deflateSync(message(3)));
    await send(gzipSync(message(4)).subarray(0, 20));
    await send(Buffer.from('{"version":"1.1", broken'));
    await send(Buffer.from([0x1e, 0x0f, 1, 2, 3, 4, 5, 6, 7, 8, 9, 2]));
    await stored(
      "startsWith(Raw, 'udp ') AND TimeGenerated = toDateTime64('2026-01-01 00:00:00.25', 3, 'UTC')",
    ).toBe(3);
    await stored("SourceName = 'gelf' AND ParseStatus = 'PER'").toBe(2);
    socket.close();
    expect(await countsOfGelf()).toMatchObject({ lost: 1, 'gelf-chunks-missing': 1 });
  });

  it('[T-ways] takes messages over HTTP and answers 202', async () => {
    const lines = '{"host":"h","short_message":"http 1"}\n{"host":"h","short_message":"http 2"}\n';
    const answer = await fetch(`${address}/gelf?token=${setup.token}`, { method: 'POST', body: lines });
    expect(answer.status).toBe(202);
    expect(await setup.count("startsWith(Raw, 'http ')")).toBe(2);
    expect((await fetch(`${address}/gelf`, { method: 'POST', body: lines })).status).toBe(401);
  });
});

describe('Loki', () => {
  it('[T-ways] takes what pino-loki pushes', async () => {
    const loki = pinoLoki({
      host: address,
      batching: false,
      basicAuth: { username: 'any', password: setup.token },
      labels: { job: 'pino' },
      silenceErrors: false,
    });
    const done = new Promise((resolve) => loki.on('close', resolve));
    loki.write(
      `${JSON.stringify({ level: 50, time: 1767225600123, msg: 'card declined', 'user.name': 'eve' })}\n`,
    );
    loki.end();
    await done;
    await stored("Ext.job.:String = 'pino'").toBe(1);
    expect(
      await setup.rows(
        "SELECT ActorUsername, toString(TimeGenerated) FROM events WHERE Ext.job.:String = 'pino'",
      ),
    ).toEqual([['eve', '2026-01-01 00:00:00.123']]);
  });

  it('[T-ways] takes protobuf packed with Snappy, with labels and structured metadata, and refuses what is none', async () => {
    const entries = [
      {
        timestamp: { seconds: 1767225600, nanos: 5_000_000 },
        line: '10.0.0.1 - ada [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 5',
        structuredMetadata: [{ name: 'pod', value: 'web-1' }],
      },
      { timestamp: { seconds: 1767225601, nanos: 0 }, line: 'plain' },
    ];
    const labels = '{job="snappy", host="lh", quote="a \\"b\\""}';
    const body = Buffer.from(snappy.compress(writePushRequest({ streams: [{ labels, entries }] })));
    const push = (bytes: Uint8Array, headers: Record<string, string> = {}) =>
      setup.test.ingestApp.inject({
        method: 'POST',
        url: '/loki/api/v1/push',
        payload: Buffer.from(bytes),
        headers: {
          authorization: `Bearer ${setup.token}`,
          'content-type': 'application/x-protobuf',
          ...headers,
        },
      });
    expect((await push(body, { 'content-encoding': 'snappy' })).statusCode).toBe(204);
    expect(
      await setup.rows(
        "SELECT Stream, DvcHostname, toString(Ext.pod), toString(Ext.quote) FROM events WHERE Ext.job.:String = 'snappy' ORDER BY Raw",
      ),
    ).toEqual([
      ['WebSession', 'lh', 'web-1', 'a "b"'],
      ['Generic', 'lh', '', 'a "b"'],
    ]);
    expect((await push(body.subarray(0, 20))).statusCode).toBe(400);
    // Says that it unpacks to 4 GiB.
    expect((await push(Buffer.from('ffffffff0f00', 'hex'))).statusCode).toBe(413);
    expect(
      (await push(Buffer.from('{"streams":1}'), { 'content-type': 'application/json' })).statusCode,
    ).toBe(400);
  });
});
