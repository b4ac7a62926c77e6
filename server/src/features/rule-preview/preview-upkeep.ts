import { PREVIEW_LIMITS } from '@tyrian/contract';
import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

const AT_ONCE = 200;
const MOST_ROUNDS = 100;
const KEPT_MS = PREVIEW_LIMITS.keptDays * 86_400_000;

/** Removes old previews with what they found; over all tenants, by age. */
export function previewUpkeep(deps: { readonly postgres: Postgres; readonly clock: Clock }): AnyJob {
  return scheduledJob('rule-preview-upkeep', '50 3 * * *', (_nothing, { signal }) =>
    inRounds(AT_ONCE, MOST_ROUNDS, () => removeOld(deps.postgres, deps.clock.now()), signal),
  );
}

function removeOld(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'rule_preview_upkeep', true)`.execute(trx);
    const { numAffectedRows } = await sql`
      delete from rule_preview where ctid in (select ctid from rule_preview
        where created_at < ${timestamp(nowMs - KEPT_MS)} limit ${AT_ONCE})`.execute(trx);
    return Number(numAffectedRows ?? 0n);
  });
}
