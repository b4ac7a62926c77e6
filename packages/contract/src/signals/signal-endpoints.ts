import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { addFilterSchema, epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import {
  SIGNAL_VIEWS,
  signalDetailSchema,
  signalFacetsSchema,
  signalSchema,
  signalTagSchema,
} from './signal.ts';

const access = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const path = (name: string) => `/:clusterId/api/signals/${name}`;
const scope = { scope_id: idSchema };
const one = { ...scope, signal_id: idSchema };
const entityFilter = z.object({
  type: z.string().max(20).optional(),
  value: z.string().min(1).max(2000),
  role: z.enum(['suspect', 'target']).optional(),
});

/**
 * Which signals: those whose stretch from first to last time touches `[start, end)`. Filter keys: name, tactic,
 * technique, sub_technique, confidence, stream, stage, tag, score, workbook_id, workbook_name, signal_id,
 * false_positive, suspect, target, case_id.
 */
const selectionFields = {
  ...scope,
  start: epochMs.optional(),
  end: epochMs.optional(),
  view: z.enum(SIGNAL_VIEWS).default('all'),
  include: z.array(entityFilter).max(50).default([]),
  exclude: z.array(entityFilter).max(50).default([]),
  addfilters: z.array(addFilterSchema).max(50).default([]),
};
export const signalSelectionSchema = z.object(selectionFields);
export type SignalSelection = z.output<typeof signalSelectionSchema>;

export const listSignals = endpoint({
  name: 'signals.list',
  requirement: 'C043',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Signals of a scope',
  input: z.object({
    ...selectionFields,
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    sort: z.enum(['last_time', 'first_time', 'created', 'score', 'name', 'occurrences']).default('last_time'),
    order: z.enum(['asc', 'desc']).default('desc'),
  }),
  /** `view_counts`: how many the same selection holds in each view. */
  output: pageOf(signalSchema).extend({
    view_counts: z.object({ pending: z.number().int(), triaged: z.number().int(), all: z.number().int() }),
  }),
  access,
});

export const signalGraphData = endpoint({
  name: 'signals.readGraph',
  requirement: 'C044',
  audit: 'nothing',
  method: 'POST',
  path: path('graph_data'),
  summary: 'Signals and the entities that join them',
  input: z.object({ ...selectionFields, signal_ids: z.array(idSchema).max(500).optional() }),
  output: z.object({
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        label: z.string(),
        /** An entity that is suspect in one signal and target in another is compromised. */
        role: z.enum(['signal', 'suspect', 'target', 'compromised']),
        /** Of a signal; null for an entity. */
        score: z.number().int().nullable(),
        in_case: z.boolean(),
        /** Part of the selection; others are connected to it. */
        selected: z.boolean(),
      }),
    ),
    edges: z.array(z.object({ from: z.string(), to: z.string(), signal_id: idSchema })),
    /** More signals matched than the graph shows. */
    truncated: z.boolean(),
  }),
  access,
});

export const signalTimeslices = endpoint({
  name: 'signals.readTimeslices',
  requirement: 'C045',
  audit: 'nothing',
  method: 'POST',
  path: path('timeslice_data'),
  summary: 'Signals over time, by last time; empty slices included',
  input: z.object({ ...selectionFields, interval: z.number().int().min(1000).optional() }),
  output: z.array(z.object({ time: epochMs, count: z.number().int() })),
  access,
});

export const signalCaseList = endpoint({
  name: 'signals.listCases',
  requirement: 'C046',
  audit: 'nothing',
  method: 'POST',
  path: path('case_list'),
  summary: 'Cases that hold a signal',
  input: z.object(one),
  output: z.array(
    z.object({ case_id: idSchema, case_key: z.string(), case_name: z.string(), status: z.string() }),
  ),
  access,
});

export const signalFacetsTask = endpoint({
  name: 'signals.beginFacets',
  requirement: 'C047',
  audit: 'nothing',
  method: 'POST',
  path: path('facets/task_id'),
  summary: 'Ask for the summary of a selection',
  input: signalSelectionSchema,
  output: z.object({ task_id: idSchema }),
  access,
});

export const signalFacetsResult = endpoint({
  name: 'signals.readFacets',
  requirement: 'C048',
  audit: 'nothing',
  method: 'POST',
  path: path('facets/result'),
  summary: 'The summary that was asked for',
  input: z.object({ ...scope, task_id: idSchema }),
  output: signalFacetsSchema,
  access,
});

export const signalData = endpoint({
  name: 'signals.readData',
  requirement: 'C049',
  audit: 'event-data',
  method: 'POST',
  path: path('data'),
  summary: 'The raw events that raised a signal',
  input: z.object({
    ...one,
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(1000).default(50),
  }),
  output: z.object({
    /** Columns that hold a value in any of the rows, in the order of the schema. */
    fields_list: z.array(z.string()),
    data: z.array(z.record(z.string(), z.unknown())),
    total_count: z.number().int(),
    /**
     * `events`: exactly the contributing events. `entities`: the rule does not keep their ids, so these are
     * the events of its streams in the time of the signal that name its suspects and targets.
     */
    matched_by: z.enum(['events', 'entities']),
    /** Contributing events beyond those whose ids are kept; `total_count` leaves them out. */
    more_events: z.number().int(),
  }),
  access,
});

export const signalEventsQuery = endpoint({
  name: 'signals.readEventsQuery',
  audit: 'event-data',
  method: 'POST',
  path: path('events_query'),
  summary: 'The query and time range that find the events of a signal',
  input: z.object(one),
  output: z.object({
    kql: z.string(),
    /** From the first of these events to just after the last. */
    start: epochMs,
    end: epochMs,
    matched_by: z.enum(['events', 'entities']),
    /** Events that the query names or finds. */
    total_count: z.number().int(),
    /** Contributing events that the query leaves out. */
    more_events: z.number().int(),
  }),
  access,
});

export const signalKnowledge = endpoint({
  name: 'signals.readKnowledge',
  requirement: 'C050',
  audit: 'nothing',
  method: 'POST',
  path: path('get_kb'),
  summary: 'Knowledge base of a signal or a workbook, as Markdown',
  input: z
    .object({ ...scope, signal_id: idSchema.optional(), workbook_id: idSchema.optional() })
    .refine((body) => (body.signal_id === undefined) !== (body.workbook_id === undefined), {
      message: reason('signalOrWorkbook'),
      path: ['signal_id'],
    }),
  output: z.object({ name: z.string(), kb: z.string() }),
  access,
});

export const listSignalTags = endpoint({
  name: 'signals.listTags',
  requirement: 'C051',
  audit: 'nothing',
  method: 'POST',
  path: path('tag/list'),
  summary: 'Tags of a scope and how many signals carry each',
  input: z.object(scope),
  output: z.array(signalTagSchema),
  access,
});

export const createSignalTag = endpoint({
  name: 'signals.createTag',
  requirement: 'C052',
  audit: 'change',
  method: 'POST',
  path: path('tag/create'),
  summary: 'Make a tag',
  input: z.object({
    ...scope,
    tag: z.string().trim().min(1).max(60),
    colour: z
      .string()
      .max(7)
      .regex(/^#[0-9a-fA-F]{6}$/)
      .default('#868e96'),
  }),
  output: signalTagSchema,
  access,
});

export const signalInfo = endpoint({
  name: 'signals.read',
  audit: 'event-data',
  method: 'POST',
  path: path('info'),
  summary: 'One signal with its fields and history',
  input: z.object(one),
  output: signalDetailSchema,
  access,
});

/** Ids of all signals of a selection, so that "all N matching" can be acted upon. */
export const signalIds = endpoint({
  name: 'signals.listIds',
  audit: 'nothing',
  method: 'POST',
  path: path('ids'),
  summary: 'Ids of a selection, page by page',
  input: z.object({
    ...selectionFields,
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(10_000).default(1000),
  }),
  output: z.object({ ids: z.array(idSchema), total_count: z.number().int() }),
  access,
});

const changed = z.object({
  changed: z.number().int(),
  unchanged: z.number().int(),
  not_found: z.array(idSchema),
});
const signalIdList = z.array(idSchema).min(1).max(10_000);

/** Triage by hand. It hides nothing to come: suppression is a rule of its own that everybody can see. */
export const tagFalsePositive = endpoint({
  name: 'signals.markFalsePositive',
  audit: 'change',
  method: 'POST',
  path: path('false_positive'),
  summary: 'Tag signals as false positive, or take the tag away',
  input: z.object({
    ...scope,
    signal_ids: signalIdList,
    false_positive: z.boolean(),
    reason: z.string().trim().max(500).default(''),
  }),
  output: changed,
  access,
});

export const tagSignals = endpoint({
  name: 'signals.tag',
  audit: 'change',
  method: 'POST',
  path: path('tag/apply'),
  summary: 'Put tags on signals or take them off',
  input: z.object({
    ...scope,
    signal_ids: signalIdList,
    add: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
    remove: z.array(z.string().trim().min(1).max(60)).max(20).default([]),
  }),
  output: changed,
  access,
});
