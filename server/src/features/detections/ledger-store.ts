import type { LedgerWindow } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableText } from '../../platform/postgres/storable.ts';
import { readFailure } from './rule-failure.ts';
import type { RuleKey } from './rule-store.ts';
import type { RuleTables } from './rule-tables.ts';
import type { Evaluation, Window } from './scheduler-machine.ts';

// The ledger: one row for each window of a rule. It is written in the transaction that moves the rule on.

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

/** Writes a finished or failed window over what stands for it. A failed rerun leaves the window finished. */
export async function recordWindow(
  trx: TenantTransaction,
  key: RuleKey,
  outcome: WindowOutcome,
): Promise<void> {
  const { evaluation } = outcome;
  const error = outcome.error === null ? null : storableText(outcome.error);
  await tables(trx)
    .insertInto('rule_window')
    .values({
      cluster_id: key.clusterId,
      scope_id: key.scopeId,
      workbook_id: key.workbookId,
      from_ms: evaluation.from,
      to_ms: evaluation.to,
      state: error === null ? 'done' : 'failed',
      row_count: outcome.rows,
      signals: outcome.signals,
      occurrences: outcome.occurrences,
      events_seen: outcome.eventsSeen,
      error,
      started_ms: outcome.startedMs,
      finished_ms: outcome.finishedMs,
    })
    .onConflict((conflict) =>
      conflict.columns(['cluster_id', 'scope_id', 'workbook_id', 'from_ms']).doUpdateSet({
        to_ms: sql`excluded.to_ms`,
        state: evaluation.rerun ? sql`rule_window.state` : sql`excluded.state`,
        attempts: sql`rule_window.attempts + 1`,
        reruns: sql`rule_window.reruns + ${evaluation.rerun && error === null ? 1 : 0}`,
        row_count: sql`excluded.row_count`,
        signals: sql`rule_window.signals + excluded.signals`,
        occurrences: sql`rule_window.occurrences + excluded.occurrences`,
        events_seen: sql`greatest(rule_window.events_seen, excluded.events_seen)`,
        error: sql`excluded.error`,
        started_ms: sql`excluded.started_ms`,
        finished_ms: sql`excluded.finished_ms`,
      }),
    )
    .execute();
}

/** Finished windows of all rules of the tenant that lie within `[from, to)`, for the search for late events. */
export async function finishedWindows(
  trx: TenantTransaction,
  clusterId: string,
  range: Window,
): Promise<(RuleKey & Window & { readonly eventsSeen: number })[]> {
  const rows = await tables(trx)
    .selectFrom('rule_window')
    .innerJoin('rule', (join) =>
      join
        .onRef('rule.cluster_id', '=', 'rule_window.cluster_id')
        .onRef('rule.scope_id', '=', 'rule_window.scope_id')
        .onRef('rule.workbook_id', '=', 'rule_window.workbook_id'),
    )
    .select([
      'rule_window.scope_id',
      'rule_window.workbook_id',
      'rule_window.from_ms',
      'rule_window.to_ms',
      'rule_window.events_seen',
    ])
    .where('rule_window.cluster_id', '=', clusterId)
    .where('rule_window.to_ms', '>', range.from)
    .where('rule_window.to_ms', '<=', range.to)
    .where('rule_window.from_ms', '>=', range.from)
    .where('rule_window.state', '=', 'done')
    .whereRef('rule.covered_from_ms', '<=', 'rule_window.from_ms')
    .execute();
  return rows.map((row) => ({
    clusterId,
    scopeId: row.scope_id,
    workbookId: row.workbook_id,
    from: row.from_ms,
    to: row.to_ms,
    eventsSeen: row.events_seen,
  }));
}

/** Forgets the windows of a rule that end after `fromMs`: they are going to be evaluated anew. */
export async function forgetWindows(trx: TenantTransaction, key: RuleKey, fromMs: number): Promise<void> {
  await tables(trx)
    .deleteFrom('rule_window')
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .where('to_ms', '>', fromMs)
    .execute();
}

/** Deletes windows of the tenant that ended before `beforeMs`; the figures of the rules keep their sums. */
export async function pruneWindows(
  trx: TenantTransaction,
  clusterId: string,
  beforeMs: number,
): Promise<void> {
  await tables(trx)
    .deleteFrom('rule_window')
    .where('cluster_id', '=', clusterId)
    .where('to_ms', '<', beforeMs)
    .execute();
}

/** A page of a rule's windows, newest first. */
export async function listWindows(
  trx: TenantTransaction,
  key: RuleKey,
  page: { readonly pageno: number; readonly pagesize: number },
): Promise<{ data: LedgerWindow[]; total_count: number }> {
  const mine = tables(trx)
    .selectFrom('rule_window')
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId);
  const { count } = await mine
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const rows = await mine
    .selectAll()
    .orderBy('from_ms', 'desc')
    .limit(page.pagesize)
    .offset((page.pageno - 1) * page.pagesize)
    .execute();
  return {
    total_count: Number(count),
    data: rows.map((row) => {
      const { message: error, ...code } = readFailure(row.error);
      return {
        from: row.from_ms,
        to: row.to_ms,
        state: row.state,
        attempts: row.attempts,
        reruns: row.reruns,
        rows: row.row_count,
        signals: row.signals,
        occurrences: row.occurrences,
        events_seen: row.events_seen,
        error,
        ...code,
        started: row.started_ms,
        finished: row.finished_ms,
      };
    }),
  };
}

/** Stretches of `[from, to)` that no finished window of the rule covers. */
export async function findGaps(trx: TenantTransaction, key: RuleKey, range: Window): Promise<Window[]> {
  const rows = await tables(trx)
    .selectFrom('rule_window')
    .select(['from_ms', 'to_ms'])
    .where('cluster_id', '=', key.clusterId)
    .where('scope_id', '=', key.scopeId)
    .where('workbook_id', '=', key.workbookId)
    .where('state', '=', 'done')
    .where('to_ms', '>', range.from)
    .where('from_ms', '<', range.to)
    .orderBy('from_ms')
    .execute();
  return gapsBetween(
    rows.map((row) => ({ from: row.from_ms, to: row.to_ms })),
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
