import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';
import { ruleSamplesSchema, SAMPLE_STATES } from '../samples/rule-sample.ts';
import { blockSchema, CONFIDENCES } from './workbook-block.ts';

export const STAGES = ['dev', 'test', 'beta', 'prod'] as const;
export const SCHEDULE_MODES = ['off', 'scheduled', 'streamed'] as const;

/** `streamed` runs every minute; `scheduled` by cron in a time zone. Windows are of ingest time. */
export const scheduleSchema = z
  .object({
    mode: z.enum(SCHEDULE_MODES).default('off'),
    cron: z.string().trim().max(120).nullable().default(null),
    timezone: z.string().trim().max(60).default('UTC'),
    /** How far before its window a run looks back (minutes), for rules that count over time. */
    lookback_minutes: z.number().int().min(0).max(1440).default(0),
  })
  .refine((schedule) => schedule.mode !== 'scheduled' || schedule.cron !== null, {
    message: reason('cronMissing'),
    path: ['cron'],
  });
export type Schedule = z.output<typeof scheduleSchema>;

/** What an author writes; the rest of the properties follows from it. */
export const workbookDraftSchema = z.object({
  name: z.string().trim().min(1).max(200),
  /** Folder path with `/`; empty for the root. */
  directory: z.string().trim().max(300).default(''),
  description: z.string().max(5000).default(''),
  /** In development until its author says otherwise. */
  stage: z.enum(STAGES).default('dev'),
  schedule: scheduleSchema.prefault({}),
  tags: z.array(z.string().trim().min(1).max(60)).max(30).default([]),
  blocks: z
    .array(blockSchema)
    .max(50)
    .default([])
    .refine((blocks) => new Set(blocks.map((block) => block.block_id)).size === blocks.length, {
      message: reason('blockIdsDiffer'),
    }),
  /** Events that its detections have to find, and events that they must not; absent: none. */
  samples: ruleSamplesSchema.optional(),
});
export type WorkbookDraft = z.output<typeof workbookDraftSchema>;

export const RULE_STATES = ['off', 'waiting', 'ok', 'late', 'failing', 'quarantined'] as const;

/** Properties without blocks, as lists show them. */
export const workbookSummarySchema = workbookDraftSchema.omit({ blocks: true, samples: true }).extend({
  author: z.string(),
  author_id: z.string(),
  /** Built-in: read only, clone to change. */
  native: z.boolean(),
  /** Switched on in this scope. */
  enabled: z.boolean(),
  locked: z.boolean(),
  locked_by: z.string().nullable(),
  version: z.number().int(),
  /** Streams that the queries read. */
  streams: z.array(z.string()),
  /** True when it holds a KQL block and a signal block. */
  detection: z.boolean(),
  severity: z.enum(['Critical', 'High', 'Medium', 'Low', 'None']),
  score: z.number().int().nullable(),
  confidence: z.enum(CONFIDENCES).nullable(),
  tactic: z.string(),
  technique: z.string(),
  sub_technique: z.string(),
  signals_30d: z.number().int(),
  last_signal: epochMs.nullable(),
  created: epochMs,
  updated: epochMs,
  rule_state: z.enum(RULE_STATES),
  /** The caller may change it: an engineer any, an analyst only their own, nobody a native one or one that somebody else has locked. */
  editable: z.boolean(),
  /** The workbook that it was cloned from. */
  cloned_from: idSchema.nullable(),
  /** It replaced what it was cloned from, which was switched off. */
  replaced_original: z.boolean(),
  sample_state: z.enum(SAMPLE_STATES),
});
export type WorkbookSummary = z.output<typeof workbookSummarySchema>;

export const workbookPropertiesSchema = workbookSummarySchema.extend({
  blocks: z.array(blockSchema),
  samples: workbookDraftSchema.shape.samples,
  /** What it was cloned from, as long as that exists. */
  original: z.object({ ID: idSchema, name: z.string(), enabled: z.boolean() }).nullable(),
});
export type WorkbookProperties = z.output<typeof workbookPropertiesSchema>;

const record = { ID: idSchema, ConfType: z.literal('WorkBooks') };
export const workbookItemSchema = z.object({ ...record, properties: workbookSummarySchema });
export type WorkbookItem = z.output<typeof workbookItemSchema>;
export const workbookSchema = z.object({ ...record, properties: workbookPropertiesSchema });
export type Workbook = z.output<typeof workbookSchema>;

export const workbookVersionSchema = z.object({
  version: z.number().int(),
  cnam_time: epochMs,
  author: z.string(),
  commit_message: z.string(),
  /** Of a version note that the product wrote. */
  ...messageFields,
});
export type WorkbookVersion = z.output<typeof workbookVersionSchema>;

/** A mistake in a draft: where (block, field, span in its text), what, and what to do. */
export const draftProblemSchema = z.object({
  block_id: z.string().nullable(),
  /** e.g. `query`, `name`, `suspects.0`, `schedule.cron`. */
  field: z.string(),
  severity: z.enum(['error', 'warning', 'info']),
  code: z.string(),
  message: z.string(),
  ...messageFields,
  hint: z.string().optional(),
  hintCode: messageFields.messageCode,
  hintValues: messageFields.messageValues,
  span: z.object({ start: z.number().int(), end: z.number().int() }).nullable(),
  /** A number that would settle it, e.g. minutes of look-back. */
  suggested: z.number().int().optional(),
});
export type DraftProblem = z.output<typeof draftProblemSchema>;

/** How well a rule keeps up. Failures of a rule are its health, never signals. */
export const ruleHealthSchema = z.object({
  ID: idSchema,
  name: z.string(),
  scope_id: idSchema,
  mode: z.enum(SCHEDULE_MODES),
  enabled: z.boolean(),
  state: z.enum(RULE_STATES),
  /** Ingest time from which the rule is covered, and up to which it has been evaluated. */
  covered_from: epochMs.nullable(),
  covered_until: epochMs.nullable(),
  /** Now minus covered_until; null while off. */
  lag_ms: z.number().int().nullable(),
  next_run: epochMs.nullable(),
  windows_done: z.number().int(),
  windows_rerun: z.number().int(),
  rows_total: z.number().int(),
  signals_total: z.number().int(),
  last_run: epochMs.nullable(),
  last_duration_ms: z.number().int().nullable(),
  failures_in_a_row: z.number().int(),
  last_error: z.string().nullable(),
  /** Of `last_error`. */
  ...messageFields,
  /** Stretches since covered_from that no finished window covers; empty when all is well. */
  gaps: z.array(z.object({ from: epochMs, to: epochMs })),
});
export type RuleHealth = z.output<typeof ruleHealthSchema>;

/** One evaluated window of the ledger, half-open in ingest time. */
export const ledgerWindowSchema = z.object({
  from: epochMs,
  to: epochMs,
  state: z.enum(['done', 'failed']),
  attempts: z.number().int(),
  rows: z.number().int(),
  signals: z.number().int(),
  occurrences: z.number().int(),
  /** Events of the rule's streams that the window held when it was evaluated. */
  events_seen: z.number().int(),
  error: z.string().nullable(),
  /** Of `error`. */
  ...messageFields,
  started: epochMs,
  finished: epochMs.nullable(),
  /** Runs after the first finished one, because events turned up late. */
  reruns: z.number().int(),
});
export type LedgerWindow = z.output<typeof ledgerWindowSchema>;
