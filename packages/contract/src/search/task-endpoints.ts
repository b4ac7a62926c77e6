import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { timeTextSchema, timezoneSchema } from './search-time.ts';
import {
  MAX_ROW_LIMIT,
  resultColumnSchema,
  resultSortSchema,
  resultValueSchema,
  searchDiagnosticSchema,
  searchFields,
  searchNoticeSchema,
  searchRangeSchema,
} from './search-values.ts';

// A search is a task: invoke answers its id soon, and its stage; state tells how far it is, result gives pages of rows.
// A task belongs to the user and the tenant that made it; for everyone else it does not exist.

export const TASK_STAGES = ['PENDING', 'EXECUTING', 'EXECUTED', 'FAILURE'] as const;
export type TaskStage = (typeof TASK_STAGES)[number];
/** `REVOKED`: stopped by its owner, stage FAILURE. */
export const TASK_STATES = [
  'QUEUED',
  'QUERY_WORKERS_DOWN',
  'STARTED',
  'SUCCESS',
  'FAILED',
  'REVOKED',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

const ofOwner = { kind: 'roles', in: 'cluster', tags: SECURITY } as const;

/** Rows of a task, with what is told of all of them. */
const taskPage = z.object({
  status: z.literal('success'),
  task_status: z.enum(TASK_STATES),
  /** As `1.7275 sec`. */
  execution_time: z.string(),
  /** Streams that were read, with commas between. */
  source_stream: z.string(),
  fields_list: z.array(z.string()),
  columns: z.array(resultColumnSchema),
  result: z.array(z.record(z.string(), resultValueSchema)),
  rows: z.array(z.array(resultValueSchema)),
  /** Rows that are kept; with `truncated` there are more in the data. */
  total_count: z.number().int(),
  truncated: z.boolean(),
  statistics: z.object({
    rows_read: z.number().int(),
    bytes_read: z.number().int(),
    elapsed_ms: z.number().int(),
    /** Time that the engine worked, without queueing and compiling. */
    engine_ms: z.number().int(),
  }),
  /** Null when the query reads no events. */
  range: searchRangeSchema.nullable(),
  notices: z.array(searchNoticeSchema),
  diagnostics: z.array(searchDiagnosticSchema),
  message: z.string(),
  ...messageFields,
});

const kqlJob = z.object({
  job_type: z.literal('kql'),
  job_execution: z.literal('on-demand').default('on-demand'),
  ...searchFields,
  /**
   * Rows to keep for display; an export is not limited. Absent: as many as the query takes itself, up to the most, at
   * least 30,000 of a query that groups, and 1,000 of any other.
   */
  row_limit: z.coerce.number().int().min(1).max(MAX_ROW_LIMIT).optional(),
  /** Sorts the whole answer before it is cut; a column that the result does not have changes nothing. */
  sort: resultSortSchema.optional(),
  /** A search that ends within a quarter of a second and has no more rows than this answers them with its id. */
  page_rows: z.coerce.number().int().min(0).max(10_000).default(0),
  queue: z.enum(['interactive', 'analytics', 'reports']).default('interactive'),
});

const workbookJob = z.object({
  job_type: z.literal('workbook'),
  job_execution: z.literal('on-demand').default('on-demand'),
  directive: z.literal('return').default('return'),
  ScopeID: idSchema,
  ID: idSchema,
  from: timeTextSchema.default('now-24h'),
  to: timeTextSchema.default('now'),
  query_timezone: timezoneSchema.default('UTC'),
});

export const invokeJob = endpoint({
  name: 'tasks.invoke',
  requirement: 'C110',
  audit: 'event-data',
  method: 'POST',
  path: '/:clusterId/wrk/api/job/invoke',
  summary: 'Starts a search or a workbook; answers the ids of its tasks',
  input: z.discriminatedUnion('job_type', [kqlJob, workbookJob]),
  output: z.array(
    z.object({
      id: z.string(),
      status: z.literal('PENDING'),
      /** How the task stands as its id is answered. One that is `EXECUTED` has its rows: nobody needs to ask for its state. */
      task_stage: z.enum(TASK_STAGES),
      /** All rows of the task, in the form `rows`, where `page_rows` asks for them and they are there. */
      result: taskPage.optional(),
    }),
  ),
  access: { kind: 'roles', in: 'scope', tags: SECURITY },
});

export const taskState = endpoint({
  name: 'tasks.readState',
  requirement: 'C119',
  followsUp: true,
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/dispatcher/task/state/:taskid',
  summary: 'Stage, state and progress of a task; may be asked to wait for news',
  input: z.object({
    /** Answers when the task has ended, when its first rows are there, or after this time at the latest. */
    wait_ms: z.coerce.number().int().min(0).max(10_000).default(0),
    /** Rows that the caller has seen: once there are some, only the end is news. */
    rows_seen: z.coerce.number().int().min(0).default(0),
  }),
  output: z.object({
    status: z.literal('success'),
    task_stage: z.enum(TASK_STAGES),
    task_state: z.enum(TASK_STATES),
    progress: z.object({
      rows_read: z.number().int(),
      bytes_read: z.number().int(),
      /** What the engine expects to read; 0 while unknown. */
      rows_to_read: z.number().int(),
      /** Share of the asked range that is read, 0 to 1. */
      share: z.number(),
      elapsed_ms: z.number().int(),
      /** Rows that `result` can give already. */
      rows_ready: z.number().int(),
    }),
    /** Why it failed, in one sentence; empty otherwise. */
    message: z.string(),
    ...messageFields,
    diagnostics: z.array(searchDiagnosticSchema),
  }),
  answer: 'flat',
  access: ofOwner,
});

export const taskResult = endpoint({
  name: 'tasks.readResult',
  requirement: 'C120',
  followsUp: true,
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/dispatcher/task/result/:taskid',
  summary: 'A page of the rows of a task; may be asked while it runs',
  input: z.object({
    pagesize: z.coerce.number().int().min(1).max(10_000).default(100),
    pageno: z.coerce.number().int().min(1).max(1_000_000).default(1),
    /** `objects`: `result` holds one object per row; `rows`: `rows` holds arrays in the order of `columns`. */
    form: z.enum(['objects', 'rows']).default('objects'),
  }),
  output: taskPage,
  answer: 'flat',
  access: ofOwner,
});

export const cancelTask = endpoint({
  name: 'tasks.cancel',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/dispatcher/task/cancel/:taskid',
  summary: 'Stops a task on the engine; rows that are ready stay readable',
  input: z.object({}),
  output: z.object({ id: z.string(), task_state: z.enum(TASK_STATES) }),
  access: ofOwner,
});
