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
import {
  draftProblemSchema,
  ledgerWindowSchema,
  ruleHealthSchema,
  scheduleSchema,
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
  id: 'C082',
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
  id: 'C083',
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
 * streams, tags, stage, author, rule_state, detection.
 */
export const listWorkbooks = endpoint({
  id: 'C084',
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
  id: 'C085',
  audit: 'nothing',
  method: 'POST',
  path: path('wbstreamdryflow'),
  summary: 'Whether the streams of a workbook receive data',
  input: z.object(one),
  output: z.array(z.object({ stream: z.string(), last_event: epochMs.nullable(), has_data: z.boolean() })),
  access: inScope,
});

export const deleteWorkbook = endpoint({
  id: 'C086',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Delete a workbook; its signals stay',
  input: z.object(one),
  output: z.object({ ID: idSchema }),
  access: inScope,
});

export const moveWorkbook = endpoint({
  id: 'C088',
  audit: 'change',
  method: 'POST',
  path: path('move'),
  summary: 'Move a workbook to another folder',
  input: z.object({ ...one, directory: z.string().trim().max(300) }),
  output: z.object({ ID: idSchema, directory: z.string() }),
  access: inScope,
});

export const workbookProperties = endpoint({
  id: 'C089',
  audit: 'nothing',
  method: 'POST',
  path: path('properties'),
  summary: 'One workbook with its blocks',
  input: z.object(one),
  output: workbookSchema,
  access: inScope,
});

export const editWorkbook = endpoint({
  id: 'C090',
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
  id: 'C091',
  audit: 'export',
  method: 'POST',
  path: path('download'),
  summary: 'The workbook as a YAML file',
  input: z.object(one),
  output: z.string(),
  answer: 'blob',
  access: inScope,
});

export const setWorkbookVisibility = endpoint({
  id: 'C092',
  audit: 'change',
  method: 'POST',
  path: path('visibility'),
  summary: 'Switch a workbook on or off in a scope; switched on, it may cover the past since `backfill_from`',
  input: z.object({ ...one, enabled: z.boolean(), backfill_from: epochMs.optional() }),
  output: z.object({ ID: idSchema, enabled: z.boolean() }),
  access: inScope,
});

export const lockWorkbook = endpoint({
  id: 'C093',
  audit: 'change',
  method: 'POST',
  path: path('lock_unlock'),
  summary: 'Lock a workbook against changes by others, or unlock it',
  input: z.object({ ...one, lock: z.boolean() }),
  output: z.object({ locked: z.boolean(), locked_by: z.string().nullable() }),
  access: inScope,
});

export const workbookVersionList = endpoint({
  id: 'C094',
  audit: 'nothing',
  method: 'POST',
  path: path('versionlist'),
  summary: 'Versions of a workbook, newest first',
  input: z.object(one),
  output: z.array(workbookVersionSchema),
  access: inScope,
});

export const revertWorkbook = endpoint({
  id: 'C095',
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
  id: 'C096',
  audit: 'nothing',
  method: 'POST',
  path: path('versionview'),
  summary: 'What a version held',
  input: z.object({ ...one, version: versionNumber }),
  output: workbookVersionSchema.extend({ ID: idSchema, properties: workbookDraftSchema }),
  access: inScope,
});

export const checkLockedWorkbook = endpoint({
  id: 'C097',
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
  id: 'C098',
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
  id: 'C040',
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
      message: 'scope_id is missing',
      path: ['scope_id'],
    }),
  output: pageOf(workbookItemSchema),
  access: inScope,
});

/** Also what the editor asks while somebody types. */
export const checkWorkbook = endpoint({
  id: 'T-WB-CHECK',
  audit: 'nothing',
  method: 'POST',
  path: path('check'),
  summary: 'Whether a draft could be saved, with every problem and its place',
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
  id: 'T-WB-CLONE',
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

export const previewDetection = endpoint({
  id: 'T-WB-PREVIEW',
  audit: 'event-data',
  method: 'POST',
  path: path('preview'),
  summary: 'What a draft would have raised between two times of event time; nothing is stored',
  input: z
    .object({ ...scope, properties: workbookDraftSchema, start: epochMs, end: epochMs })
    .refine((body) => body.start < body.end, { message: 'start must be before end', path: ['start'] }),
  output: z.object({
    rows: z.number().int(),
    signals: z.number().int(),
    /** More rows than the preview reads were found; the figures are lower bounds. */
    capped: z.boolean(),
    samples: z.array(
      z.object({
        name: z.string(),
        occurrences: z.number().int(),
        first_time: epochMs,
        last_time: epochMs,
        suspects: z.array(z.object({ type: z.string(), value: z.string() })),
        targets: z.array(z.object({ type: z.string(), value: z.string() })),
      }),
    ),
  }),
  access: inScope,
});

export const nextRuns = endpoint({
  id: 'T-WB-NEXT',
  audit: 'nothing',
  method: 'POST',
  path: path('next_runs'),
  summary: 'The next five times a schedule runs',
  input: z.object({ ...scope, schedule: scheduleSchema }),
  output: z.array(epochMs),
  access: inScope,
});

export const ruleHealth = endpoint({
  id: 'T-RULE-HEALTH',
  audit: 'nothing',
  method: 'POST',
  path: path('health'),
  summary: 'How well rules keep up: all of a scope, or those named',
  input: z.object({ ...scope, IDs: z.array(idSchema).max(500).optional() }),
  output: z.array(ruleHealthSchema),
  access: inScope,
});

export const ruleLedger = endpoint({
  id: 'T-RULE-LEDGER',
  audit: 'nothing',
  method: 'POST',
  path: path('ledger'),
  summary: 'The windows that a rule has evaluated, newest first',
  input: z.object({ ...one, ...pageFields }),
  output: pageOf(ledgerWindowSchema),
  access: inScope,
});
