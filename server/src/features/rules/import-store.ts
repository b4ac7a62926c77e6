import type { IMPORT_STATES, RuleChange, RuleImport, RuleOverlay } from '@tyrian/contract';
import { type RawBuilder, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import { readFailure } from '../../platform/said-of-failure.ts';

// Imports, the parts of their archives, and what they changed. Every function works in the caller's transaction of one
// tenant.

export interface ImportRow {
  readonly import_id: string;
  readonly pack_id: string;
  readonly pack: string;
  readonly scope_id: string;
  readonly state: (typeof IMPORT_STATES)[number];
  readonly run_id: number | null;
  readonly files_done: number;
  readonly files_total: number | null;
  readonly totals: Partial<
    Record<'verdicts' | 'tactics' | 'log_sources' | 'changes', Record<string, number>>
  >;
  readonly error: string | null;
  readonly author: string;
  readonly author_id: string;
  readonly created: number;
  readonly ended: number | null;
  /** What it would change waits for somebody to take it. */
  readonly review: boolean;
  /** The archive holds the whole pack. */
  readonly whole: boolean;
  readonly settings: readonly ImportedSettings[];
}

/** What a scope changes about a rule, as an archive names it. */
export interface ImportedSettings {
  readonly path: string;
  readonly position: number;
  readonly sigma_id: string | null;
  readonly overlay: RuleOverlay;
}

/** Imports of a tenant whose reports are kept. */
const REPORTS_KEPT = 20;

const COLUMNS = sql`i.import_id, i.pack_id, p.name as pack, i.scope_id, i.state, i.run_id, i.files_done, i.files_total,
  i.totals, i.error, i.author, i.author_id, i.created_at as created, i.ended_at as ended,
  i.review, i.whole, i.settings`;
const FROM = sql`rule_import i join rule_pack p on p.cluster_id = i.cluster_id and p.pack_id = i.pack_id`;

/** As it is told. */
export function importOf(row: ImportRow): RuleImport {
  const { import_id, pack_id, pack, state, files_done, files_total, totals, author, created, ended } = row;
  const { review } = row;
  const { verdicts = {}, tactics = {}, log_sources = {}, changes = {} } = totals;
  const error = row.error === null ? null : readFailure(row.error);
  return {
    ...{ import_id, pack_id, pack, state, files_done, files_total, author, created, ended, review },
    ...{ verdicts, tactics, log_sources, changes },
    ...(error ?? {}),
    error: error?.message ?? null,
  };
}

/** Of its scope when one is named. */
export async function findImport(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
  lock = false,
): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`select ${COLUMNS} from ${FROM}
    where i.cluster_id = ${clusterId} and i.import_id = ${importId} ${lock ? sql`for update of i` : sql``}`.execute(
    trx,
  );
  return rows[0];
}

export async function lastImports(trx: TenantTransaction, clusterId: string): Promise<readonly ImportRow[]> {
  const { rows } = await sql<ImportRow>`select ${COLUMNS} from ${FROM} where i.cluster_id = ${clusterId}
    and i.state <> 'uploading' order by i.created_at desc, i.import_id desc limit ${REPORTS_KEPT}`.execute(
    trx,
  );
  return rows;
}

export interface NewImport {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly importId: string;
  readonly packId: string;
  readonly nowMs: number;
  readonly author: { readonly userId: string; readonly name: string };
  readonly review: boolean;
  readonly whole: boolean;
  readonly settings: readonly ImportedSettings[];
}

export async function insertImport(trx: TenantTransaction, one: NewImport): Promise<void> {
  const { clusterId, scopeId, importId, packId, nowMs, author, review, whole, settings } = one;
  await sql`insert into rule_import (cluster_id, import_id, scope_id, pack_id, state, created_at, author, author_id,
      review, whole, settings)
    values (${clusterId}, ${importId}, ${scopeId}, ${packId}, 'uploading', ${timestamp(nowMs)}, ${author.name},
      ${author.userId}, ${review}, ${whole}, ${storableJson(settings)}::jsonb)`.execute(trx);
  // The reports of older imports go, with what they changed.
  await sql`delete from rule_import where cluster_id = ${clusterId} and ended_at is not null and import_id in (
    select import_id from rule_import where cluster_id = ${clusterId} and ended_at is not null
    order by created_at desc, import_id desc offset ${REPORTS_KEPT - 1})`.execute(trx);
}

export interface ImportChange {
  readonly state?: ImportRow['state'];
  readonly runId?: number;
  readonly filesDone?: number;
  readonly filesTotal?: number;
  readonly totals?: ImportRow['totals'];
  readonly error?: string | null;
  readonly startedMs?: number;
  readonly endedMs?: number;
}

export async function changeImport(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
  change: ImportChange,
): Promise<void> {
  const set: RawBuilder<unknown>[] = [];
  if (change.state !== undefined) set.push(sql`state = ${change.state}`);
  if (change.runId !== undefined) set.push(sql`run_id = ${change.runId}`);
  if (change.filesDone !== undefined) set.push(sql`files_done = ${change.filesDone}`);
  if (change.filesTotal !== undefined) set.push(sql`files_total = ${change.filesTotal}`);
  if (change.totals !== undefined) set.push(sql`totals = ${JSON.stringify(change.totals)}::jsonb`);
  if (change.error !== undefined) set.push(sql`error = ${change.error}`);
  if (change.startedMs !== undefined) set.push(sql`started_at = ${timestamp(change.startedMs)}`);
  if (change.endedMs !== undefined) set.push(sql`ended_at = ${timestamp(change.endedMs)}`);
  if (set.length === 0) return;
  await sql`update rule_import set ${sql.join(set)} where cluster_id = ${clusterId} and import_id = ${importId}`.execute(
    trx,
  );
}

/** Keeps a part; answers how many bytes of the archive are here now. */
export async function writePart(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
  part: number,
  bytes: Buffer,
): Promise<number> {
  await sql`insert into rule_import_part (cluster_id, import_id, part, bytes)
    values (${clusterId}, ${importId}, ${part}, ${bytes})
    on conflict (cluster_id, import_id, part) do update set bytes = excluded.bytes`.execute(trx);
  const { rows } = await sql<{ n: number }>`select sum(length(bytes))::bigint as n from rule_import_part
    where cluster_id = ${clusterId} and import_id = ${importId}`.execute(trx);
  return Number(rows[0]?.n ?? 0);
}

/** The archive; null when a part is missing. */
export async function readParts(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
): Promise<Buffer | null> {
  const { rows } = await sql<{ part: number; bytes: Buffer }>`select part, bytes from rule_import_part
    where cluster_id = ${clusterId} and import_id = ${importId} order by part`.execute(trx);
  if (rows.length === 0 || rows.at(-1)?.part !== rows.length - 1) return null;
  return Buffer.concat(rows.map(({ bytes }) => bytes));
}

export async function dropParts(trx: TenantTransaction, clusterId: string, importId: string): Promise<void> {
  await sql`delete from rule_import_part where cluster_id = ${clusterId} and import_id = ${importId}`.execute(
    trx,
  );
}

/** Notes changes of an import; one that a former attempt of the same import has noted stays. */
export async function noteChanges(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
  changes: readonly RuleChange[],
): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    insert into rule_change (cluster_id, import_id, rule_id, change, title, path, verdict_before, verdict_after)
    select ${clusterId}, ${importId}, given.* from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as given
      (rule_id text, change text, title text, path text, verdict_before text, verdict_after text)
    on conflict do nothing`.execute(trx);
}

/** How many changes of each kind an import noted. */
export async function countChanges(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
): Promise<Record<string, number>> {
  const { rows } = await sql<{ change: string; n: number }>`select change, count(*) as n from rule_change
    where cluster_id = ${clusterId} and import_id = ${importId} group by change`.execute(trx);
  return Object.fromEntries(rows.map(({ change, n }) => [change, n]));
}

export async function pageChanges(
  trx: TenantTransaction,
  clusterId: string,
  importId: string,
  page: { readonly change?: string | undefined; readonly pageno: number; readonly pagesize: number },
): Promise<{ data: RuleChange[]; total_count: number }> {
  const of = sql`cluster_id = ${clusterId} and import_id = ${importId}
    ${page.change === undefined ? sql`` : sql`and change = ${page.change}`}`;
  const { rows } = await sql<RuleChange>`
    select rule_id, change, title, path, verdict_before, verdict_after from rule_change where ${of}
    order by change, title, rule_id limit ${page.pagesize} offset ${(page.pageno - 1) * page.pagesize}`.execute(
    trx,
  );
  const { rows: counted } = await sql<{
    n: number;
  }>`select count(*) as n from rule_change where ${of}`.execute(trx);
  return { data: rows, total_count: counted[0]?.n ?? 0 };
}
