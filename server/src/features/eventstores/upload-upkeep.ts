import { sql } from 'kysely';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { type AnyJob, inRounds, scheduledJob } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { uploadRequest } from './store-upload.ts';

// Rows of uploads that were replaced, deleted or failed are removed some minutes later: a query that began before still reads
// them, and every process has learned by then what counts. An upload whose process died while its caller waited is taken up.

const AT_ONCE = 50;
const MOST_ROUNDS = 40;
const LATER_MS = 10 * 60_000;

interface Deps {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'command' | 'tenantState'>;
  readonly clock: Clock;
}

interface OldUpload {
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly store_id: string;
  readonly upload_id: string;
  readonly state: string;
}

/** Removes rows that no longer count, over all tenants, and takes up uploads that nobody works on. */
export function uploadUpkeep(deps: Deps): AnyJob {
  return scheduledJob('eventstore-upkeep', '*/10 * * * *', async (_nothing, { signal }) => {
    const removed = await inRounds(AT_ONCE, MOST_ROUNDS, () => removeRows(deps), signal);
    return removed + (await takeUp(deps));
  });
}

/** What upkeep sees over all tenants. */
async function inSweep<T>(
  { postgres }: Deps,
  work: (
    trx: Parameters<Parameters<ReturnType<Postgres['platform']['transaction']>['execute']>[0]>[0],
  ) => Promise<T>,
): Promise<T> {
  return postgres.platform.transaction().execute(async (trx) => {
    await sql`select set_config('tyrian.sweep', 'eventstore_upkeep', true)`.execute(trx);
    return work(trx);
  });
}

async function removeRows(deps: Deps): Promise<number> {
  const before = timestamp(deps.clock.now() - LATER_MS);
  const old = await inSweep(deps, async (trx) => {
    const { rows } =
      await sql<OldUpload>`select cluster_id, scope_id, store_id, upload_id, state from eventstore_upload
      where state in ('failed', 'over') and ended_at < ${before} and rows_removed_at is null
      order by ended_at limit ${AT_ONCE}`.execute(trx);
    return rows;
  });
  const byStore = new Map<string, OldUpload[]>();
  for (const one of old) {
    const key = `${one.cluster_id} ${one.store_id}`;
    byStore.set(key, [...(byStore.get(key) ?? []), one]);
  }
  for (const uploads of byStore.values()) await removeOf(deps, uploads);
  return old.length;
}

/** An upload that failed stays, without rows, until another one follows it: its reason is shown. */
async function removeOf(deps: Deps, old: readonly OldUpload[]): Promise<void> {
  const { cluster_id = '', store_id = '' } = old[0] ?? {};
  const uploads = old.map(({ upload_id }) => upload_id);
  if ((await deps.events.tenantState(cluster_id)) === 'current')
    await deps.events.command(
      cluster_id,
      'ALTER TABLE eventstore_rows DELETE WHERE Store = {store:String} AND Upload IN {uploads:Array(String)}',
      { store: store_id, uploads: [...uploads] },
    );
  const now = timestamp(deps.clock.now());
  await deps.postgres.inTenant(cluster_id, async (trx) => {
    await sql`update eventstore_upload set rows_removed_at = ${now}
      where cluster_id = ${cluster_id} and upload_id = any(${[...uploads]})`.execute(trx);
    await sql`delete from eventstore_upload u where cluster_id = ${cluster_id} and upload_id = any(${[...uploads]})
      and (state = 'over' or not exists (select 1 from eventstore s
        where s.cluster_id = u.cluster_id and s.scope_id = u.scope_id and s.store_id = u.store_id))`.execute(
      trx,
    );
  });
}

async function takeUp(deps: Deps): Promise<number> {
  const before = timestamp(deps.clock.now() - LATER_MS);
  const left = await inSweep(deps, async (trx) => {
    const { rows } =
      await sql<OldUpload>`select cluster_id, scope_id, store_id, upload_id, state from eventstore_upload
      where state in ('waiting', 'running') and created_at < ${before} order by created_at limit ${AT_ONCE}`.execute(
        trx,
      );
    return rows;
  });
  for (const { cluster_id: clusterId, scope_id: scopeId, upload_id: uploadId } of left)
    await deps.postgres.inTenant(clusterId, (trx) =>
      enqueueJob(trx, uploadRequest, { payload: { scopeId, uploadId }, clusterId, key: uploadId }),
    );
  return left.length;
}
