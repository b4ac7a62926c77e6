import type { Schedule } from '@tyrian/contract';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { ensureGroup, holdGroups } from './group-store.ts';
import { forgetWindows, writeTogether } from './ledger-store.ts';
import { releaseChanged } from './quarantine.ts';
import { ruleStateOf } from './rule-state.ts';
import {
  deleteRules,
  ensureRule,
  lockRule,
  type RuleKey,
  rulesInScope,
  type ScopeRules,
  type StoredRule,
  saveRule,
  scopesWithRules,
} from './rule-store.ts';
import { boundariesOf, scheduleName } from './schedule-boundaries.ts';
import { stepScheduler } from './scheduler-machine.ts';
import { type RulesToStart, startRules } from './start-rules.ts';
import { stopRules } from './stop-rules.ts';

// Switches rules on and off, in the transaction of the workbook that they belong to.

export interface RuleInput {
  /** Left as it is when absent. */
  readonly enabled?: boolean;
  readonly schedule: Schedule;
  /** Whether the workbook has anything to run. */
  readonly isDetection: boolean;
  /** Ingest time since when a rule that starts now covers the past. */
  readonly backfillFrom?: number;
}

export interface RuleInScope {
  readonly enabled: boolean;
  readonly state: ReturnType<typeof ruleStateOf>;
}

export interface RuleControl {
  /** Makes the rule run, or not, as its workbook now says. `enabled` of a rule that is new defaults to false. */
  configure(trx: TenantTransaction, key: RuleKey, input: RuleInput): Promise<void>;
  /** Starts many rules that are off; false when their group is being worked on, so that it is worth another try. */
  startMany(trx: TenantTransaction, input: RulesToStart): Promise<boolean>;
  /** Stops many rules. */
  stopMany(trx: TenantTransaction, rules: ScopeRules): Promise<void>;
  /** Lets those of some rules of a tenant run again that were set aside: they ask something else now. */
  releaseChanged(trx: TenantTransaction, clusterId: string, workbookIds: readonly string[]): Promise<void>;
  /** Rules of a scope by workbook id, or of some workbooks in it. */
  inScope(
    trx: TenantTransaction,
    clusterId: string,
    scopeId: string,
    modeOf: (workbookId: string) => Schedule['mode'],
    workbookIds?: readonly string[],
  ): Promise<ReadonlyMap<string, RuleInScope>>;
  /** Scopes that have a rule of one of these workbooks, on or off. */
  scopesWith(trx: TenantTransaction, clusterId: string, workbookIds: readonly string[]): Promise<string[]>;
  /** Forgets the rules of a workbook, ledger included. */
  remove(trx: TenantTransaction, clusterId: string, workbookId: string): Promise<void>;
}

export function createRuleControl(clock: Clock): RuleControl {
  return {
    remove: deleteRules,
    scopesWith: scopesWithRules,
    ...bindDeps(clock, { configure, inScope, startMany: startRules, stopMany: stopRules, releaseChanged }),
  };
}

async function start(
  clock: Clock,
  trx: TenantTransaction,
  stored: StoredRule,
  input: RuleInput,
): Promise<void> {
  const nowMs = clock.now();
  const boundaries = boundariesOf(input.schedule);
  const schedule = scheduleName(input.schedule);
  if (!boundaries || schedule === null) return;
  const wasOff = stored.state.coveredFrom === null;
  const { state } = stepScheduler(stored.state, {
    kind: 'enable',
    at: nowMs,
    backfillFrom: input.backfillFrom ?? null,
  });
  if (wasOff && state.coveredFrom !== null) await forgetWindows(trx, stored, state.coveredFrom);
  const { clusterId, scopeId } = stored;
  await ensureGroup(
    trx,
    { clusterId, scopeId, schedule },
    { coveredUntil: nowMs, dueMs: boundaries.after(nowMs) },
  );
  await saveRule(trx, stored, {
    // Its query may be another now: it stands alone until that is read and it has caught up.
    group: { schedule, enabledMs: nowMs },
    // A changed workbook deserves a fresh try at once.
    state: { ...state, failuresInARow: 0, retryAt: 0 },
    enabled: true,
    dueMs: boundaries.after(state.coveredUntil),
    lastError: null,
    quarantine: { releasedMs: nowMs },
  });
}

async function configure(
  clock: Clock,
  trx: TenantTransaction,
  key: RuleKey,
  input: RuleInput,
): Promise<void> {
  await ensureRule(trx, key, input.enabled ?? false);
  await holdGroups(trx, key.clusterId, key.scopeId);
  const stored = await lockRule(trx, key);
  if (!stored) return;
  await writeTogether(trx, stored, clock.now());
  const enabled = input.enabled ?? stored.enabled;
  if (enabled && input.isDetection && input.schedule.mode !== 'off') {
    await start(clock, trx, stored, input);
    return;
  }
  const { state } = stepScheduler(stored.state, { kind: 'disable' });
  const quarantine = { releasedMs: clock.now() };
  await saveRule(trx, stored, { state, enabled, lastError: null, group: null, quarantine });
}

async function inScope(
  clock: Clock,
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  modeOf: (workbookId: string) => Schedule['mode'],
  workbookIds?: readonly string[],
): Promise<ReadonlyMap<string, RuleInScope>> {
  const rules = await rulesInScope(trx, clusterId, scopeId, workbookIds);
  const nowMs = clock.now();
  return new Map(
    rules.map((rule) => [
      rule.workbookId,
      { enabled: rule.enabled, state: ruleStateOf(rule, modeOf(rule.workbookId), nowMs) },
    ]),
  );
}
