import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { ArrivalMarks } from '../../platform/arrivals/arrival-marks.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { flushSignalOutbox, tenantsWithOutbox } from '../signals/signal-outbox.ts';
import type { DetectionRunner } from './detection-runner.ts';
import { inQueue, pruneGroups, pruneQueue, scopesWithArrivals } from './due-queue.ts';
import { LATE_EVENTS_MS } from './evaluated-minutes.ts';
import { findLateEvents } from './find-late-events.ts';
import { LEDGER_KEPT_MS } from './ledger-store.ts';
import type { RuleFigures } from './rule-figures.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';

// The clockwork around the runner: once a second, or every two while nothing is due, it works off what is due, every ten
// minutes it counts again what a day has brought to scopes that received anything, every hour it deletes what is too old.
// Any number of these may run against the same engines. Nothing is asked per tenant that has nothing to do.

export interface TenantToServe {
  readonly clusterId: string;
  readonly scopeIds: readonly string[];
  /** Detections are switched off for it. */
  readonly isPaused: boolean;
}

export interface DetectionSchedulerDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly arrivals: ArrivalMarks;
  readonly runner: DetectionRunner;
  readonly tenants: () => Promise<readonly TenantToServe[]>;
  /** Called for each tenant when it is first seen and when its scopes change. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
  /** Days for which signals of a scope are kept as events; 0 where nobody has said. */
  readonly signalDays: (clusterId: string, scopeId: string) => Promise<number>;
  /** What rules cost, written once a minute. */
  readonly figures?: Pick<RuleFigures, 'flush'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface DetectionScheduler {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * One round over all that is due; the loop of `start` calls it, tests may. True when a tenant used its turn up and has
   * probably more to do.
   */
  round(): Promise<boolean>;
}

const PAUSE_MS = 1_000;
/** After a round in which nothing was due. */
const IDLE_PAUSE_MS = 2_000;
const LOOK_FOR_TENANTS_MS = 10_000;
/** How long a round prepares new tenants. */
const PREPARE_MS = 2_000;
const LOOK_FOR_SIGNALS_MS = 15_000;
const LATE_EVERY_MS = 10 * MINUTE_MS;
const PRUNE_EVERY_MS = 60 * MINUTE_MS;

/** True once for each stretch of `everyMs`. */
function every(everyMs: number): (nowMs: number) => boolean {
  let next = 0;
  return (nowMs) => {
    if (nowMs < next) return false;
    next = nowMs + everyMs;
    return true;
  };
}

interface DetectionSchedulerParts extends DetectionSchedulerDeps {
  stopping: AbortController | null;
  paused: readonly string[];
  readonly prepared: Map<string, string>;
  tenantsAreLeft: boolean;
  readonly tenantsAreDue: ReturnType<typeof every>;
  readonly lateIsDue: ReturnType<typeof every>;
  readonly pruneIsDue: ReturnType<typeof every>;
  readonly signalsAreDue: ReturnType<typeof every>;
  readonly figuresAreDue: ReturnType<typeof every>;
  loop: Promise<void>;
}

export function createDetectionScheduler(deps: DetectionSchedulerDeps): DetectionScheduler {
  const tenantsAreDue = every(LOOK_FOR_TENANTS_MS);
  const signalsAreDue = every(LOOK_FOR_SIGNALS_MS);
  const lateIsDue = every(LATE_EVERY_MS);
  const pruneIsDue = every(PRUNE_EVERY_MS);
  /** The scopes for which a tenant was prepared, by tenant. */
  const prepared = new Map<string, string>();
  const parts: DetectionSchedulerParts = {
    ...deps,
    stopping: null,
    paused: [],
    prepared,
    tenantsAreLeft: false,
    tenantsAreDue,
    lateIsDue,
    pruneIsDue,
    signalsAreDue,
    figuresAreDue: every(MINUTE_MS),
    loop: Promise.resolve(),
  };
  return { name: 'detections', ...bindDeps(parts, { round, start, stop }) };
}

/** Work for one tenant; what it throws does not hold up the others. */
async function forTenant(
  parts: DetectionSchedulerParts,
  clusterId: string,
  work: () => Promise<unknown>,
): Promise<void> {
  if (parts.stopping?.signal.aborted) return;
  try {
    await work();
  } catch (error) {
    if (parts.stopping?.signal.aborted) return;
    parts.log.warn({ err: (error as Error).message, clusterId }, 'detections of a tenant were held up');
  }
}

/** Prepares tenants that are new; true when some are left for the next round. */
async function lookForTenants(parts: DetectionSchedulerParts): Promise<boolean> {
  const { prepared, clock, events } = parts;
  const tenants = await parts.tenants();
  parts.paused = tenants.filter((tenant) => tenant.isPaused).map((tenant) => tenant.clusterId);
  const present = new Set(tenants.map((tenant) => tenant.clusterId));
  for (const clusterId of prepared.keys()) if (!present.has(clusterId)) prepared.delete(clusterId);
  const untilMs = clock.now() + PREPARE_MS;
  for (const { clusterId, scopeIds, isPaused } of tenants) {
    const scopes = [...scopeIds].sort().join(' ');
    if (isPaused || prepared.get(clusterId) === scopes) continue;
    // Windows of the others do not wait for a fleet that is new.
    if (clock.now() >= untilMs) return true;
    await forTenant(parts, clusterId, async () => {
      await events.ensureTenant(clusterId);
      await parts.prepareTenant(clusterId, scopeIds);
      prepared.set(clusterId, scopes);
    });
  }
  return false;
}

async function sendSignals(parts: DetectionSchedulerParts): Promise<void> {
  for (const clusterId of await inQueue(parts.postgres, tenantsWithOutbox)) {
    await forTenant(parts, clusterId, () => flushSignalOutbox(parts, clusterId));
  }
}

async function lookForLateEvents(parts: DetectionSchedulerParts, nowMs: number): Promise<void> {
  const range = { from: nowMs - LATE_EVENTS_MS, to: nowMs };
  const moment = { nowMs, watermarkMs: nowMs, paused: parts.paused };
  const found = await inQueue(parts.postgres, (trx) => scopesWithArrivals(trx, range.from, moment));
  const { reader } = parts.runner;
  for (const [clusterId, scopeIds] of found) {
    await forTenant(parts, clusterId, () => findLateEvents({ ...parts, reader }, clusterId, scopeIds, range));
  }
}

async function prune({ postgres }: DetectionSchedulerParts, nowMs: number): Promise<void> {
  const before = {
    windowsMs: nowMs - LEDGER_KEPT_MS,
    minutesMs: nowMs - LATE_EVENTS_MS - PRUNE_EVERY_MS,
  };
  await inQueue(postgres, (trx) => pruneQueue(trx, nowMs, before));
  await inQueue(postgres, (trx) => pruneGroups(trx, nowMs));
}

async function writeFigures({ figures, log }: DetectionSchedulerParts, isLast = false): Promise<void> {
  await figures
    ?.flush(isLast)
    .catch((error: Error) => log.warn({ err: error.message }, 'what rules cost is written later'));
}

interface Round {
  readonly hasMore: boolean;
  /** Windows that it recorded. */
  readonly recorded: number;
}

async function round(parts: DetectionSchedulerParts): Promise<boolean> {
  return (await workOff(parts)).hasMore;
}

async function workOff(parts: DetectionSchedulerParts): Promise<Round> {
  const { clock, tenantsAreDue, lateIsDue, pruneIsDue, log, runner, signalsAreDue } = parts;
  const nowMs = clock.now();
  if (parts.tenantsAreLeft || tenantsAreDue(nowMs)) parts.tenantsAreLeft = await lookForTenants(parts);
  if (lateIsDue(nowMs)) await lookForLateEvents(parts, nowMs);
  if (pruneIsDue(nowMs)) {
    await prune(parts, nowMs).catch((error: Error) =>
      log.info({ err: error.message }, 'old windows stay for now'),
    );
  }
  const { recorded, hasMore } = await runner.runDue({ signal: parts.stopping?.signal, paused: parts.paused });
  if (recorded > 0 || signalsAreDue(nowMs)) await sendSignals(parts);
  if (parts.figuresAreDue(nowMs)) await writeFigures(parts);
  return { hasMore: hasMore || parts.tenantsAreLeft, recorded };
}

async function run(parts: DetectionSchedulerParts, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { hasMore, recorded } = await workOff(parts).catch((error: Error): Round => {
      if (!signal.aborted) parts.log.warn({ err: error.message }, 'the detection scheduler was held up');
      return { hasMore: false, recorded: 0 };
    });
    const pauseMs = recorded > 0 ? PAUSE_MS : IDLE_PAUSE_MS;
    if (!hasMore) await setTimeout(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}

async function start(parts: DetectionSchedulerParts): Promise<void> {
  parts.stopping = new AbortController();
  // Every query that runs listens for the stop.
  setMaxListeners(0, parts.stopping.signal);
  parts.loop = run(parts, parts.stopping.signal);
}

async function stop(parts: DetectionSchedulerParts): Promise<void> {
  parts.stopping?.abort();
  await parts.loop;
  await writeFigures(parts, true);
}
