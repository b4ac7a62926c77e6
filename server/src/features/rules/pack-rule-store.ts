import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ReadRule } from './read-pack.ts';
import type { Judged, RuleAbout } from './rule-about.ts';

// Rules of packs in PostgreSQL, many with one statement. Every function works in the caller's transaction of one tenant.

/** What is known of a rule before an import. */
export interface KnownRule extends Judged {
  readonly ruleId: string;
  readonly textHash: string;
  readonly fingerprint: string;
  readonly title: string;
  readonly path: string;
  readonly isGone: boolean;
}

/** A rule with its verdict for the tenant. */
export interface JudgedRule extends ReadRule {
  readonly textHash: string;
  readonly kqlHash: string | null;
  readonly fingerprint: string;
}

/** Versions of a rule that are kept. */
const VERSIONS_KEPT = 20;

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** With hashes of its texts and of everything that an import would write but the verdict. */
export function hashed(rule: ReadRule): JudgedRule {
  const { text, kql, samples: _samples, verdict: _verdict, reasonCode: _code, ...rest } = rule;
  const [textHash, kqlHash] = [hashOf(text), kql === null ? null : hashOf(kql)];
  return { ...rule, textHash, kqlHash, fingerprint: hashOf(JSON.stringify([rest, textHash, kqlHash])) };
}

/** What the tenant has of a pack, by rule. */
export async function knownRules(
  trx: TenantTransaction,
  clusterId: string,
  packId: string,
): Promise<ReadonlyMap<string, KnownRule>> {
  const { rows } = await sql<KnownRule>`
    select rule_id as "ruleId", text_hash as "textHash", fingerprint, verdict, reason_code as "reasonCode", title, path,
      gone_at is not null as "isGone"
    from pack_rule where cluster_id = ${clusterId} and pack_id = ${packId}`.execute(trx);
  return new Map(rows.map((row) => [row.ruleId, row]));
}

const rowOf = (rule: JudgedRule) => ({
  rule_id: rule.ruleId,
  path: rule.path,
  position: rule.position,
  kind: rule.kind,
  sigma_id: rule.sigmaId,
  title: rule.title,
  level: rule.level,
  status: rule.status,
  log_source: rule.logSource,
  tactics: rule.tactics,
  techniques: rule.techniques,
  streams: rule.streams,
  verdict: rule.verdict,
  reason_code: rule.reasonCode,
  can_run: rule.canRun,
  kql_hash: rule.kqlHash,
  text_hash: rule.textHash,
  fingerprint: rule.fingerprint,
  search_text: [rule.title, rule.path, rule.sigmaId ?? '', ...rule.about.tags, rule.about.authors]
    .join(' ')
    .toLowerCase()
    .slice(0, 2_000),
  about: rule.about,
});

interface Writer {
  readonly clusterId: string;
  readonly packId: string;
  readonly nowMs: number;
  /** Whose import it is, or who saves. */
  readonly author: string;
  /** What a new version is about. */
  readonly comment?: string;
  /** Versions of each rule that stay; 20 when absent. */
  readonly versionsKept?: number;
}

/** Writes rules with their texts. A rule whose text is another gets a version; the oldest ones go. */
export async function writeRules(
  trx: TenantTransaction,
  { clusterId, packId, nowMs, author, comment = '', versionsKept = VERSIONS_KEPT }: Writer,
  rules: readonly JudgedRule[],
): Promise<void> {
  if (rules.length === 0) return;
  const texts = new Set(rules.flatMap(({ text, kql }) => (kql === null ? [text] : [text, kql])));
  await sql`select add_rule_texts(${[...texts]}::text[])`.execute(trx);
  await sql`
    insert into pack_rule as old (cluster_id, pack_id, version, changed_at, rule_id, path, position, kind, sigma_id, title,
      level, status, log_source, tactics, techniques, streams, verdict, reason_code, can_run, kql_hash, text_hash,
      fingerprint, search_text, about)
    select ${clusterId}, ${packId}, 1, ${timestamp(nowMs)}, given.*
    from jsonb_to_recordset(${storableJson(rules.map(rowOf))}::jsonb) as given (rule_id text, path text, position integer,
      kind text, sigma_id text, title text, level text, status text, log_source text, tactics text[], techniques text[],
      streams text[], verdict text, reason_code text, can_run boolean, kql_hash text, text_hash text, fingerprint text,
      search_text text, about jsonb)
    order by rule_id
    on conflict (cluster_id, rule_id) do update set path = excluded.path, position = excluded.position,
      kind = excluded.kind, sigma_id = excluded.sigma_id, title = excluded.title, level = excluded.level,
      status = excluded.status, log_source = excluded.log_source, tactics = excluded.tactics,
      techniques = excluded.techniques, streams = excluded.streams, verdict = excluded.verdict,
      reason_code = excluded.reason_code, can_run = excluded.can_run, kql_hash = excluded.kql_hash,
      version = old.version + (old.text_hash <> excluded.text_hash)::integer, text_hash = excluded.text_hash,
      fingerprint = excluded.fingerprint, search_text = excluded.search_text, about = excluded.about,
      changed_at = excluded.changed_at, gone_at = null`.execute(trx);
  const ids = rules.map(({ ruleId }) => ruleId);
  await sql`
    insert into pack_rule_version (cluster_id, rule_id, version, text_hash, saved_at, saved_by, comment)
    select cluster_id, rule_id, version, text_hash, ${timestamp(nowMs)}, ${author}, ${comment} from pack_rule
    where cluster_id = ${clusterId} and rule_id = any(${ids}::text[])
    on conflict do nothing`.execute(trx);
  await sql`
    delete from pack_rule_version v using pack_rule r
    where v.cluster_id = ${clusterId} and v.rule_id = any(${ids}::text[]) and r.cluster_id = v.cluster_id
      and r.rule_id = v.rule_id and v.version <= r.version - ${versionsKept}`.execute(trx);
  await bumpRevision(trx, clusterId);
}

/**
 * Deletes rules that the pack no longer holds, and marks those that are on in some scope as gone. Answers which of those
 * that are deleted a scope had settings for.
 */
export async function dropRules(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds: readonly string[],
  nowMs: number,
): Promise<readonly string[]> {
  if (ruleIds.length === 0) return [];
  await sql`update pack_rule set gone_at = coalesce(gone_at, ${timestamp(nowMs)})
    where cluster_id = ${clusterId} and rule_id = any(${ruleIds}::text[])`.execute(trx);
  const { rows } = await sql<{ id: string }>`
    select distinct rule_id as id from scope_rule s where cluster_id = ${clusterId} and rule_id = any(${ruleIds}::text[])
      and not exists (select from scope_rule o where o.cluster_id = s.cluster_id and o.rule_id = s.rule_id
        and o.enabled)`.execute(trx);
  await sql`delete from pack_rule r where cluster_id = ${clusterId} and rule_id = any(${ruleIds}::text[])
    and not exists (select from scope_rule s where s.cluster_id = r.cluster_id and s.rule_id = r.rule_id
      and s.enabled)`.execute(trx);
  await bumpRevision(trx, clusterId);
  return rows.map(({ id }) => id);
}

/** Whoever has read the rules of the tenant reads them again. Held until the transaction ends. */
export async function bumpRevision(trx: TenantTransaction, clusterId: string): Promise<void> {
  await sql`insert into rule_revision as old (cluster_id, revision) values (${clusterId}, 1)
    on conflict (cluster_id) do update set revision = old.revision + 1`.execute(trx);
}

/** Sets verdicts that have changed; of rules that have a plan. */
export async function writeVerdicts(
  trx: TenantTransaction,
  clusterId: string,
  changed: readonly (Judged & { readonly ruleId: string })[],
): Promise<void> {
  if (changed.length === 0) return;
  await sql`
    update pack_rule r set verdict = given.verdict, reason_code = given."reasonCode"
    from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as given ("ruleId" text, verdict text, "reasonCode" text)
    where r.cluster_id = ${clusterId} and r.rule_id = given."ruleId"`.execute(trx);
}

export interface RuleNeedsRow extends Judged {
  readonly ruleId: string;
  readonly kind: string;
  readonly streams: readonly string[] | null;
  readonly about: Pick<RuleAbout, 'fields' | 'reason'>;
}

/** The next rules behind `after` with what they need; no texts. */
export async function rulesToJudge(
  trx: TenantTransaction,
  clusterId: string,
  after: string,
  most: number,
): Promise<readonly RuleNeedsRow[]> {
  const { rows } = await sql<RuleNeedsRow>`
    select rule_id as "ruleId", kind, streams, verdict, reason_code as "reasonCode",
      jsonb_build_object('fields', about -> 'fields', 'reason', about -> 'reason') as about
    from pack_rule where cluster_id = ${clusterId} and rule_id > ${after} order by rule_id limit ${most}`.execute(
    trx,
  );
  return rows;
}
