import { say, storedText } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { inRounds, type Job, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { SearchResultStore } from './search-result-store.ts';

// Rows of searches are kept for a while, within a quota of each tenant. Beyond it those go that weigh most behind
// newer ones of the same user: whoever keeps little keeps it, however much a colleague searches. What is over goes by
// itself: tasks by a sweep over all tenants, rows by the engine that keeps them.

/** Text of the rows that the searches of one tenant may keep; compressed it is a fraction of that. */
const KEPT_BYTES_PER_TENANT = 1024 * 1024 * 1024;
/** The quota is looked at whenever the searches of one process have kept so much more of a tenant. */
const LOOK_BYTES = 32 * 1024 * 1024;
const SWEPT_AT_ONCE = 500;
const MAX_ROUNDS = 20;

const MADE_ROOM = storedText(say('search.madeRoom'));

export interface ResultQuota {
  /** A search of the tenant has kept so many bytes more. */
  kept(clusterId: string, bytes: number): Promise<void>;
  /**
   * Drops the rows of ended searches of a tenant beyond `mostBytes`; their tasks stay and say so. One whose rows could
   * not be read, because it ended before its audit entry, keeps its own reason. Answers how many searches lost rows.
   */
  enforce(clusterId: string, maxBytes?: number): Promise<number>;
}

export function createResultQuota(postgres: Postgres, results: SearchResultStore): ResultQuota {
  const since = new Map<string, number>();
  const enforce: ResultQuota['enforce'] = async (clusterId, maxBytes = KEPT_BYTES_PER_TENANT) => {
    const gone = await dropBeyond(postgres, clusterId, maxBytes);
    await results.remove(clusterId, gone);
    return gone.length;
  };
  return {
    enforce,
    kept: async (clusterId, bytes) => {
      const more = (since.get(clusterId) ?? 0) + bytes;
      if (more < LOOK_BYTES) {
        if (bytes > 0) since.set(clusterId, more);
        return;
      }
      since.delete(clusterId);
      await enforce(clusterId);
    },
  };
}

/** Says of the searches beyond the quota that they have no rows any more; answers which. */
function dropBeyond(postgres: Postgres, clusterId: string, maxBytes: number): Promise<readonly string[]> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { rows } = await sql<{ kept: number | null }>`
      select sum(kept_bytes)::bigint as kept from search_task
      where cluster_id = ${clusterId} and kept_bytes > 0`.execute(trx);
    if ((rows[0]?.kept ?? 0) <= maxBytes) return [];
    const { rows: gone } = await sql<{ id: string }>`
      with behind as (
        select id, kept_bytes,
          sum(kept_bytes) over (partition by user_id order by started_at desc, id) as of_user
        from search_task
        where cluster_id = ${clusterId} and kept_bytes > 0 and ended_at is not null
      ), counted as (
        select id, sum(kept_bytes) over (order by of_user, id) as together from behind
      )
      update search_task set kept_bytes = 0, row_count = 0,
        stage = case when row_count > 0 then 'FAILURE' else stage end,
        state = case when row_count > 0 then 'FAILED' else state end,
        message = case when row_count > 0 then ${MADE_ROOM} else message end
      from counted
      where cluster_id = ${clusterId} and search_task.id = counted.id and together > ${maxBytes}
      returning search_task.id`.execute(trx);
    return gone.map(({ id }) => id);
  });
}

/** Removes expired searches of all tenants, oldest first, one process at a time. Answers how many. */
export function removeExpiredResults(
  postgres: Postgres,
  nowMs: number,
  signal?: AbortSignal,
): Promise<number> {
  const round = () =>
    postgres.platform.transaction().execute(async (trx) => {
      await sql`select set_config('tyrian.sweep', 'search_task', true)`.execute(trx);
      const lock = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('expired searches')) as mine`.execute(trx);
      if (!lock.rows[0]?.mine) return 0;
      const { numAffectedRows } = await sql`
        delete from search_task where (cluster_id, id) in (
          select cluster_id, id from search_task where expires_at <= ${timestamp(nowMs)}
          order by expires_at limit ${SWEPT_AT_ONCE})`.execute(trx);
      return Number(numAffectedRows ?? 0n);
    });
  return inRounds(SWEPT_AT_ONCE, MAX_ROUNDS, round, signal);
}

/** Removes expired searches each minute; several processes may do so at once. */
export function expiredSearches({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): Job<object> {
  return scheduledJob('expired-searches', '* * * * *', (_nothing, { signal }) =>
    removeExpiredResults(postgres, clock.now(), signal),
  );
}
