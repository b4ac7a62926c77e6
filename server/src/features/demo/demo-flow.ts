import { setTimeout as sleep } from 'node:timers/promises';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import { newId } from '../../platform/new-id.ts';
import { HISTORY_STEPS, STORY_EVERY_MS } from './demo-plan.ts';
import type { DemoRecord, DemoStore } from './demo-store.ts';
import type { DemoWriter } from './demo-writer.ts';

// Writes the demo's events: first the past day, then what happens now. One process at a time holds the lease; the
// others wait for it. What a stopped server missed is left out, as it would be with a real agent that was off.

export interface DemoFlow {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Looks for work at once instead of at the next heartbeat. */
  wake(): void;
  /** Resolves when this process writes nothing and has let go of the lease. */
  standBack(): Promise<void>;
  /** Does what there is to do now; true when there is more at once. */
  heartbeat(): Promise<boolean>;
}

const BEAT_MS = 5000;
const LEASE_MS = 60_000;
/** After a longer pause the live flow starts afresh. */
const LONGEST_GAP_MS = 120_000;

interface DemoFlowDeps {
  readonly store: DemoStore;
  readonly writer: DemoWriter;
  /** Takes away what a crash left half made or half removed. */
  readonly clear: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

interface DemoFlowParts extends DemoFlowDeps {
  readonly owner: string;
  heartbeat: Promise<boolean> | null;
  stopping: AbortController;
  waker: AbortController;
  loop: Promise<void> | null;
}

export function createDemoFlow(deps: DemoFlowDeps): DemoFlow {
  const owner = newId();
  const parts: DemoFlowParts = {
    ...deps,
    owner,
    heartbeat: null,
    stopping: new AbortController(),
    waker: new AbortController(),
    loop: null,
  };
  return { name: 'demo flow', ...bindDeps(parts, { heartbeat, wake, standBack, start, stop }) };
}

async function fill({ writer, store, log }: DemoFlowParts, demo: DemoRecord): Promise<boolean> {
  const events = await writer.writeStep(demo, demo.filledSteps);
  const filledSteps = demo.filledSteps + 1;
  const isDone = filledSteps > HISTORY_STEPS;
  const current = await store.read();
  // Somebody may have asked for its removal meanwhile: that stays asked.
  const state = current?.state === 'filling' && isDone ? 'ready' : undefined;
  await store.change({ filledSteps, events: demo.events + events, ...(state ? { state } : {}) });
  if (isDone) log.info({ events: demo.events + events }, 'the past day of the demo company is written');
  return !isDone;
}

async function flow({ clock, store, writer }: DemoFlowParts, demo: DemoRecord): Promise<void> {
  const nowMs = clock.now();
  const fromMs = nowMs - demo.liveMs > LONGEST_GAP_MS ? nowMs - BEAT_MS : demo.liveMs;
  if (nowMs <= fromMs) return;
  const isNextScenario = nowMs >= demo.scenarioMs + STORY_EVERY_MS;
  const told = isNextScenario ? { ...demo, scenario: demo.scenario + 1, scenarioMs: nowMs } : demo;
  // Moved on before it is written: what a crash cuts off is left out, never written twice.
  await store.change({ liveMs: nowMs, scenario: told.scenario, scenarioMs: told.scenarioMs });
  const events = await writer.writeLive(told, fromMs, nowMs);
  await store.change({ events: demo.events + events });
}

async function work(parts: DemoFlowParts): Promise<boolean> {
  const { store, clock, owner } = parts;
  const demo = await store.read();
  if (!demo) return false;
  if (demo.state === 'making' || demo.state === 'removing') {
    await parts.clear();
    return false;
  }
  const nowMs = clock.now();
  if (!(await store.lease(owner, nowMs, nowMs + LEASE_MS))) return false;
  if (demo.state === 'filling') return fill(parts, demo);
  await flow(parts, demo);
  return false;
}

async function heartbeat(parts: DemoFlowParts): Promise<boolean> {
  parts.heartbeat = work(parts);
  try {
    return await parts.heartbeat;
  } finally {
    parts.heartbeat = null;
  }
}

async function run(parts: DemoFlowParts): Promise<void> {
  while (!parts.stopping.signal.aborted) {
    const hasMore = await heartbeat(parts).catch((error: unknown) => {
      parts.log.warn({ err: error }, 'the demo could not be written; it goes on in a moment');
      return false;
    });
    if (hasMore) continue;
    parts.waker = new AbortController();
    const signal = AbortSignal.any([parts.stopping.signal, parts.waker.signal]);
    await sleep(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

function wake(parts: DemoFlowParts): void {
  parts.waker.abort();
}

async function standBack(parts: DemoFlowParts): Promise<void> {
  await parts.heartbeat?.catch(() => undefined);
  await parts.store.release(parts.owner);
}

async function start(parts: DemoFlowParts): Promise<void> {
  parts.stopping = new AbortController();
  parts.loop = run(parts);
}

async function stop(parts: DemoFlowParts): Promise<void> {
  parts.stopping.abort();
  await parts.loop;
  await parts.store.release(parts.owner).catch(() => undefined);
}
