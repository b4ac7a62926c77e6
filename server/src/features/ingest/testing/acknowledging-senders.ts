import { createHash } from 'node:crypto';
import net from 'node:net';
import { decode, encode } from '@msgpack/msgpack';
import type { KilledServer } from './killed-server.ts';

// Senders of every way that acknowledges. Each sends a batch until it is answered, as shippers do, whatever happens to the
// server meanwhile, and adds up what was taken and what was refused with a reason.

export interface Batch {
  readonly number: number;
  readonly events: readonly { readonly way: string; readonly batch: number; readonly n: number }[];
}

export interface Taken {
  readonly accepted: number;
  readonly rejected: number;
}

/** Sends one batch; undefined when it has to be sent again. */
type Send = (server: KilledServer, batch: Batch, seen: Seen) => Promise<Taken | undefined>;

/** What the senders met on their way. */
export interface Seen {
  spoolFull: number;
  repeats: number;
}

async function post(
  server: KilledServer,
  url: string,
  body: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(`${server.address}${url}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.token}`, connection: 'close', ...headers },
    body,
    signal: AbortSignal.timeout(60_000),
  });
  return { status: response.status, text: await response.text() };
}

const ndjson: Send = async (server, { events }, seen) => {
  const body = events.map((event) => `${JSON.stringify(event)}\n`).join('');
  const { status, text } = await post(server, '/ingest/ndjson', body);
  if (text.includes('spool is full')) seen.spoolFull += 1;
  return status === 200 ? { accepted: events.length, rejected: 0 } : undefined;
};

const hec: Send = async (server, { events }) => {
  const body = events.map((event) => JSON.stringify({ event })).join('');
  const { status } = await post(server, '/services/collector/event', body);
  return status === 200 ? { accepted: events.length, rejected: 0 } : undefined;
};

/** Every tenth batch asks for a deletion, which is refused item by item. */
const bulk: Send = async (server, { number, events }) => {
  const items = events.map((event, at) =>
    number % 10 === 0 && at === 0 ? '{"delete":{"_id":"x"}}\n' : `{"create":{}}\n${JSON.stringify(event)}\n`,
  );
  const { status, text } = await post(server, '/_bulk', items.join(''));
  if (status !== 200) return undefined;
  const statuses = (JSON.parse(text) as { items: Record<string, { status: number }>[] }).items.map(
    (item) => Object.values(item)[0]?.status,
  );
  const accepted = statuses.filter((code) => code === 201).length;
  return { accepted, rejected: statuses.length - accepted };
};

/** Every twentieth batch is cut off, and refused as a whole. */
const otlp: Send = async (server, { number, events }) => {
  const logRecords = events.map((event) => ({
    body: {
      kvlistValue: {
        values: [
          { key: 'way', value: { stringValue: event.way } },
          { key: 'batch', value: { intValue: String(event.batch) } },
          { key: 'n', value: { intValue: String(event.n) } },
        ],
      },
    },
  }));
  const whole = JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords }] }] });
  const body = number % 20 === 0 ? whole.slice(0, -5) : whole;
  const { status } = await post(server, '/v1/logs', body, { 'content-type': 'application/json' });
  if (status === 400) return { accepted: 0, rejected: events.length };
  return status === 200 ? { accepted: events.length, rejected: 0 } : undefined;
};

/** One connection for each chunk, known by its network; resolves with the chunk that came back. */
function sendChunk(port: number, bytes: Uint8Array): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.write(bytes));
    const ends = () => resolve(undefined);
    socket.setTimeout(60_000, () => socket.destroy());
    socket.on('error', ends);
    socket.on('close', ends);
    socket.on('data', (chunk) => {
      resolve((decode(chunk) as { ack?: string }).ack);
      socket.destroy();
    });
  });
}

const forward: Send = async (server, { number, events }) => {
  const chunk = createHash('sha256').update(`chunk ${number}`).digest('base64');
  const packed = Buffer.concat(events.map((event) => encode([1_767_500_000, event])));
  const answer = await sendChunk(server.ports?.forward ?? 0, encode(['app', packed, { chunk }]));
  return answer === chunk ? { accepted: events.length, rejected: 0 } : undefined;
};

export const WAYS: Readonly<Record<string, Send>> = { ndjson, hec, bulk, otlp, forward };

/** Sends one batch until it is answered. */
export async function sendUntilAnswered(
  server: KilledServer,
  way: string,
  batch: Batch,
  seen: Seen,
): Promise<Taken> {
  for (;;) {
    // Killed under the request, or not there yet: again.
    const taken = await WAYS[way]?.(server, batch, seen).catch(() => undefined);
    if (taken !== undefined) return taken;
    seen.repeats += 1;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
