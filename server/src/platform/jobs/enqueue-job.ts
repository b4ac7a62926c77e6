import { type QueryExecutorProvider, sql } from 'kysely';
import { storableJson, storableText } from '../postgres/storable.ts';
import type { JobRequestForm } from './job.ts';

export interface JobRequest<P> {
  readonly payload: P;
  /** The tenant it is for; null for the whole installation. In a tenant's transaction it must be that tenant. */
  readonly clusterId: string | null;
  /** Of one kind and tenant, one run with this key waits at a time: a second request joins it. */
  readonly key?: string;
  /** Not before so many milliseconds have passed. */
  readonly waitMs?: number;
  /** Null for the product itself. */
  readonly askedBy?: { readonly userId: string; readonly name: string } | null;
}

/**
 * Asks for a run of a job, in the transaction of the act that needs it: both stand or neither. It begins when the
 * transaction has ended. Answers the id of the run.
 */
export async function enqueueJob<P>(
  db: QueryExecutorProvider,
  job: JobRequestForm<P>,
  request: JobRequest<P>,
): Promise<number> {
  const { payload, clusterId, key = null, waitMs = 0, askedBy = null } = request;
  const name = askedBy && storableText(askedBy.name.slice(0, 1024));
  const { rows } = await sql<{ id: number }>`
    select enqueue_job(${job.kind}, ${clusterId}, ${storableJson(job.payload.parse(payload))}::jsonb, ${key},
      ${job.slotsPerTenant}, ${waitMs}, ${askedBy?.userId ?? null}, ${name}) as id`.execute(db);
  return Number(rows[0]?.id);
}
