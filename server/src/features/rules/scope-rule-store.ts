import { type RuleOverlay, ruleOverlaySchema } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { RuleAbout } from './rule-about.ts';

// What scopes change about rules, and the parts of a rule that only its page shows. Every function works in the caller's
// transaction of one tenant.

export interface ScopeWriter {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly nowMs: number;
  /** Who changes it. */
  readonly author: string;
}

export interface FoundOverlay {
  readonly overlay: RuleOverlay;
  /** 0 while there is none. */
  readonly revision: number;
}

export async function findOverlay(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  ruleId: string,
  lock = false,
): Promise<FoundOverlay> {
  const { rows } = await sql<RuleOverlay & { revision: number }>`
    select stage, level, schedule, exceptions, threshold, revision from scope_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = ${ruleId}
    ${lock ? sql`for update` : sql``}`.execute(trx);
  const [row] = rows;
  if (!row) return { overlay: ruleOverlaySchema.parse({}), revision: 0 };
  const { revision, ...overlay } = row;
  return { overlay, revision };
}

/** Keeps what a scope changes; answers its revision. */
export async function writeOverlay(
  trx: TenantTransaction,
  { clusterId, scopeId, nowMs, author }: ScopeWriter,
  ruleId: string,
  { stage, level, schedule, exceptions, threshold }: RuleOverlay,
): Promise<number> {
  const json = (value: unknown) => sql`${value === null ? null : JSON.stringify(value)}::jsonb`;
  const { rows } = await sql<{ revision: number }>`
    insert into scope_rule as old (cluster_id, scope_id, rule_id, stage, level, schedule, exceptions, threshold, changed_at,
      changed_by)
    values (${clusterId}, ${scopeId}, ${ruleId}, ${stage}, ${level}, ${json(schedule)}, ${json(exceptions)},
      ${json(threshold)}, ${timestamp(nowMs)}, ${author})
    on conflict (cluster_id, scope_id, rule_id) do update set stage = excluded.stage, level = excluded.level,
      schedule = excluded.schedule, exceptions = excluded.exceptions, threshold = excluded.threshold,
      revision = old.revision + 1, changed_at = excluded.changed_at, changed_by = excluded.changed_by
    returning revision`.execute(trx);
  return rows[0]?.revision ?? 1;
}

/** Notes of rules whether they are on, as the scheduler was told. */
export async function writeSwitched(
  trx: TenantTransaction,
  { clusterId, scopeId, nowMs, author }: ScopeWriter,
  ruleIds: readonly string[],
  { enabled, stage }: { readonly enabled: boolean; readonly stage?: string },
): Promise<void> {
  await sql`
    insert into scope_rule as old (cluster_id, scope_id, rule_id, enabled, stage, changed_at, changed_by)
    select ${clusterId}, ${scopeId}, id, ${enabled}, ${stage ?? 'test'}, ${timestamp(nowMs)}, ${author}
    from unnest(${[...ruleIds]}::text[]) as given (id) order by id
    on conflict (cluster_id, scope_id, rule_id) do update set enabled = excluded.enabled,
      stage = coalesce(${stage ?? null}, old.stage), changed_at = excluded.changed_at, changed_by = excluded.changed_by,
      revision = old.revision + (${stage ?? null}::text is not null)::integer`.execute(trx);
}

/** What decides when rules run, of those that a scope has settings for. */
export async function schedulesOf(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  ruleIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<RuleOverlay, 'schedule' | 'threshold'>>> {
  const { rows } = await sql<Pick<RuleOverlay, 'schedule' | 'threshold'> & { rule_id: string }>`
    select rule_id, schedule, threshold from scope_rule
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and rule_id = any(${[...ruleIds]}::text[])
      and (schedule is not null or threshold is not null)`.execute(trx);
  return new Map(rows.map((row) => [row.rule_id, row]));
}

export interface RuleDetailRow {
  readonly path: string;
  readonly sigma_id: string | null;
  readonly streams: string[] | null;
  readonly about: RuleAbout;
  readonly text: string;
  readonly kql: string | null;
  readonly versions: {
    readonly version: number;
    readonly saved: number;
    readonly author: string;
    readonly comment: string;
  }[];
}

/** What the page of a rule shows beside the row of the list. The rule is there. */
export async function rowsOfDetail(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
): Promise<RuleDetailRow> {
  const { rows } = await sql<Omit<RuleDetailRow, 'versions'>>`
    select r.path, r.sigma_id, r.streams, r.about, t.body as text, k.body as kql from pack_rule r
      join rule_text t on t.text_hash = r.text_hash left join rule_text k on k.text_hash = r.kql_hash
    where r.cluster_id = ${clusterId} and r.rule_id = ${ruleId}`.execute(trx);
  const { rows: versions } = await sql<RuleDetailRow['versions'][number]>`
    select version, saved_at as saved, saved_by as author, comment from pack_rule_version
    where cluster_id = ${clusterId} and rule_id = ${ruleId} order by version desc`.execute(trx);
  const [row] = rows;
  if (!row) throw new Error(`the rule ${ruleId} has no text`);
  return { ...row, versions: [...versions] };
}

/** The query of a rule as its author wrote it; undefined when the tenant has no such rule. */
export async function findQuery(
  trx: TenantTransaction,
  clusterId: string,
  ruleId: string,
): Promise<{ readonly name: string; readonly version: number; readonly kql: string | null } | undefined> {
  const { rows } = await sql<{ name: string; version: number; kql: string | null }>`
    select r.title as name, r.version, k.body as kql from pack_rule r left join rule_text k on k.text_hash = r.kql_hash
    where r.cluster_id = ${clusterId} and r.rule_id = ${ruleId}`.execute(trx);
  return rows[0];
}
