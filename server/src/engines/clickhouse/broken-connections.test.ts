import { rmSync } from 'node:fs';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { basicAuthorization } from '../../platform/clickhouse/event-store-options.ts';
import { createLog } from '../../platform/log.ts';
import { engineSecrets } from '../engine-secrets.ts';
import { scratchFolder } from '../scratch-engines.ts';
import { type EmbeddedClickhouse, startEmbeddedClickhouse } from './embedded-clickhouse.ts';

// Any process of the machine may connect to the engine's port and break the connection off with a reset, at any point.

const ROUNDS = 8;
/** The library takes four seconds from a fatal error to its end, and refuses queries meanwhile. */
const END_TAKES_MS = 5_000;

const dataFolder = scratchFolder('tyrian-reset-');
let engine: EmbeddedClickhouse;
beforeAll(async () => {
  const secrets = engineSecrets(dataFolder);
  engine = await startEmbeddedClickhouse({ dataFolder, secrets, log: createLog('silent'), durable: false });
});
afterAll(async () => {
  await engine?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
});

/** Sends a text, and resets the connection after so many milliseconds; what is answered is not read. */
function breakOff(text: string, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(engine.access.url);
  return new Promise((resolve) => {
    const socket = net.connect(Number(port), hostname, () => {
      socket.pause();
      if (text !== '') socket.write(text);
      setTimeout(() => socket.resetAndDestroy(), afterMs);
    });
    socket.on('error', () => undefined).on('close', () => resolve());
  });
}

const post = (lines: readonly string[], body: string) =>
  ['POST / HTTP/1.1', 'Host: x', ...lines, '', body].join('\r\n');
const query = "SELECT number, repeat('x', 1000) FROM numbers(1000000)";

const BROKEN: Readonly<Record<string, (authorization: string) => string>> = {
  'before a word': () => '',
  'in the first line': () => 'GET / HT',
  'in the head': () => 'POST / HTTP/1.1\r\nHost: x\r\nAuthor',
  'with a body to come, without a password': () => post(['Content-Length: 1000000'], 'SELECT'),
  'with a body to come': (own) => post([`Authorization: ${own}`, 'Content-Length: 1000000'], 'SELECT'),
  'in a chunk': (own) => post([`Authorization: ${own}`, 'Transfer-Encoding: chunked'], 'ffff\r\nSELECT'),
  'while it answers': (own) =>
    post([`Authorization: ${own}`, `Content-Length: ${query.length}`], query).repeat(2),
};

it.each(Object.entries(BROKEN))(
  '[S10] a connection that is reset %s leaves the engine at work',
  async (_, textOf) => {
    const authorization = basicAuthorization(engine.access.query);
    for (let round = 0; round < ROUNDS; round += 1)
      await Promise.all([0, 20].map((ms) => breakOff(textOf(authorization), ms)));
    const headers = { authorization, connection: 'close' };
    const answer = await fetch(engine.access.url, { method: 'POST', headers, body: 'SELECT 1' });
    expect((await answer.text()).trim()).toBe('1');
    expect(engine.health()).toMatchObject({ state: 'up', restarts: 0 });
  },
);

it('[S10] no connection that was reset has ended the engine later on', async () => {
  await sleep(END_TAKES_MS);
  expect(engine.health()).toMatchObject({ state: 'up', restarts: 0 });
});
