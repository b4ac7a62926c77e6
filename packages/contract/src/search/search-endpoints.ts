import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { resultValueSchema, searchFields, searchRangeSchema } from './search-values.ts';

// What Find asks before and beside a search: fields, sources, cost, histogram, top values, why nothing was found.

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const streamsField = z.array(z.string().max(64)).max(64).default([]);

/** A field that queries may name. */
export const searchFieldSchema = z.object({
  /** As KQL names it: a column, or `Ext.path` for a field that the source alone has. */
  name: z.string(),
  type: z.string(),
  /** `column`: a typed column of every stream; `ext`: a field seen in recent events. */
  kind: z.enum(['column', 'ext']),
  /** Path inside `Ext`; null for a column. */
  path: z.string().nullable(),
  /** Streams whose recent events have the field; for a column those where it is filled. */
  streams: z.array(z.string()),
  /** A recent value, cut to 120 characters; null when none was seen. */
  example: z.string().nullable(),
  /** Worth showing first for the streams asked for. */
  recommended: z.boolean(),
  description: z.string(),
  aliases: z.array(z.string()),
});
export type SearchField = z.output<typeof searchFieldSchema>;

export const listFields = endpoint({
  name: 'search.listFields',
  requirement: 'C106',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/vfields',
  summary: 'Fields of streams: typed columns and the fields seen in recent events',
  input: z.object({ scope_id: idSchema, stream: streamsField }),
  output: z.array(searchFieldSchema),
  access: inScope,
});

export const estimateCost = endpoint({
  name: 'search.estimateCost',
  requirement: 'C107',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/wrk/api/job/realtimecost',
  summary: 'What a query would read, before it runs',
  input: z.object(searchFields),
  output: z.object({
    scan_rows: z.number().int(),
    /** Estimate of uncompressed bytes, from the average size of a stored event. */
    scan_bytes: z.number().int(),
    streams: z.array(z.string()),
    range: searchRangeSchema,
  }),
  access: inScope,
});

export const listSourceNames = endpoint({
  name: 'search.listSourceNames',
  requirement: 'C109',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/source_name',
  summary: 'Sources that sent events to a scope',
  input: z.object({ scope_id: idSchema, from: searchFields.from, to: searchFields.to }),
  output: z.array(
    z.object({
      source_name: z.string(),
      source_type: z.string(),
      streams: z.array(z.string()),
      events: z.number().int(),
      last_event: z.number().int(),
    }),
  ),
  access: inScope,
});

export const listTimezones = endpoint({
  name: 'search.listTimezones',
  requirement: 'C116',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/timezones',
  summary: 'Time zones by IANA name, with their present offset',
  input: z.object({}),
  output: z.array(z.object({ name: z.string(), offset: z.string(), offset_minutes: z.number().int() })),
  access: { kind: 'session' },
});

export const searchHistogram = endpoint({
  name: 'search.readHistogram',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/histogram',
  summary:
    'Events of a query over time, stacked by a field; counts what the query keeps before it aggregates',
  input: z.object({
    ...searchFields,
    stack_by: z.string().min(1).max(256).default('Stream'),
    /** Wished number of buckets; the server takes the next round width. */
    buckets: z.coerce.number().int().min(1).max(500).default(60),
  }),
  output: z.object({
    /** False when the query reads no events with a time (print, datatable): no chart then. */
    applicable: z.boolean(),
    range: searchRangeSchema,
    bucket_ms: z.number().int(),
    /** Start of every bucket, epoch milliseconds. */
    times: z.array(z.number().int()),
    /** One per value, largest first, at most eight; the rest is summed under a null value. */
    series: z.array(z.object({ value: z.string().nullable(), counts: z.array(z.number().int()) })),
    total: z.number().int(),
    /** The field that the series are values of: the one that was asked for, or `Stream` when the query has no such. */
    stack_by: z.string(),
    /** Every event that is counted is a row of the result: `total` is how many there are. */
    counts_rows: z.boolean(),
  }),
  access: inScope,
});

export const fieldValues = endpoint({
  name: 'search.listFieldValues',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/field_values',
  summary: 'Top values of a field among the events of a query, with counts',
  input: z.object({
    ...searchFields,
    field: z.string().min(1).max(256),
    limit: z.coerce.number().int().min(1).max(1000).default(10),
  }),
  output: z.object({
    applicable: z.boolean(),
    /** Events that the query keeps before it aggregates. */
    total: z.number().int(),
    /** Of these, events where the field is neither null nor empty. */
    with_value: z.number().int(),
    /** Different values, approximate above some thousands. */
    distinct: z.number().int(),
    values: z.array(z.object({ value: resultValueSchema, count: z.number().int() })),
  }),
  access: inScope,
});

export const explainZeroRows = endpoint({
  name: 'search.explainZeroRows',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/zero_rows',
  summary: 'Why a query found nothing: rows after every step of its pipeline',
  input: z.object(searchFields),
  output: z.object({
    reason: z.enum(['stream-empty', 'range-empty', 'not-found', 'filtered', 'not-empty', 'not-applicable']),
    message: z.string(),
    /** The first step that left no row; index into `steps`, null when there is none. */
    emptied_by: z.number().int().nullable(),
    /** Every step with its text, its span in the query and the rows that are left after it. */
    steps: z.array(
      z.object({
        text: z.string(),
        span: z.object({ start: z.number().int(), end: z.number().int() }),
        rows: z.number().int(),
      }),
    ),
    /** Newest event of the streams that are asked, epoch milliseconds; null when there is none at all. */
    newest_event: z.number().int().nullable(),
    /** Of `not-found`: events of the range that the text was looked for in. */
    searched: z.number().int().nullable(),
    /** Name of a table that nothing fills, where the query begins with one; else ''. */
    table: z.string(),
    /** The stream where events of that kind are, when it has some in the range. */
    instead: z.object({ stream: z.string(), events: z.number().int() }).nullable(),
  }),
  access: inScope,
});

export const explainSearch = endpoint({
  name: 'search.explain',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/plan',
  summary: 'The SQL and the plan that a query becomes; nothing runs',
  input: z.object(searchFields),
  output: z.object({
    sql: z.string(),
    params: z.record(z.string(), z.unknown()),
    /** Columns of the result as the binder names and types them. */
    columns: z.array(z.object({ name: z.string(), type: z.string() })),
    /** The plan before it is tied to the tenant. */
    unscoped_plan: z.unknown(),
    /** The plan as it is printed: tied to tenant, scope and time. */
    plan: z.unknown(),
    /** What the engine would do: partitions, primary key and indexes used. */
    engine_plan: z.string(),
  }),
  access: inScope,
});

export const knownValues = endpoint({
  name: 'search.listKnownValues',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/known_values',
  summary: 'Values of a field with few different ones, from a bounded sample of events; kept for a minute',
  input: z.object({
    scope_id: idSchema,
    /** A column, or `Ext.path`. */
    field: z.string().min(1).max(256),
    stream: streamsField,
    from: searchFields.from,
    to: searchFields.to,
    query_timezone: searchFields.query_timezone,
  }),
  output: z.object({
    /** Most frequent first; empty when the field has too many different values to be worth a list. */
    values: z.array(z.object({ value: z.string(), count: z.number().int() })),
    /** Events that were looked at. */
    sampled: z.number().int(),
  }),
  access: inScope,
});

export const EXPORT_FORMATS = ['csv', 'ndjson'] as const;

export const exportSearch = endpoint({
  name: 'search.export',
  audit: 'export',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/export',
  summary: 'All rows of a query as a file, streamed, without a cap on rows',
  input: z.object({
    ...searchFields,
    format: z.enum(EXPORT_FORMATS).default('csv'),
    /** Columns to write, in order; all of them when empty. */
    columns: z.array(z.string().max(256)).max(500).default([]),
    /** CSV only: a byte order mark first, which some spreadsheets want. */
    bom: z.boolean().default(false),
    /** CSV only: put an apostrophe before text that a spreadsheet would run as a formula. */
    formula_guard: z.boolean().default(true),
    /** CSV only: write times in `query_timezone` with their offset instead of UTC. */
    local_times: z.boolean().default(false),
  }),
  output: z.unknown(),
  answer: 'blob',
  access: inScope,
});

export const listSearchHistory = endpoint({
  name: 'search.listHistory',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/search/history',
  summary: "The caller's recent searches in a scope, newest first, each text once",
  input: z.object({
    scope_id: idSchema,
    /** Words that the query must hold, in any order and any case. */
    search: z.string().max(200).default(''),
    /** Entries that started before this moment: the next page. */
    before: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  }),
  output: z.array(
    z.object({
      id: z.string(),
      query: z.string(),
      from: z.union([z.number(), z.string()]),
      to: z.union([z.number(), z.string()]),
      query_timezone: z.string(),
      started: z.number().int(),
      status: z.enum(['running', 'done', 'failed', 'cancelled']),
      rows: z.number().int().nullable(),
      elapsed_ms: z.number().int().nullable(),
      /** How often this text was searched; the entry is the last time. */
      times: z.number().int(),
    }),
  ),
  access: inScope,
});

export const forgetSearches = endpoint({
  name: 'search.forgetHistory',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/history/delete',
  summary:
    "Removes texts from the caller's recent searches, however often they ran; all of the scope's when no id is given",
  input: z.object({ scope_id: idSchema, ids: z.array(z.string().max(64)).max(200).default([]) }),
  output: z.object({ removed: z.number().int() }),
  access: inScope,
});
