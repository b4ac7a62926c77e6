import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import { isNodeAway, isShardAway } from '../../platform/clickhouse/store-errors.ts';
import { giveBackMemory } from '../../platform/give-back-memory.ts';
import type { Logger } from '../../platform/log.ts';
import type { RowChunk } from './ingest-batch.ts';
import { COMPANY_MS, createInsertRhythm, type InsertRhythm, LINGER_MS } from './insert-rhythm.ts';
import type { Spool } from './spool.ts';
import { isBadData, storeAroundBadRows } from './store-around-bad-rows.ts';

// Puts rows of many batches into few inserts: each insert costs a part on disk, a sync and the merges of the part. Rows wait
// while an insert is in flight, a moment for batches of their tenant that are still being decoded, and for the next batch
// where batches follow each other closely (insert-rhythm.ts): so a quiet system answers at once and a busy one makes large
// parts by itself. A caller's promise resolves when its rows are on disk, in the store or, while the store is down, in the
// spool.

const GROUP_ROWS = 50_000;
const GROUP_BYTES = 64 * 1024 * 1024;
const INSERTS_PER_TENANT = 2;
/** How long it is remembered how batches of a tenant came. */
const REMEMBERED_MS = 60_000;

/** In the event store, or on disk until it is back. */
export type Durable = 'stored' | 'spooled';

export interface InsertGroups {
  /** A batch of the tenant is about to be decoded; call the answer when all of its rows have been added. */
  expect(clusterId: string): () => void;
  /** Resolves with where the rows are durable. Rejects when neither store nor spool takes them. */
  add(clusterId: string, chunk: RowChunk): Promise<Durable>;
  /** Rows that wait or are being inserted, in bytes. */
  pendingBytes(): number;
  /** Waits for what has been added. */
  drain(): Promise<void>;
}

interface Waiting {
  readonly chunk: RowChunk;
  /** Of `performance.now()`. */
  readonly sinceMs: number;
  readonly resolve: (where: Durable) => void;
  readonly reject: (error: unknown) => void;
}

interface Lane {
  queue: Waiting[];
  inFlight: number;
  /** Batches that are being decoded. */
  expected: number;
  timer: NodeJS.Timeout | null;
  readonly rhythm: InsertRhythm;
  /** When the last batch was told of. */
  usedMs: number;
}

/** Takes from the front of the queue what fits into one insert. */
function takeGroup(queue: Waiting[]): Waiting[] {
  let rows = 0;
  let bytes = 0;
  let count = 0;
  for (const { chunk } of queue) {
    const isFull = rows + chunk.rows > GROUP_ROWS || bytes + chunk.body.length > GROUP_BYTES;
    if (count > 0 && isFull) break;
    rows += chunk.rows;
    bytes += chunk.body.length;
    count += 1;
  }
  return queue.splice(0, count);
}

/** True when the engine or a shard of it did not answer, so that nobody knows whether the rows were stored. */
const isEngineAway = (error: unknown): boolean => isNodeAway(error) || isShardAway(error);

export interface InsertGroupsOptions {
  readonly eventStore: EventStore;
  readonly spool: Spool;
  readonly log: Logger;
}

interface InsertGroupsParts extends InsertGroupsOptions {
  pending: number;
  readonly running: Set<Promise<void>>;
  readonly lanes: Map<string, Lane>;
}

export function createInsertGroups(deps: InsertGroupsOptions): InsertGroups {
  const lanes = new Map<string, Lane>();
  const running = new Set<Promise<void>>();
  const parts: InsertGroupsParts = { ...deps, pending: 0, running, lanes };
  return bindDeps(parts, { expect, add, pendingBytes, drain });
}

/** `isWhole`: the engine took the rows in one insert, to the last byte. */
type Outcome = { readonly where: Durable; readonly isWhole: boolean };

const SPOOLED: Outcome = { where: 'spooled', isWhole: false };

async function store(
  { spool, eventStore, log }: InsertGroupsParts,
  clusterId: string,
  bodies: readonly Uint8Array[],
): Promise<Outcome> {
  const dedupToken = randomBytes(16).toString('hex');
  // Behind rows that wait in the spool, newer ones wait too: the engine is down or catching up.
  if (!spool.isEmpty(clusterId)) {
    await spool.add(clusterId, dedupToken, bodies);
    return SPOOLED;
  }
  const insert = { clusterId, bodies, dedupToken };
  let isWhole = true;
  try {
    const body = Readable.from(bodies, { objectMode: false });
    await eventStore.insertRows(clusterId, body, { dedupToken, format: 'Native' }).catch((error) => {
      if (!isBadData(error)) throw error;
      isWhole = false;
      return storeAroundBadRows(eventStore, insert, log);
    });
    return { where: 'stored', isWhole };
  } catch (error) {
    if (!isEngineAway(error)) throw error;
    log.warn({ err: (error as Error).message }, 'the event store is away; rows go to the spool');
    // The same token: if the insert did reach the engine, the replay stores nothing twice.
    await spool.add(clusterId, dedupToken, bodies);
    return SPOOLED;
  }
}

function giveBack(chunk: RowChunk): void {
  if (chunk.giveBack) chunk.giveBack();
  else giveBackMemory(chunk.body);
}

async function run(parts: InsertGroupsParts, clusterId: string, lane: Lane): Promise<void> {
  const group = takeGroup(lane.queue);
  const bodies = group.map(({ chunk }) => chunk.body);
  const bytes = bodies.reduce((sum, body) => sum + body.length, 0);
  lane.inFlight += 1;
  lane.rhythm.noteInsert(group[0]?.sinceMs ?? 0, group.at(-1)?.sinceMs ?? 0);
  try {
    const { where, isWhole } = await store(parts, clusterId, bodies);
    // The engine has answered to all that was sent. After any other answer something may still be on its way from them.
    if (isWhole) for (const { chunk } of group) giveBack(chunk);
    for (const one of group) one.resolve(where);
  } catch (error) {
    for (const one of group) one.reject(error);
  } finally {
    lane.inFlight -= 1;
    parts.pending -= bytes;
    pump(parts, clusterId, lane);
  }
}

function start(parts: InsertGroupsParts, clusterId: string, lane: Lane): void {
  while (lane.queue.length > 0 && lane.inFlight < INSERTS_PER_TENANT) {
    const work = run(parts, clusterId, lane);
    parts.running.add(work);
    work.finally(() => parts.running.delete(work));
  }
}

function pump(parts: InsertGroupsParts, clusterId: string, lane: Lane): void {
  if (lane.timer !== null) clearTimeout(lane.timer);
  lane.timer = null;
  const [oldest] = lane.queue;
  if (oldest === undefined) return;
  if (lane.inFlight >= INSERTS_PER_TENANT) return;
  const rows = lane.queue.reduce((sum, { chunk }) => sum + chunk.rows, 0);
  if (rows >= GROUP_ROWS / 2) start(parts, clusterId, lane);
  else if (lane.inFlight === 0) {
    const { sinceMs } = oldest;
    const untilMs = lane.expected > 0 ? sinceMs + COMPANY_MS : lane.rhythm.waitUntil(sinceMs);
    const waitMs = Math.max(0, untilMs - performance.now());
    lane.timer = setTimeout(() => start(parts, clusterId, lane), waitMs);
  }
}

function laneOf({ lanes }: InsertGroupsParts, clusterId: string): Lane {
  const nowMs = performance.now();
  const known = lanes.get(clusterId);
  if (known === undefined) forgetIdle(lanes, nowMs - REMEMBERED_MS);
  const lane = known ?? {
    ...{ queue: [], inFlight: 0, expected: 0, timer: null },
    ...{ rhythm: createInsertRhythm(), usedMs: nowMs },
  };
  lane.usedMs = nowMs;
  lanes.set(clusterId, lane);
  return lane;
}

function forgetIdle(lanes: Map<string, Lane>, sinceMs: number): void {
  for (const [clusterId, { queue, inFlight, expected, usedMs }] of lanes)
    if (queue.length + inFlight + expected === 0 && usedMs < sinceMs) lanes.delete(clusterId);
}

function expect(parts: InsertGroupsParts, clusterId: string): () => void {
  const lane = laneOf(parts, clusterId);
  lane.expected += 1;
  lane.rhythm.noteBatch(performance.now());
  return () => {
    lane.expected -= 1;
    if (lane.expected === 0) pump(parts, clusterId, lane);
  };
}

function add(parts: InsertGroupsParts, clusterId: string, chunk: RowChunk): Promise<Durable> {
  return new Promise((resolve, reject) => {
    const lane = laneOf(parts, clusterId);
    parts.pending += chunk.body.length;
    lane.queue.push({ chunk, sinceMs: performance.now(), resolve, reject });
    pump(parts, clusterId, lane);
  });
}

function pendingBytes(parts: InsertGroupsParts): number {
  return parts.pending;
}

async function drain({ running, lanes }: InsertGroupsParts): Promise<void> {
  while (running.size > 0 || [...lanes.values()].some(({ queue }) => queue.length > 0)) {
    await Promise.all(running);
    await new Promise((resolve) => setTimeout(resolve, LINGER_MS));
  }
}
