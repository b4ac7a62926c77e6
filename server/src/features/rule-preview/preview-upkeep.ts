import { PREVIEW_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { ageOutRows } from '../../platform/jobs/age-out-rows.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const KEPT_MS = PREVIEW_LIMITS.keptDays * 86_400_000;

/** Removes old previews with what they found. */
export function previewUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return ageOutRows({
    ...deps,
    kind: 'rule-preview-upkeep',
    schedule: '50 3 * * *',
    atOnce: 200,
    mostRounds: 100,
    statements: (nowMs, atOnce) => [
      sql`delete from rule_preview where ctid in (select ctid from rule_preview
        where created_at < ${timestamp(nowMs - KEPT_MS)} limit ${atOnce})`,
    ],
  });
}
