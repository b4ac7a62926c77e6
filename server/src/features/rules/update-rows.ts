import type { ContentUpdate, UpdatePart } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { JudgedRule, KnownRule } from './pack-rule-store.ts';
import type { ReadRule } from './read-pack.ts';

// What imports for review found to be newer than the rules of the tenant, in PostgreSQL. Every function works in the caller's
// transaction of one tenant.

/** An update as an import offers it; `content` is null for a rule that its pack does not hold any more. */
export interface OfferedUpdate {
  readonly ruleId: string;
  readonly change: ContentUpdate['change'];
  readonly title: string;
  readonly parts: readonly UpdatePart[];
  readonly fingerprint: string;
  readonly content: ReadRule | null;
}

const GONE = 'gone';

/** What an import would make of a rule that differs. */
export function offeredUpdate(rule: JudgedRule, before: KnownRule | undefined): OfferedUpdate {
  const { textHash: _text, kqlHash: _kql, fingerprint, ...content } = rule;
  const isNew = before === undefined || before.isGone;
  const change = isNew ? 'new' : 'changed';
  return {
    ruleId: rule.ruleId,
    change,
    title: rule.title,
    parts: partsOf(rule, before),
    fingerprint,
    content,
  };
}

export const goneUpdate = ({ ruleId, title }: KnownRule): OfferedUpdate => ({
  ...{ ruleId, change: 'gone', title, parts: [], fingerprint: GONE, content: null },
});

function partsOf(rule: JudgedRule, before: KnownRule | undefined): UpdatePart[] {
  if (before === undefined) return [];
  const differs: readonly (readonly [UpdatePart, boolean])[] = [
    ['name', rule.title !== before.title],
    ['text', rule.textHash !== before.textHash],
    ['query', rule.kqlHash !== before.kqlHash],
    ['score', rule.level !== before.level],
    ['folder', rule.path !== before.path],
    ['verdict', rule.verdict !== before.verdict],
  ];
  return differs.flatMap(([part, isOther]) => (isOther ? [part] : []));
}

interface Offer {
  readonly clusterId: string;
  readonly packId: string;
  readonly author: string;
  readonly nowMs: number;
}

/** Offers updates. One that was declined stays so while it is the same. */
export async function writeUpdates(
  trx: TenantTransaction,
  { clusterId, packId, author, nowMs }: Offer,
  updates: readonly OfferedUpdate[],
): Promise<void> {
  if (updates.length === 0) return;
  await sql`
    insert into pack_rule_update as old (cluster_id, pack_id, author, offered_at, rule_id, change, title, parts, fingerprint,
      content)
    select ${clusterId}, ${packId}, ${author}, ${timestamp(nowMs)}, given."ruleId", given.change, given.title, given.parts,
      given.fingerprint, nullif(given.content, 'null'::jsonb)
    from jsonb_to_recordset(${storableJson(updates)}::jsonb) as given ("ruleId" text, change text, title text,
      parts text[], fingerprint text, content jsonb)
    order by given."ruleId"
    on conflict (cluster_id, rule_id) do update set pack_id = excluded.pack_id, author = excluded.author,
      offered_at = excluded.offered_at, change = excluded.change, title = excluded.title, parts = excluded.parts,
      content = excluded.content, fingerprint = excluded.fingerprint,
      declined_at = case when old.fingerprint = excluded.fingerprint then old.declined_at end`.execute(trx);
}

/** Takes back what is offered for rules of a pack: for all but these, or for these alone. */
export async function dropUpdates(
  trx: TenantTransaction,
  clusterId: string,
  packId: string,
  which: { readonly but: readonly string[] } | { readonly only: readonly string[] },
): Promise<void> {
  const condition =
    'but' in which
      ? sql`not rule_id = any(${[...which.but]}::text[])`
      : sql`rule_id = any(${[...which.only]}::text[])`;
  await sql`delete from pack_rule_update where cluster_id = ${clusterId} and pack_id = ${packId} and ${condition}`.execute(
    trx,
  );
}

export interface UpdateRow {
  readonly ruleId: string;
  readonly packId: string;
  readonly change: ContentUpdate['change'];
  /** Of the content as the import read it. */
  readonly fingerprint: string;
  readonly content: ReadRule | null;
}

/** Updates with what they hold, locked until the transaction ends. */
export async function lockUpdates(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds: readonly string[],
): Promise<readonly UpdateRow[]> {
  const { rows } = await sql<UpdateRow>`
    select rule_id as "ruleId", pack_id as "packId", change, fingerprint, content from pack_rule_update
    where cluster_id = ${clusterId} and rule_id = any(${[...ruleIds]}::text[]) order by rule_id for update`.execute(
    trx,
  );
  return rows;
}

export async function declineUpdates(
  trx: TenantTransaction,
  clusterId: string,
  ruleIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await sql`update pack_rule_update set declined_at = ${timestamp(nowMs)}
    where cluster_id = ${clusterId} and rule_id = any(${[...ruleIds]}::text[])`.execute(trx);
}

interface UpdatePage {
  readonly state: ContentUpdate['state'];
  readonly offset: number;
  readonly limit: number;
}

const ofState = (state: ContentUpdate['state']) =>
  state === 'open' ? sql`u.declined_at is null` : sql`u.declined_at is not null`;

const LISTED = sql`'rule:' || u.rule_id as update_id, 'rule' as kind, u.change, u.rule_id as "ID", u.title as name,
  p.name as of, r.version as from_version, u.parts,
  case when u.change = 'gone' then null else coalesce(r.version, 0) + ('text' = any(u.parts) or r.version is null)::integer
    end as to_version,
  s.rule_id is not null as customised, coalesce(s.enabled, false) as enabled,
  case when u.declined_at is null then 'open' else 'declined' end as state, u.offered_at as offered`;
const JOINED = sql`pack_rule_update u join rule_pack p on p.cluster_id = u.cluster_id and p.pack_id = u.pack_id
  left join pack_rule r on r.cluster_id = u.cluster_id and r.rule_id = u.rule_id`;

export async function pageUpdates(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  { state, offset, limit }: UpdatePage,
): Promise<readonly ContentUpdate[]> {
  const { rows } = await sql<ContentUpdate>`
    select ${LISTED} from ${JOINED}
      left join scope_rule s on s.cluster_id = u.cluster_id and s.scope_id = ${scopeId} and s.rule_id = u.rule_id
    where u.cluster_id = ${clusterId} and ${ofState(state)}
    order by u.title, u.rule_id limit ${limit} offset ${offset}`.execute(trx);
  return rows;
}

export async function countUpdates(
  trx: TenantTransaction,
  clusterId: string,
  state: ContentUpdate['state'],
): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from pack_rule_update u
    where u.cluster_id = ${clusterId} and ${ofState(state)}`.execute(trx);
  return rows[0]?.n ?? 0;
}

export interface UpdateTexts {
  readonly content: ReadRule | null;
  readonly text: string | null;
  readonly kql: string | null;
}

/** One update with what the tenant has and what it would have. */
export async function findUpdate(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  ruleId: string,
): Promise<(UpdateTexts & { readonly update: ContentUpdate }) | undefined> {
  const { rows } = await sql<
    ContentUpdate & { content: ReadRule | null; body: string | null; kql: string | null }
  >`
    select ${LISTED}, u.content, t.body, k.body as kql from ${JOINED}
      left join scope_rule s on s.cluster_id = u.cluster_id and s.scope_id = ${scopeId} and s.rule_id = u.rule_id
      left join rule_text t on t.text_hash = r.text_hash left join rule_text k on k.text_hash = r.kql_hash
    where u.cluster_id = ${clusterId} and u.rule_id = ${ruleId}`.execute(trx);
  const [row] = rows;
  if (!row) return undefined;
  const { content, body, kql, ...update } = row;
  return { update, content, text: body, kql };
}
