import { ENRICHMENT_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const AT_ONCE = 1_000;
const MOST_ROUNDS = 200;
const DAY_MS = 86_400_000;

/** Removes counts of hits and hunts after thirty days; over all tenants, by age. */
export function enrichmentUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return scheduledJob('enrichment-upkeep', '40 * * * *', (_nothing, { signal }) =>
    inRounds(AT_ONCE, MOST_ROUNDS, () => removeOld(deps.postgres, deps.clock.now()), signal),
  );
}

function removeOld(postgres: Postgres, nowMs: number): Promise<number> {
  const before = timestamp(nowMs - ENRICHMENT_LIMITS.days * DAY_MS);
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'enrichment_upkeep', true)`.execute(trx);
    const { numAffectedRows: days } = await sql`
      delete from enrichment_hit where ctid in (
        select ctid from enrichment_hit where day < (${before}::timestamptz at time zone 'UTC')::date
        limit ${AT_ONCE})`.execute(trx);
    const { numAffectedRows: hunts } = await sql`
      delete from indicator_hunt where ctid in (
        select ctid from indicator_hunt where created_at < ${before} limit ${AT_ONCE})`.execute(trx);
    return Number(days ?? 0n) + Number(hunts ?? 0n);
  });
}
