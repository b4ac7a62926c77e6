import { z } from 'zod';
import { idSchema } from '../envelope/list-request.ts';
import { timeTextSchema, timezoneSchema } from './search-time.ts';

// What the calls of Find share: the query with its range, typed columns, diagnostics and figures.

/** Longest KQL text that the server compiles, in UTF-16 code units. */
export const MAX_QUERY_LENGTH = 65_536;
/** Rows that a search keeps for display unless the call asks for another number. */
export const DEFAULT_ROW_LIMIT = 1000;
/** Rows of a query that groups, which are cut only above this. */
export const GROUPED_ROW_LIMIT = 30_000;
/** Most rows that a search may keep for display; an export has no such limit. */
export const MAX_ROW_LIMIT = 50_000;

/** A query, where it may look, and when. Without `from` and `to` it looks at the last 24 hours. */
export const searchFields = {
  scope_id: idSchema,
  query: z.string().max(MAX_QUERY_LENGTH),
  from: timeTextSchema.default('now-24h'),
  to: timeTextSchema.default('now'),
  query_timezone: timezoneSchema.default('UTC'),
};
export const searchSchema = z.object(searchFields);
/** As a caller writes it; defaults are filled by the server. */
export type SearchInput = z.input<typeof searchSchema>;
export type Search = z.output<typeof searchSchema>;

export const KQL_TYPES = [
  'bool',
  'int',
  'long',
  'real',
  'decimal',
  'string',
  'datetime',
  'timespan',
  'guid',
  'dynamic',
] as const;

/** The order that somebody chose for a result: a column of it, or a path below a dynamic one. */
export const resultSortSchema = z.object({ column: z.string().min(1).max(256), descending: z.boolean() });
export type ResultSort = z.output<typeof resultSortSchema>;

/** A column of a result. */
export const resultColumnSchema = z.object({ name: z.string(), type: z.enum(KQL_TYPES) });
export type ResultColumn = z.output<typeof resultColumnSchema>;

/**
 * A value of a result: null; bool; int, long and real as numbers (a long beyond 2^53 as text, a real that is no
 * number as "NaN" or "Infinity"); decimal text; datetime ISO 8601 with seven digits and Z; timespan
 * `[-][d.]hh:mm:ss[.fffffff]`; guid in lower case; dynamic any JSON value.
 */
export const resultValueSchema = z.unknown();
export type ResultValue = z.output<typeof resultValueSchema>;

const spanSchema = z.object({ start: z.number().int(), end: z.number().int() });

/** A sentence as data: the key of its text, and plain values or sentences again, so that the console can translate. */
const sentenceSchema = z.object({ key: z.string(), values: z.record(z.string(), z.unknown()).optional() });

/** A mistake or a remark about the query; offsets are UTF-16 units, `end` excluded. */
export const searchDiagnosticSchema = z.object({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  span: spanSchema,
  message: z.string(),
  hint: z.string().optional(),
  /** Message and hint as data; absent where their words are not known. */
  text: sentenceSchema.optional(),
  hintText: sentenceSchema.optional(),
  /** Changes that would mend it, the likeliest first. */
  fixes: z.array(z.object({ span: spanSchema, text: z.string(), search: z.string().optional() })).optional(),
});
export type SearchDiagnostic = z.output<typeof searchDiagnosticSchema>;

/** What the server did that the user did not ask for; `code` is stable so that the console can translate. */
export const searchNoticeSchema = z.object({
  code: z.enum(['picker-overridden', 'rows-capped', 'newest-first', 'window-widened', 'shards-missing']),
  message: z.string(),
  /** What the translated text names. */
  values: z.record(z.string(), z.string()).optional(),
});
export type SearchNotice = z.output<typeof searchNoticeSchema>;

/** The range that was searched, epoch milliseconds, `to` excluded. */
export const searchRangeSchema = z.object({ from: z.number().int(), to: z.number().int() });
export type SearchRange = z.output<typeof searchRangeSchema>;
