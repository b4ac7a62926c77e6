import { DATA_MODEL_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const AT_ONCE = 1_000;
const MOST_ROUNDS = 100;
const KEPT_MS = DATA_MODEL_LIMITS.keptDays * 86_400_000;

/** Removes requests for the data model ninety days after they were decided; over all tenants, by age. */
export function modelUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return scheduledJob('data-model-upkeep', '20 4 * * *', (_nothing, { signal }) =>
    inRounds(AT_ONCE, MOST_ROUNDS, () => removeOld(deps.postgres, deps.clock.now()), signal),
  );
}

function removeOld(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'data_model_upkeep', true)`.execute(trx);
    const { numAffectedRows } = await sql`
      delete from catalog_request where ctid in (select ctid from catalog_request
        where decided_at < ${timestamp(nowMs - KEPT_MS)} limit ${AT_ONCE})`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
