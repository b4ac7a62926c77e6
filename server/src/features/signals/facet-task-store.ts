import type { SignalSelection } from '@tyrian/contract';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SignalTables } from './signal-tables.ts';

// What somebody asked a summary of. It is worked out when the result is fetched, so that any process can answer.

const tables = (trx: TenantTransaction) => trx.withTables<SignalTables>();
const KEPT_MS = 3_600_000;

export interface FacetTask {
  readonly clusterId: string;
  readonly taskId: string;
  readonly scopeId: string;
  readonly userId: string;
}

/** Keeps the question for an hour and forgets older ones. */
export async function insertFacetTask(
  trx: TenantTransaction,
  task: FacetTask,
  selection: SignalSelection,
  nowMs: number,
): Promise<void> {
  await tables(trx)
    .deleteFrom('signal_facet_task')
    .where('cluster_id', '=', task.clusterId)
    .where('asked_at', '<', timestamp(nowMs - KEPT_MS))
    .execute();
  await tables(trx)
    .insertInto('signal_facet_task')
    .values({
      cluster_id: task.clusterId,
      task_id: task.taskId,
      scope_id: task.scopeId,
      user_id: task.userId,
      selection: JSON.stringify(selection),
      asked_at: timestamp(nowMs),
    })
    .execute();
}

/** What was asked, if this user asked it in this scope. */
export async function findFacetTask(
  trx: TenantTransaction,
  task: FacetTask,
): Promise<SignalSelection | undefined> {
  const row = await tables(trx)
    .selectFrom('signal_facet_task')
    .select('selection')
    .where('cluster_id', '=', task.clusterId)
    .where('task_id', '=', task.taskId)
    .where('scope_id', '=', task.scopeId)
    .where('user_id', '=', task.userId)
    .executeTakeFirst();
  return row?.selection as SignalSelection | undefined;
}
