import { storedText } from '@tyrian/contract';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ClaimedRule } from './due-queue.ts';
import { keepFirstCounts, LATE_EVENTS_MS } from './evaluated-minutes.ts';
import { recordWindow, writeTogether } from './ledger-store.ts';
import { strikeOf, tellQuarantined } from './quarantine.ts';
import { recordOutcome } from './record-outcome.ts';
import { failureOf, type RuleFailure } from './rule-failure.ts';
import { MERGED_WINDOWS, type Outcome, type ReadRule, type RuleReader } from './rule-reader.ts';
import { lockRule, type RuleKey, releaseRules, type ScopeRules, saveNeeds, saveRule } from './rule-store.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import { type Evaluation, MAX_SPAN, OFF, stepScheduler } from './scheduler-machine.ts';
import { countOf, type StreamActivity, type StreamCounts, streamActivity } from './stream-activity.ts';
import { tellFailing } from './tell-failing.ts';
import { isOver, LEASE_MS, type TurnLimits, WATERMARK_LAG_MS, WINDOWS_PER_TURN } from './turn-limits.ts';

// The turn of rules that stand alone, and of windows that run again. A rule is held by a lease while it is worked on; the
// transaction that records a window reads the rule again under a lock, so that a runner whose lease has passed to somebody
// else records nothing. Signals, ledger and position of the rule are one transaction.

export interface TurnDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly reader: RuleReader;
  readonly clock: Clock;
  /** Names this runner in leases. */
  readonly owner: string;
  /** Events of a minute of a scope from which on the next one is evaluated in halves. */
  readonly eventsForHalves: number;
}

const RULES_AT_ONCE = 2;
/** A rule that is no further behind than this looks at short stretches of events. */
const NEAR_MS = 10 * MINUTE_MS;

interface Decided {
  readonly evaluation: Evaluation;
  readonly minutes: ReadonlyMap<number, StreamCounts>;
  readonly eventsSeen: number;
}

/** The events that a turn sees: what comes in during it is for the next. */
interface Sight {
  readonly activity: StreamActivity;
  readonly watermarkMs: number;
}

/** Runs claimed rules of one scope; resolves with the number of windows that were recorded. */
export type RuleTurn = (claims: readonly ClaimedRule[], limits: TurnLimits) => Promise<number>;

export function createRuleTurn(deps: TurnDeps): RuleTurn {
  return (claims, limits) => takeTurn(deps, claims, limits);
}

/** Writes the outcome; false when the rule is no longer ours. */
function record(
  { postgres, owner, clock }: TurnDeps,
  read: ReadRule,
  { evaluation, minutes }: Decided,
  outcome: Outcome,
  startedMs: number,
): Promise<boolean> {
  return postgres.inTenant(read.rule.clusterId, async (trx) => {
    const { clusterId, scopeId, workbookId } = read.rule;
    const stored = await lockRule(trx, read.rule);
    if (!stored || stored.leaseOwner !== owner) return false;
    const nowMs = clock.now();
    const change = { leaseUntilMs: nowMs + LEASE_MS };
    const done = { read, evaluation, outcome, startedMs };
    if (!(await recordOutcome(trx, stored, done, nowMs, change))) return false;
    const isRecent = evaluation.to > nowMs - LATE_EVENTS_MS;
    if (outcome.ok && isRecent && !evaluation.rerun)
      await keepFirstCounts(trx, clusterId, scopeId, minutes, workbookId);
    return outcome.ok;
  });
}

function decide(
  { postgres, owner, clock }: TurnDeps,
  read: ReadRule,
  watermarkMs: number,
  mergeable: number,
): Promise<Evaluation | null> {
  return postgres.inTenant(read.rule.clusterId, async (trx) => {
    const stored = await lockRule(trx, read.rule);
    if (!stored || stored.leaseOwner !== owner) return null;
    const nowMs = clock.now();
    // The group goes first: it counts the events of a minute before anybody evaluates it.
    const watermark = Math.min(watermarkMs, stored.groupUntil ?? 0);
    const wake = { kind: 'wake', now: nowMs, watermark, boundaries: read.boundaries, mergeable } as const;
    const { state, actions } = stepScheduler(stored.state, wake);
    const action = actions[0];
    const isOfGroup = stored.keepsStep && action?.kind === 'evaluate' && !action.evaluation.rerun;
    if (action?.kind === 'evaluate' && !isOfGroup) return action.evaluation;
    // Nothing to do: make sure that the rule is not asked again before there is.
    const dueMs = read.boundaries.after(state.coveredUntil);
    if (dueMs !== stored.dueMs && !stored.keepsStep) await saveRule(trx, read.rule, { state, dueMs });
    return null;
  });
}

async function counted(read: ReadRule, activity: StreamActivity, evaluation: Evaluation): Promise<Decided> {
  const minutes = await activity.minutes(read.rule.scopeId, evaluation);
  let eventsSeen = 0;
  for (const counts of minutes.values()) eventsSeen += countOf(counts, read.streams);
  return { evaluation, minutes, eventsSeen };
}

/** A stretch without events is one window, whatever the rule; else as the rule allows. */
async function next(
  deps: TurnDeps,
  read: ReadRule,
  { activity, watermarkMs }: Sight,
): Promise<Decided | null> {
  const widest = await decide(deps, read, watermarkMs, read.needsEvents ? MAX_SPAN : 1);
  if (!widest) return null;
  const wide = await counted(read, activity, widest);
  if (widest.rerun || !read.needsEvents || wide.eventsSeen === 0) return wide;
  const narrow = await decide(deps, read, watermarkMs, read.rowByRow ? MERGED_WINDOWS : 1);
  return narrow && counted(read, activity, narrow);
}

/** A rule that cannot even be read fails the window that would be next. */
function recordBroken(
  { postgres, owner, clock }: TurnDeps,
  key: RuleKey,
  name: string,
  failure: RuleFailure,
): Promise<void> {
  return postgres.inTenant(key.clusterId, async (trx) => {
    const stored = await lockRule(trx, key);
    if (!stored || stored.leaseOwner !== owner) return;
    const nowMs = clock.now();
    await writeTogether(trx, stored, nowMs);
    const from = stored.state.coveredUntil;
    const evaluation = { from, to: Math.max(from + 1, stored.dueMs), rerun: false };
    const { state } = stepScheduler(stored.state, { kind: 'failed', evaluation, now: nowMs });
    const lastError = storedText(failure.error);
    const figures = { rows: 0, signals: 0, occurrences: 0, eventsSeen: 0 };
    await recordWindow(trx, key, {
      ...figures,
      evaluation,
      error: lastError,
      startedMs: nowMs,
      finishedMs: nowMs,
    });
    await tellFailing(trx, key, name, state, nowMs);
    const strike = strikeOf(stored, failure, nowMs);
    await tellQuarantined(trx, key, name, strike);
    await saveRule(trx, key, { state, lastError, ...strike });
  });
}

function stopRule({ postgres, owner, clock }: TurnDeps, key: RuleKey): Promise<void> {
  return postgres.inTenant(key.clusterId, async (trx) => {
    const stored = await lockRule(trx, key);
    if (!stored || stored.leaseOwner !== owner) return;
    await writeTogether(trx, stored, clock.now());
    await saveRule(trx, key, { state: OFF, group: null });
  });
}

async function runRule(deps: TurnDeps, read: ReadRule, sight: Sight, limits: TurnLimits): Promise<number> {
  let recorded = 0;
  try {
    for (let window = 0; window < WINDOWS_PER_TURN; window += 1) {
      if (window > 0 && isOver(limits, deps.clock)) break;
      const decided = await next(deps, read, sight);
      if (!decided) break;
      const startedMs = deps.clock.now();
      // Counted before the query: what comes between the two makes the window run again, never the other way.
      const { evaluation, eventsSeen } = decided;
      const outcome = await deps.reader.evaluate(read, evaluation, eventsSeen, { signal: limits.signal });
      if (!(await record(deps, read, decided, outcome, startedMs))) break;
      recorded += 1;
    }
  } catch (error) {
    if (!limits.signal?.aborted) await recordBroken(deps, read.rule, read.rule.name, failureOf(error));
  }
  return recorded;
}

function release({ postgres, owner }: TurnDeps, rules: ScopeRules, sinceMs: number): Promise<void> {
  return postgres.inTenant(rules.clusterId, (trx) => releaseRules(trx, rules, owner, sinceMs));
}

function sightOf({ clock, events }: TurnDeps, claims: readonly ClaimedRule[]): Sight {
  const nowMs = clock.now();
  const isNear = claims.every((claim) => nowMs - claim.dueMs < NEAR_MS);
  const activity = streamActivity(events, claims[0]?.clusterId ?? '', isNear ? NEAR_MS : undefined);
  return { activity, watermarkMs: nowMs - WATERMARK_LAG_MS };
}

async function takeTurn(deps: TurnDeps, claims: readonly ClaimedRule[], limits: TurnLimits): Promise<number> {
  const { reader, postgres, clock } = deps;
  const [first] = claims;
  if (!first) return 0;
  const { clusterId, scopeId } = first;
  const waiting = new Set(claims.map((claim) => claim.workbookId));
  let recorded = 0;
  try {
    const readings = await reader.read(clusterId, scopeId, [...waiting]);
    const needs = new Map<string, boolean>();
    for (const { workbookId, isUnread } of claims) {
      const reading = readings.get(workbookId);
      if (isUnread && reading?.kind === 'runs') needs.set(workbookId, reading.read.needsEvents);
    }
    if (needs.size > 0)
      await postgres.inTenant(clusterId, (trx) => saveNeeds(trx, { clusterId, scopeId }, needs));
    const sight = sightOf(deps, claims);
    await fewAtATime(claims, RULES_AT_ONCE, async (key) => {
      if (isOver(limits, clock) && waiting.size < claims.length) return;
      waiting.delete(key.workbookId);
      const reading = readings.get(key.workbookId);
      if (reading?.kind === 'broken') await recordBroken(deps, key, reading.name, reading.failure);
      else if (reading?.kind !== 'runs') await stopRule(deps, key);
      // One that needs events may turn out to keep step without any work.
      else if (!needs.get(key.workbookId)) recorded += await runRule(deps, reading.read, sight, limits);
    });
    return recorded;
  } finally {
    const ids = claims.map((claim) => claim.workbookId);
    const served = ids.filter((id) => !waiting.has(id));
    await release(deps, { clusterId, scopeId, workbookIds: served }, clock.now());
    // Those that had no turn go first in the next.
    await release(deps, { clusterId, scopeId, workbookIds: [...waiting] }, 0);
  }
}
