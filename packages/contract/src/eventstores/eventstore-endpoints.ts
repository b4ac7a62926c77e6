import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { fromForm } from '../envelope/from-form.ts';
import { idSchema, pageFields, pageOf, versionNumber } from '../envelope/list-request.ts';
import {
  EVENTSTORE_LIMITS,
  EVENTSTORE_TYPES,
  eventstoreColumnsSchema,
  eventstoreName,
  eventstorePreviewSchema,
  eventstoreSchema,
  namedBySchema,
  UPLOAD_MODES,
} from './eventstore.ts';

const engineer = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, store_id: idSchema };
const path = (name: string) => `/:clusterId/api/event_store/${name}`;

const file = {
  /** The file part of the form; in JSON, base64. */
  file: z.union([z.base64().min(4).max(480_000), z.instanceof(Uint8Array)]),
  file_name: z.string().max(300).default(''),
};

export const listEventstores = endpoint({
  name: 'eventstores.list',
  requirement: 'C105',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The uploaded tables of the scope, by name, with their last upload and how many things name them',
  input: z.object({ ...scope, ...pageFields, search: z.string().max(200).default('') }),
  output: pageOf(eventstoreSchema),
  access: engineer,
});

export const readEventstore = endpoint({
  name: 'eventstores.read',
  audit: 'event-data',
  method: 'POST',
  path: path('read'),
  summary: 'An uploaded table with its first rows and what names it',
  input: z.object(one),
  output: z.object({
    store: eventstoreSchema,
    samples: z.array(z.array(z.string())),
    named_by: z.array(namedBySchema),
  }),
  access: engineer,
});

export const previewEventstore = endpoint({
  name: 'eventstores.preview',
  audit: 'nothing',
  method: 'POST',
  path: path('preview'),
  summary:
    'Looks into a file of csv, json, ndjson or xlsx (multipart/form-data) and writes nothing: columns with guessed types, how many values fit each type, the first rows',
  input: z.object({ ...scope, ...file }),
  output: eventstorePreviewSchema,
  access: engineer,
});

export const uploadEventstore = endpoint({
  name: 'eventstores.upload',
  audit: 'change',
  method: 'POST',
  path: path('upload'),
  summary: `Uploads a file as a new table (\`mode=create\`), in place of the rows of one, or behind them. A file of more than ${EVENTSTORE_LIMITS.atOnceBytes / 1024} KiB is stored by a job; the list tells how far it is`,
  input: z.object({
    ...scope,
    ...file,
    mode: z.enum(UPLOAD_MODES).default('create'),
    /** Of a new table. */
    name: eventstoreName.optional(),
    description: z.string().trim().max(2000).default(''),
    /** The table whose rows are replaced or added to. */
    store_id: idSchema.optional(),
    /** By the columns of the file, in their order; what was guessed when absent. In a form, as JSON. */
    columns: z.preprocess(fromForm, eventstoreColumnsSchema.optional()),
  }),
  output: z.object({
    store_id: idSchema,
    upload_id: idSchema,
    state: z.enum(['waiting', 'done']),
    rows: z.number().int(),
  }),
  access: engineer,
});

export const changeEventstore = endpoint({
  name: 'eventstores.change',
  audit: 'change',
  method: 'POST',
  path: path('change'),
  summary: 'Changes the description of an uploaded table and the types of its columns; its rows stay',
  input: z.object({
    ...one,
    revision: versionNumber,
    description: z.string().trim().max(2000),
    /** By the name of the column. */
    types: z
      .array(z.object({ name: z.string().max(100), type: z.enum(EVENTSTORE_TYPES) }))
      .max(EVENTSTORE_LIMITS.columns)
      .default([]),
  }),
  output: z.object({ revision: versionNumber }),
  access: engineer,
});

export const removeEventstore = endpoint({
  name: 'eventstores.remove',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Deletes an uploaded table with its rows; one that something names only when that is confirmed',
  input: z.object({ ...one, confirm_used: z.boolean().default(false) }),
  output: z.object({ store_id: idSchema }),
  access: engineer,
});

export const downloadEventstore = endpoint({
  name: 'eventstores.download',
  audit: 'export',
  method: 'POST',
  path: path('download'),
  summary: 'The rows of an uploaded table as CSV',
  input: z.object({ ...one, formula_guard: z.boolean().default(true) }),
  output: z.string(),
  answer: 'blob',
  access: engineer,
});
