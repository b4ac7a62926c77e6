import {
  EVENTSTORE_LIMITS,
  type EventstoreColumn,
  type EventstoreFormat,
  type OutputOf,
  say,
  type uploadEventstore,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { newId } from '../../platform/new-id.ts';
import type { TenantTransaction } from '../../platform/postgres/postgres.ts';
import { isViolation } from '../identity/users/pg-violation.ts';
import {
  findStore,
  insertStore,
  insertUpload,
  isUploading,
  listStores,
  type StoreRow,
  type UploadRow,
} from './eventstore-store.ts';
import type { CallerInScope, EventstoresDeps } from './eventstores-deps.ts';
import { checkTogether, type ReadUpload, storeRead, uploadRequest } from './store-upload.ts';

// Takes a file: a small one is read before anything is written and stored while the caller waits; a large one is kept as it
// came and stored by a job.

type Input = z.output<(typeof uploadEventstore)['input']>;

/** Takes the rows of a file into a new table or one that is there. */
export async function takeFile(
  deps: EventstoresDeps,
  scope: CallerInScope,
  input: Input,
  signal: AbortSignal,
): Promise<OutputOf<typeof uploadEventstore>> {
  const bytes = typeof input.file === 'string' ? Buffer.from(input.file, 'base64') : input.file;
  if (bytes.length > EVENTSTORE_LIMITS.fileBytes)
    throw new AppError(
      'bad-input',
      say('eventstores.fileTooLarge', { most: EVENTSTORE_LIMITS.fileBytes / 1024 ** 2 }),
    );
  checkNames(input.columns ?? []);
  const target = await targetOf(deps, scope, input);
  const uploadId = newId();
  const isSmall = bytes.length <= EVENTSTORE_LIMITS.atOnceBytes;
  const read = isSmall ? await readNow(deps, scope, input, { bytes, target, uploadId }, signal) : null;
  const upload = uploadOf(deps, scope, input, { target, uploadId, bytes, read });
  await note(deps, scope, input, { target, upload, bytes, read });
  deps.changed(scope.clusterId);
  const state = read ? 'done' : 'waiting';
  const rows = read
    ? await storeRead(deps, scope, upload, read, { signal, report: async () => undefined })
    : 0;
  return { store_id: target.store_id, upload_id: uploadId, state, rows };
}

function checkNames(columns: readonly EventstoreColumn[]): void {
  const seen = new Set<string>();
  for (const { name } of columns) {
    if (seen.has(name.toLowerCase()))
      throw new AppError('bad-input', say('eventstores.sameColumns', { name }));
    seen.add(name.toLowerCase());
  }
}

interface Target {
  readonly store_id: string;
  readonly name: string;
  readonly isNew: boolean;
  readonly columns: readonly EventstoreColumn[];
  readonly row_count: number;
}

async function targetOf(deps: EventstoresDeps, scope: CallerInScope, input: Input): Promise<Target> {
  if (input.mode !== 'create') {
    const { store_id = '' } = input;
    const { store, isBusy } = await deps.postgres.inTenant(scope.clusterId, async (trx) => ({
      store: await findStore(trx, scope, store_id),
      isBusy: await isUploading(trx, scope, store_id),
    }));
    if (!store) throw notFound();
    checkFree(input, store, isBusy);
    return { ...store, isNew: false };
  }
  const { name } = input;
  if (name === undefined) throw new AppError('bad-input', say('eventstores.nameMissing'));
  if (!(await deps.isFreeName(scope, name, scope.caller.userId))) throw taken(name);
  return { store_id: newId(), name, isNew: true, columns: [], row_count: 0 };
}

const taken = (name: string) => new AppError('conflict', say('eventstores.nameTaken', { name }));

function checkFree({ mode }: Input, { uploads }: StoreRow, isBusy: boolean): void {
  if (isBusy) throw new AppError('conflict', say('eventstores.stillUploading'));
  if (mode === 'append' && uploads.length >= EVENTSTORE_LIMITS.uploads)
    throw new AppError('conflict', say('eventstores.tooManyUploads', { most: EVENTSTORE_LIMITS.uploads }));
}

interface Taken {
  readonly bytes: Uint8Array;
  readonly target: Target;
  readonly uploadId: string;
}

async function readNow(
  { parser }: EventstoresDeps,
  { scopeId }: CallerInScope,
  { mode, columns }: Input,
  { bytes, target, uploadId }: Taken,
  signal: AbortSignal,
): Promise<ReadUpload> {
  const read = await parser.parse(
    {
      bytes,
      samples: 0,
      ...(columns ? { named: columns.map(({ name }) => name) } : {}),
      into: {
        scope: scopeId,
        store: target.store_id,
        upload: uploadId,
        columns: mode === 'append' ? target.columns.map(({ name }) => name) : null,
      },
    },
    signal,
  );
  checkTogether({ mode }, target, read.table.rows);
  return read;
}

const formatOf = (fileName: string): EventstoreFormat =>
  /\.xlsx$/i.test(fileName) ? 'xlsx' : /\.(?:json|ndjson|jsonl)$/i.test(fileName) ? 'json' : 'csv';

function uploadOf(
  { clock }: EventstoresDeps,
  { caller }: CallerInScope,
  { mode, columns, file_name }: Input,
  { target, uploadId, bytes, read }: Taken & { readonly read: ReadUpload | null },
): UploadRow {
  return {
    store_id: target.store_id,
    upload_id: uploadId,
    mode,
    state: 'waiting',
    file_name,
    format: read?.table.format ?? formatOf(file_name),
    columns: columns ?? null,
    rows_done: 0,
    rows_total: read?.table.rows ?? 0,
    size_bytes: bytes.length,
    error: null,
    author: caller.name,
    created: clock.now(),
  };
}

/** Writes down what was uploaded, with its entry in the audit trail; a large file with the job that stores it. */
async function note(
  { postgres, audit }: EventstoresDeps,
  scope: CallerInScope,
  { mode, description }: Input,
  { target, upload, bytes, read }: Omit<Taken, 'uploadId'> & { upload: UploadRow; read: ReadUpload | null },
): Promise<void> {
  const { clusterId, scopeId, caller } = scope;
  await postgres.inTenant(clusterId, async (trx) => {
    if (target.isNew) await addStore(trx, scope, { target, upload, description, read });
    else {
      const store = await findStore(trx, scope, target.store_id, true);
      if (!store) throw notFound();
      checkFree({ mode } as Input, store, await isUploading(trx, scope, target.store_id));
    }
    await insertUpload(trx, scope, { ...upload, author_id: caller.userId, body: bytes });
    if (read === null)
      await enqueueJob(trx, uploadRequest, {
        payload: { scopeId, uploadId: upload.upload_id },
        clusterId,
        key: upload.upload_id,
        askedBy: caller,
      });
    const details = { file: upload.file_name, bytes: bytes.length };
    await audit.record(
      { action: `eventstore.${mode}`, who: caller, clusterId, scopeId, entity: target.name, details },
      trx,
    );
  });
}

async function addStore(
  trx: TenantTransaction,
  scope: CallerInScope,
  made: { target: Target; upload: UploadRow; description: string; read: ReadUpload | null },
): Promise<void> {
  const { target, upload, description, read } = made;
  const most = EVENTSTORE_LIMITS.perScope;
  if ((await listStores(trx, scope)).length >= most)
    throw new AppError('conflict', say('eventstores.tooMany', { most }));
  const columns = upload.columns ?? read?.table.columns.map(({ name, type }) => ({ name, type })) ?? [];
  const { store_id, name } = target;
  const { format, author, created } = upload;
  await insertStore(trx, scope, { store_id, name, description, format, columns, author, created }).catch(
    (error: unknown) => {
      if (isViolation(error, 'unique')) throw taken(name);
      throw error;
    },
  );
}
