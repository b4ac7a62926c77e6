import type { EventstoreColumn, EventstoreFormat, UploadMode, UploadState } from '@tyrian/contract';
import { sql } from 'kysely';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { storableJson, storableText } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';

// Uploaded tables and their uploads in PostgreSQL (db/postgres/0032_eventstores.sql), in the caller's transaction.

export interface StoreRow {
  readonly scope_id: string;
  readonly store_id: string;
  readonly name: string;
  readonly description: string;
  readonly file_name: string;
  readonly format: EventstoreFormat;
  readonly columns: readonly EventstoreColumn[];
  readonly uploads: readonly string[];
  readonly row_count: number;
  readonly size_bytes: number;
  readonly revision: number;
  readonly author: string;
  readonly created: number;
  readonly changed_by: string;
  readonly changed: number;
}

export interface UploadRow {
  readonly store_id: string;
  readonly upload_id: string;
  readonly mode: UploadMode;
  readonly state: UploadState;
  readonly file_name: string;
  readonly format: EventstoreFormat;
  readonly columns: readonly EventstoreColumn[] | null;
  readonly rows_done: number;
  readonly rows_total: number;
  readonly size_bytes: number;
  readonly error: string | null;
  readonly author: string;
  readonly created: number;
}

const STORE = sql`scope_id, store_id, name, description, file_name, format, columns, uploads, row_count,
  size_bytes::float8 as size_bytes, revision, author, created_at as created, changed_by, changed_at as changed`;
const UPLOAD = sql`store_id, upload_id, mode, state, file_name, format, columns, rows_done, rows_total,
  size_bytes::float8 as size_bytes, error, author, created_at as created`;

/** The tables of a scope, or of the whole tenant, by name. */
export async function listStores(
  trx: TenantTransaction,
  { clusterId, scopeId }: { readonly clusterId: string; readonly scopeId: string | null },
): Promise<readonly StoreRow[]> {
  const { rows } = await sql<StoreRow>`select ${STORE} from eventstore
    where cluster_id = ${clusterId} and (${scopeId}::text is null or scope_id = ${scopeId})
    order by lower(name), scope_id`.execute(trx);
  return rows;
}

/** One table; `isHeld`: until the transaction ends nobody else changes it. Undefined when the scope has none such. */
export async function findStore(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  storeId: string,
  isHeld = false,
): Promise<StoreRow | undefined> {
  const { rows } = await sql<StoreRow>`select ${STORE} from eventstore
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and store_id = ${storeId}
    ${isHeld ? sql`for update` : sql``}`.execute(trx);
  return rows[0];
}

export async function insertStore(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  store: Pick<StoreRow, 'store_id' | 'name' | 'description' | 'format' | 'columns' | 'author' | 'created'>,
): Promise<void> {
  const now = timestamp(store.created);
  await sql`insert into eventstore (cluster_id, scope_id, store_id, name, description, format, columns, author, created_at,
      changed_by, changed_at)
    values (${clusterId}, ${scopeId}, ${store.store_id}, ${store.name}, ${store.description}, ${store.format},
      ${storableJson(store.columns)}::jsonb, ${store.author}, ${now}, ${store.author}, ${now})`.execute(trx);
}

/** Writes what an upload or a person changed about a table, as its next revision. */
export async function updateStore(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  store: Omit<StoreRow, 'scope_id' | 'name' | 'revision' | 'author' | 'created'>,
): Promise<number> {
  const { rows } = await sql<{ revision: number }>`update eventstore set description = ${store.description},
      file_name = ${storableText(store.file_name)}, format = ${store.format},
      columns = ${storableJson(store.columns)}::jsonb,
      uploads = ${[...store.uploads]}, row_count = ${store.row_count}, size_bytes = ${store.size_bytes},
      changed_by = ${store.changed_by}, changed_at = ${timestamp(store.changed)}, revision = revision + 1
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and store_id = ${store.store_id}
    returning revision`.execute(trx);
  return rows[0]?.revision ?? 0;
}

/** Removes a table; what was uploaded into it is over. */
export async function deleteStore(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  storeId: string,
  nowMs: number,
): Promise<void> {
  await sql`delete from eventstore
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and store_id = ${storeId}`.execute(trx);
  await sql`update eventstore_upload set state = 'over', body = null, ended_at = ${timestamp(nowMs)}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and store_id = ${storeId}`.execute(trx);
}

export async function insertUpload(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  upload: Omit<UploadRow, 'state' | 'rows_done' | 'rows_total' | 'error'> & {
    readonly author_id: string;
    readonly body: Uint8Array;
  },
): Promise<void> {
  const columns = upload.columns === null ? null : storableJson(upload.columns);
  await sql`insert into eventstore_upload (cluster_id, scope_id, store_id, upload_id, mode, state, file_name, format,
      columns, body, size_bytes, author, author_id, created_at)
    values (${clusterId}, ${scopeId}, ${upload.store_id}, ${upload.upload_id}, ${upload.mode}, 'waiting',
      ${storableText(upload.file_name)}, ${upload.format}, ${columns}::jsonb, ${Buffer.from(upload.body)},
      ${upload.size_bytes}, ${upload.author}, ${upload.author_id}, ${timestamp(upload.created)})`.execute(
    trx,
  );
}

/** The last upload of each table of a scope. */
export async function lastUploads(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
): Promise<readonly UploadRow[]> {
  const { rows } = await sql<UploadRow>`select distinct on (store_id) ${UPLOAD} from eventstore_upload
    where cluster_id = ${clusterId} and scope_id = ${scopeId} order by store_id, created_at desc`.execute(
    trx,
  );
  return rows;
}

/** An upload that has not ended, with its file, held until the transaction ends; undefined for any other. */
export async function openUpload(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  uploadId: string,
): Promise<(UploadRow & { readonly body: Buffer }) | undefined> {
  const { rows } = await sql<UploadRow & { body: Buffer }>`
    update eventstore_upload set state = 'running'
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and upload_id = ${uploadId}
      and state in ('waiting', 'running') and body is not null
    returning ${UPLOAD}, body`.execute(trx);
  return rows[0];
}

/** Uploads of a table that failed are over: another one has followed them. */
export async function forgetFailed(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  storeId: string,
): Promise<void> {
  await sql`update eventstore_upload set state = 'over', rows_removed_at = null
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and store_id = ${storeId} and state = 'failed'`.execute(
    trx,
  );
}

/** Whether an upload has not ended. */
export async function isOpen(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  uploadId: string,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from eventstore_upload where cluster_id = ${clusterId} and scope_id = ${scopeId}
    and upload_id = ${uploadId} and state in ('waiting', 'running') for update`.execute(trx);
  return rows.length > 0;
}

/** Whether something is being uploaded into a table. */
export async function isUploading(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  storeId: string,
): Promise<boolean> {
  const { rows } =
    await sql`select 1 from eventstore_upload where cluster_id = ${clusterId} and scope_id = ${scopeId}
    and store_id = ${storeId} and state in ('waiting', 'running') limit 1`.execute(trx);
  return rows.length > 0;
}

export async function noteProgress(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  uploadId: string,
  { done, total }: { readonly done: number; readonly total: number },
): Promise<void> {
  await sql`update eventstore_upload set rows_done = ${done}, rows_total = ${total}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and upload_id = ${uploadId}`.execute(trx);
}

/** Ends uploads that have not ended otherwise; their files go. */
export async function endUploads(
  trx: TenantTransaction,
  { clusterId, scopeId }: ScopeRef,
  uploadIds: readonly string[],
  end: { readonly state: 'done' | 'failed' | 'over'; readonly error: string | null; readonly nowMs: number },
): Promise<void> {
  await sql`update eventstore_upload set state = ${end.state}, error = ${end.error && storableText(end.error)},
      body = null, ended_at = ${timestamp(end.nowMs)}
    where cluster_id = ${clusterId} and scope_id = ${scopeId} and upload_id = any(${[...uploadIds]})
      and state <> 'over'`.execute(trx);
}
