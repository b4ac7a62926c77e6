import { SUPPRESSION_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const AT_ONCE = 1_000;
const MOST_ROUNDS = 200;
const DAY_MS = 86_400_000;

/** Removes what was suppressed, and counts of hits, after thirty days; over all tenants, by age. */
export function suppressionUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return scheduledJob('suppression-upkeep', '50 * * * *', (_nothing, { signal }) =>
    inRounds(AT_ONCE, MOST_ROUNDS, () => removeOld(deps.postgres, deps.clock.now()), signal),
  );
}

function removeOld(postgres: Postgres, nowMs: number): Promise<number> {
  const before = timestamp(nowMs - SUPPRESSION_LIMITS.days * DAY_MS);
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'suppression_upkeep', true)`.execute(trx);
    const { numAffectedRows } = await sql`
      delete from suppressed_occurrence where ctid in (
        select ctid from suppressed_occurrence where suppressed_at < ${before} limit ${AT_ONCE})`.execute(
      trx,
    );
    const { numAffectedRows: days } = await sql`
      delete from suppression_hits where ctid in (
        select ctid from suppression_hits where day < (${before}::timestamptz at time zone 'UTC')::date
        limit ${AT_ONCE})`.execute(trx);
    return Number(numAffectedRows ?? 0n) + Number(days ?? 0n);
  });
}
