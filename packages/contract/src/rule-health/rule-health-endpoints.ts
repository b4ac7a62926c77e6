import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import {
  HEALTH_RANGES,
  healthTotalsSchema,
  ledgerPictureSchema,
  RULE_HEALTH_SORTS,
  RUNNING_STATES,
  ruleHealthItemSchema,
  runningWorkbookSchema,
  streamDaySchema,
  streamStatusSchema,
  tuningRequestSchema,
} from './rule-health.ts';

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, ID: idSchema };
const path = (name: string) => `/:clusterId/api/rules/health/${name}`;
const page = {
  pageno: pageFields.pageno,
  pagesize: z.coerce.number().int().min(1).max(500).default(100),
};
const comment = z.string().trim().min(1).max(1000);

export const listRuleHealth = endpoint({
  name: 'ruleHealth.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary:
    'The rules that are on in a scope: whether they keep up, what they cost, what they find, and what keeps them from it',
  input: z.object({
    ...scope,
    ...page,
    range: z.enum(HEALTH_RANGES).default('day'),
    text: z.string().max(200).default(''),
    state: z.enum(RUNNING_STATES).optional(),
    sort: z.enum(RULE_HEALTH_SORTS).default('state'),
    desc: z.boolean().default(false),
  }),
  output: pageOf(ruleHealthItemSchema).extend({
    from: epochMs,
    to: epochMs,
    totals: healthTotalsSchema,
  }),
  access: read,
});

const inOrder = (body: { readonly start: number; readonly end: number }) => body.start < body.end;
const order = { message: reason('startBeforeEnd'), path: ['start'] };

export const readLedgerPicture = endpoint({
  name: 'ruleHealth.readPicture',
  audit: 'nothing',
  method: 'POST',
  path: path('picture'),
  summary:
    'The ledger of a rule over a range of ingest time, in parts: what was evaluated, what is missing, what failed, what was found',
  input: z
    .object({ ...one, start: epochMs, end: epochMs, parts: z.number().int().min(1).max(500).default(120) })
    .refine(inOrder, order),
  output: ledgerPictureSchema,
  access: read,
});

export const rerunRule = endpoint({
  name: 'ruleHealth.rerun',
  audit: 'change',
  method: 'POST',
  path: path('rerun'),
  summary:
    'Run the windows of a rule in a range again. Signals that are there already stay as they are; `windows` says how many wait',
  input: z.object({ ...one, start: epochMs, end: epochMs }).refine(inOrder, order),
  output: z.object({ windows: z.number().int() }),
  access: write,
});

export const releaseRule = endpoint({
  name: 'ruleHealth.release',
  audit: 'change',
  method: 'POST',
  path: path('release'),
  summary: 'Let a rule run again that was set aside; it goes on where it stopped',
  input: z.object(one),
  output: z.object({ ID: idSchema }),
  access: write,
});

export const askTuning = endpoint({
  name: 'ruleHealth.askTuning',
  audit: 'change',
  method: 'POST',
  path: path('tuning/ask'),
  summary: 'Say that a rule needs tuning, with the signal that shows it; the engineers of the scope are told',
  input: z.object({ ...one, signal_id: idSchema.optional(), comment }),
  output: z.object({ request_id: idSchema }),
  access: read,
});

export const listTuning = endpoint({
  name: 'ruleHealth.listTuning',
  audit: 'nothing',
  method: 'POST',
  path: path('tuning/list'),
  summary: 'Requests to tune rules, newest first: those of the scope, or of one rule',
  input: z.object({
    ...scope,
    ...page,
    ID: idSchema.optional(),
    state: z.enum(['open', 'resolved', 'all']).default('open'),
  }),
  output: pageOf(tuningRequestSchema),
  access: read,
});

export const resolveTuning = endpoint({
  name: 'ruleHealth.resolveTuning',
  audit: 'change',
  method: 'POST',
  path: path('tuning/resolve'),
  summary: 'Close a request to tune a rule, saying what was done',
  input: z.object({ ...scope, request_id: idSchema, resolution: comment }),
  output: z.object({ request_id: idSchema }),
  access: write,
});

export const dailyStreamDetails = endpoint({
  name: 'ruleHealth.listStreamDays',
  requirement: 'C122',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/core/daily-stream-details',
  summary: 'Events of each stream of a scope by day of ingest',
  input: z.object({ ...scope, days: z.number().int().min(1).max(31).default(7) }),
  output: z.array(z.object({ stream: z.string(), days: z.array(streamDaySchema) })),
  access: read,
});

export const signalStreamStatus = endpoint({
  name: 'ruleHealth.listStreams',
  requirement: 'C123',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/core/signal-stream-status',
  summary: 'The streams that a scope receives or its rules read: last event, last signal, rules',
  input: z.object(scope),
  output: z.array(streamStatusSchema),
  access: read,
});

export const runningWorkbooks = endpoint({
  name: 'ruleHealth.listRunning',
  requirement: 'C124',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/core/running_workbooks',
  summary:
    'What runs by itself in a scope: by cron expression, every minute, or both, with the next five runs',
  input: z.object({
    ...scope,
    ...page,
    mode: z.enum(['scheduled', 'streamed', 'all']).default('all'),
    text: z.string().max(200).default(''),
  }),
  output: pageOf(runningWorkbookSchema),
  access: read,
});
