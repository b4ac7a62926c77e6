import { OWN_PACK, type PackRuleDetail } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';

// The tenant's own rules in PostgreSQL, beside what every rule of a pack has. Every function works in the caller's
// transaction of one tenant.

export interface OwnRuleRow {
  readonly rule_id: string;
  readonly title: string;
  readonly version: number;
  readonly cloned_from: string | null;
  readonly locked_by: string | null;
  readonly locked_by_id: string | null;
  readonly locked_at: number | null;
}

/** What the page of a rule shows of it. */
export const ownOf = (
  { cloned_from, locked_by, locked_by_id, locked_at }: OwnRuleRow,
  userId: string,
): NonNullable<PackRuleDetail['own']> => ({
  locked: locked_by_id !== null,
  locked_by,
  since: locked_at,
  may_change: locked_by_id === null || locked_by_id === userId,
  cloned_from,
});

/** Null when the tenant has no such rule of its own. */
export async function findOwnRule(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
): Promise<OwnRuleRow | null> {
  const { rows } = await sql<OwnRuleRow>`
    select o.rule_id, r.title, r.version, o.cloned_from, o.locked_by, o.locked_by_id, o.locked_at
    from own_rule o join pack_rule r on r.cluster_id = o.cluster_id and r.rule_id = o.rule_id
    where o.cluster_id = ${clusterId} and o.rule_id = ${ruleId}`.execute(trx);
  return rows[0] ?? null;
}

/**
 * Makes the pack of own rules when there is none, and holds it until the transaction ends: own rules are changed one
 * after the other. Answers how many rules it has. A pack that was imported under its name keeps it.
 */
export async function holdOwnPack(trx: TenantTransaction, clusterId: string, nowMs: number): Promise<number> {
  await sql`insert into rule_pack (cluster_id, pack_id, name, kind, created_at)
    select ${clusterId}, ${OWN_PACK}, case when exists (select from rule_pack where cluster_id = ${clusterId}
      and name = 'Own rules' and pack_id <> ${OWN_PACK}) then 'Own rules (console)' else 'Own rules' end, 'own',
      ${timestamp(nowMs)}
    on conflict (cluster_id, pack_id) do nothing`.execute(trx);
  await sql`select from rule_pack where cluster_id = ${clusterId} and pack_id = ${OWN_PACK} for update`.execute(
    trx,
  );
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pack_rule
    where cluster_id = ${clusterId} and pack_id = ${OWN_PACK}`.execute(trx);
  return rows[0]?.n ?? 0;
}

export interface OwnText {
  readonly ruleId: string;
  readonly text: string;
}

/**
 * The texts of the own rules that are read together: all of them once one is a correlation or a filter, which name others;
 * else none, since a rule stands for itself.
 */
export async function textsThatMeet(
  trx: TenantTransaction,
  clusterId: string,
  isOneOfThem: boolean,
): Promise<readonly OwnText[]> {
  const { rows } = await sql<OwnText>`
    select r.rule_id as "ruleId", t.body as text from pack_rule r join rule_text t on t.text_hash = r.text_hash
    where r.cluster_id = ${clusterId} and r.pack_id = ${OWN_PACK} and (${isOneOfThem} or exists (
      select from pack_rule o where o.cluster_id = ${clusterId} and o.pack_id = ${OWN_PACK}
        and o.kind in ('correlation', 'filter')))
    order by r.rule_id`.execute(trx);
  return rows;
}

/** The title of another own rule with this Sigma id; null when there is none. */
export async function ownRuleWithId(
  trx: TenantTransaction,
  clusterId: string,
  sigmaId: string | null,
  exceptRuleId: string,
): Promise<string | null> {
  if (sigmaId === null) return null;
  const { rows } = await sql<{ title: string }>`select title from pack_rule
    where cluster_id = ${clusterId} and pack_id = ${OWN_PACK} and sigma_id = ${sigmaId} and rule_id <> ${exceptRuleId}
    limit 1`.execute(trx);
  return rows[0]?.title ?? null;
}

export async function insertOwnRule(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  clonedFrom: string | null,
): Promise<void> {
  await sql`insert into own_rule (cluster_id, rule_id, cloned_from) values (${clusterId}, ${ruleId}, ${clonedFrom})`.execute(
    trx,
  );
}

export async function writeLock(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  by: { readonly userId: string; readonly name: string; readonly nowMs: number } | null,
): Promise<void> {
  await sql`update own_rule set locked_by = ${by?.name ?? null}, locked_by_id = ${by?.userId ?? null},
      locked_at = ${by === null ? null : timestamp(by.nowMs)}
    where cluster_id = ${clusterId} and rule_id = ${ruleId}`.execute(trx);
}

/** Whether any scope has the rule switched on. */
export async function isOnAnywhere(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
): Promise<boolean> {
  const { rows } = await sql`select from scope_rule
    where cluster_id = ${clusterId} and rule_id = ${ruleId} and enabled limit 1`.execute(trx);
  return rows.length > 0;
}

/** The text of a version of any rule of a pack; undefined when there is none. */
export async function findVersion(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
  version: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ text: string }>`
    select t.body as text from pack_rule_version v join rule_text t on t.text_hash = v.text_hash
    where v.cluster_id = ${clusterId} and v.rule_id = ${ruleId} and v.version = ${version}`.execute(trx);
  return rows[0]?.text;
}
