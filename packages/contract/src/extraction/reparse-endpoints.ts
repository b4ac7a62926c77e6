import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';

// Reading stored events again with the extractors of today. A run belongs to its scope and goes on in the background.

export const REPARSE_LIMITS = {
  /** Events of one run, and days of its range. */
  events: 5_000_000,
  days: 400,
  /** Runs of a scope that have not ended; runs that are kept, and for how many days. */
  open: 3,
  kept: 100,
  keptDays: 30,
} as const;

/** `unparsed`: only what nothing could read. */
export const REPARSE_WHICH = ['unparsed', 'all'] as const;
export const REPARSE_STATES = ['waiting', 'running', 'done', 'failed', 'canceled'] as const;
export type ReparseState = (typeof REPARSE_STATES)[number];

const engineer = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const path = (name: string) => `/:clusterId/api/extractors/reparse/${name}`;
const scope = { scope_id: idSchema };
const one = { ...scope, reparse_id: idSchema };
const count = z.number().int();

const wanted = {
  ...scope,
  /** Time of arrival, half-open. */
  start: epochMs,
  end: epochMs,
  /** Of one source; of all when absent. */
  source: z.string().min(1).max(256).optional(),
  which: z.enum(REPARSE_WHICH).default('unparsed'),
};
const wantedSchema = z.object(wanted);
const isRange = ({ start, end }: { readonly start: number; readonly end: number }) => start < end;
const notARange = { message: reason('startBeforeEnd'), path: ['start'] };

export const reparseSchema = z.object({
  reparse_id: idSchema,
  state: z.enum(REPARSE_STATES),
  start: epochMs,
  end: epochMs,
  source: z.string().nullable(),
  which: z.enum(REPARSE_WHICH),
  /** Detections are to look at the events of the last day again. */
  with_detections: z.boolean(),
  /** Events that figures told of when it began, and how many were read. */
  total: count,
  done: count,
  /** Of those read: replaced by a new reading, and still not understood. */
  changed: count,
  unparsed: count,
  error: z.object({ message: z.string(), ...messageFields }).nullable(),
  /** It stopped midway and can go on. */
  can_resume: z.boolean(),
  author: z.string(),
  created: epochMs,
  ended: epochMs.nullable(),
});
export type Reparse = z.output<typeof reparseSchema>;

export const estimateReparse = endpoint({
  name: 'reparse.estimate',
  audit: 'nothing',
  method: 'POST',
  path: path('estimate'),
  summary: 'How many events a run would read, told by figures',
  input: wantedSchema.refine(isRange, notARange),
  output: z.object({ events: count, bytes: count, most: count }),
  access: engineer,
});

export const beginReparse = endpoint({
  name: 'reparse.begin',
  audit: 'change',
  method: 'POST',
  path: path('start'),
  summary:
    'Begin to read stored events again. Each keeps its identity and its time of arrival; what is understood now replaces what was there',
  input: wantedSchema.extend({ with_detections: z.boolean().default(false) }).refine(isRange, notARange),
  output: z.object({ reparse_id: idSchema }),
  access: engineer,
});

export const listReparses = endpoint({
  name: 'reparse.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Runs of a scope, the newest first',
  input: z.object({
    ...scope,
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(100).default(20),
  }),
  output: pageOf(reparseSchema),
  access: engineer,
});

export const cancelReparse = endpoint({
  name: 'reparse.cancel',
  audit: 'change',
  method: 'POST',
  path: path('cancel'),
  summary: 'Stop a run. What it has replaced stays; a part that is being replaced is finished first',
  input: z.object(one),
  output: z.object({ reparse_id: idSchema }),
  access: engineer,
});

export const resumeReparse = endpoint({
  name: 'reparse.retry',
  audit: 'change',
  method: 'POST',
  path: path('resume'),
  summary: 'Go on with a run that was stopped or has failed, where it stopped',
  input: z.object(one),
  output: z.object({ reparse_id: idSchema }),
  access: engineer,
});
