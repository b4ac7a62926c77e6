import { setTimeout as sleep } from 'node:timers/promises';
import { type DemoAccount, type DemoStatus, say } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import { newId } from '../../platform/new-id.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { DemoMaker, DemoParts } from './demo-maker.ts';
import { HISTORY_STEPS, PLANNED_TENANTS } from './demo-plan.ts';
import type { DemoRecord, DemoStore } from './demo-store.ts';

// Adds and removes the demo company. Its record stands before anything of it does and goes after everything of it
// has gone, so whatever fails or crashes in between is known and is taken away. Its events are written by the flow,
// which works on as soon as the company is made.

export interface DemoService {
  status(): Promise<DemoStatus>;
  /** Throws AppError `conflict` when the demo is there. The passwords are told here and nowhere else. */
  add(): Promise<readonly DemoAccount[]>;
  /** Answers how many tenants were removed. Throws AppError `not-found` when there is no demo. */
  remove(): Promise<number>;
  /** Takes away what a crash left half made or half removed; nothing while somebody is at it. */
  clear(): Promise<void>;
}

export interface DemoServiceDeps {
  readonly store: DemoStore;
  readonly maker: DemoMaker;
  /** Waits until the flow of this process writes no more and has let go of its lease. */
  readonly standBack: () => Promise<void>;
  readonly clock: Clock;
  readonly audit: AuditService;
}

/** The demo is the same everywhere, so that documents can speak of it. */
const SEED = 20_261;
/** Whoever makes or removes says every few seconds that it is alive; silent for this long, it has died. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
/** How long a removal waits for other processes to stop writing. */
const PATIENCE_MS = 120_000;

function newRecord(nowMs: number): DemoRecord {
  return {
    state: 'making',
    orgId: null,
    tenants: [],
    seed: SEED,
    createdMs: nowMs,
    filledSteps: 0,
    events: 0,
    liveMs: nowMs,
    scenario: 0,
    scenarioMs: nowMs + 5 * 60_000,
  };
}

export function createDemoService(deps: DemoServiceDeps): DemoService {
  return bindDeps(deps, { clear, status, add, remove });
}

function lease({ store, clock }: DemoServiceDeps, owner: string) {
  return store.lease(owner, clock.now(), clock.now() + LEASE_MS);
}

/** Does the work of whoever holds the lease, and keeps it meanwhile. */
async function holding<T>(deps: DemoServiceDeps, owner: string, work: () => Promise<T>): Promise<T> {
  const renewing = setInterval(() => void lease(deps, owner).catch(() => undefined), RENEW_MS).unref();
  try {
    return await work();
  } finally {
    clearInterval(renewing);
    // When even this fails, the lease ends by itself.
    await deps.store.release(owner).catch(() => undefined);
  }
}

async function takeAway({ maker, store }: DemoServiceDeps, parts: DemoParts): Promise<void> {
  await maker.unmake(parts);
  await store.remove();
}

async function clear(deps: DemoServiceDeps): Promise<void> {
  const owner = newId();
  const demo = await deps.store.read();
  if ((demo?.state !== 'making' && demo?.state !== 'removing') || !(await lease(deps, owner))) return;
  await holding(deps, owner, async () => {
    const left = await deps.store.read();
    if (!left) return;
    await deps.audit.record({ action: 'demo.remove', details: { left_over: true } });
    await takeAway(deps, left);
  });
}

async function make(deps: DemoServiceDeps): Promise<readonly DemoAccount[]> {
  const { maker, store } = deps;
  try {
    const { accounts, ...parts } = await maker.make((made) => store.change(made));
    await store.change({ ...parts, state: 'filling' });
    return accounts;
  } catch (error) {
    // What went wrong first is what must be told. What cannot be removed now stays on record for `clear`.
    const made = await store.read().catch(() => null);
    if (made) await takeAway(deps, made).catch(() => undefined);
    throw error;
  }
}

/** Waits for the lease; false when the demo has gone meanwhile. */
async function untilLeased(deps: DemoServiceDeps, owner: string): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await lease(deps, owner))) {
    if (!(await deps.store.read())) return false;
    if (Date.now() > deadline) throw new AppError('conflict', say('demo.beingChanged'));
    await sleep(100);
  }
  return true;
}

async function status({ store }: DemoServiceDeps): Promise<DemoStatus> {
  const demo = await store.read();
  if (!demo) return { state: 'absent', events: 0, share: 0, created: null, tenants: [] };
  return {
    state: demo.state === 'making' ? 'filling' : demo.state,
    events: demo.events,
    share: demo.filledSteps / (HISTORY_STEPS + 1),
    created: demo.createdMs,
    tenants: PLANNED_TENANTS.map((tenant) => tenant.name),
  };
}

async function add(deps: DemoServiceDeps): Promise<readonly DemoAccount[]> {
  await clear(deps);
  const owner = newId();
  const nowMs = deps.clock.now();
  const held = { owner, untilMs: nowMs + LEASE_MS };
  if (
    !(await deps.store.add(newRecord(nowMs), held, (trx) => deps.audit.record({ action: 'demo.add' }, trx)))
  ) {
    throw new AppError('conflict', say('demo.exists'));
  }
  return holding(deps, owner, () => make(deps));
}

async function remove(deps: DemoServiceDeps): Promise<number> {
  const { store, audit, standBack } = deps;
  const demo = await store.read();
  if (!demo) throw notFound(say('demo.missing'));
  if (demo.state === 'making') {
    await clear(deps);
    if (await store.read()) throw new AppError('conflict', say('demo.beingCreated'));
    return demo.tenants.length;
  }
  const owner = newId();
  const details = { tenants: demo.tenants.length };
  await store.change({ state: 'removing' }, (trx) => audit.record({ action: 'demo.remove', details }, trx));
  await standBack();
  if (await untilLeased(deps, owner)) await holding(deps, owner, () => takeAway(deps, demo));
  return demo.tenants.length;
}
