import type { TuningRequest } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// Requests to tune a rule, in the caller's transaction of one tenant.

interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface NewRequest {
  readonly requestId: string;
  readonly workbookId: string;
  readonly workbookName: string;
  readonly signalId: string | null;
  readonly comment: string;
  readonly atMs: number;
  readonly by: { readonly userId: string; readonly name: string };
}

export async function insertRequest(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  { requestId, workbookId, workbookName, signalId, comment, atMs, by }: NewRequest,
): Promise<void> {
  await sql`insert into rule_tuning (cluster_id, scope_id, request_id, workbook_id, workbook_name, signal_id, comment,
      asked_at, asked_by, asked_by_id)
    values (${clusterId}, ${scopeId}, ${requestId}, ${workbookId}, ${workbookName}, ${signalId}, ${comment},
      ${timestamp(atMs)}, ${by.name}, ${by.userId})`.execute(trx);
}

/** Open requests of a scope by rule. */
export async function openByRule(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  workbookId: string | null = null,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ workbook_id: string; count: number }>`
    select workbook_id, count(*)::integer as count from rule_tuning
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and resolved_at is null
      and (${workbookId}::text is null or workbook_id = ${workbookId})
    group by workbook_id`.execute(trx);
  return new Map(rows.map((row) => [row.workbook_id, row.count]));
}

export interface RequestFilter {
  readonly ID?: string | undefined;
  readonly state: 'open' | 'resolved' | 'all';
  readonly pageno: number;
  readonly pagesize: number;
}

export async function pageRequests(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  { ID, state, pageno, pagesize }: RequestFilter,
): Promise<{ data: TuningRequest[]; total_count: number }> {
  const where = sql`cluster_id = ${clusterId} and scope_id = ${scopeId}
    and (${ID ?? null}::text is null or workbook_id = ${ID ?? null})
    and (${state} = 'all' or (${state} = 'open') = (resolved_at is null))`;
  const counted = await sql<{ count: number }>`
    select count(*)::integer as count from rule_tuning where ${where}`.execute(trx);
  const { rows } = await sql<TuningRequest>`
    select request_id, workbook_id as "ID", workbook_name as rule_name, signal_id, comment, asked_at as asked,
      asked_by, resolved_at as resolved, resolved_by, resolution
    from rule_tuning where ${where} order by asked_at desc, request_id
    limit ${pagesize} offset ${(pageno - 1) * pagesize}`.execute(trx);
  return { data: [...rows], total_count: counted.rows[0]?.count ?? 0 };
}

export interface Closed {
  readonly isOpen: boolean;
  readonly workbookId: string;
  readonly workbookName: string;
}

/** The request, held until the transaction ends; null when the scope has none such. */
export async function lockRequest(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  requestId: string,
): Promise<Closed | null> {
  const { rows } = await sql<Closed>`
    select resolved_at is null as "isOpen", workbook_id as "workbookId", workbook_name as "workbookName"
    from rule_tuning where cluster_id = ${clusterId} and scope_id = ${scopeId} and request_id = ${requestId}
    for update`.execute(trx);
  return rows[0] ?? null;
}

export async function closeRequest(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  requestId: string,
  how: { readonly resolution: string; readonly author: string; readonly atMs: number },
): Promise<void> {
  await sql`update rule_tuning set resolved_at = ${timestamp(how.atMs)}, resolved_by = ${how.author},
      resolution = ${how.resolution}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and request_id = ${requestId}`.execute(trx);
}
