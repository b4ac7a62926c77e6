import { REPARSE_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { reparseRequest } from './reparse-request.ts';

const AT_ONCE = 200;
const MOST_ROUNDS = 100;
const KEPT_MS = REPARSE_LIMITS.keptDays * 86_400_000;

/** Has runs finished that ended while they replaced something, and removes old ones; over all tenants, by age. */
export function reparseUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return scheduledJob('reparse-upkeep', '*/10 * * * *', async (_nothing, { signal }) => {
    const finished = await finishMidway(deps.postgres);
    const removed = await inRounds(
      AT_ONCE,
      MOST_ROUNDS,
      () => removeOld(deps.postgres, deps.clock.now()),
      signal,
    );
    return finished + removed;
  });
}

const asSweep = sql`select set_config('tyrian.sweep', 'reparse_upkeep', true)`;

async function finishMidway(postgres: Postgres): Promise<number> {
  const midway = await postgres.platform.transaction().execute(async (trx) => {
    await asSweep.execute(trx);
    const { rows } = await sql<{ cluster_id: string; scope_id: string; reparse_id: string }>`
      select cluster_id, scope_id, reparse_id from reparse
      where unit is not null and ended_at is not null limit ${AT_ONCE}`.execute(trx);
    return rows;
  });
  for (const { cluster_id: clusterId, scope_id: scopeId, reparse_id: reparseId } of midway)
    await postgres.inTenant(clusterId, (trx) =>
      enqueueJob(trx, reparseRequest, { payload: { scopeId, reparseId }, clusterId, key: reparseId }),
    );
  return midway.length;
}

function removeOld(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await asSweep.execute(trx);
    const { numAffectedRows } = await sql`
      delete from reparse where ctid in (select ctid from reparse
        where created_at < ${timestamp(nowMs - KEPT_MS)} and unit is null limit ${AT_ONCE})`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
