import dgram from 'node:dgram';
import { setTimeout as sleep } from 'node:timers/promises';
import { sendUntilAnswered, WAYS } from './acknowledging-senders.ts';
import { KilledServer } from './killed-server.ts';

// The accounts of a run: events through every acknowledging way at once, and datagrams beside them, while server and event
// store are killed and the spool is filled. In the end what was sent is what is stored plus what was refused.

export interface AccountingAsk {
  /** Events of each acknowledging way. */
  readonly eventsPerWay: number;
  readonly eventsPerBatch: number;
  /** Batches of one way under way at once. */
  readonly sendersPerWay: number;
  readonly datagrams: number;
  readonly serverKills: number;
  readonly storeKills: number;
  /** Small, so that it can be filled. */
  readonly spoolMib: number;
  readonly say?: (line: string) => void;
}

export interface WayAccount {
  readonly way: string;
  readonly sent: number;
  readonly accepted: number;
  readonly rejected: number;
  readonly stored: number;
  readonly distinct: number;
}

export interface Accounts {
  readonly ways: readonly WayAccount[];
  readonly udp: {
    readonly sent: number;
    readonly stored: number;
    readonly distinct: number;
    readonly lost: number;
  };
  /** Answers that said that the spool is full, and batches that were sent again. */
  readonly spoolFull: number;
  readonly repeats: number;
  readonly seconds: number;
  /** What the sources counted, of all processes that ran. */
  readonly counts: Readonly<Record<string, number>>;
}

/** How long the spool may take to be stored in the end. */
const SETTLE_MS = 600_000;
const FILL_MS = 120_000;

interface Progress {
  answered: number;
  readonly batches: number;
}

type Sums = Map<string, { sent: number; accepted: number; rejected: number }>;

async function sendWay(
  server: KilledServer,
  way: string,
  ask: AccountingAsk,
  shared: {
    readonly sums: Sums;
    readonly progress: Progress;
    readonly seen: { spoolFull: number; repeats: number };
  },
): Promise<void> {
  const sum = { sent: 0, accepted: 0, rejected: 0 };
  shared.sums.set(way, sum);
  const batches = Math.ceil(ask.eventsPerWay / ask.eventsPerBatch);
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < batches) {
      const number = next++;
      const events = Array.from({ length: ask.eventsPerBatch }, (_, n) => ({ way, batch: number, n }));
      const taken = await sendUntilAnswered(server, way, { number, events }, shared.seen);
      sum.sent += events.length;
      sum.accepted += taken.accepted;
      sum.rejected += taken.rejected;
      shared.progress.answered += 1;
    }
  };
  await Promise.all(Array.from({ length: ask.sendersPerWay }, sender));
}

/** Datagrams of syslog, a few at a time, as long as the others send. */
async function sendDatagrams(
  server: KilledServer,
  ask: AccountingAsk,
  isOver: () => boolean,
): Promise<number> {
  const socket = dgram.createSocket('udp4');
  socket.on('error', () => undefined);
  let sent = 0;
  while (sent < ask.datagrams && !isOver()) {
    for (let n = 0; n < 50 && sent < ask.datagrams; n += 1) {
      const port = server.ports?.syslog.udp ?? 0;
      socket.send(`<13>Nov 22 07:47:06 near app: datagram ${sent}`, port, '127.0.0.1');
      sent += 1;
    }
    await sleep(10);
  }
  await sleep(300);
  socket.close();
  return sent;
}

/** Kills when a share of the batches is answered, so that every kill meets senders at work. */
async function killMidway(
  server: KilledServer,
  ask: AccountingAsk,
  progress: Progress,
  seen: { spoolFull: number },
): Promise<void> {
  const acts: ('server' | 'store' | 'fill')[] = [];
  for (let n = 0; n < Math.max(ask.serverKills, ask.storeKills); n += 1) {
    if (n < ask.serverKills) acts.push('server');
    if (n < ask.storeKills) acts.push('store');
  }
  acts.splice(Math.ceil(acts.length / 2), 0, 'fill');
  for (const [at, act] of acts.entries()) {
    const due = (progress.batches * (at + 1)) / (acts.length + 2);
    while (progress.answered < due) await sleep(50);
    ask.say?.(`${progress.answered} of ${progress.batches} batches answered: ${act}`);
    if (act === 'server') {
      await server.kill();
      await server.start();
    } else if (act === 'store') server.killEventStore();
    else await fillSpool(server, seen);
  }
}

/** Keeps the event store down until senders are told that the spool is full. */
async function fillSpool(server: KilledServer, seen: { spoolFull: number }): Promise<void> {
  const until = Date.now() + FILL_MS;
  while (seen.spoolFull === 0 && Date.now() < until) {
    server.killEventStore();
    // Killed while it starts, it is given longer and longer pauses.
    for (let n = 0; n < 15 && seen.spoolFull === 0; n += 1) await sleep(100);
  }
}

const STORED = `SELECT Ext.way.:String AS way, count(), uniqExact(Ext.batch.:Int64, Ext.n.:Int64)
  FROM events WHERE Ext.way.:String IS NOT NULL GROUP BY way`;
const DATAGRAMS = "SELECT count(), uniqExact(Raw) FROM events WHERE Raw LIKE '%app: datagram %'";

async function storedByWay(server: KilledServer): Promise<Map<string, readonly [number, number]>> {
  const rows = await server.rows(STORED);
  return new Map(rows.map(([way, count, distinct]) => [String(way), [Number(count), Number(distinct)]]));
}

/** Waits until what was accepted is stored, which the spool may delay. */
async function settled(server: KilledServer, sums: Sums): Promise<Map<string, readonly [number, number]>> {
  const accepted = [...sums.values()].reduce((sum, way) => sum + way.accepted, 0);
  const until = Date.now() + SETTLE_MS;
  for (;;) {
    const stored = await storedByWay(server).catch(() => new Map<string, readonly [number, number]>());
    const found = [...stored.values()].reduce((sum, [count]) => sum + count, 0);
    if (found >= accepted || Date.now() > until) return stored;
    await sleep(500);
  }
}

export async function accountingRun(ask: AccountingAsk): Promise<Accounts> {
  const server = new KilledServer({ TYRIAN_SPOOL_LIMIT_MIB: String(ask.spoolMib) });
  try {
    await server.start();
    const started = performance.now();
    const ways = Object.keys(WAYS);
    const seen = { spoolFull: 0, repeats: 0 };
    const sums: Sums = new Map();
    const progress = { answered: 0, batches: ways.length * Math.ceil(ask.eventsPerWay / ask.eventsPerBatch) };
    let isOver = false;
    const datagrams = sendDatagrams(server, ask, () => isOver);
    const shared = { sums, progress, seen };
    await Promise.all([
      killMidway(server, ask, progress, seen),
      ...ways.map((way) => sendWay(server, way, ask, shared)),
    ]);
    isOver = true;
    const udpSent = await datagrams;
    const seconds = (performance.now() - started) / 1000;
    ask.say?.('all answered; waiting for the spool');
    const stored = await settled(server, sums);
    // Counts are written each second.
    await sleep(2_000);
    const counts = await server.counts();
    const [[udpStored, udpDistinct] = []] = await server.rows(DATAGRAMS);
    return {
      ways: [...sums].map(([way, sum]) => {
        const [count = 0, distinct = 0] = stored.get(way) ?? [];
        return { way, ...sum, stored: count, distinct };
      }),
      udp: {
        sent: udpSent,
        stored: Number(udpStored),
        distinct: Number(udpDistinct),
        lost: counts.lost ?? 0,
      },
      ...{ spoolFull: seen.spoolFull, repeats: seen.repeats, seconds, counts },
    };
  } finally {
    await server.close();
  }
}
