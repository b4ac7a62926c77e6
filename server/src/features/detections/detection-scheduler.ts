import { setTimeout } from 'node:timers/promises';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { flushSignalOutbox } from '../signals/signal-outbox.ts';
import type { DetectionRunner } from './detection-runner.ts';
import { findLateEvents, type LateEventsDeps } from './find-late-events.ts';
import { pruneWindows } from './ledger-store.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';

// The clockwork around the runner: once a second it looks for rules that are due, once a minute it counts recent
// windows again, every ten minutes those of a day. Any number of these may run against the same engines. Tenants take
// turns of bounded length, so that one with a day to catch up on does not hold up the others.

export interface DetectionSchedulerDeps extends LateEventsDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly runner: DetectionRunner;
  readonly tenants: () => Promise<
    readonly { readonly clusterId: string; readonly scopeIds: readonly string[] }[]
  >;
  /** Called for each tenant when it is first seen and when its scopes change. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface DetectionScheduler {
  readonly name: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * One round over all tenants; the loop of `start` calls it, tests may. True when a tenant used its turn up and has
   * probably more to do.
   */
  round(): Promise<boolean>;
}

const PAUSE_MS = 1_000;
/** The turn of a tenant; what is begun in it is finished. */
const TURN_MS = 2_000;
const NEAR_MS = 10 * MINUTE_MS;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LEDGER_KEPT_MS = 14 * DAY_MS;

/** True once for each stretch of `everyMs`. */
function every(everyMs: number): (nowMs: number) => boolean {
  let next = 0;
  return (nowMs) => {
    if (nowMs < next) return false;
    next = nowMs + everyMs;
    return true;
  };
}

export function createDetectionScheduler(deps: DetectionSchedulerDeps): DetectionScheduler {
  const { postgres, events, clock, log } = deps;
  const nearIsDue = every(MINUTE_MS);
  const dayIsDue = every(NEAR_MS);
  const pruneIsDue = every(DAY_MS / 24);
  /** The scopes for which a tenant was prepared, by tenant. */
  const prepared = new Map<string, string>();
  let stopping: AbortController | null = null;
  let loop: Promise<void> = Promise.resolve();

  const prepare = async (clusterId: string, scopeIds: readonly string[]): Promise<void> => {
    const scopes = [...scopeIds].sort().join(' ');
    if (prepared.get(clusterId) === scopes) return;
    await events.ensureTenant(clusterId);
    await deps.prepareTenant(clusterId, scopeIds);
    prepared.set(clusterId, scopes);
  };

  const serveTenant = async (clusterId: string, due: { lateFrom: number | null; prune: boolean }) => {
    const signal = stopping?.signal;
    const untilMs = clock.now() + TURN_MS;
    if (due.lateFrom !== null) {
      await findLateEvents(deps, clusterId, { from: due.lateFrom, to: clock.now() });
    }
    await deps.runner.runDue(clusterId, { signal, untilMs });
    const isUsedUp = clock.now() >= untilMs;
    await flushSignalOutbox(deps, clusterId);
    if (due.prune) {
      await postgres.inTenant(clusterId, (trx) => pruneWindows(trx, clusterId, clock.now() - LEDGER_KEPT_MS));
    }
    return isUsedUp;
  };

  const round = async (): Promise<boolean> => {
    let hasMore = false;
    const nowMs = clock.now();
    const near = nearIsDue(nowMs);
    const day = dayIsDue(nowMs);
    const due = {
      lateFrom: day ? nowMs - DAY_MS : near ? nowMs - NEAR_MS : null,
      prune: pruneIsDue(nowMs),
    };
    for (const { clusterId, scopeIds } of await deps.tenants()) {
      if (stopping?.signal.aborted) return false;
      try {
        await prepare(clusterId, scopeIds);
        if (await serveTenant(clusterId, due)) hasMore = true;
      } catch (error) {
        if (!stopping?.signal.aborted) {
          log.warn({ err: (error as Error).message, clusterId }, 'detections of a tenant were held up');
        }
      }
    }
    return hasMore;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const hasMore = await round().catch((error: Error) => {
        if (!signal.aborted) log.warn({ err: error.message }, 'the detection scheduler was held up');
        return false;
      });
      if (!hasMore) await setTimeout(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  };

  return {
    name: 'detections',
    round,
    start: async () => {
      stopping = new AbortController();
      loop = run(stopping.signal);
    },
    stop: async () => {
      stopping?.abort();
      await loop;
    },
  };
}
