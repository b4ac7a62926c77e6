import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import {
  ledgerWindowSchema,
  ruleHealthSchema,
  scheduleSchema,
  workbookDraftSchema,
} from '../workbooks/workbook.ts';

// The calls about what the scheduler makes of workbooks.

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, ID: idSchema };
const path = (name: string) => `/:clusterId/api/workbook/${name}`;

export const previewDetection = endpoint({
  name: 'rules.preview',
  audit: 'event-data',
  method: 'POST',
  path: path('preview'),
  summary: 'What a draft would have raised between two times of ingest, window by window; nothing is stored',
  input: z
    .object({ ...scope, properties: workbookDraftSchema, start: epochMs, end: epochMs })
    .refine((body) => body.start < body.end, { message: reason('startBeforeEnd'), path: ['start'] }),
  output: z.object({
    /** Over all windows, as the ledger would count them. */
    rows: z.number().int(),
    signals: z.number().int(),
    /** More rows than the preview reads were found; the figures are lower bounds. */
    capped: z.boolean(),
    /** Windows of the schedule that were evaluated; of a workbook that is off, those of a streamed one. */
    windows: z.number().int(),
    /** What they cover in ingest time. */
    covered: z.object({ from: epochMs, to: epochMs }),
    /** The range has more windows than a preview evaluates: these are its last ones. */
    cut: z.boolean(),
    /** The query asks for the time of its run; a preview has but its own for all windows. */
    uses_now: z.boolean(),
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
  name: 'rules.listNextRuns',
  audit: 'nothing',
  method: 'POST',
  path: path('next_runs'),
  summary: 'The next five times a schedule runs',
  input: z.object({ ...scope, schedule: scheduleSchema }),
  output: z.array(epochMs),
  access: inScope,
});

export const ruleHealth = endpoint({
  name: 'rules.readHealth',
  audit: 'nothing',
  method: 'POST',
  path: path('health'),
  summary: 'How well rules keep up: all of a scope, or those named',
  input: z.object({ ...scope, IDs: z.array(idSchema).max(500).optional() }),
  output: z.array(ruleHealthSchema),
  access: inScope,
});

export const ruleLedger = endpoint({
  name: 'rules.readLedger',
  audit: 'nothing',
  method: 'POST',
  path: path('ledger'),
  summary:
    'The windows that a rule has evaluated, newest first: all, those of a range, or those that failed, found something or ran again',
  input: z.object({
    ...one,
    ...pageFields,
    /** Windows that touch this range of ingest time; from the first, to the last when absent. */
    start: epochMs.optional(),
    end: epochMs.optional(),
    only: z.enum(['failed', 'found', 'rerun']).optional(),
  }),
  output: pageOf(ledgerWindowSchema),
  access: inScope,
});
