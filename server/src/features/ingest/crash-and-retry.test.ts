import { afterAll, beforeAll, expect, it } from 'vitest';
import { KilledServer } from './testing/killed-server.ts';

// The whole server is killed with -9 again and again while senders send; they repeat what was not acknowledged.
// In the end the store holds each event once.

const server = new KilledServer();
beforeAll(() => server.start());
afterAll(() => server.close());

/** Sends one body until it is acknowledged, through whatever server is there. */
async function sendUntilAcknowledged(url: string, body: string, isDone: () => boolean): Promise<void> {
  while (!isDone()) {
    try {
      const response = await fetch(`${server.address}${url}`, {
        method: 'POST',
        headers: { authorization: `Splunk ${server.token}`, connection: 'close' },
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
    await server.kill();
    await server.start();
  }
  await senders;
  const [[count, distinct] = []] = await server.rows(
    'SELECT count(), uniqExact(Ext.batch.:Int64, Ext.n.:Int64) FROM events',
  );
  expect([count, distinct]).toEqual([BATCHES * EVENTS, BATCHES * EVENTS]);
}, 180_000);
