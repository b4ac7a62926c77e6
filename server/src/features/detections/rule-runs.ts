import type { RuleHealth, RuleQuarantine } from '@tyrian/contract';
import { say } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { type ReadFailure, readFailure } from '../../platform/said-of-failure.ts';
import { drawLedger, type LedgerPicture, type Missing, missingOf } from './ledger-picture.ts';
import { releaseRule } from './quarantine.ts';
import { markReruns } from './rerun-windows.ts';
import { SHARED_PASS } from './rule-figures.ts';
import type { RuleReader } from './rule-reader.ts';
import { ruleStateOf } from './rule-state.ts';
import { type RuleKey, rulesInScope, type StoredRule } from './rule-store.ts';
import { STREAMED } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';

// What other features ask about the runs of rules: how they keep up, what they cost, and what they have evaluated.

/** Runs added up over some hours. */
export interface RunFigures {
  readonly runs: number;
  readonly failures: number;
  readonly reruns: number;
  readonly cpuMs: number;
}

export interface RunningRule extends RunFigures {
  readonly ID: string;
  readonly state: RuleHealth['state'];
  readonly isOn: boolean;
  readonly coveredFrom: number | null;
  readonly coveredUntil: number;
  /** For how long its next window has waited. */
  readonly lagMs: number;
  readonly nextRun: number | null;
  readonly lastRunMs: number | null;
  readonly lastDurationMs: number | null;
  readonly error: (ReadFailure & { readonly message: string }) | null;
  readonly quarantine: RuleQuarantine | null;
}

export interface DrawnLedger extends LedgerPicture {
  readonly rule: RunningRule;
  readonly waitingReruns: number;
}

export interface RuleRuns {
  /** The rules of a scope, also those that are off, and what their runs came to since a time. */
  inScope(
    clusterId: string,
    scopeId: string,
    sinceMs: number,
  ): Promise<{ readonly rules: readonly RunningRule[]; readonly shared: RunFigures }>;
  /** What is missing of a range in the ledgers of some rules; those without a gap are absent. */
  missing(
    clusterId: string,
    scopeId: string,
    ids: readonly string[],
    range: Window,
  ): Promise<ReadonlyMap<string, Missing>>;
  /** Throws `not-found`. */
  draw(key: RuleKey, range: Window, parts: number): Promise<DrawnLedger>;
  /**
   * Marks finished windows to run again, and does `then` in the same transaction; answers how many. Throws `not-found`,
   * `conflict` while it is off, `bad-input` for a range without windows or with too many.
   */
  rerun(
    key: RuleKey,
    range: Window,
    then: (trx: TenantTransaction, windows: number) => Promise<void>,
  ): Promise<number>;
  /** Throws `not-found`, `conflict` when it is not set aside. */
  release(trx: TenantTransaction, key: RuleKey): Promise<void>;
}

interface RuleRunsDeps {
  readonly postgres: Postgres;
  readonly reader: RuleReader;
  readonly clock: Clock;
}

export function createRuleRuns(deps: RuleRunsDeps): RuleRuns {
  return bindDeps(deps, { inScope, missing, draw, rerun, release });
}

const NO_RUNS: RunFigures = { runs: 0, failures: 0, reruns: 0, cpuMs: 0 };

async function hoursOf(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  sinceMs: number,
): Promise<ReadonlyMap<string, RunFigures>> {
  const { rows } = await sql<RunFigures & { workbook_id: string }>`
    select workbook_id, sum(runs)::integer as runs, sum(failures)::integer as failures,
      sum(reruns)::integer as reruns, sum(cpu_ms) as "cpuMs"
    from rule_hour where cluster_id = ${clusterId} and scope_id = ${scopeId} and hour > ${timestamp(sinceMs - HOUR_MS)}
    group by workbook_id`.execute(trx);
  return new Map(rows.map(({ workbook_id, ...figures }) => [workbook_id, figures]));
}

/** An hour counts whole when a part of it lies in the range. */
const HOUR_MS = 3_600_000;

function runningRule(rule: StoredRule, figures: RunFigures, nowMs: number): RunningRule {
  const { state, quarantinedMs } = rule;
  const isOn = rule.enabled && state.coveredFrom !== null;
  const error = readFailure(rule.lastError);
  const reason = quarantinedMs === null ? null : readFailure(rule.quarantineReason);
  const next = Math.max(rule.dueMs, state.retryAt);
  return {
    ID: rule.workbookId,
    ...figures,
    state: ruleStateOf(rule, rule.schedule === STREAMED ? 'streamed' : 'scheduled', nowMs),
    isOn,
    coveredFrom: state.coveredFrom,
    coveredUntil: state.coveredUntil,
    lagMs: isOn ? Math.max(0, nowMs - rule.dueMs) : 0,
    nextRun: isOn && quarantinedMs === null ? next : null,
    lastRunMs: rule.lastRunMs,
    lastDurationMs: rule.lastDurationMs,
    error: error.message === null ? null : { ...error, message: error.message },
    quarantine:
      quarantinedMs === null ? null : { since: quarantinedMs, ...reason, message: reason?.message ?? '' },
  };
}

function inScope({ postgres, clock }: RuleRunsDeps, clusterId: string, scopeId: string, sinceMs: number) {
  return postgres.inTenant(clusterId, async (trx) => {
    const stored = await rulesInScope(trx, clusterId, scopeId);
    const hours = await hoursOf(trx, clusterId, scopeId, sinceMs);
    const nowMs = clock.now();
    return {
      rules: stored.map((rule) => runningRule(rule, hours.get(rule.workbookId) ?? NO_RUNS, nowMs)),
      shared: hours.get(SHARED_PASS) ?? NO_RUNS,
    };
  });
}

function missing(
  { postgres }: RuleRunsDeps,
  clusterId: string,
  scopeId: string,
  ids: readonly string[],
  range: Window,
) {
  return postgres.inTenant(clusterId, async (trx) =>
    missingOf(trx, await rulesInScope(trx, clusterId, scopeId, ids), range),
  );
}

async function oneRule(trx: TenantTransaction, { clusterId, scopeId, workbookId }: RuleKey) {
  const [rule] = await rulesInScope(trx, clusterId, scopeId, [workbookId]);
  if (!rule) throw notFound();
  return rule;
}

function draw({ postgres, clock }: RuleRunsDeps, key: RuleKey, range: Window, parts: number) {
  return postgres.inTenant(key.clusterId, async (trx): Promise<DrawnLedger> => {
    const rule = await oneRule(trx, key);
    const picture = await drawLedger(trx, rule, range, parts);
    const waitingReruns = rule.state.late.length;
    return { rule: runningRule(rule, NO_RUNS, clock.now()), waitingReruns, ...picture };
  });
}

async function rerun(
  { postgres, reader, clock }: RuleRunsDeps,
  key: RuleKey,
  range: Window,
  then: (trx: TenantTransaction, windows: number) => Promise<void>,
): Promise<number> {
  await postgres.inTenant(key.clusterId, (trx) => oneRule(trx, key));
  const readings = await reader.read(key.clusterId, key.scopeId, [key.workbookId]);
  const reading = readings.get(key.workbookId);
  if (reading?.kind === 'broken') throw new AppError('conflict', reading.failure.error);
  if (reading?.kind !== 'runs') throw new AppError('conflict', say('rules.notRunning'));
  return postgres.inTenant(key.clusterId, async (trx) => {
    const windows = await markReruns(trx, key, reading.read, range, clock.now());
    await then(trx, windows);
    return windows;
  });
}

async function release({ clock }: RuleRunsDeps, trx: TenantTransaction, key: RuleKey): Promise<void> {
  await oneRule(trx, key);
  if (!(await releaseRule(trx, key, clock.now()))) throw new AppError('conflict', say('rules.notSetAside'));
}
