import type { PackRule, RuleFilter, RulePack } from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { joinedSampleState } from '../samples/sample-state.ts';

// What lists and counts ask of rules. No text is read: all that is filtered stands in the row.

/** Levels and verdicts in the order in which they matter. */
const LEVELS = ['informational', 'low', 'medium', 'high', 'critical'];

const JOINED = sql`pack_rule r join rule_pack p on p.cluster_id = r.cluster_id and p.pack_id = r.pack_id
  left join scope_rule s on s.cluster_id = r.cluster_id and s.rule_id = r.rule_id`;

const likeOf = (word: string): string => `%${word.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;

function matching(clusterId: string, filter: RuleFilter): RawBuilder<unknown> {
  const parts = [sql`r.cluster_id = ${clusterId}`];
  for (const word of (filter.text ?? '')
    .split(/\s+/)
    .filter((one) => one !== '')
    .slice(0, 10))
    parts.push(sql`r.search_text like ${likeOf(word)}`);
  if (filter.verdict !== undefined) parts.push(sql`r.verdict = ${filter.verdict}`);
  if (filter.level !== undefined) parts.push(sql`r.level = ${filter.level}`);
  if (filter.log_source !== undefined) parts.push(sql`r.log_source = ${filter.log_source}`);
  if (filter.tactic !== undefined) parts.push(sql`${filter.tactic} = any(r.tactics)`);
  if (filter.technique !== undefined) parts.push(sql`${filter.technique} = any(r.techniques)`);
  if (filter.pack_id !== undefined) parts.push(sql`r.pack_id = ${filter.pack_id}`);
  if (filter.enabled !== undefined) parts.push(sql`coalesce(s.enabled, false) = ${filter.enabled}`);
  if (filter.samples !== undefined) parts.push(sql`${samplesAt(clusterId).state} = ${filter.samples}`);
  return sql.join(parts, sql` and `);
}

const samplesAt = (clusterId: string) => joinedSampleState(clusterId, sql`r.rule_id`);

/** Rules with what the scope makes of them and the state of their samples. */
const rulesAt = (clusterId: string, scopeId: string): RawBuilder<unknown> =>
  sql`${JOINED} and s.scope_id = ${scopeId} ${samplesAt(clusterId).join}`;

const from = (clusterId: string, scopeId: string, filter: RuleFilter): RawBuilder<unknown> =>
  sql`${rulesAt(clusterId, scopeId)} where ${matching(clusterId, filter)}`;

const columnsAt = (
  clusterId: string,
) => sql`r.rule_id, r.pack_id, p.name as pack, r.kind, r.title, r.level, r.status, r.log_source, r.tactics,
  r.techniques, r.verdict, r.reason_code, r.can_run, coalesce(s.enabled, false) as enabled,
  coalesce(s.stage, 'test') as stage, r.version, r.changed_at as changed, r.gone_at is not null as is_gone,
  ${samplesAt(clusterId).state} as sample_state`;

const ORDERS = {
  title: sql`r.title`,
  level: sql`array_position(${LEVELS}::text[], r.level)`,
  verdict: sql`r.verdict`,
  changed: sql`r.changed_at`,
};

export interface RulePage {
  readonly pageno: number;
  readonly pagesize: number;
  readonly sort: keyof typeof ORDERS;
  readonly order: 'asc' | 'desc';
}

export async function pageRules(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  filter: RuleFilter,
  { pageno, pagesize, sort, order }: RulePage,
): Promise<{ data: PackRule[]; total_count: number }> {
  const found = from(clusterId, scopeId, filter);
  const direction = order === 'asc' ? sql`asc nulls first` : sql`desc nulls last`;
  const { rows } = await sql<PackRule>`select ${columnsAt(clusterId)} from ${found}
    order by ${ORDERS[sort]} ${direction}, r.title, r.rule_id
    limit ${pagesize} offset ${(pageno - 1) * pagesize}`.execute(trx);
  const { rows: counted } = await sql<{ n: number }>`select count(*) as n from ${found}`.execute(trx);
  return { data: rows, total_count: counted[0]?.n ?? 0 };
}

interface Counted {
  readonly kind: 'verdicts' | 'levels' | 'log_sources' | 'tactics' | 'samples' | 'enabled' | 'total';
  readonly name: string;
  readonly count: number;
}

/** How many rules a filter lets through, by several things at once, the most frequent first. */
export async function countRules(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  filter: RuleFilter,
): Promise<readonly Counted[]> {
  const { rows } = await sql<Counted>`
    with found as materialized (
      select r.verdict, r.level, r.log_source, r.tactics, coalesce(s.enabled, false) as enabled,
        ${samplesAt(clusterId).state} as samples
      from ${from(clusterId, scopeId, filter)})
    select 'verdicts' as kind, verdict as name, count(*) as count from found group by verdict
    union all select 'levels', level, count(*) from found group by level
    union all select 'log_sources', log_source, count(*) from found where log_source <> '' group by log_source
    union all select 'tactics', tactic, count(*) from found, unnest(tactics) as each (tactic) group by tactic
    union all select 'samples', samples, count(*) from found group by samples
    union all select 'enabled', '', count(*) from found where enabled
    union all select 'total', '', count(*) from found
    order by count desc, name`.execute(trx);
  return rows;
}

export interface RuleToSwitch {
  readonly rule_id: string;
  readonly can_run: boolean;
  readonly enabled: boolean;
  readonly stage: string;
}

/** The ids of rules that a filter lets through and that could be switched, with the others counted. */
export async function rulesToSwitch(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  which: { readonly ruleIds: readonly string[] } | { readonly filter: RuleFilter },
): Promise<readonly RuleToSwitch[]> {
  const condition =
    'ruleIds' in which
      ? sql`${rulesAt(clusterId, scopeId)}
          where r.cluster_id = ${clusterId} and r.rule_id = any(${which.ruleIds}::text[])`
      : from(clusterId, scopeId, which.filter);
  const { rows } = await sql<RuleToSwitch>`
    select r.rule_id, r.can_run, coalesce(s.enabled, false) as enabled, coalesce(s.stage, 'test') as stage from ${condition} order by r.rule_id`.execute(
    trx,
  );
  return rows;
}

/** One rule as the list shows it; undefined when the tenant has none. */
export async function findRule(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  ruleId: string,
): Promise<PackRule | undefined> {
  const { rows } = await sql<PackRule>`select ${columnsAt(clusterId)} from ${rulesAt(clusterId, scopeId)}
    where r.cluster_id = ${clusterId} and r.rule_id = ${ruleId}`.execute(trx);
  return rows[0];
}

export async function listPacks(trx: TenantTransaction, clusterId: string): Promise<RulePack[]> {
  const { rows } = await sql<RulePack>`
    select p.pack_id, p.name, p.kind, p.imported_at as imported, p.imported_by,
      (select count(*) from pack_rule r where r.cluster_id = p.cluster_id and r.pack_id = p.pack_id) as rules
    from rule_pack p where p.cluster_id = ${clusterId} order by p.name`.execute(trx);
  return rows;
}
