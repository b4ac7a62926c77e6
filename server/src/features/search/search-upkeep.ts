import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { inRounds, type Job, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// The records of searches that nobody needs any more: searches of long ago, and fields that no event has had since.

/** Searches of the history stay so long, and so do fields that no event has any more. */
export const KEPT_MS = 180 * 86_400_000;
const AT_ONCE = 1000;
/** A run that finds more leaves it to the next one. */
const MAX_ROUNDS = 100;

/** Removes what is older than `KEPT_MS`, of all tenants, oldest first. Answers how many rows. */
export async function removeOldSearchRecords(
  postgres: Postgres,
  nowMs: number,
  signal?: AbortSignal,
): Promise<number> {
  const before = timestamp(nowMs - KEPT_MS);
  const history = sql`delete from search_history where (cluster_id, id) in (
    select cluster_id, id from search_history where started_at < ${before} order by started_at limit ${AT_ONCE})`;
  const fields = sql`delete from seen_field where (cluster_id, scope_id, stream, path) in (
    select cluster_id, scope_id, stream, path from seen_field where last_seen_at < ${before}
    order by last_seen_at limit ${AT_ONCE})`;
  let removed = 0;
  for (const statement of [history, fields]) {
    const round = () =>
      postgres.platform.transaction().execute(async (trx) => {
        await sql`select set_config('tyrian.sweep', 'search_upkeep', true)`.execute(trx);
        return Number((await statement.execute(trx)).numAffectedRows ?? 0n);
      });
    removed += await inRounds(AT_ONCE, MAX_ROUNDS, round, signal);
  }
  return removed;
}

/** Removes old records of searches each night. */
export function searchUpkeep({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): Job<object> {
  return scheduledJob('search-upkeep', '40 2 * * *', (_nothing, { signal }) =>
    removeOldSearchRecords(postgres, clock.now(), signal),
  );
}
