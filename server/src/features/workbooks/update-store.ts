import type { ShippedPolicy } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// What people decided about updates of workbooks. Every function works in the caller's transaction of one tenant.

/** A tenant that has said nothing reviews them. */
export async function readPolicy(trx: TenantTransaction, clusterId: string): Promise<ShippedPolicy> {
  const { rows } = await sql<{ shipped: ShippedPolicy }>`select shipped from content_policy
    where cluster_id = ${clusterId}`.execute(trx);
  return rows[0]?.shipped ?? 'review';
}

interface Decided {
  readonly clusterId: string;
  readonly author: string;
  readonly nowMs: number;
}

export async function writePolicy(
  trx: TenantTransaction,
  { clusterId, author, nowMs }: Decided,
  shipped: ShippedPolicy,
): Promise<void> {
  await sql`insert into content_policy (cluster_id, shipped, changed_at, changed_by)
    values (${clusterId}, ${shipped}, ${timestamp(nowMs)}, ${author})
    on conflict (cluster_id) do update set shipped = excluded.shipped, changed_at = excluded.changed_at,
      changed_by = excluded.changed_by`.execute(trx);
}

/** What was declined, by workbook: the content that was offered. */
export async function declinedUpdates(
  trx: TenantTransaction,
  clusterId: string,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ workbook_id: string; offered: string }>`
    select workbook_id, offered from workbook_update_declined where cluster_id = ${clusterId}`.execute(trx);
  return new Map(rows.map(({ workbook_id, offered }) => [workbook_id, offered]));
}

export async function writeDeclined(
  trx: TenantTransaction,
  { clusterId, author, nowMs }: Decided,
  declined: readonly { readonly workbookId: string; readonly offered: string }[],
): Promise<void> {
  if (declined.length === 0) return;
  await sql`insert into workbook_update_declined (cluster_id, workbook_id, offered, declined_at, declined_by)
    select ${clusterId}, given."workbookId", given.offered, ${timestamp(nowMs)}, ${author}
    from jsonb_to_recordset(${JSON.stringify(declined)}::jsonb) as given ("workbookId" text, offered text)
    on conflict (cluster_id, workbook_id) do update set offered = excluded.offered,
      declined_at = excluded.declined_at, declined_by = excluded.declined_by`.execute(trx);
}

export async function dropDeclined(
  trx: TenantTransaction,
  clusterId: string,
  workbookIds: readonly string[],
): Promise<void> {
  await sql`delete from workbook_update_declined where cluster_id = ${clusterId}
    and workbook_id = any(${[...workbookIds]}::text[])`.execute(trx);
}

/** A copy whose original is newer than what it was made of, or was looked at. */
export interface CopyRow {
  readonly id: string;
  readonly name: string;
  readonly original_id: string;
  readonly original: string;
  readonly based_on: number;
  readonly now: number;
}

export async function staleCopies(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
): Promise<readonly CopyRow[]> {
  const { rows } = await sql<CopyRow>`
    select w.workbook_id as id, w.name, o.workbook_id as original_id, o.name as original, w.cloned_version as based_on,
      o.version as now
    from workbook w join workbook o on o.cluster_id = w.cluster_id and o.workbook_id = w.cloned_from
    where w.cluster_id = ${clusterId} and w.scope_id = ${scopeId} and w.cloned_from is not null and w.deleted_at is null
      and o.deleted_at is null and (o.scope_id is null or o.scope_id = w.scope_id) and o.version > w.cloned_version
    order by w.name, w.workbook_id limit 1000`.execute(trx);
  return rows;
}

/** Notes that somebody has looked at this version of a copy's original. */
export async function setBasedOn(
  trx: TenantTransaction,
  clusterId: string,
  workbookId: string,
  version: number,
): Promise<void> {
  await sql`update workbook set cloned_version = ${version}
    where cluster_id = ${clusterId} and workbook_id = ${workbookId}`.execute(trx);
}

/** Workbooks of a scope that copies were made of. */
export async function copiedIn(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`select distinct cloned_from as id from workbook
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and cloned_from is not null
      and deleted_at is null`.execute(trx);
  return new Set(rows.map(({ id }) => id));
}
