import type { LedgerWindow } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { readFailure } from '../../platform/said-of-failure.ts';
import { type RuleKey, type StoredRule, saveTogether } from './rule-store.ts';
import type { RuleTables } from './rule-tables.ts';
import type { Evaluation, Window } from './scheduler-machine.ts';

// The ledger of a rule: stretches of ingest time that it has evaluated, each row one that follows on the other. It is
// written in the transaction that moves the rule on. What a rule was covered by together with its group is written when a
// row of its own follows, or when somebody looks.

/** How long what has ended is kept. */
export const LEDGER_KEPT_MS = 14 * 24 * 60 * 60_000;

const tables = (trx: TenantTransaction) => trx.withTables<RuleTables>();

export interface WindowOutcome {
  readonly evaluation: Evaluation;
  readonly rows: number;
  readonly signals: number;
  readonly occurrences: number;
  readonly eventsSeen: number;
  readonly error: string | null;
  readonly startedMs: number;
  readonly finishedMs: number;
}

const windowsOf = ({ clusterId, scopeId, workbookId }: RuleKey) =>
  sql`cluster_id = ${clusterId} and scope_id = ${scopeId} and workbook_id = ${workbookId}`;

type Quiet = Window & Pick<WindowOutcome, 'eventsSeen' | 'startedMs' | 'finishedMs'>;

/** Lengthens the finished stretch that ends where this one begins; false when there is none that found nothing too. */
async function lengthen(
  trx: TenantTransaction,
  key: RuleKey,
  window: Quiet,
  attempts: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update rule_window set range_to = ${timestamp(window.to)}, attempts = attempts + ${attempts},
      events_seen = events_seen + ${window.eventsSeen}, started_at = ${timestamp(window.startedMs)},
      finished_at = ${timestamp(window.finishedMs)}
    where ${windowsOf(key)} and range_to = ${timestamp(window.from)} and state = 'done' and row_count = 0
      and signals = 0 and reruns = 0`.execute(trx);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Deletes the failed window that begins there; answers how often it was tried. */
async function takeFailed(trx: TenantTransaction, key: RuleKey, fromMs: number): Promise<number> {
  const { rows } = await sql<{ attempts: number }>`delete from rule_window
    where ${windowsOf(key)} and range_from = ${timestamp(fromMs)} and state = 'failed' returning attempts`.execute(
    trx,
  );
  return rows[0]?.attempts ?? 0;
}

/** Writes into the ledger of a rule what it was covered by with its group, so that rows of its own may follow. */
export async function writeTogether(trx: TenantTransaction, rule: StoredRule, nowMs: number): Promise<void> {
  const window = { from: rule.ledgerUntil, to: rule.state.coveredUntil };
  const isWritten = window.from >= window.to;
  if (!rule.keepsStep || (isWritten && rule.windowsTogether === 0)) return;
  const quiet = { ...window, eventsSeen: 0, startedMs: nowMs, finishedMs: nowMs };
  // Left by a version that failed there, before the rule was changed.
  if (!isWritten) await takeFailed(trx, rule, window.from);
  if (!isWritten && !(await lengthen(trx, rule, quiet, rule.windowsTogether))) {
    const figures = { rows: 0, signals: 0, occurrences: 0, error: null };
    const outcome = { ...quiet, ...figures, evaluation: { ...window, rerun: false } };
    await insertWindow(trx, rule, outcome, Math.max(1, rule.windowsTogether));
  }
  await saveTogether(trx, rule);
}

/**
 * Writes a finished or failed window. Finished windows that found nothing are one row with those before them; a window
 * that found something or has failed stands alone. A failed rerun leaves the window finished.
 */
export async function recordWindow(
  trx: TenantTransaction,
  key: RuleKey,
  outcome: WindowOutcome,
): Promise<void> {
  const { evaluation, rows, signals, error } = outcome;
  if (evaluation.rerun) {
    await recordRerun(trx, key, outcome);
    return;
  }
  const attempts = (await takeFailed(trx, key, evaluation.from)) + 1;
  const isQuiet = error === null && rows === 0 && signals === 0;
  const quiet = { ...outcome, ...evaluation };
  if (isQuiet && (await lengthen(trx, key, quiet, attempts))) return;
  await insertWindow(trx, key, outcome, attempts);
}

async function insertWindow(
  trx: TenantTransaction,
  key: RuleKey,
  outcome: WindowOutcome,
  attempts: number,
): Promise<void> {
  const error = outcome.error === null ? null : storableText(outcome.error);
  await tables(trx)
    .insertInto('rule_window')
    .values({
      cluster_id: key.clusterId,
      scope_id: key.scopeId,
      workbook_id: key.workbookId,
      range_from: timestamp(outcome.evaluation.from),
      range_to: timestamp(outcome.evaluation.to),
      state: error === null ? 'done' : 'failed',
      attempts,
      row_count: outcome.rows,
      signals: outcome.signals,
      occurrences: outcome.occurrences,
      events_seen: outcome.eventsSeen,
      error,
      started_at: timestamp(outcome.startedMs),
      finished_at: timestamp(outcome.finishedMs),
    })
    .execute();
}

/** Adds a rerun to the finished stretch that holds its window. */
async function recordRerun(trx: TenantTransaction, key: RuleKey, outcome: WindowOutcome): Promise<void> {
  const { evaluation, rows, signals, occurrences, startedMs, finishedMs } = outcome;
  const error = outcome.error === null ? null : storableText(outcome.error);
  await sql`
    update rule_window set attempts = attempts + 1, reruns = reruns + ${error === null ? 1 : 0},
      row_count = greatest(row_count, ${rows}), signals = signals + ${signals},
      occurrences = occurrences + ${occurrences}, events_seen = greatest(events_seen, ${outcome.eventsSeen}),
      error = ${error}, started_at = ${timestamp(startedMs)},
      finished_at = ${timestamp(finishedMs)}
    where ${windowsOf(key)} and range_from <= ${timestamp(evaluation.from)}
      and range_to >= ${timestamp(evaluation.to)}
      and state = 'done'`.execute(trx);
}

/** Forgets what a rule did from `fromMs` on: it is going to be evaluated anew. */
export async function forgetWindows(trx: TenantTransaction, key: RuleKey, fromMs: number): Promise<void> {
  await sql`delete from rule_window where ${windowsOf(key)} and range_from >= ${timestamp(fromMs)}`.execute(
    trx,
  );
  await sql`update rule_window set range_to = ${timestamp(fromMs)}
    where ${windowsOf(key)} and range_to > ${timestamp(fromMs)}`.execute(trx);
}

export interface WindowFilter {
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly only?: 'failed' | 'found' | 'rerun' | undefined;
}

const ONLY = {
  failed: sql<boolean>`state = 'failed'`,
  found: sql<boolean>`row_count > 0`,
  rerun: sql<boolean>`reruns > 0`,
};

/** A page of a rule's windows, newest first. */
export async function listWindows(
  trx: TenantTransaction,
  key: RuleKey,
  page: { readonly pageno: number; readonly pagesize: number } & WindowFilter,
): Promise<{ data: LedgerWindow[]; total_count: number }> {
  const { start, end, only } = page;
  const mine = tables(trx)
    .selectFrom('rule_window')
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .$if(start !== undefined, (query) => query.where('range_to', '>', timestamp(start ?? 0)))
    .$if(end !== undefined, (query) => query.where('range_from', '<', timestamp(end ?? 0)))
    .$if(only !== undefined, (query) => query.where(ONLY[only ?? 'failed']));
  const { count } = await mine
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await mine
    .selectAll()
    .orderBy('range_from', 'desc')
    .limit(page.pagesize)
    .offset((page.pageno - 1) * page.pagesize)
    .execute();
  return {
    total_count: Number(count),
    data: rows.map((row) => {
      const { message: error, ...code } = readFailure(row.error);
      return {
        from: row.range_from,
        to: row.range_to,
        state: row.state,
        attempts: row.attempts,
        reruns: row.reruns,
        rows: row.row_count,
        signals: row.signals,
        occurrences: row.occurrences,
        events_seen: row.events_seen,
        error,
        ...code,
        started: row.started_at,
        finished: row.finished_at,
      };
    }),
  };
}

/** Stretches of `[from, to)` that no finished window of the rule covers. */
export async function findGaps(trx: TenantTransaction, key: RuleKey, range: Window): Promise<Window[]> {
  const rows = await tables(trx)
    .selectFrom('rule_window')
    .select(['range_from', 'range_to'])
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .where('state', '=', 'done')
    .where('range_to', '>', timestamp(range.from))
    .where('range_from', '<', timestamp(range.to))
    .orderBy('range_from')
    .execute();
  return gapsBetween(
    rows.map((row) => ({ from: row.range_from, to: row.range_to })),
    range,
  );
}

/** The parts of `range` that the windows, sorted by start, leave open. */
export function gapsBetween(windows: readonly Window[], range: Window): Window[] {
  const gaps: Window[] = [];
  let covered = range.from;
  for (const window of windows) {
    if (window.from > covered) gaps.push({ from: covered, to: window.from });
    covered = Math.max(covered, window.to);
  }
  if (covered < range.to) gaps.push({ from: covered, to: range.to });
  return gaps;
}
