import { SUPPRESSION_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { ageOutRows } from '../../platform/jobs/age-out-rows.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const DAY_MS = 86_400_000;

/** Removes what was suppressed, and counts of hits, after thirty days. */
export function suppressionUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return ageOutRows({
    ...deps,
    kind: 'suppression-upkeep',
    schedule: '50 * * * *',
    atOnce: 1_000,
    mostRounds: 200,
    statements: (nowMs, atOnce) => {
      const before = timestamp(nowMs - SUPPRESSION_LIMITS.days * DAY_MS);
      return [
        sql`delete from suppressed_occurrence where ctid in (
          select ctid from suppressed_occurrence where suppressed_at < ${before} limit ${atOnce})`,
        sql`delete from suppression_hits where ctid in (
          select ctid from suppression_hits where day < (${before}::timestamptz at time zone 'UTC')::date
          limit ${atOnce})`,
      ];
    },
  });
}
