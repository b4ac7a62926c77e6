import type { PREVIEW_KINDS, PreviewRuleState, PreviewState } from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { Carry, PreviewFigures } from './preview-figures.ts';

// Previews and what they have found, in the caller's transaction of one tenant.

export interface InScope {
  readonly clusterId: string;
  readonly scopeId: string;
}

export interface PreviewKey extends InScope {
  readonly previewId: string;
}

export interface PreviewRow {
  readonly preview_id: string;
  readonly kind: (typeof PREVIEW_KINDS)[number];
  readonly state: PreviewState;
  readonly run_id: number | null;
  readonly from_ms: number;
  readonly until_ms: number;
  readonly parts: number;
  readonly error: string | null;
  readonly author: string;
  readonly author_id: string;
  readonly created: number;
  readonly started: number | null;
  readonly ended: number | null;
}

export interface ResultRow {
  readonly position: number;
  readonly rule_id: string;
  readonly title: string;
  readonly state: PreviewRuleState;
  readonly error: string | null;
  readonly asked: string;
  readonly kql: string;
  readonly parts_done: number;
  readonly covered: number;
  readonly row_count: number;
  readonly signals: number;
  readonly first: number | null;
  readonly last: number | null;
  readonly query_ms: number;
  readonly cpu_ms: number | null;
  readonly figures: Partial<PreviewFigures>;
}

export interface ListedPreview extends PreviewRow {
  readonly rules: number;
  readonly title: string;
  readonly rows: number;
  readonly signals: number;
  readonly done: number;
}

const PREVIEW = sql`p.preview_id, p.kind, p.state, p.run_id, p.from_at as from_ms, p.until_at as until_ms, p.parts, p.error,
  p.author, p.author_id, p.created_at as created, p.started_at as started, p.ended_at as ended`;
/** Without the figures, which only one rule at a time is asked for. */
const RESULT = sql`position, rule_id, title, state, error, asked, kql, parts_done, covered_at as covered,
  row_count::float8 as row_count, signals, first_at as first, last_at as last, query_ms, cpu_ms`;

/** Days of rules that are done with: all of one that has ended. */
const DONE = sql`coalesce(sum(case when r.state in ('waiting', 'running') then r.parts_done else p.parts end), 0)::integer`;

const inScope = ({ clusterId, scopeId }: InScope): RawBuilder<unknown> =>
  sql`cluster_id = ${clusterId} and scope_id = ${scopeId}`;
const isOne = ({ clusterId, scopeId, previewId }: PreviewKey): RawBuilder<unknown> =>
  sql`cluster_id = ${clusterId} and scope_id = ${scopeId} and preview_id = ${previewId}`;

/** Held until the transaction ends: whoever starts previews of the scope comes one after the other. */
export async function lockScope(trx: TenantTransaction, { clusterId, scopeId }: InScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`rule-preview ${clusterId} ${scopeId}`}, 0))`.execute(
    trx,
  );
}

export async function findPreview(
  trx: TenantTransaction,
  key: PreviewKey,
  lock = false,
): Promise<PreviewRow | undefined> {
  const { rows } = await sql<PreviewRow>`select ${PREVIEW} from rule_preview p where ${isOne(key)}
    ${lock ? sql`for update` : sql``}`.execute(trx);
  return rows[0];
}

/** Those that have not ended. */
export async function openPreviews(
  trx: TenantTransaction,
  scope: InScope,
): Promise<readonly Pick<PreviewRow, 'preview_id' | 'run_id'>[]> {
  const { rows } = await sql<Pick<PreviewRow, 'preview_id' | 'run_id'>>`
    select preview_id, run_id from rule_preview where ${inScope(scope)} and ended_at is null`.execute(trx);
  return rows;
}

export interface NewPreview extends PreviewKey {
  readonly kind: PreviewRow['kind'];
  readonly range: { readonly from: number; readonly to: number };
  readonly parts: number;
  readonly author: { readonly userId: string; readonly name: string };
  readonly rules: readonly { readonly ruleId: string; readonly title: string }[];
  readonly nowMs: number;
}

export async function insertPreview(trx: TenantTransaction, one: NewPreview): Promise<void> {
  const { clusterId, scopeId, previewId, kind, range, parts, author, rules, nowMs } = one;
  await sql`insert into rule_preview (cluster_id, scope_id, preview_id, kind, state, from_at, until_at, parts, author,
      author_id, created_at)
    values (${clusterId}, ${scopeId}, ${previewId}, ${kind}, 'waiting', ${timestamp(range.from)}, ${timestamp(range.to)},
      ${parts}, ${author.name}, ${author.userId}, ${timestamp(nowMs)})`.execute(trx);
  await sql`insert into rule_preview_result (cluster_id, scope_id, preview_id, position, rule_id, title, state, covered_at)
    select ${clusterId}, ${scopeId}, ${previewId}, n - 1, rule_id, title, 'waiting', ${timestamp(range.from)}
    from unnest(${rules.map(({ ruleId }) => ruleId)}::text[], ${rules.map(({ title }) => title)}::text[])
      with ordinality as given (rule_id, title, n)`.execute(trx);
}

/** Removes the oldest that have ended, beyond so many of the scope. */
export async function keepNewest(trx: TenantTransaction, scope: InScope, kept: number): Promise<void> {
  await sql`delete from rule_preview where ${inScope(scope)} and preview_id in (
    select preview_id from rule_preview where ${inScope(scope)} and ended_at is not null
    order by created_at desc, preview_id offset ${kept})`.execute(trx);
}

export async function removePreview(trx: TenantTransaction, key: PreviewKey): Promise<void> {
  await sql`delete from rule_preview where ${isOne(key)}`.execute(trx);
}

export async function setRun(trx: TenantTransaction, key: PreviewKey, runId: number): Promise<void> {
  await sql`update rule_preview set run_id = ${runId} where ${isOne(key)}`.execute(trx);
}

/** It is worked on; false when it has ended or is gone. */
export async function beginPreview(trx: TenantTransaction, key: PreviewKey, nowMs: number): Promise<boolean> {
  const { numAffectedRows } = await sql`update rule_preview set state = 'running', error = null,
      started_at = coalesce(started_at, ${timestamp(nowMs)})
    where ${isOne(key)} and ended_at is null`.execute(trx);
  return numAffectedRows === 1n;
}

/** Why an attempt failed; another may follow. */
export async function noteFailure(trx: TenantTransaction, key: PreviewKey, error: string): Promise<void> {
  await sql`update rule_preview set error = ${error} where ${isOne(key)} and ended_at is null`.execute(trx);
}

/** Ends it, and with it the rules that have not ended; false when it had ended or is gone. */
export async function endPreview(
  trx: TenantTransaction,
  key: PreviewKey,
  state: 'done' | 'failed' | 'canceled',
  nowMs: number,
): Promise<boolean> {
  const { numAffectedRows } =
    await sql`update rule_preview set state = ${state}, ended_at = ${timestamp(nowMs)},
      error = case when ${state} = 'failed' then error end
    where ${isOne(key)} and ended_at is null`.execute(trx);
  if (numAffectedRows !== 1n) return false;
  await sql`update rule_preview_result set state = 'canceled', carry = null
    where ${isOne(key)} and state in ('waiting', 'running')`.execute(trx);
  return true;
}

export async function resultsOf(trx: TenantTransaction, key: PreviewKey): Promise<readonly ResultRow[]> {
  const { rows } = await sql<ResultRow>`select ${RESULT}, '{}'::jsonb as figures from rule_preview_result
    where ${isOne(key)} order by position`.execute(trx);
  return rows;
}

/** A rule of a preview with its figures, and for whoever goes on what the next day needs. */
export async function findResult(
  trx: TenantTransaction,
  key: PreviewKey,
  position: number,
): Promise<(ResultRow & { readonly carry: Carry | null }) | undefined> {
  const { rows } = await sql<ResultRow & { carry: Carry | null }>`
    select ${RESULT}, figures, carry from rule_preview_result where ${isOne(key)} and position = ${position}`.execute(
    trx,
  );
  return rows[0];
}

/** A rule of a preview with its figures. */
export async function findResultOf(
  trx: TenantTransaction,
  key: PreviewKey,
  ruleId: string,
): Promise<ResultRow | undefined> {
  const { rows } = await sql<ResultRow>`select ${RESULT}, figures from rule_preview_result
    where ${isOne(key)} and rule_id = ${ruleId}`.execute(trx);
  return rows[0];
}

/** Begins a rule, anew when it asks something else than before. */
export async function beginResult(
  trx: TenantTransaction,
  key: PreviewKey,
  position: number,
  one: { readonly asked: string; readonly kql: string; readonly title: string; readonly fromMs: number } & {
    readonly figures: Partial<PreviewFigures>;
  },
): Promise<void> {
  await sql`update rule_preview_result set state = 'running', asked = ${one.asked}, kql = ${one.kql}, title = ${one.title},
      parts_done = 0, covered_at = ${timestamp(one.fromMs)}, row_count = 0, signals = 0, first_at = null, last_at = null,
      query_ms = 0, cpu_ms = null, figures = ${storableJson(one.figures)}::jsonb, carry = null, error = null
    where ${isOne(key)} and position = ${position}`.execute(trx);
}

export interface PartWrite {
  readonly position: number;
  readonly asked: string;
  /** Parts that were done before. */
  readonly before: number;
  readonly coveredMs: number;
  readonly rows: number;
  readonly signals: number;
  readonly hits: { readonly first: number | null; readonly last: number | null };
  readonly queryMs: number;
  readonly figures: Partial<PreviewFigures>;
  readonly carry: Carry;
}

/** Writes what stands after a part; false when another attempt has written it. */
export async function writePart(trx: TenantTransaction, key: PreviewKey, part: PartWrite): Promise<boolean> {
  const { numAffectedRows } = await sql`update rule_preview_result set parts_done = ${part.before + 1},
      covered_at = ${timestamp(part.coveredMs)}, row_count = ${part.rows}, signals = ${part.signals},
      first_at = ${timestamp(part.hits.first)}, last_at = ${timestamp(part.hits.last)},
      query_ms = query_ms + ${part.queryMs}, figures = figures || ${storableJson(part.figures)}::jsonb,
      carry = ${storableJson(part.carry)}::jsonb
    where ${isOne(key)} and position = ${part.position} and state = 'running' and asked = ${part.asked}
      and parts_done = ${part.before}`.execute(trx);
  return numAffectedRows === 1n;
}

export async function endResult(
  trx: TenantTransaction,
  key: PreviewKey,
  position: number,
  end: {
    readonly state: 'done' | 'too-noisy' | 'failed';
    readonly error?: string;
    readonly figures?: Partial<PreviewFigures>;
  },
): Promise<void> {
  await sql`update rule_preview_result set state = ${end.state}, error = ${end.error ?? null}, carry = null,
      figures = figures || ${storableJson(end.figures ?? {})}::jsonb
    where ${isOne(key)} and position = ${position} and state in ('waiting', 'running')`.execute(trx);
}

/** Processor time of the engine by the position of the rule. */
export async function writeCpu(
  trx: TenantTransaction,
  key: PreviewKey,
  cpu: ReadonlyMap<number, number>,
): Promise<void> {
  await sql`update rule_preview_result r set cpu_ms = given.cpu
    from unnest(${[...cpu.keys()]}::integer[], ${[...cpu.values()]}::double precision[]) as given (position, cpu)
    where ${isOne(key)} and r.position = given.position`.execute(trx);
}

export async function pagePreviews(
  trx: TenantTransaction,
  scope: InScope,
  page: {
    readonly rule_id?: string | undefined;
    readonly kind?: string | undefined;
    readonly pageno: number;
    readonly pagesize: number;
  },
): Promise<{ data: readonly ListedPreview[]; total_count: number }> {
  const { clusterId, scopeId } = scope;
  const wanted = sql`p.cluster_id = ${clusterId} and p.scope_id = ${scopeId}
    ${page.kind === undefined ? sql`` : sql`and p.kind = ${page.kind}`}
    ${
      page.rule_id === undefined
        ? sql``
        : sql`and exists (select from rule_preview_result o
      where o.cluster_id = p.cluster_id and o.scope_id = p.scope_id and o.preview_id = p.preview_id and o.rule_id = ${page.rule_id})`
    }`;
  const { rows } = await sql<ListedPreview>`
    select ${PREVIEW}, r.rules, r.title, r.rows, r.signals, r.done
    from (select * from rule_preview p where ${wanted} order by p.created_at desc, p.preview_id
        limit ${page.pagesize} offset ${(page.pageno - 1) * page.pagesize}) p
      cross join lateral (select count(*)::integer as rules, min(r.title) filter (where r.position = 0) as title,
          coalesce(sum(r.row_count), 0)::float8 as rows, coalesce(sum(r.signals), 0)::integer as signals, ${DONE} as done
        from rule_preview_result r
        where r.cluster_id = p.cluster_id and r.scope_id = p.scope_id and r.preview_id = p.preview_id) r
    order by p.created_at desc, p.preview_id`.execute(trx);
  const { rows: counted } = await sql<{ n: number }>`
    select count(*)::integer as n from rule_preview p where ${wanted}`.execute(trx);
  return { data: rows, total_count: counted[0]?.n ?? 0 };
}
