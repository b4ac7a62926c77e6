import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { RULE_STATES, SCHEDULE_MODES } from '../workbooks/workbook.ts';

// How the rules of a scope do: workbooks that are detections, and rules of packs.

/** What a rule may do before it is set aside; docs/rule-health.md says what follows. */
export const QUARANTINE_LIMITS = {
  /** Failures of its own in a row. */
  failures: 8,
  /** Processor time of the engine in one hour of the clock. */
  cpuMinutesPerHour: 15,
} as const;

/** A stream without events for so long is silent. */
export const SILENT_INPUT_MS = 86_400_000;

export const HEALTH_RANGES = ['day', 'week'] as const;
export type HealthRange = (typeof HEALTH_RANGES)[number];

export const RULE_HEALTH_SORTS = [
  'name',
  'state',
  'lag_ms',
  'cpu_ms_day',
  'runs',
  'failures',
  'signals',
  'false_positive_share',
  'open_share',
  'last_true_positive',
  'silent',
  'tuning_open',
  'last_run',
  'next_run',
] as const;
export type RuleHealthSort = (typeof RULE_HEALTH_SORTS)[number];

/** States of a rule that is on, the worst first. */
export const RUNNING_STATES = ['quarantined', 'failing', 'late', 'waiting', 'ok'] as const;

/** A sentence of the server about a rule. */
const saidSchema = z.object({ message: z.string(), ...messageFields });

/** Why and since when a rule is set aside. */
export const quarantineSchema = saidSchema.extend({ since: epochMs });
export type RuleQuarantine = z.output<typeof quarantineSchema>;

const runFields = {
  /** Of the workbook or the rule of a pack. */
  ID: idSchema,
  name: z.string(),
  kind: z.enum(['workbook', 'pack']),
  mode: z.enum(SCHEDULE_MODES),
  cron: z.string().nullable(),
  timezone: z.string(),
  state: z.enum(RULE_STATES),
  last_run: epochMs.nullable(),
  last_duration_ms: z.number().int().nullable(),
  next_run: epochMs.nullable(),
  /** Why the last window failed. */
  error: saidSchema.nullable(),
  quarantine: quarantineSchema.nullable(),
  /** Queries of its own in the range, and those of them that failed. */
  runs: z.number().int(),
  failures: z.number().int(),
  /** Signals that began in the range. */
  signals: z.number().int(),
};

export const ruleHealthItemSchema = z.object({
  ...runFields,
  covered_from: epochMs,
  covered_until: epochMs,
  /** For how long its next window has waited. */
  lag_ms: z.number().int(),
  /** Stretches of the range that no window covers although the rule was on. */
  gaps: z.number().int(),
  gap_ms: z.number().int(),
  reruns: z.number().int(),
  /** Processor time of the engine in a day, on average over the range, and its share of that of all rules. */
  cpu_ms_day: z.number(),
  cpu_share: z.number(),
  signals_day: z.number(),
  /** Shares of the signals of the range; null without any. */
  false_positive_share: z.number().nullable(),
  open_share: z.number().nullable(),
  /** The newest signal in a case that was closed as a true positive, of ninety days. */
  last_true_positive: epochMs.nullable(),
  /** Streams it reads that received nothing for a day. */
  silent_streams: z.array(z.string()),
  /** No event has a field that it needs. */
  misses_fields: z.boolean(),
  /** Requests to tune it that are open. */
  tuning_open: z.number().int(),
});
export type RuleHealthItem = z.output<typeof ruleHealthItemSchema>;

export const healthTotalsSchema = z.object({
  /** Rules that are on, by state. */
  states: z.record(z.enum(RULE_STATES), z.number().int()),
  cpu_ms_day: z.number(),
  /** Of it, of the queries that look for many rules at once. */
  shared_cpu_ms_day: z.number(),
  runs: z.number().int(),
  failures: z.number().int(),
  signals: z.number().int(),
  silent: z.number().int(),
  tuning_open: z.number().int(),
  /** False: the event store did not answer, so silent streams are not known. */
  knows_inputs: z.boolean(),
});

/** A part of the range of a picture. */
export const ledgerBucketSchema = z.object({
  from: epochMs,
  to: epochMs,
  /** Time of it that was evaluated, that is missing, and in which the last attempt failed. */
  covered_ms: z.number().int(),
  gap_ms: z.number().int(),
  failed_ms: z.number().int(),
  reruns: z.number().int(),
  /** Attempts beyond the first of their window. */
  retries: z.number().int(),
  rows: z.number().int(),
  signals: z.number().int(),
});
export type LedgerBucket = z.output<typeof ledgerBucketSchema>;

export const ledgerPictureSchema = z.object({
  name: z.string(),
  state: z.enum(RULE_STATES),
  covered_from: epochMs.nullable(),
  covered_until: epochMs.nullable(),
  buckets: z.array(ledgerBucketSchema),
  /** The longest ones. */
  gaps: z.array(z.object({ from: epochMs, to: epochMs })),
  gap_count: z.number().int(),
  /** Windows that wait to be run again. */
  waiting_reruns: z.number().int(),
  quarantine: quarantineSchema.nullable(),
  next_run: epochMs.nullable(),
});

export const runningWorkbookSchema = z.object({
  ...runFields,
  enabled: z.boolean(),
  /** Start of the last run. */
  started: epochMs.nullable(),
  last_status: z.enum(['done', 'failed', 'none']),
  next_runs: z.array(epochMs),
});
export type RunningWorkbook = z.output<typeof runningWorkbookSchema>;

export const streamStatusSchema = z.object({
  stream: z.string(),
  events_24h: z.number().int(),
  signals_24h: z.number().int(),
  /** Of the last seven days. */
  last_signal: epochMs.nullable(),
  last_event: epochMs.nullable(),
  /** Rules that are on and read it. */
  rules: z.number().int(),
});
export type StreamStatus = z.output<typeof streamStatusSchema>;

export const streamDaySchema = z.object({
  /** Midnight in UTC. */
  day: epochMs,
  events: z.number().int(),
  unparsed: z.number().int(),
  raw_bytes: z.number().int(),
});

export const tuningRequestSchema = z.object({
  request_id: idSchema,
  ID: idSchema,
  rule_name: z.string(),
  /** The signal that showed it. */
  signal_id: idSchema.nullable(),
  comment: z.string(),
  asked: epochMs,
  asked_by: z.string(),
  resolved: epochMs.nullable(),
  resolved_by: z.string().nullable(),
  resolution: z.string(),
});
export type TuningRequest = z.output<typeof tuningRequestSchema>;
