import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { ageOutRows } from '../../platform/jobs/age-out-rows.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const KEPT_MS = 365 * 86_400_000;

/** Removes requests to tune a rule a year after they were closed. */
export function ruleHealthUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return ageOutRows({
    ...deps,
    kind: 'rule-health-upkeep',
    schedule: '40 3 * * *',
    atOnce: 1_000,
    mostRounds: 100,
    statements: (nowMs, atOnce) => [
      sql`delete from rule_tuning where ctid in (select ctid from rule_tuning
        where resolved_at < ${timestamp(nowMs - KEPT_MS)} limit ${atOnce})`,
    ],
  });
}
