import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { addFilterSchema, epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { caseSchema, SEVERITIES } from './case.ts';

// Cases in numbers: list, statistics, export. `start` and `end` bound the creation time.

/** What `addfilters` may name in a case list. */
export const CASE_FILTER_KEYS = [
  'case_id',
  'case_key',
  'case_name',
  'status',
  'severity',
  'handler',
  'resolution',
  'tags',
  'risk_score',
  'created',
  'updated',
  'closed',
  'signal_id',
] as const;

export const CASE_SORT_KEYS = [
  'created',
  'updated',
  'closed',
  'case_name',
  'case_key',
  'severity',
  'status',
  'risk_score',
  'signal_count',
  'artifact_count',
  'tta_seconds',
  'ttr_seconds',
  'handler',
] as const;

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const path = (name: string) => `/:clusterId/api/cases/${name}`;

const caseFilterFields = {
  scope_id: idSchema,
  start: epochMs.optional(),
  end: epochMs.optional(),
  /** Case-insensitive part of the name, or a key such as CASE-12. */
  search: z.string().max(256).default(''),
  addfilters: z
    .array(addFilterSchema.extend({ filter_key: z.enum(CASE_FILTER_KEYS) }))
    .max(50)
    .default([]),
};

export const listCases = endpoint({
  name: 'cases.list',
  requirement: 'C053',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Cases of a scope, filtered, sorted and paged.',
  input: z.object({
    ...caseFilterFields,
    pageno: pageFields.pageno,
    pagesize: z.coerce.number().int().min(1).max(10_000).default(200),
    sort_by: z.enum(CASE_SORT_KEYS).default('created'),
    sort_order: z.enum(['asc', 'desc']).default('desc'),
  }),
  output: pageOf(caseSchema),
  access: inScope,
});

const count = z.number().int();

export const caseListStats = endpoint({
  name: 'cases.readListStats',
  requirement: 'C057',
  audit: 'nothing',
  method: 'POST',
  path: path('list_stats'),
  summary: 'Statistics over the cases that a list request would find.',
  input: z.object(caseFilterFields),
  output: z.object({
    total: count,
    severity: z.record(z.enum(SEVERITIES), count),
    status: z.object({
      open_unassigned: count,
      open_assigned: count,
      in_progress: count,
      on_hold: count,
      closed: count,
    }),
    top_handlers: z.array(z.object({ user_id: idSchema, name: z.string(), count })),
    oldest: z
      .object({ case_id: idSchema, case_key: z.string(), case_name: z.string(), created: epochMs })
      .nullable(),
    /** Plain means in seconds; null when no case has the figure. */
    mtta: z.number().nullable(),
    mttr: z.number().nullable(),
    open_age: z.number().nullable(),
  }),
  access: inScope,
});

export const caseStats = endpoint({
  name: 'cases.readStats',
  requirement: 'C067',
  audit: 'nothing',
  method: 'POST',
  path: path('case_stats'),
  summary: 'Cases created and closed per day of the time range, UTC.',
  input: z
    .object({ scope_id: idSchema, start: epochMs, end: epochMs })
    .refine((input) => input.start < input.end, {
      message: reason('startBeforeEnd'),
      path: ['end'],
    }),
  output: z.array(z.object({ day: z.string(), created: count, closed: count })),
  access: inScope,
});

export const exportCases = endpoint({
  name: 'cases.export',
  requirement: 'C055',
  audit: 'export',
  method: 'POST',
  path: path('case_export'),
  summary: 'Up to 50 cases with their notes, as CSV or NDJSON.',
  input: z.object({
    scope_id: idSchema,
    case_ids: z.array(idSchema).min(1).max(50),
    format: z.enum(['csv', 'ndjson']).default('csv'),
    /** IANA name; times in the file are written in this zone, which the file names. */
    timezone: z.string().max(64).default('UTC'),
  }),
  output: z.unknown(),
  answer: 'blob',
  access: inScope,
});

export const CASE_LIST_ENDPOINTS = [listCases, caseListStats, caseStats, exportCases] as const;
