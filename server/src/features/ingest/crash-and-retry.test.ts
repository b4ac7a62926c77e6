import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ANY_PORTS } from '../../platform/config.ts';

// The whole server is killed with -9 again and again while senders send; they repeat what was not acknowledged.
// In the end the store holds each event once.

const SCRIPT = fileURLToPath(new URL('./testing/crash-server.ts', import.meta.url));
const LOADER = import.meta.resolve('tsx');

interface Ready {
  readonly address: string;
  readonly clusterId?: string;
  readonly token?: string;
}

let folder: string;
let child: ChildProcess | null = null;
let address = '';
let clusterId = '';
let token = '';

function answerOf<T>(process: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the server ended'));
    process.once('exit', onExit);
    process.on('message', function listen(message: Record<string, unknown>) {
      if (!(field in message) && !('error' in message)) return;
      process.off('message', listen);
      process.off('exit', onExit);
      if ('error' in message) reject(new Error(String(message.error)));
      else resolve(message[field] as T);
    });
  });
}

async function start(): Promise<void> {
  const started = fork(SCRIPT, [], {
    execArgv: ['--import', LOADER],
    env: {
      PATH: process.env.PATH,
      TYRIAN_DATA: folder,
      ...ANY_PORTS,
    },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child = started;
  const ready = await answerOf<Ready>(started, 'ready');
  address = ready.address;
  clusterId = ready.clusterId ?? clusterId;
  token = ready.token ?? token;
}

async function kill(): Promise<void> {
  const dying = child;
  if (dying === null) return;
  child = null;
  const gone = new Promise((resolve) => dying.once('exit', resolve));
  dying.kill('SIGKILL');
  await gone;
}

async function rows(sql: string): Promise<readonly (readonly unknown[])[]> {
  const running = child as ChildProcess;
  const answer = answerOf<readonly (readonly unknown[])[]>(running, 'rows');
  running.send({ clusterId, sql });
  return answer;
}

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'tyrian-crash-'));
  chmodSync(folder, 0o711);
  await start();
});
afterAll(async () => {
  const running = child;
  if (running !== null) {
    const gone = new Promise((resolve) => running.once('exit', resolve));
    running.kill('SIGKILL');
    await gone;
  }
  await new Promise((resolve) => setTimeout(resolve, 1500));
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
});

/** Sends one body until it is acknowledged, through whatever server is there. */
async function sendUntilAcknowledged(url: string, body: string, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    try {
      const response = await fetch(`${address}${url}`, {
        method: 'POST',
        headers: { authorization: `Splunk ${token}`, connection: 'close' },
        body,
      });
      await response.arrayBuffer();
      if (response.ok) return;
    } catch {
      // Killed under the request: try again when a server is back.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const BATCHES = 240;
const EVENTS = 150;

/** Events of three days, and some without a time. */
function bodyOf(batch: number): { url: string; body: string } {
  const events = Array.from({ length: EVENTS }, (_, n) => {
    const day = 1 + ((batch + n) % 3);
    return n % 5 === 0 ? { batch, n } : { batch, n, timestamp: `2026-01-0${day}T00:00:00Z` };
  });
  switch (batch % 3) {
    case 0:
      return { url: '/ingest/ndjson', body: events.map((event) => `${JSON.stringify(event)}\n`).join('') };
    case 1:
      return { url: '/services/collector', body: events.map((event) => JSON.stringify({ event })).join('') };
    default:
      return {
        url: '/_bulk',
        body: events.map((event) => `{"create":{}}\n${JSON.stringify(event)}\n`).join(''),
      };
  }
}

it('loses nothing and doubles nothing when it is killed while senders send and repeat', async () => {
  let next = 0;
  const sender = async () => {
    while (next < BATCHES) {
      const { url, body } = bodyOf(next++);
      await sendUntilAcknowledged(url, body, () => false);
    }
  };
  const senders = Promise.all(Array.from({ length: 6 }, sender));
  for (let round = 0; round < 4; round += 1) {
    await new Promise((resolve) => setTimeout(resolve, 120 + round * 90));
    await kill();
    await start();
  }
  await senders;
  const [[count, distinct] = []] = await rows(
    'SELECT count(), uniqExact(Ext.batch.:Int64, Ext.n.:Int64) FROM events',
  );
  expect([count, distinct]).toEqual([BATCHES * EVENTS, BATCHES * EVENTS]);
}, 180_000);
