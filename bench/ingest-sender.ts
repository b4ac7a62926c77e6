import { fork } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildCompany } from '../server/src/features/demo/demo-company.ts';
import { ordinaryEvent } from '../server/src/features/demo/demo-noise.ts';
import { createRandom } from '../server/src/features/demo/seeded-random.ts';
import { recordedEvents } from '../server/src/features/detections/testing/corpus.ts';
import { DATE_AND_TIME, movingTimes } from './moving-times.ts';

// The sending side of the ingest benchmarks, in a process of its own: makes its lines beforehand and sends them over HTTP as
// fast as they are acknowledged, once, or again and again for a time; or makes and sends so many a second.

/** `demo`: the demo company's day. `recorded`: attacks that were recorded on Windows machines, some 2.7 kB an event. */
export type Mix = 'demo' | 'recorded';

interface SenderTarget {
  readonly url: string;
  readonly token: string;
  readonly linesPerRequest: number;
  readonly connections: number;
}

/** Lines that are made beforehand and sent as fast as they are acknowledged. */
interface MadeBefore {
  readonly mix: Mix;
  /**
   * Lines that are made; sent once unless `seconds` says for how long. Then recorded ones are of the second in which they are
   * sent.
   */
  readonly events: number;
  readonly seconds?: number;
}

/** So many lines a second, each made when it is sent: the demo's, and one of a hundred of the recorded attacks. */
interface MadeAsOfNow {
  readonly perSecond: number;
  readonly seconds: number;
}

export type SenderOrder = SenderTarget & (MadeBefore | MadeAsOfNow);

export interface Sent {
  readonly seconds: number;
  readonly events: number;
  readonly bytes: number;
}

const DAY_MS = 86_400_000;

const worldOf = (seed: number) => ({ company: buildCompany(seed), random: createRandom(seed) });

const recordedTexts = (): string[] => recordedEvents().map((event) => JSON.stringify(event));

/** Lines of the demo mix over the last day. */
export function demoLines(events: number, seed: number): string[] {
  const world = worldOf(seed);
  const startMs = Date.now() - 20 * 3_600_000;
  return Array.from(
    { length: events },
    (_, at) => ordinaryEvent(world, startMs + Math.floor((at * 72_000_000) / events)).text,
  );
}

/** Lines of the recorded attacks, again and again, each time another of the last twenty days. */
function recordedLines(events: number): string[] {
  const recorded = recordedTexts();
  return Array.from({ length: events }, (_, at) => {
    const round = Math.floor(at / recorded.length);
    const day = new Date(Date.now() - (1 + (round % 20)) * DAY_MS).toISOString().slice(0, 10);
    return (recorded[at % recorded.length] as string).replaceAll(/20\d\d-\d\d-\d\d(?=[T ])/g, day);
  });
}

const RECORDED_EACH = 100;

/** Makes lines one after the other as of now: the demo's, and each hundredth of the recorded attacks. */
export function wovenLines(seed: number): (count: number) => string[] {
  const world = worldOf(seed);
  const recorded = recordedTexts();
  let at = 0;
  const next = (nowMs: number): string => {
    at += 1;
    const attack = at % RECORDED_EACH === 0 ? recorded[(at / RECORDED_EACH) % recorded.length] : undefined;
    if (attack === undefined) return ordinaryEvent(world, nowMs).text;
    const now = new Date(nowMs).toISOString();
    return attack.replaceAll(DATE_AND_TIME, (found) => `${now.slice(0, 10)}${found[10]}${now.slice(11, 19)}`);
  };
  return (count) => Array.from({ length: count }, () => next(Date.now()));
}

const MADE_BY = {
  demo: (events: number) => demoLines(events, 7),
  recorded: recordedLines,
} satisfies Record<Mix, (events: number) => string[]>;

/** Lines of a mix. */
export const linesOf = (mix: Mix, events: number): string[] => MADE_BY[mix](events);

/** Starts a sender; it has made its lines when this resolves. */
export async function startSender(order: SenderOrder): Promise<{ send(): Promise<Sent> }> {
  const child = fork(import.meta.filename, [], { execArgv: ['--import', 'tsx'] });
  const answer = <T>(field: string): Promise<T> =>
    new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the sender ended with ${code}`)));
      child.on('message', (message: Record<string, T>) => field in message && resolve(message[field] as T));
    });
  const ready = answer<true>('ready');
  child.send(order);
  await ready;
  return {
    send: () => {
      const sent = answer<Sent>('sent');
      child.send('go');
      return sent;
    },
  };
}

function post(agent: Agent, order: SenderOrder, body: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(
      order.url,
      {
        method: 'POST',
        agent,
        headers: { authorization: `Bearer ${order.token}`, 'content-length': body.length },
      },
      (answer) => {
        answer.resume();
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`answered ${answer.statusCode}`)),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

interface Body {
  readonly lines: number;
  readonly bytes: Buffer;
}

const bodyOf = (lines: readonly string[]): Body => ({
  lines: lines.length,
  bytes: Buffer.from(`${lines.join('\n')}\n`),
});

/** What is sent, by its number: made beforehand, or as of now when it is due. */
function bodiesOf(order: SenderOrder) {
  const { linesPerRequest } = order;
  if ('perSecond' in order) {
    const make = wovenLines(7);
    return { length: Number.POSITIVE_INFINITY, at: () => bodyOf(make(linesPerRequest)) };
  }
  const lines = linesOf(order.mix, order.events);
  const bodies: Body[] = [];
  for (let at = 0; at < lines.length; at += linesPerRequest)
    bodies.push(bodyOf(lines.slice(at, at + linesPerRequest)));
  const isMoved = order.mix === 'recorded' && order.seconds !== undefined;
  const moves = isMoved ? bodies.map(({ bytes }) => movingTimes(bytes)) : [];
  const at = (position: number) => {
    moves[position % bodies.length]?.(Date.now());
    return bodies[position % bodies.length];
  };
  return { length: bodies.length, at };
}

async function send(order: SenderOrder): Promise<void> {
  const bodies = bodiesOf(order);
  process.send?.({ ready: true });
  await new Promise((resolve) => process.once('message', resolve));
  const agent = new Agent({ keepAlive: true, maxSockets: order.connections });
  const started = performance.now();
  const { seconds } = order;
  const isOver = (next: number) =>
    seconds === undefined ? next >= bodies.length : performance.now() - started >= seconds * 1000;
  const sent = { events: 0, bytes: 0 };
  let next = 0;
  /** When so many bodies may have been sent. */
  const dueMs = (body: number) =>
    'perSecond' in order ? started + (body * order.linesPerRequest * 1000) / order.perSecond : 0;
  const connection = async () => {
    while (!isOver(next)) {
      const at = next++;
      await sleep(Math.max(0, dueMs(at) - performance.now()));
      const body = bodies.at(at);
      if (body === undefined) return;
      await post(agent, order, body.bytes);
      sent.events += body.lines;
      sent.bytes += body.bytes.length;
    }
  };
  await Promise.all(Array.from({ length: order.connections }, connection));
  process.send?.({ sent: { ...sent, seconds: (performance.now() - started) / 1000 } });
  agent.destroy();
  process.disconnect?.();
}

if (process.send !== undefined) process.once('message', (order: SenderOrder) => void send(order));
