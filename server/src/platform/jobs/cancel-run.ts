import { type QueryExecutorProvider, sql } from 'kysely';
import { CANCEL_CHANNEL } from './job-runs.ts';

/** Cancels a run that waits; asks one that runs to stop. */
export async function markCanceled(trx: QueryExecutorProvider, runId: number): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array[queue_id]) from job_run
    where run_id = ${runId} and state = 'waiting'`.execute(trx);
  await sql`update job_run set cancel_at = now(), ended_at = case when state = 'waiting' then now() end,
      state = case when state = 'waiting' then 'canceled' else state end
    where run_id = ${runId}`.execute(trx);
  await sql`select pg_notify(${CANCEL_CHANNEL}, ${String(runId)})`.execute(trx);
}

/** The state of a run; undefined when its record is gone. */
export async function runState(db: QueryExecutorProvider, runId: number): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`select state from job_run where run_id = ${runId}`.execute(
    db,
  );
  return rows[0]?.state;
}
