import { readStoredText, type WorkbookDraft, type WorkbookVersion } from '@tyrian/contract';
import { type Selectable, sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { type Row, timestamp, withTimestamps } from '../../platform/postgres/timestamp.ts';
import type { WorkbookTable, WorkbookTables } from './workbook-tables.ts';

// Workbooks and their versions in PostgreSQL, in the caller's transaction. A scope sees its own and the native ones.

/** A workbook without what it holds: all that a list shows. */
export type WorkbookHead = Row<
  Omit<Selectable<WorkbookTable>, 'blocks' | 'samples' | 'native_hash' | 'search_text'>
>;
export type WorkbookRow = WorkbookHead &
  Pick<Selectable<WorkbookTable>, 'blocks' | 'samples' | 'native_hash'>;
export type WorkbookFacts = Pick<
  WorkbookRow,
  'streams' | 'detection' | 'score' | 'confidence' | 'tactic' | 'technique' | 'sub_technique'
>;

export interface Author {
  readonly id: string;
  readonly name: string;
}

const tables = (trx: TenantTransaction) => trx.withTables<WorkbookTables>();

const HEAD = [
  'cluster_id',
  'workbook_id',
  'scope_id',
  'name',
  'directory',
  'description',
  'stage',
  'mode',
  'cron',
  'timezone',
  'lookback_minutes',
  'tags',
  'streams',
  'detection',
  'score',
  'confidence',
  'tactic',
  'technique',
  'sub_technique',
  'native',
  'author',
  'author_id',
  'version',
  'locked_by',
  'locked_by_id',
  'locked_at',
  'created_at',
  'updated_at',
  'deleted_at',
  'cloned_from',
  'replaced_original',
] as const satisfies readonly (keyof WorkbookHead)[];

/** The columns that a draft fills. */
function draftColumns(draft: WorkbookDraft) {
  return {
    name: draft.name,
    directory: draft.directory,
    description: draft.description,
    stage: draft.stage,
    mode: draft.schedule.mode,
    cron: draft.schedule.cron,
    timezone: draft.schedule.timezone,
    lookback_minutes: draft.schedule.lookback_minutes,
    tags: [...draft.tags],
    blocks: JSON.stringify(draft.blocks),
    samples: JSON.stringify(draft.samples ?? []),
  };
}

/** What a row says of its draft beside the blocks. */
export function draftHeadOf(row: WorkbookHead): Omit<WorkbookDraft, 'blocks' | 'samples'> {
  return {
    name: row.name,
    directory: row.directory,
    description: row.description,
    stage: row.stage,
    schedule: {
      mode: row.mode,
      cron: row.cron,
      timezone: row.timezone,
      lookback_minutes: row.lookback_minutes,
    },
    tags: row.tags,
  };
}

/** The draft that a row stands for. */
export function draftOf(row: WorkbookRow): WorkbookDraft {
  const { blocks, samples } = row;
  return { ...draftHeadOf(row), blocks, ...(samples.length > 0 ? { samples } : {}) };
}

/** Workbooks that a scope sees, without their blocks. */
export async function workbooksInScope(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
): Promise<WorkbookHead[]> {
  return tables(trx)
    .selectFrom('workbook')
    .select(HEAD)
    .where('cluster_id', '=', clusterId)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .where('deleted_at', 'is', null)
    .orderBy('workbook_id')
    .execute();
}

/** A word that is searched for, and the techniques of ATT&CK whose name holds it. */
export interface SearchTerm {
  /** Lower case. */
  readonly text: string;
  readonly techniques: readonly string[];
}

/** Ids of the workbooks of a scope that hold every term in their text or by the name of their technique. */
export async function workbooksWithText(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  terms: readonly SearchTerm[],
): Promise<ReadonlySet<string>> {
  let query = tables(trx)
    .selectFrom('workbook')
    .select('workbook_id')
    .where('cluster_id', '=', clusterId)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .where('deleted_at', 'is', null);
  for (const { text, techniques } of terms) {
    query = query.where(
      sql<boolean>`(strpos(search_text, ${text}) > 0
        or technique = any(${techniques}) or sub_technique = any(${techniques}))`,
    );
  }
  const rows = await query.execute();
  return new Set(rows.map((row) => row.workbook_id));
}

/** One workbook that a scope sees; `lock` holds it until the transaction ends. */
export async function findWorkbook(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  workbookId: string,
  options: { readonly lock?: boolean; readonly deletedToo?: boolean } = {},
): Promise<WorkbookRow | undefined> {
  return tables(trx)
    .selectFrom('workbook')
    .select([...HEAD, 'blocks', 'samples', 'native_hash'])
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', '=', workbookId)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .$if(options.deletedToo !== true, (query) => query.where('deleted_at', 'is', null))
    .$if(options.lock === true, (query) => query.forUpdate())
    .executeTakeFirst();
}

/** Some workbooks that a scope sees, without their blocks. */
export async function workbookHeads(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  workbookIds: readonly string[],
): Promise<WorkbookHead[]> {
  if (workbookIds.length === 0) return [];
  return tables(trx)
    .selectFrom('workbook')
    .select(HEAD)
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', 'in', workbookIds)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .where('deleted_at', 'is', null)
    .execute();
}

/** What these workbooks of the tenant hold in their present version. */
export async function workbookBlocks(
  trx: TenantTransaction,
  clusterId: string,
  workbookIds: readonly string[],
): Promise<Pick<WorkbookRow, 'workbook_id' | 'version' | 'blocks'>[]> {
  if (workbookIds.length === 0) return [];
  return tables(trx)
    .selectFrom('workbook')
    .select(['workbook_id', 'version', 'blocks'])
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', 'in', workbookIds)
    .execute();
}

/** The workbook of this name that a scope sees, whatever its case: one of its own before a native one. */
export async function findWorkbookNamed(
  trx: TenantTransaction,
  clusterId: string,
  scopeId: string,
  name: string,
): Promise<WorkbookHead | undefined> {
  return tables(trx)
    .selectFrom('workbook')
    .select(HEAD)
    .where('cluster_id', '=', clusterId)
    .where((where) => where.or([where('scope_id', '=', scopeId), where('scope_id', 'is', null)]))
    .where('deleted_at', 'is', null)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .orderBy('native')
    .orderBy('workbook_id')
    .executeTakeFirst();
}

export interface NewWorkbook {
  readonly clusterId: string;
  readonly workbookId: string;
  /** Null for a native workbook, which every scope sees. */
  readonly scopeId: string | null;
  readonly draft: WorkbookDraft;
  readonly facts: WorkbookFacts;
  readonly author: Author;
  readonly message: string;
  readonly nowMs: number;
  readonly nativeHash: string | null;
  /** What it is a clone of. */
  readonly original?: { readonly id: string; readonly isReplaced: boolean };
}

/** Inserts a workbook as version 1. */
export async function insertWorkbook(trx: TenantTransaction, value: NewWorkbook): Promise<void> {
  await tables(trx)
    .insertInto('workbook')
    .values({
      cluster_id: value.clusterId,
      workbook_id: value.workbookId,
      scope_id: value.scopeId,
      ...draftColumns(value.draft),
      ...value.facts,
      native: value.scopeId === null,
      native_hash: value.nativeHash,
      author: value.author.name,
      author_id: value.author.id,
      version: 1,
      locked_by: null,
      locked_by_id: null,
      locked_at: null,
      created_at: timestamp(value.nowMs),
      updated_at: timestamp(value.nowMs),
      deleted_at: null,
      cloned_from: value.original?.id ?? null,
      replaced_original: value.original?.isReplaced ?? false,
    })
    .execute();
  await insertVersion(trx, { ...value, version: 1 });
}

export interface WorkbookUpdate extends Omit<NewWorkbook, 'scopeId' | 'original'> {
  readonly version: number;
}

/** Writes a new version; the caller holds the row and has checked the number. */
export async function updateWorkbook(trx: TenantTransaction, value: WorkbookUpdate): Promise<void> {
  await tables(trx)
    .updateTable('workbook')
    .set({
      ...draftColumns(value.draft),
      ...value.facts,
      native_hash: value.nativeHash,
      version: value.version,
      updated_at: timestamp(value.nowMs),
      deleted_at: null,
    })
    .where('cluster_id', '=', value.clusterId)
    .where('workbook_id', '=', value.workbookId)
    .execute();
  await insertVersion(trx, value);
}

async function insertVersion(trx: TenantTransaction, value: WorkbookUpdate): Promise<void> {
  await tables(trx)
    .insertInto('workbook_version')
    .values({
      cluster_id: value.clusterId,
      workbook_id: value.workbookId,
      version: value.version,
      author: value.author.name,
      author_id: value.author.id,
      commit_message: value.message,
      saved_at: timestamp(value.nowMs),
      draft: JSON.stringify(value.draft),
    })
    .execute();
}

/** Changes that make no version: folder, lock, deletion. */
export async function patchWorkbook(
  trx: TenantTransaction,
  clusterId: string,
  workbookId: string,
  patch: Partial<Pick<WorkbookRow, 'directory' | 'locked_by' | 'locked_by_id' | 'locked_at' | 'deleted_at'>>,
): Promise<void> {
  await tables(trx)
    .updateTable('workbook')
    .set(withTimestamps(patch, 'locked_at', 'deleted_at'))
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', '=', workbookId)
    .execute();
}

/** A version note: a user's text, or the product's own by code. */
function noteOf(stored: string) {
  const { message: commit_message, ...code } = readStoredText(stored);
  return { commit_message, ...code };
}

/** Versions, newest first. */
export async function versionsOf(
  trx: TenantTransaction,
  clusterId: string,
  workbookId: string,
): Promise<WorkbookVersion[]> {
  const rows = await tables(trx)
    .selectFrom('workbook_version')
    .select(['version', 'saved_at', 'author', 'commit_message'])
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', '=', workbookId)
    .orderBy('version', 'desc')
    .execute();
  return rows.map((row) => ({
    version: row.version,
    cnam_time: row.saved_at,
    author: row.author,
    ...noteOf(row.commit_message),
  }));
}

/** What a version held. */
export async function findVersion(
  trx: TenantTransaction,
  clusterId: string,
  workbookId: string,
  version: number,
): Promise<(WorkbookVersion & { readonly draft: WorkbookDraft }) | undefined> {
  const row = await tables(trx)
    .selectFrom('workbook_version')
    .selectAll()
    .where('cluster_id', '=', clusterId)
    .where('workbook_id', '=', workbookId)
    .where('version', '=', version)
    .executeTakeFirst();
  return (
    row && {
      version: row.version,
      cnam_time: row.saved_at,
      author: row.author,
      ...noteOf(row.commit_message),
      draft: row.draft,
    }
  );
}

/** The native workbooks of a tenant, deleted ones too, with the hash of the content they came from. */
export async function nativeWorkbooks(
  trx: TenantTransaction,
  clusterId: string,
): Promise<Pick<WorkbookRow, 'workbook_id' | 'native_hash' | 'version' | 'deleted_at'>[]> {
  return tables(trx)
    .selectFrom('workbook')
    .select(['workbook_id', 'native_hash', 'version', 'deleted_at'])
    .where('cluster_id', '=', clusterId)
    .where('native', '=', true)
    .execute();
}
