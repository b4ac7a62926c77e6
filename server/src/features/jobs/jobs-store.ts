import type { JobItem, JobState } from '@tyrian/contract';
import { type QueryExecutorProvider, type RawBuilder, sql } from 'kysely';

// Runs of jobs as their administrators list and change them. Every statement names what the caller may reach.

/** `everything`, or the jobs of these tenants and of those whose primary organization is this one. */
export type JobReach =
  | { readonly kind: 'everything' }
  | { readonly kind: 'parts'; readonly orgId: string | null; readonly clusterIds: readonly string[] };

export interface JobFilter {
  readonly state?: JobState | undefined;
  readonly kind?: string | undefined;
  readonly clusterId?: string | undefined;
  /** With scheduled checks that found nothing to do. */
  readonly quiet: boolean;
}

const MAX_COUNTED = 10_000;

function within(reach: JobReach): RawBuilder<unknown> {
  if (reach.kind === 'everything') return sql`true`;
  return sql`r.cluster_id in (select cluster_id from tenant_organization where org_id = ${reach.orgId} and is_primary
    union all select unnest(${[...reach.clusterIds]}::text[]))`;
}

function matching(reach: JobReach, { state, kind, clusterId, quiet }: JobFilter): RawBuilder<unknown> {
  const parts = [within(reach)];
  if (state !== undefined) parts.push(sql`r.state = ${state}`);
  if (kind !== undefined) parts.push(sql`r.kind = ${kind}`);
  if (clusterId !== undefined) parts.push(sql`r.cluster_id = ${clusterId}`);
  if (!quiet) parts.push(sql`not (r.is_scheduled and r.state = 'done' and coalesce(r.progress_done, 0) = 0)`);
  return sql.join(parts, sql` and `);
}

/** What has not ended first, then the newest. */
export async function selectJobs(
  db: QueryExecutorProvider,
  reach: JobReach,
  filter: JobFilter,
  page: { readonly limit: number; readonly offset: number },
): Promise<JobItem[]> {
  const { rows } = await sql<JobItem>`
    select r.run_id::text as job_id, r.kind, r.cluster_id as "clusterId", t.cluster_name, r.state,
      r.state = 'running' and r.cancel_at is not null as is_canceling, r.is_scheduled, r.asked_name as asked_by,
      r.attempt, r.progress_done as done, r.progress_total as total, r.error, r.created_at as created,
      r.due_at as due, r.started_at as started, r.ended_at as ended
    from job_run r left join tenant t using (cluster_id)
    where ${matching(reach, filter)}
    order by (r.ended_at is null) desc, r.run_id desc limit ${page.limit} offset ${page.offset}`.execute(db);
  return rows;
}

/** How many there are, up to 10,000. */
export async function countJobs(
  db: QueryExecutorProvider,
  reach: JobReach,
  filter: JobFilter,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from job_run r where ${matching(reach, filter)} limit ${MAX_COUNTED}) as counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** One run, held until the transaction ends; undefined when it is not within reach. */
export async function lockJob(
  trx: QueryExecutorProvider,
  reach: JobReach,
  runId: number,
): Promise<{ kind: string; clusterId: string | null; state: JobState; attempt: number } | undefined> {
  const { rows } = await sql<{ kind: string; clusterId: string | null; state: JobState; attempt: number }>`
    select r.kind, r.cluster_id as "clusterId", r.state, r.attempt from job_run r
    where r.run_id = ${runId} and ${within(reach)} for update`.execute(trx);
  return rows[0];
}

/** Lets an ended run wait for its first attempt again. */
export async function putBack(trx: QueryExecutorProvider, runId: number): Promise<void> {
  await sql`select put_job_back(${runId}, '{failed,canceled}', null, 0, 0, null)`.execute(trx);
}
