import { setTimeout as sleep } from 'node:timers/promises';
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
  /** Looks for work at once instead of at the next beat. */
  wake(): void;
  /** Resolves when this process writes nothing and has let go of the lease. */
  standBack(): Promise<void>;
  /** Does what there is to do now; true when there is more at once. */
  beat(): Promise<boolean>;
}

const BEAT_MS = 5000;
const LEASE_MS = 60_000;
/** After a longer pause the live flow starts afresh. */
const LONGEST_GAP_MS = 120_000;

export function createDemoFlow(deps: {
  readonly store: DemoStore;
  readonly writer: DemoWriter;
  /** Takes away what a crash left half made or half removed. */
  readonly clear: () => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}): DemoFlow {
  const { store, writer, clock, log } = deps;
  const owner = newId();
  let stopping = new AbortController();
  let loop: Promise<void> | null = null;
  let beating: Promise<boolean> | null = null;
  let waker = new AbortController();

  const fill = async (demo: DemoRecord): Promise<boolean> => {
    const events = await writer.writeStep(demo, demo.filledSteps);
    const filledSteps = demo.filledSteps + 1;
    const isDone = filledSteps > HISTORY_STEPS;
    const current = await store.read();
    // Somebody may have asked for its removal meanwhile: that stays asked.
    const state = current?.state === 'filling' && isDone ? 'ready' : undefined;
    await store.change({ filledSteps, events: demo.events + events, ...(state ? { state } : {}) });
    if (isDone) log.info({ events: demo.events + events }, 'the past day of the demo company is written');
    return !isDone;
  };

  const flow = async (demo: DemoRecord): Promise<void> => {
    const nowMs = clock.now();
    const fromMs = nowMs - demo.liveMs > LONGEST_GAP_MS ? nowMs - BEAT_MS : demo.liveMs;
    if (nowMs <= fromMs) return;
    const isNextStory = nowMs >= demo.storyMs + STORY_EVERY_MS;
    const told = isNextStory ? { ...demo, story: demo.story + 1, storyMs: nowMs } : demo;
    // Moved on before it is written: what a crash cuts off is left out, never written twice.
    await store.change({ liveMs: nowMs, story: told.story, storyMs: told.storyMs });
    const events = await writer.writeLive(told, fromMs, nowMs);
    await store.change({ events: demo.events + events });
  };

  const work = async (): Promise<boolean> => {
    const demo = await store.read();
    if (!demo) return false;
    if (demo.state === 'making' || demo.state === 'removing') {
      await deps.clear();
      return false;
    }
    const nowMs = clock.now();
    if (!(await store.lease(owner, nowMs, nowMs + LEASE_MS))) return false;
    if (demo.state === 'filling') return fill(demo);
    await flow(demo);
    return false;
  };

  const beat = async (): Promise<boolean> => {
    beating = work();
    try {
      return await beating;
    } finally {
      beating = null;
    }
  };

  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const hasMore = await beat().catch((error: unknown) => {
        log.warn({ err: error }, 'the demo could not be written; it goes on in a moment');
        return false;
      });
      if (hasMore) continue;
      waker = new AbortController();
      const signal = AbortSignal.any([stopping.signal, waker.signal]);
      await sleep(BEAT_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  };

  return {
    name: 'demo flow',
    beat,
    wake: () => waker.abort(),
    standBack: async () => {
      await beating?.catch(() => undefined);
      await store.release(owner);
    },
    start: async () => {
      stopping = new AbortController();
      loop = run();
    },
    stop: async () => {
      stopping.abort();
      await loop;
      await store.release(owner).catch(() => undefined);
    },
  };
}
