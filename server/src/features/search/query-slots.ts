import { say } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import { createRecentTenants, type RecentTenants } from '../../platform/recent-tenants.ts';
import { QUEUE_LIMITS, type QueryQueue, type QueueLimits } from './query-queues.ts';

// Hands out the slots of the queues. Within a queue the longest waiting query of a tenant that still has a
// slot goes next, so one tenant's backlog never blocks another's first query. Where queries may run for an hour, a
// tenant without a slot does not wait for the end of one. Processes share the slots of a queue.
//
// Each query that runs at once takes processors from those of other tenants. While several tenants ask, the first query
// of a tenant gets half of the engine's threads and each further one half of what is left; one for which no thread is
// left waits for a while before it starts nevertheless. So what one tenant asks always leaves a part to the others.

interface Waiting {
  readonly clusterId: string;
  readonly sinceMs: number;
  readonly start: () => void;
}

interface QueueState {
  running: number;
  readonly perTenant: Map<string, number>;
  readonly waiting: Waiting[];
}

export interface QuerySlots {
  /** Waits for a slot, runs `work`, releases the slot. Rejects at once when `signal` aborts the wait. */
  runInSlot<T>(
    clusterId: string,
    queue: QueryQueue,
    work: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T>;
  /** Waits for a slot; the caller must call the returned function when it is done. */
  acquire(clusterId: string, queue: QueryQueue, signal?: AbortSignal): Promise<() => void>;
  /**
   * Queries of the tenant that run now, in all queues, whether other tenants have any, and the threads of the engine
   * for the last of them; null while no other tenant asks, for as many as the engine likes.
   */
  load(clusterId: string): {
    readonly own: number;
    readonly others: boolean;
    readonly threads: number | null;
    /** Its queries have run for much of the last seconds, while others asked too. */
    readonly usesMuch: boolean;
  };
  /** Whether queries run in this process on which somebody waits. */
  isAwaited(): boolean;
}

/** The part of the slots of a queue that this process may use, 0 to 1; `heard` is called when it has changed. */
export interface QueueShares {
  of(queue: QueryQueue): number;
  /** Says that the process has queries to run, so that it gets its part; `isMuch`: half of the slots, or more. */
  wants(wanted: () => ReadonlyMap<QueryQueue, number>, heard: () => void, isMuch: boolean): void;
}

const AWAITED: readonly QueryQueue[] = ['interactive', 'panels', 'detections'];

/** What people and programs ask at will. */
const ASKED: readonly QueryQueue[] = ['interactive', 'panels', 'analytics'];

const ALONE: QueueShares = { of: () => 1, wants: () => undefined };

/** So long a query waits for a thread that another of its tenant has, before it starts beside it. */
const THREAD_PATIENCE_MS = 2_000;
/** The same where queries of the tenant have run for much of the last seconds. */
const LONG_THREAD_PATIENCE_MS = 10_000;

interface QuerySlotsParts {
  readonly states: Map<QueryQueue, QueueState>;
  readonly limits: Readonly<Record<QueryQueue, QueueLimits>>;
  readonly shares: QueueShares;
  readonly nowMs: () => number;
  readonly engineThreads: () => number;
  readonly recent: RecentTenants;
}

/**
 * `nowMs` is a clock that never goes back; `engineThreads` tells how many threads the engine has. Throws AppError
 * `too-many` when too many queries of the tenant wait already.
 */
export function createQuerySlots(
  limits: Readonly<Record<QueryQueue, QueueLimits>> = QUEUE_LIMITS,
  shares: QueueShares = ALONE,
  nowMs: () => number = () => performance.now(),
  engineThreads: () => number = () => Number.POSITIVE_INFINITY,
): QuerySlots {
  const recent = createRecentTenants(nowMs);
  const parts: QuerySlotsParts = { states: new Map(), limits, shares, nowMs, engineThreads, recent };
  return {
    ...bindDeps(parts, { acquire, isAwaited, load }),
    runInSlot: (clusterId, queue, work, signal) => runInSlot(parts, clusterId, queue, work, signal),
  };
}

function acquire(
  parts: QuerySlotsParts,
  clusterId: string,
  queue: QueryQueue,
  signal?: AbortSignal,
): Promise<() => void> {
  const { limits, shares, recent } = parts;
  const state = stateOf(parts, queue);
  if (signal?.aborted) return Promise.reject(signal.reason);
  const isMuch = 2 * (state.running + state.waiting.length + 1) >= limits[queue].slots;
  shares.wants(
    () => wanted(parts),
    () => startAll(parts),
    isMuch,
  );
  if (ASKED.includes(queue)) recent.asked(clusterId);
  if (hasSlot(parts, state, queue, clusterId)) {
    count(state, clusterId, 1);
    return Promise.resolve(release(parts, queue, clusterId));
  }
  const ahead = state.waiting.filter((other) => other.clusterId === clusterId).length;
  if (ahead >= limits[queue].waitingPerTenant) {
    return Promise.reject(new AppError('too-many', say('search.queueFull', { count: ahead, queue })));
  }
  return wait(parts, clusterId, queue, signal);
}

function wait(
  parts: QuerySlotsParts,
  clusterId: string,
  queue: QueryQueue,
  signal: AbortSignal | undefined,
): Promise<() => void> {
  const state = stateOf(parts, queue);
  return new Promise((resolve, reject) => {
    const entry: Waiting = {
      clusterId,
      sinceMs: parts.nowMs(),
      start: () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        resolve(release(parts, queue, clusterId));
      },
    };
    const leave = (): void => {
      const index = state.waiting.indexOf(entry);
      if (index >= 0) state.waiting.splice(index, 1);
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    state.waiting.push(entry);
    const patienceMs = parts.limits[queue].patienceMs ?? (ASKED.includes(queue) ? THREAD_PATIENCE_MS : null);
    const look = (): void => {
      startWaiting(parts, queue);
      if (ASKED.includes(queue) && state.waiting.includes(entry))
        timer = setTimeout(look, THREAD_PATIENCE_MS);
    };
    let timer = patienceMs === null ? undefined : setTimeout(look, patienceMs + 1);
  });
}

function stateOf({ states }: QuerySlotsParts, queue: QueryQueue): QueueState {
  let state = states.get(queue);
  if (!state) {
    state = { running: 0, perTenant: new Map(), waiting: [] };
    states.set(queue, state);
  }
  return state;
}

function hasSlot(
  parts: QuerySlotsParts,
  state: QueueState,
  queue: QueryQueue,
  clusterId: string,
  waitedMs = 0,
): boolean {
  const { limits, shares } = parts;
  const { slots, slotsPerTenant, patienceMs, maxSlots = slots } = limits[queue];
  const part = (count: number): number => Math.max(1, Math.floor(count * shares.of(queue)));
  const held = state.perTenant.get(clusterId) ?? 0;
  if (held >= part(slotsPerTenant)) return false;
  const isPatient = waitedMs < threadPatience(parts, clusterId);
  if (!hasThread(parts, queue, clusterId, isPatient ? held : held - 1)) return false;
  if (state.running < part(slots)) return true;
  return patienceMs !== undefined && waitedMs >= patienceMs && held === 0 && state.running < part(maxSlots);
}

/** Threads for a query beside `held` others of its tenant, while other tenants ask too; 0 where none is left for it. */
function threadsBeside(held: number, engineThreads: number): number {
  return Math.max(held === 0 ? 1 : 0, Math.floor(engineThreads / 2 ** (held + 1)));
}

/** Whether other tenants ask, or have asked a moment ago. */
function isShared({ states, recent }: QuerySlotsParts, clusterId: string): boolean {
  if (recent.hasOther(clusterId)) return true;
  return ASKED.some((queue) => {
    const state = states.get(queue);
    return state !== undefined && state.running > (state.perTenant.get(clusterId) ?? 0);
  });
}

const threadPatience = ({ recent }: QuerySlotsParts, clusterId: string): number =>
  recent.hasUsedMuch(clusterId) ? LONG_THREAD_PATIENCE_MS : THREAD_PATIENCE_MS;

function hasThread(parts: QuerySlotsParts, queue: QueryQueue, clusterId: string, held: number): boolean {
  if (held <= 0 || !ASKED.includes(queue) || !isShared(parts, clusterId)) return true;
  return threadsBeside(held, parts.engineThreads()) > 0;
}

function count(state: QueueState, clusterId: string, change: 1 | -1): void {
  state.running += change;
  const held = (state.perTenant.get(clusterId) ?? 0) + change;
  if (held > 0) state.perTenant.set(clusterId, held);
  else state.perTenant.delete(clusterId);
}

function startWaiting(parts: QuerySlotsParts, queue: QueryQueue): void {
  const state = stateOf(parts, queue);
  const now = parts.nowMs();
  for (let index = 0; index < state.waiting.length; ) {
    const next = state.waiting[index];
    if (next && hasSlot(parts, state, queue, next.clusterId, now - next.sinceMs)) {
      state.waiting.splice(index, 1);
      count(state, next.clusterId, 1);
      next.start();
    } else index += 1;
  }
}

/** Queries that run or wait, by queue. */
function wanted({ states }: QuerySlotsParts): ReadonlyMap<QueryQueue, number> {
  const all = [...states].map(([queue, { running, waiting }]) => [queue, running + waiting.length] as const);
  return new Map(all.filter(([, count]) => count > 0));
}

function startAll(parts: QuerySlotsParts): void {
  for (const queue of parts.states.keys()) startWaiting(parts, queue);
}

function release(parts: QuerySlotsParts, queue: QueryQueue, clusterId: string): () => void {
  let given = false;
  const ended = parts.recent.began(clusterId);
  return () => {
    if (given) return;
    given = true;
    ended();
    count(stateOf(parts, queue), clusterId, -1);
    startWaiting(parts, queue);
  };
}

function isAwaited({ states }: QuerySlotsParts): boolean {
  return AWAITED.some((queue) => (states.get(queue)?.running ?? 0) > 0);
}

function load(parts: QuerySlotsParts, clusterId: string): ReturnType<QuerySlots['load']> {
  let [own, all] = [0, 0];
  for (const { running, perTenant } of parts.states.values()) {
    own += perTenant.get(clusterId) ?? 0;
    all += running;
  }
  const engineThreads = parts.engineThreads();
  const shared = isShared(parts, clusterId);
  const isParted = Number.isFinite(engineThreads) && shared;
  const threads = isParted ? Math.max(1, threadsBeside(Math.max(0, own - 1), engineThreads)) : null;
  return { own, others: all > own, threads, usesMuch: shared && parts.recent.hasUsedMuch(clusterId) };
}

async function runInSlot<T>(
  parts: QuerySlotsParts,
  clusterId: string,
  queue: QueryQueue,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const done = await acquire(parts, clusterId, queue, signal);
  try {
    return await work();
  } finally {
    done();
  }
}
