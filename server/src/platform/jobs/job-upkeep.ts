import { sql } from 'kysely';
import type { Postgres } from '../postgres/postgres.ts';
import { type Job, scheduledJob } from './job.ts';
import { SILENT_MS } from './job-runs.ts';

// What keeps the records of jobs small and true: old runs go, queues of nobody go, and a run whose queue entry is lost
// gets another.

const KEPT_DAYS = 30;
/** Of a sweep that found nothing to do. */
const QUIET_MINUTES = 60;
const AT_ONCE = 5_000;
const MAX_ROUNDS = 40;

/** Deletes runs that ended long ago; answers how many. */
async function pruneRuns(postgres: Postgres): Promise<number> {
  let pruned = 0;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { numAffectedRows } = await sql`
      delete from job_run where run_id in (
        select run_id from job_run where ended_at < now() - ${QUIET_MINUTES} * interval '1 minute'
          and (ended_at < now() - ${KEPT_DAYS} * interval '1 day'
            or is_scheduled and state = 'done' and coalesce(progress_done, 0) = 0)
        limit ${AT_ONCE})`.execute(postgres.platform);
    pruned += Number(numAffectedRows ?? 0n);
    if (Number(numAffectedRows ?? 0n) < AT_ONCE) break;
  }
  return pruned;
}

/** Queues without entries: graphile-worker looks at every queue each time. Nobody may be adding to one meanwhile. */
function removeEmptyQueues(postgres: Postgres): Promise<void> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`set local lock_timeout = '1s'`.execute(trx);
    await sql`lock table graphile_worker._private_job_queues in exclusive mode`.execute(trx);
    await sql`delete from graphile_worker._private_job_queues q where locked_at is null
      and not exists (select from graphile_worker._private_jobs j where j.job_queue_id = q.id)`.execute(trx);
  });
}

/** Runs that wait or ran on a dead process, without an entry in the queue. */
async function reviveLost(postgres: Postgres): Promise<number> {
  const { rows } = await sql<{ back: boolean }>`
    select put_job_back(r.run_id, array[r.state], r.attempt, r.attempt, 0, r.error) as back from job_run r
    where r.ended_at is null and r.due_at < now() - interval '10 minutes'
      and (r.state = 'waiting' or not exists (select from job_runner p where p.pool_id = r.pool_id
        and p.seen_at > now() - ${SILENT_MS} * interval '1 millisecond'))
      and not exists (select from graphile_worker.jobs j where j.id = r.queue_id)`.execute(postgres.platform);
  return rows.filter((row) => row.back).length;
}

/** Each hour. Answers how many old runs went and lost ones came back. */
export function jobUpkeep(postgres: Postgres): Job<object> {
  return scheduledJob('job-upkeep', '17 * * * *', async () => {
    const pruned = await pruneRuns(postgres);
    const revived = await reviveLost(postgres);
    await removeEmptyQueues(postgres);
    return pruned + revived;
  });
}
