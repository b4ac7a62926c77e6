import type { AuditItem } from '@tyrian/contract';
import { type Expression, type SqlBool, sql } from 'kysely';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import type { IdentityDb } from '../identity-tables.ts';

/** Which entries somebody may see; `everything` for root. */
export type AuditReach =
  | { readonly kind: 'everything' }
  | { readonly kind: 'cluster'; readonly clusterId: string }
  | { readonly kind: 'parts'; readonly orgId: string | null; readonly clusterIds: readonly string[] };

export interface AuditFilter {
  readonly reach: AuditReach;
  /** Half-open, epoch milliseconds. */
  readonly from: number;
  readonly to: number;
  readonly orgId: string | null;
  /** True: with a tenant; false: without one. */
  readonly ofTenants: boolean | null;
  readonly user: string;
  readonly action: string;
}

function reachCondition(reach: AuditReach): Expression<SqlBool> {
  if (reach.kind === 'everything') return sql<SqlBool>`true`;
  if (reach.kind === 'cluster') return sql<SqlBool>`cluster_id = ${reach.clusterId}`;
  const ofOrg = reach.orgId === null ? sql`false` : sql`org_id = ${reach.orgId}`;
  return sql<SqlBool>`(${ofOrg} or cluster_id = any(${[...reach.clusterIds]}::text[]))`;
}

function matching(db: IdentityDb, filter: AuditFilter) {
  let query = db
    .selectFrom('audit_entry')
    .where(reachCondition(filter.reach))
    .where('created_at', '>=', timestamp(filter.from))
    .where('created_at', '<', timestamp(filter.to))
    .where(sql<SqlBool>`strpos(lower(user_name), ${filter.user.trim().toLowerCase()}) > 0`)
    .where(sql<SqlBool>`starts_with(action, ${filter.action})`);
  if (filter.orgId !== null) query = query.where('org_id', '=', filter.orgId);
  if (filter.ofTenants !== null) query = query.where('cluster_id', filter.ofTenants ? 'is not' : 'is', null);
  return query;
}

/** Entries before `beforeNo` (all when null), newest first. */
export async function selectAuditEntries(
  db: IdentityDb,
  filter: AuditFilter,
  page: { readonly limit: number; readonly offset: number; readonly beforeNo?: number },
): Promise<AuditItem[]> {
  let query = matching(db, filter).selectAll();
  if (page.beforeNo !== undefined) query = query.where('chain_no', '<', page.beforeNo);
  const rows = await query.orderBy('chain_no', 'desc').limit(page.limit).offset(page.offset).execute();
  return rows.map((row) => ({
    entry_no: row.chain_no,
    created: row.created_at,
    source: row.source,
    action: row.action,
    entity: row.entity,
    user_id: row.user_id,
    user: row.user_name,
    orgId: row.org_id,
    cluster_id: row.cluster_id,
    scope_id: row.scope_id,
    details: row.details as Record<string, unknown>,
  }));
}

export async function countAuditEntries(db: IdentityDb, filter: AuditFilter): Promise<number> {
  const { total } = await matching(db, filter)
    .select(sql<number>`count(*)`.as('total'))
    .executeTakeFirstOrThrow();
  return total;
}
