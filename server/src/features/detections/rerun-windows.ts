import { say } from '@tyrian/contract';
import { sql } from 'kysely';
import { AppError } from '../../platform/app-error.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { writeTogether } from './ledger-store.ts';
import { MERGED_WINDOWS, type ReadRule } from './rule-reader.ts';
import { lockRule, type RuleKey, saveRule } from './rule-store.ts';
import { type Boundaries, boundaryBefore } from './schedule-boundaries.ts';
import { stepScheduler, type Window } from './scheduler-machine.ts';

// Runs windows of a rule again because somebody asks for it: they wait like those in which events turned up late. What makes
// signals identical makes the repeat harmless.

/** Windows that wait to be run again at once. */
const MOST_RERUNS = 1_440;

/** Windows of the schedule in a finished stretch that touch the range; several are one where a rule may be cut anywhere. */
function windowsToRepeat(
  stretch: Window,
  range: Window,
  boundaries: Boundaries,
  mergeable: number,
): Window[] {
  const windows: Window[] = [];
  const first = boundaryBefore(boundaries, Math.max(stretch.from, range.from));
  let from = Math.max(stretch.from, first);
  while (from < Math.min(stretch.to, range.to) && windows.length <= MOST_RERUNS) {
    let to = from;
    for (let taken = 0; taken < mergeable && to < Math.min(stretch.to, range.to); taken += 1)
      to = Math.min(stretch.to, boundaries.after(to));
    windows.push({ from, to });
    from = to;
  }
  return windows;
}

/** Marks finished windows of a rule to run again; answers how many. Throws `not-found`, `conflict`, `bad-input`. */
export async function markReruns(
  trx: TenantTransaction,
  key: RuleKey,
  read: Pick<ReadRule, 'boundaries' | 'rowByRow'>,
  range: Window,
  nowMs: number,
): Promise<number> {
  const stored = await lockRule(trx, key);
  if (!stored || stored.state.coveredFrom === null) throw new AppError('conflict', say('rules.notRunning'));
  await writeTogether(trx, stored, nowMs);
  const { rows: stretches } = await sql<Window>`
    select range_from as "from", range_to as "to" from rule_window
    where cluster_id = ${key.clusterId} and scope_id = ${key.scopeId} and workbook_id = ${key.workbookId}
      and state = 'done' and range_from < ${timestamp(range.to)} and range_to > ${timestamp(range.from)}
    order by range_from limit ${MOST_RERUNS + 1}`.execute(trx);
  const mergeable = read.rowByRow ? MERGED_WINDOWS : 1;
  const windows = stretches.flatMap((one) => windowsToRepeat(one, range, read.boundaries, mergeable));
  if (windows.length === 0) throw new AppError('bad-input', say('rules.nothingToRerun'));
  const { state } = stepScheduler(stored.state, { kind: 'late-events', windows });
  if (state.late.length > MOST_RERUNS)
    throw new AppError('bad-input', say('rules.tooManyReruns', { most: MOST_RERUNS }));
  await saveRule(trx, key, { state });
  return windows.length;
}
