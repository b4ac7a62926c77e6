import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import {
  addFilterSchema,
  epochMs,
  idSchema,
  pageFields,
  pageOf,
  versionNumber,
} from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import {
  draftProblemSchema,
  workbookDraftSchema,
  workbookItemSchema,
  workbookSchema,
  workbookVersionSchema,
} from './workbook.ts';

// The calls of workbooks. A draft that does not compile is refused with 422; `data.problems` says where.

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const inCluster = { kind: 'roles', in: 'cluster', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, ID: idSchema };
const message = z.string().trim().max(500).default('');
const path = (name: string) => `/:clusterId/api/workbook/${name}`;

export const detectionWorkbookCount = endpoint({
  name: 'workbooks.countDetections',
  requirement: 'C082',
  audit: 'nothing',
  method: 'POST',
  path: path('detectionwbcount'),
  summary: 'How many detections there are, and how many run',
  input: z.object(scope),
  output: z.object({
    total: z.number().int(),
    enabled: z.number().int(),
    streamed: z.number().int(),
    scheduled: z.number().int(),
  }),
  access: inScope,
});

export const addWorkbook = endpoint({
  name: 'workbooks.add',
  requirement: 'C083',
  audit: 'change',
  method: 'POST',
  path: path('add'),
  summary: 'Save a new workbook',
  input: z.object({ ...scope, properties: workbookDraftSchema, commit_message: message }),
  output: z.object({ ID: idSchema, version: z.number().int() }),
  access: inScope,
});

/**
 * Filter keys: name, ID, directory, tactic, technique, severity, score, confidence, enabled, native, mode,
 * streams, tags, stage, author, rule_state, detection. `text` searches name, description, tags, queries, knowledge
 * base, and techniques by id and name: each word of its value has to be found.
 */
export const listWorkbooks = endpoint({
  name: 'workbooks.list',
  requirement: 'C084',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Workbooks of a scope',
  input: z.object({
    ...scope,
    ...pageFields,
    sort: z.enum(['name', 'updated', 'signals_30d', 'last_signal', 'score']).default('name'),
    order: z.enum(['asc', 'desc']).default('asc'),
  }),
  output: pageOf(workbookItemSchema),
  access: inScope,
});

export const workbookStreamDryFlow = endpoint({
  name: 'workbooks.runDryFlow',
  requirement: 'C085',
  audit: 'nothing',
  method: 'POST',
  path: path('wbstreamdryflow'),
  summary: 'Whether the streams of a workbook receive data',
  input: z.object(one),
  output: z.array(z.object({ stream: z.string(), last_event: epochMs.nullable(), has_data: z.boolean() })),
  access: inScope,
});

export const deleteWorkbook = endpoint({
  name: 'workbooks.delete',
  requirement: 'C086',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary:
    'Delete a workbook; its signals stay. `enable_original` lets run again what its clone switched off',
  input: z.object({ ...one, enable_original: z.boolean().default(false) }),
  output: z.object({
    ID: idSchema,
    /** The original that runs again. */
    enabled: z.object({ ID: idSchema, name: z.string() }).nullable(),
  }),
  access: inScope,
});

export const moveWorkbook = endpoint({
  name: 'workbooks.move',
  requirement: 'C088',
  audit: 'change',
  method: 'POST',
  path: path('move'),
  summary: 'Move a workbook to another folder',
  input: z.object({ ...one, directory: z.string().trim().max(300) }),
  output: z.object({ ID: idSchema, directory: z.string() }),
  access: inScope,
});

export const workbookProperties = endpoint({
  name: 'workbooks.readProperties',
  requirement: 'C089',
  audit: 'nothing',
  method: 'POST',
  path: path('properties'),
  summary: 'One workbook with its blocks',
  input: z.object(one),
  output: workbookSchema,
  access: inScope,
});

export const editWorkbook = endpoint({
  name: 'workbooks.edit',
  requirement: 'C090',
  audit: 'change',
  method: 'POST',
  path: path('edit'),
  summary: 'Save a new version; refused with 409 when `version` is no longer the newest',
  input: z.object({
    ...one,
    version: versionNumber,
    properties: workbookDraftSchema,
    commit_message: message,
  }),
  output: z.object({ ID: idSchema, version: z.number().int() }),
  access: inScope,
});

export const downloadWorkbook = endpoint({
  name: 'workbooks.download',
  requirement: 'C091',
  audit: 'export',
  method: 'POST',
  path: path('download'),
  summary: 'The workbook as a YAML file',
  input: z.object(one),
  output: z.string(),
  answer: 'blob',
  access: inScope,
});

/**
 * A file that is no workbook answers 422; `data.code` is `not-yaml` or `not-a-workbook` and `data.problems` names each
 * place. A workbook of the same name answers 409 with `data.code` `same-name`, unless `as` says what to do.
 */
export const importWorkbook = endpoint({
  name: 'workbooks.import',
  audit: 'change',
  method: 'POST',
  path: path('import'),
  summary: 'Save the workbook of a YAML file as a new one, switched off, or as a new version of one',
  input: z
    .object({
      ...scope,
      /** The text of the file. */
      file: z.string().min(1).max(500_000),
      file_name: z.string().max(300).default(''),
      as: z.enum(['new', 'copy', 'version']).default('new'),
      ID: idSchema.optional(),
      version: versionNumber.optional(),
    })
    .refine((body) => body.as !== 'version' || (body.ID !== undefined && body.version !== undefined), {
      message: reason('versionNeedsId'),
      path: ['ID'],
    }),
  output: z.object({ ID: idSchema, version: z.number().int() }),
  access: inScope,
});

export const setWorkbookVisibility = endpoint({
  name: 'workbooks.setVisibility',
  requirement: 'C092',
  audit: 'change',
  method: 'POST',
  path: path('visibility'),
  summary: 'Switch a workbook on or off in a scope; switched on, it may cover the past since `backfill_from`',
  input: z.object({ ...one, enabled: z.boolean(), backfill_from: epochMs.optional() }),
  output: z.object({ ID: idSchema, enabled: z.boolean() }),
  access: inScope,
});

export const lockWorkbook = endpoint({
  name: 'workbooks.lock',
  requirement: 'C093',
  audit: 'change',
  method: 'POST',
  path: path('lock_unlock'),
  summary: 'Lock a workbook against changes by others, or unlock it',
  input: z.object({ ...one, lock: z.boolean() }),
  output: z.object({ locked: z.boolean(), locked_by: z.string().nullable() }),
  access: inScope,
});

export const workbookVersionList = endpoint({
  name: 'workbooks.listVersions',
  requirement: 'C094',
  audit: 'nothing',
  method: 'POST',
  path: path('versionlist'),
  summary: 'Versions of a workbook, newest first',
  input: z.object(one),
  output: z.array(workbookVersionSchema),
  access: inScope,
});

export const revertWorkbook = endpoint({
  name: 'workbooks.revert',
  requirement: 'C095',
  audit: 'change',
  method: 'POST',
  path: path('versionrevert'),
  summary: 'Make an old version the newest again; folder and, unless asked for, schedule stay as they are',
  input: z.object({
    ...one,
    version: versionNumber,
    commit_message: message,
    with_schedule: z.boolean().default(false),
  }),
  output: z.object({ ID: idSchema, version: z.number().int() }),
  access: inScope,
});

export const viewWorkbookVersion = endpoint({
  name: 'workbooks.viewVersion',
  requirement: 'C096',
  audit: 'nothing',
  method: 'POST',
  path: path('versionview'),
  summary: 'What a version held',
  input: z.object({ ...one, version: versionNumber }),
  output: workbookVersionSchema.extend({ ID: idSchema, properties: workbookDraftSchema }),
  access: inScope,
});

export const checkLockedWorkbook = endpoint({
  name: 'workbooks.checkLocked',
  requirement: 'C097',
  audit: 'nothing',
  method: 'POST',
  path: path('checklockedworkbook'),
  summary: 'Whether a workbook is locked, by whom and since when',
  input: z.object(one),
  output: z.object({ locked: z.boolean(), locked_by: z.string().nullable(), since: epochMs.nullable() }),
  access: inScope,
});

export const WORKBOOK_META_TYPES = ['stages', 'tags', 'tactics', 'techniques', 'modes', 'streams'] as const;

export const workbookMeta = endpoint({
  name: 'workbooks.readMeta',
  requirement: 'C098',
  audit: 'nothing',
  method: 'GET',
  path: path('meta'),
  summary: 'Pick lists of the editor and the filters',
  input: z.object({ type: z.enum(WORKBOOK_META_TYPES) }),
  /** For techniques, `tactics` names where each stands and `parent` its technique. */
  output: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      tactics: z.array(z.string()).optional(),
      parent: z.string().optional(),
    }),
  ),
  access: inCluster,
});

/** Generic search of objects; a filter on `ConfType` names the kind, here `WorkBooks`. */
export const searchObjects = endpoint({
  name: 'workbooks.searchObjects',
  requirement: 'C040',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/search',
  summary: 'Find objects by ID or name',
  input: z
    .object({
      ssid: z.string().max(256).optional(),
      scope_id: idSchema.optional(),
      ScopeID: idSchema.optional(),
      ...pageFields,
      addfilters: z.array(addFilterSchema).max(50).default([]),
    })
    .refine((body) => body.scope_id !== undefined || body.ScopeID !== undefined, {
      message: reason('scopeMissing'),
      path: ['scope_id'],
    }),
  output: pageOf(workbookItemSchema),
  access: inScope,
});

/** Also what the editor asks while somebody types. */
export const checkWorkbook = endpoint({
  name: 'workbooks.check',
  audit: 'nothing',
  method: 'POST',
  path: path('check'),
  summary: 'Whether a draft could be saved, with every problem and its path',
  input: z.object({ ...scope, properties: workbookDraftSchema }),
  output: z.object({
    ok: z.boolean(),
    problems: z.array(draftProblemSchema),
    streams: z.array(z.string()),
    /** Columns that the data block above each signal block yields. */
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
  }),
  access: inScope,
});

export const cloneWorkbook = endpoint({
  name: 'workbooks.clone',
  audit: 'change',
  method: 'POST',
  path: path('clone'),
  summary: 'Copy a workbook so that it can be changed',
  input: z.object({
    ...one,
    name: z.string().trim().min(1).max(200),
    directory: z.string().trim().max(300).default(''),
    disable_original: z.boolean().default(true),
    retain_schedule: z.boolean().default(true),
  }),
  output: z.object({ ID: idSchema, version: z.number().int() }),
  access: inScope,
});
