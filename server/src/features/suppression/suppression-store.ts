import type { SuppressionCondition, SuppressionRule } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// The rows of suppression rules and their hits, in the caller's transaction.

interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

interface RuleRow extends Omit<SuppressionRule, 'expires' | 'created' | 'modified' | 'last_hit'> {
  readonly expires: Date | null;
  readonly created: Date;
  readonly modified: Date;
  readonly last_hit: Date | null;
}

const ms = (time: Date | number): number => new Date(time).getTime();

/** The rules of a scope, with the hits since a day, those of one workbook after another. */
export async function listRules(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  sinceMs: number,
  ruleId: string | null = null,
): Promise<readonly SuppressionRule[]> {
  const { rows } = await sql<RuleRow>`
    select r.rule_id, r.workbook_id, r.workbook_name, r.conditions, r.reason, r.enabled, r.expires_at as expires,
      r.created_at as created, r.created_by as author, r.changed_at as modified, r.changed_by as modified_by, r.revision,
      coalesce(h.hits, 0)::integer as hits_30d, h.last_at as last_hit
    from suppression_rule r left join lateral (
      select sum(hits) as hits, max(last_at) as last_at from suppression_hits h
      where h.cluster_id = r.cluster_id and h.scope_id = r.scope_id and h.rule_id = r.rule_id
        and h.day >= (${timestamp(sinceMs)}::timestamptz at time zone 'UTC')::date) h on true
    where r.cluster_id = ${clusterId} and r.scope_id = ${scopeId}
      and (${ruleId}::text is null or r.rule_id = ${ruleId})
    order by lower(r.workbook_name), r.created_at, r.rule_id`.execute(trx);
  return rows.map((row) => ({
    ...row,
    expires: row.expires && ms(row.expires),
    created: ms(row.created),
    modified: ms(row.modified),
    last_hit: row.last_hit && ms(row.last_hit),
  }));
}

export async function countRules(trx: TenantTransaction, { clusterId, scopeId }: InScope): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from suppression_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId}`.execute(trx);
  return rows[0]?.count ?? 0;
}

/** The revision and name of a rule, held until the end of the transaction; null when the scope has none such. */
export async function lockRule(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  ruleId: string,
): Promise<{ readonly revision: number; readonly workbook_name: string } | null> {
  const { rows } = await sql<{ revision: number; workbook_name: string }>`
    select revision, workbook_name from suppression_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId} for update`.execute(
    trx,
  );
  return rows[0] ?? null;
}

export interface RuleContent {
  readonly workbookId: string;
  readonly workbookName: string;
  readonly conditions: readonly SuppressionCondition[];
  readonly reason: string;
  readonly enabled: boolean;
  readonly expiresMs: number | null;
}

/** Writes a rule; answers its revision. */
export async function writeRule(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  ruleId: string,
  content: RuleContent,
  by: { readonly author: string; readonly nowMs: number },
): Promise<number> {
  const { workbookId, workbookName, conditions, reason, enabled, expiresMs } = content;
  const now = timestamp(by.nowMs);
  const expires = expiresMs === null ? null : timestamp(expiresMs);
  const { rows } = await sql<{ revision: number }>`
    insert into suppression_rule as old (cluster_id, scope_id, rule_id, workbook_id, workbook_name, conditions, reason,
      enabled, expires_at, created_at, created_by, changed_at, changed_by)
    values (${clusterId}, ${scopeId}, ${ruleId}, ${workbookId}, ${workbookName}, ${JSON.stringify(conditions)}::jsonb,
      ${reason}, ${enabled}, ${expires}, ${now}, ${by.author}, ${now}, ${by.author})
    on conflict (cluster_id, scope_id, rule_id) do update set workbook_id = excluded.workbook_id,
      workbook_name = excluded.workbook_name, conditions = excluded.conditions, reason = excluded.reason,
      enabled = excluded.enabled, expires_at = excluded.expires_at, revision = old.revision + 1,
      changed_at = excluded.changed_at, changed_by = excluded.changed_by
    returning revision`.execute(trx);
  return rows[0]?.revision ?? 1;
}

/** Switches a rule; answers its revision, null when the scope has none such. */
export async function switchRule(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  ruleId: string,
  enabled: boolean,
  by: { readonly author: string; readonly nowMs: number },
): Promise<{ readonly revision: number; readonly workbook_name: string } | null> {
  const { rows } = await sql<{ revision: number; workbook_name: string }>`
    update suppression_rule set enabled = ${enabled}, revision = revision + 1, changed_at = ${timestamp(by.nowMs)},
      changed_by = ${by.author}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}
    returning revision, workbook_name`.execute(trx);
  return rows[0] ?? null;
}

export async function deleteRule(
  trx: TenantTransaction,
  { clusterId, scopeId }: InScope,
  ruleId: string,
): Promise<{ readonly workbook_name: string } | null> {
  const { rows } = await sql<{ workbook_name: string }>`
    delete from suppression_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}
    returning workbook_name`.execute(trx);
  return rows[0] ?? null;
}
