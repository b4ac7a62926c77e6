import type { Eventstore, EventstoreUpload } from '@tyrian/contract';
import { readFailure } from '../../platform/said-of-failure.ts';
import type { StoreRow, UploadRow } from './eventstore-store.ts';

/** A table as people see it. */
export const eventstoreOf = (store: StoreRow, upload: UploadRow | undefined, usedBy: number): Eventstore => ({
  store_id: store.store_id,
  name: store.name,
  description: store.description,
  file: store.file_name === '' ? (upload?.file_name ?? '') : store.file_name,
  format: store.format,
  author: store.author,
  created: store.created,
  changed_by: store.changed_by,
  changed: store.changed,
  rows: store.row_count,
  size_bytes: store.size_bytes,
  columns: [...store.columns],
  revision: store.revision,
  upload: upload ? uploadOf(upload) : null,
  used_by: usedBy,
});

const uploadOf = (upload: UploadRow): EventstoreUpload => ({
  upload_id: upload.upload_id,
  mode: upload.mode,
  state: upload.state,
  file: upload.file_name,
  rows_done: upload.rows_done,
  rows_total: upload.rows_total,
  ...readFailure(upload.error),
  author: upload.author,
  created: upload.created,
});
