import { z } from 'zod';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';

// An eventstore is a table that was uploaded into a scope: queries of that scope name it like a stream.

export const EVENTSTORE_LIMITS = {
  /** Of a file. */
  fileBytes: 20 * 1024 * 1024,
  /** A spreadsheet is taken apart in memory. */
  sheetBytes: 8 * 1024 * 1024,
  /** Of a table, all uploads together. */
  rows: 1_000_000,
  columns: 100,
  /** Characters of one value. */
  cell: 16_384,
  /** Tables of a scope. */
  perScope: 100,
  /** Appended uploads of a table; then it is replaced as a whole. */
  uploads: 200,
  /** A file of more bytes is stored by a job. */
  atOnceBytes: 1024 * 1024,
  previewRows: 20,
} as const;

export const EVENTSTORE_FORMATS = ['csv', 'json', 'xlsx'] as const;
export type EventstoreFormat = (typeof EVENTSTORE_FORMATS)[number];

/** Types that a column can have; a value that does not fit is read as null. */
export const EVENTSTORE_TYPES = [
  'string',
  'long',
  'real',
  'bool',
  'datetime',
  'timespan',
  'guid',
  'dynamic',
] as const;
export type EventstoreType = (typeof EVENTSTORE_TYPES)[number];

/** Names of tables and columns that queries write without quotes. */
const plainName = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z_]\w*$/, reason('functionName'));

export const eventstoreName = plainName(64);

export const eventstoreColumnSchema = z.object({ name: plainName(100), type: z.enum(EVENTSTORE_TYPES) });
export type EventstoreColumn = z.output<typeof eventstoreColumnSchema>;

export const eventstoreColumnsSchema = z.array(eventstoreColumnSchema).min(1).max(EVENTSTORE_LIMITS.columns);

export const UPLOAD_MODES = ['create', 'replace', 'append'] as const;
export type UploadMode = (typeof UPLOAD_MODES)[number];

export const UPLOAD_STATES = ['waiting', 'running', 'done', 'failed', 'over'] as const;
export type UploadState = (typeof UPLOAD_STATES)[number];

export const eventstoreUploadSchema = z.object({
  upload_id: idSchema,
  mode: z.enum(UPLOAD_MODES),
  state: z.enum(UPLOAD_STATES),
  file: z.string(),
  rows_done: z.number().int(),
  /** 0 until the file was read. */
  rows_total: z.number().int(),
  /** Why it failed; null when it did not. */
  message: z.string().nullable(),
  ...messageFields,
  author: z.string(),
  created: epochMs,
});
export type EventstoreUpload = z.output<typeof eventstoreUploadSchema>;

export const eventstoreSchema = z.object({
  store_id: idSchema,
  name: z.string(),
  description: z.string(),
  /** Name of the file that was uploaded last. */
  file: z.string(),
  format: z.enum(EVENTSTORE_FORMATS),
  author: z.string(),
  created: epochMs,
  changed_by: z.string(),
  changed: epochMs,
  rows: z.number().int(),
  size_bytes: z.number().int(),
  columns: z.array(eventstoreColumnSchema),
  revision: versionNumber,
  /** The upload that came last. */
  upload: eventstoreUploadSchema.nullable(),
  /** How many workbooks, rules, functions and the like name it. */
  used_by: z.number().int(),
});
export type Eventstore = z.output<typeof eventstoreSchema>;

/** How many values of a column can be read as each type. */
export const columnFitsSchema = z.object({
  long: z.number().int(),
  real: z.number().int(),
  bool: z.number().int(),
  datetime: z.number().int(),
  timespan: z.number().int(),
  guid: z.number().int(),
  dynamic: z.number().int(),
});
export type ColumnFits = z.output<typeof columnFitsSchema>;

export const eventstorePreviewSchema = z.object({
  format: z.enum(EVENTSTORE_FORMATS),
  rows: z.number().int(),
  columns: z.array(
    z.object({
      ...eventstoreColumnSchema.shape,
      /** As the file calls it. */
      source: z.string(),
      /** Values that are not empty. */
      filled: z.number().int(),
      fits: columnFitsSchema,
    }),
  ),
  /** The first rows, as text. */
  samples: z.array(z.array(z.string())),
  /** Of a spreadsheet: which sheet was read, of how many. */
  sheet: z.object({ name: z.string(), count: z.number().int() }).nullable(),
});
export type EventstorePreview = z.output<typeof eventstorePreviewSchema>;

/** What names a table of a tenant or a part of its data model. */
export const namedBySchema = z.object({
  kind: z.enum(['workbook', 'rule', 'function', 'query', 'bucket', 'extractor']),
  id: z.string(),
  name: z.string(),
});
export type NamedBy = z.output<typeof namedBySchema>;
