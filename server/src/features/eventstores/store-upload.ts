import { EVENTSTORE_LIMITS, say, storedText } from '@tyrian/contract';
import { z } from 'zod';
import { AppError } from '../../platform/app-error.ts';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { type Job, type JobRequestForm, UNTIL_DONE } from '../../platform/jobs/job.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import {
  endUploads,
  findStore,
  forgetFailed,
  isOpen,
  noteProgress,
  openUpload,
  type StoreRow,
  type UploadRow,
  updateStore,
} from './eventstore-store.ts';
import type { ParsedTable, RowChunk, TableParser } from './parse/parse-upload.ts';

// Brings an upload into its table: the file is read, its rows are stored, and only then they count, all at once. Until then
// and when it fails the table is what it was. It may run again after a crash: the same rows are stored once.

export interface UploadWork {
  readonly postgres: Postgres;
  readonly events: Pick<EventStore, 'insertRows' | 'ensureTenant'>;
  readonly clock: Clock;
  readonly parser: TableParser;
  /** The tables of the tenant are others from now on. */
  readonly changed: (clusterId: string) => void;
}

export const uploadRequest = {
  kind: 'eventstore-upload',
  payload: z.object({ scopeId: z.string(), uploadId: z.string() }),
  slotsPerTenant: 1,
  retry: UNTIL_DONE,
} as const satisfies JobRequestForm<{ scopeId: string; uploadId: string }>;

/** Stores large uploads. */
export function uploadJob(work: UploadWork): Job<z.output<typeof uploadRequest.payload>> {
  return {
    ...uploadRequest,
    run: async ({ scopeId, uploadId }, { clusterId, signal, progress }) => {
      if (clusterId === null) return 0;
      const report = (done: number, total: number) => progress(done, total);
      return storeUpload(work, { clusterId, scopeId }, uploadId, { signal, report });
    },
  };
}

interface Watched {
  readonly signal: AbortSignal;
  readonly report: (done: number, total: number) => Promise<void>;
}

/**
 * Stores what was uploaded; answers the number of rows, 0 for an upload that has ended. An upload that cannot be stored ends
 * with its reason; throws what may pass, so that it is tried again.
 */
async function storeUpload(
  work: UploadWork,
  scope: ScopeRef,
  uploadId: string,
  watched: Watched,
): Promise<number> {
  const { postgres, clock } = work;
  const found = await postgres.inTenant(scope.clusterId, async (trx) => {
    const upload = await openUpload(trx, scope, uploadId);
    const store = upload && (await findStore(trx, scope, upload.store_id));
    return upload && store ? { upload, store } : null;
  });
  if (!found) return 0;
  try {
    const read = await readUpload(work, scope, found, watched.signal);
    return await storeRead(work, scope, found.upload, read, watched);
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'bad-input') throw error;
    const end = { state: 'failed', error: storedText(error.said), nowMs: clock.now() } as const;
    await postgres.inTenant(scope.clusterId, (trx) => endUploads(trx, scope, [uploadId], end));
    throw error;
  }
}

export interface ReadUpload {
  readonly table: ParsedTable;
  readonly chunks: readonly RowChunk[];
}

/** Stores the rows of a file that was read; answers their number. */
export async function storeRead(
  work: UploadWork,
  scope: ScopeRef,
  upload: UploadRow,
  { table, chunks }: ReadUpload,
  watched: Watched,
): Promise<number> {
  await insertChunks(work, scope, upload.upload_id, { chunks, total: table.rows }, watched);
  await work.postgres.inTenant(scope.clusterId, (trx) => settle(trx, scope, upload, table, work.clock.now()));
  work.changed(scope.clusterId);
  return table.rows;
}

interface Found {
  readonly upload: UploadRow & { readonly body: Buffer };
  readonly store: StoreRow;
}

async function readUpload(
  { parser }: UploadWork,
  scope: ScopeRef,
  { upload, store }: Found,
  signal: AbortSignal,
) {
  const { upload_id, store_id, columns, mode } = upload;
  const read = await parser.parse(
    {
      bytes: upload.body,
      samples: 0,
      ...(columns ? { named: columns.map(({ name }) => name) } : {}),
      into: {
        scope: scope.scopeId,
        store: store_id,
        upload: upload_id,
        columns: mode === 'append' ? store.columns.map(({ name }) => name) : null,
      },
    },
    signal,
  );
  checkTogether(upload, store, read.table.rows);
  return read;
}

export function checkTogether(
  { mode }: Pick<UploadRow, 'mode'>,
  store: Pick<StoreRow, 'row_count'>,
  rows: number,
): void {
  const count = rows + (mode === 'append' ? store.row_count : 0);
  if (count > EVENTSTORE_LIMITS.rows)
    throw new AppError(
      'bad-input',
      say('eventstores.tooManyTogether', { count, most: EVENTSTORE_LIMITS.rows }),
    );
}

async function insertChunks(
  { postgres, events }: UploadWork,
  scope: ScopeRef,
  uploadId: string,
  { chunks, total }: { readonly chunks: readonly RowChunk[]; readonly total: number },
  { signal, report }: Watched,
): Promise<void> {
  const { clusterId } = scope;
  await events.ensureTenant(clusterId);
  let done = 0;
  for (const [at, { rows, body }] of chunks.entries()) {
    signal.throwIfAborted();
    await events.insertRows(clusterId, Buffer.from(body), {
      dedupToken: `${uploadId} ${at}`,
      table: 'eventstore_rows',
      signal,
    });
    done += rows;
    await postgres.inTenant(clusterId, (trx) => noteProgress(trx, scope, uploadId, { done, total }));
    await report(done, total);
  }
}

/** From here on the rows of the upload count. */
async function settle(
  trx: Parameters<typeof findStore>[0],
  scope: ScopeRef,
  upload: UploadRow,
  table: ParsedTable,
  nowMs: number,
): Promise<void> {
  const store = await findStore(trx, scope, upload.store_id, true);
  // Somebody deleted the table meanwhile: the rows go with it.
  if (!store || !(await isOpen(trx, scope, upload.upload_id))) return;
  const isAdded = upload.mode === 'append';
  if (isAdded) checkTogether(upload, store, table.rows);
  await updateStore(trx, scope, {
    ...store,
    file_name: upload.file_name,
    format: table.format,
    columns: isAdded ? store.columns : columnsAfter(upload, store, table),
    uploads: isAdded ? [...store.uploads, upload.upload_id] : [upload.upload_id],
    row_count: table.rows + (isAdded ? store.row_count : 0),
    size_bytes: upload.size_bytes + (isAdded ? store.size_bytes : 0),
    changed_by: upload.author,
    changed: nowMs,
  });
  await forgetFailed(trx, scope, upload.store_id);
  await endUploads(trx, scope, [upload.upload_id], { state: 'done', error: null, nowMs });
  if (!isAdded) await endUploads(trx, scope, store.uploads, { state: 'over', error: null, nowMs });
}

/** What was asked for; else the type that a column of this name had, or the guessed one. */
function columnsAfter({ columns }: UploadRow, store: StoreRow, table: ParsedTable): StoreRow['columns'] {
  if (columns) return columns;
  const before = new Map(store.columns.map(({ name, type }) => [name, type]));
  return table.columns.map(({ name, type }) => ({ name, type: before.get(name) ?? type }));
}
