import { sql } from 'kysely';
import type { Clock } from '../clock.ts';
import { type Job, scheduledJob } from '../jobs/job.ts';
import type { Postgres } from '../postgres/postgres.ts';
import { timestamp } from '../postgres/timestamp.ts';

const KEPT_MS = 7 * 86_400_000;
/** Also what a consumer has not handled: one that nobody runs any more must not keep everything. */
const LONGEST_MS = 30 * 86_400_000;

/** Deletes events that every consumer has handled a week ago; answers how many. */
export function pruneEvents(postgres: Postgres, nowMs: number): Promise<number> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'domain_event', true)`.execute(trx);
    const { numAffectedRows } = await sql`
      delete from domain_event where created_at < ${timestamp(nowMs - KEPT_MS)}
        and (created_at < ${timestamp(nowMs - LONGEST_MS)} or event_id <= (select coalesce(min(position), 0) from event_consumer))`.execute(
      trx,
    );
    return Number(numAffectedRows ?? 0n);
  });
}

/** Each hour. */
export function eventUpkeep({
  postgres,
  clock,
}: {
  readonly postgres: Postgres;
  readonly clock: Clock;
}): Job<object> {
  return scheduledJob('event-upkeep', '27 * * * *', () => pruneEvents(postgres, clock.now()));
}
