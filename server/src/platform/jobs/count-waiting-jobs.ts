import { sql } from 'kysely';
import type { Postgres } from '../postgres/postgres.ts';

/** How many runs of jobs could begin now and have not, over all tenants. Reads what has not ended, which is little. */
export async function countWaitingJobs({ platform }: Pick<Postgres, 'platform'>): Promise<number> {
  const { rows } = await sql<{ waiting: string }>`
    select count(*) as waiting from job_run where ended_at is null and state = 'waiting' and due_at <= now()`.execute(
    platform,
  );
  return Number(rows[0]?.waiting ?? 0);
}
