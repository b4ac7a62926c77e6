import { storedText } from '@tyrian/contract';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { bundleFlood } from '../signals/bundle-flood.ts';
import { recordOccurrences } from '../signals/signal-recorder.ts';
import { suppressOccurrences } from '../suppression/suppress-occurrences.ts';
import type { FoundFigures } from './first-half.ts';
import { recordWindow, writeTogether } from './ledger-store.ts';
import { strikeOf, tellQuarantined } from './quarantine.ts';
import type { Outcome, ReadRule } from './rule-reader.ts';
import { type RuleChange, type StoredRule, saveRule } from './rule-store.ts';
import { type Evaluation, stepScheduler } from './scheduler-machine.ts';
import { tellFailing } from './tell-failing.ts';

export interface Evaluated {
  readonly read: ReadRule;
  readonly evaluation: Evaluation;
  readonly outcome: Outcome;
  readonly startedMs: number;
  /** What was found and written before of the same window, whose rest was evaluated now. */
  readonly before?: FoundFigures | undefined;
}

/**
 * Writes what an evaluation came to: signals, ledger and position of the rule, in the caller's transaction, which holds the
 * rule. False when the window is no longer the rule's next, and nothing was written.
 */
export async function recordOutcome(
  trx: TenantTransaction,
  stored: StoredRule,
  { read, evaluation, outcome, startedMs, before }: Evaluated,
  nowMs: number,
  change: Pick<RuleChange, 'leaseUntilMs' | 'leavesStep'>,
): Promise<boolean> {
  const { rule } = read;
  const { state, actions } = stepScheduler(
    stored.state,
    outcome.ok ? { kind: 'done', evaluation } : { kind: 'failed', evaluation, now: nowMs },
  );
  if (actions.length === 0) return false;
  await writeTogether(trx, stored, nowMs);
  const found = await recordFound(trx, read, evaluation, outcome, nowMs);
  const error = outcome.ok ? null : storedText(outcome.error);
  await recordWindow(trx, rule, {
    ...together(found, before),
    evaluation,
    eventsSeen: outcome.ok ? outcome.eventsSeen : 0,
    error,
    startedMs,
    finishedMs: nowMs,
  });
  await tellFailing(trx, rule, rule.name, state, nowMs);
  const strike = strikeOf(stored, outcome.ok ? null : outcome, nowMs);
  await tellQuarantined(trx, rule, rule.name, strike);
  const counts = evaluation.rerun ? 'rerun' : stored.keepsStep ? 'with-group' : 'window';
  await saveRule(trx, rule, {
    ...change,
    ...strike,
    state,
    dueMs: read.boundaries.after(state.coveredUntil),
    lastError: error,
    rows: found.rows,
    signals: found.signals,
    ...(outcome.ok ? { run: { atMs: nowMs, durationMs: nowMs - startedMs, counts } } : {}),
  });
  return true;
}

const together = (found: FoundFigures, before: FoundFigures | undefined): FoundFigures => ({
  rows: found.rows + (before?.rows ?? 0),
  signals: found.signals + (before?.signals ?? 0),
  occurrences: found.occurrences + (before?.occurrences ?? 0),
});

/** Writes the signals of what was found, less what is suppressed. */
export async function recordFound(
  trx: TenantTransaction,
  { rule }: ReadRule,
  evaluation: Evaluation,
  outcome: Outcome,
  nowMs: number,
): Promise<FoundFigures> {
  const found = { rows: 0, signals: 0, occurrences: 0 };
  for (const part of outcome.ok ? outcome.parts : []) {
    const { stream, detection } = part;
    const recording = { ...rule, workbookName: rule.name, stream, signal: detection.signal.body };
    const raising = await suppressOccurrences(trx, recording, part.occurrences, nowMs);
    const few = bundleFlood(recording, evaluation, raising);
    const result = await recordOccurrences(trx, recording, few, nowMs);
    found.signals += result.newSignals;
    found.occurrences += result.occurrences;
    found.rows += part.rows;
  }
  return found;
}
