import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { signalEntitySchema } from '../signals/signal.ts';

// What rules would have raised over a range that is past: before one is switched on, or to look back for what was missed.

export const PREVIEW_LIMITS = {
  /** Rules of one retro-hunt. */
  rules: 50,
  /** Previews of a scope that wait or run. */
  open: 5,
  /** Previews of a scope that are kept, and for how many days. */
  kept: 100,
  keptDays: 30,
  /** Days of one range, whatever is kept. */
  days: 400,
  /** A rule that finds more is stopped: it is too noisy to be run so. */
  signals: 5_000,
  findings: 20_000,
  /** Of each rule that are shown. */
  shownSignals: 50,
  samples: 20,
} as const;

export const PREVIEW_KINDS = ['preview', 'retro-hunt'] as const;
export const PREVIEW_STATES = ['waiting', 'running', 'done', 'failed', 'canceled'] as const;
export type PreviewState = (typeof PREVIEW_STATES)[number];
/** `too-noisy`: stopped at a limit, the rest of the range was not looked at. */
export const PREVIEW_RULE_STATES = ['waiting', 'running', 'done', 'too-noisy', 'failed', 'canceled'] as const;
export type PreviewRuleState = (typeof PREVIEW_RULE_STATES)[number];

const count = z.number().int();
const saidSchema = z.object({ message: z.string(), ...messageFields });

/** A part of the range: a day in UTC, or what of it lies in the range. */
export const previewDaySchema = z.object({ from: epochMs, to: epochMs, rows: count, signals: count });
export type PreviewDay = z.output<typeof previewDaySchema>;

/** A signal that would have been raised. */
export const previewSignalSchema = z.object({
  name: z.string(),
  /** Rows that it stands for. */
  occurrences: count,
  first_time: epochMs,
  last_time: epochMs,
  suspects: z.array(signalEntitySchema),
  targets: z.array(signalEntitySchema),
});
export type PreviewSignal = z.output<typeof previewSignalSchema>;

/** Another rule that has raised signals on the same events, or that name the same entities, in the range. */
export const previewOverlapSchema = z.object({
  ID: idSchema,
  name: z.string(),
  /** Its signals. */
  signals: count,
  /** Of them, those on the same events. */
  on_events: count,
  /** Share of the previewed signals that it has signals on. */
  share: z.number(),
});
export type PreviewOverlap = z.output<typeof previewOverlapSchema>;

export const previewRuleSchema = z.object({
  rule_id: idSchema,
  title: z.string(),
  state: z.enum(PREVIEW_RULE_STATES),
  /** The rule is there no more. */
  is_gone: z.boolean(),
  /** Why it failed. */
  error: saidSchema.nullable(),
  /** Up to where the range was looked at. */
  covered_until: epochMs,
  rows: count,
  signals: count,
  /** Event time of the first and last row. */
  first_hit: epochMs.nullable(),
  last_hit: epochMs.nullable(),
});
export type PreviewRule = z.output<typeof previewRuleSchema>;

export const previewResultSchema = previewRuleSchema.extend({
  /** What was asked, with exceptions and threshold; empty before it began. */
  kql: z.string(),
  /** Of its signals, 0 to 10; null before it began. */
  score: z.number().nullable(),
  /** It asks for the time of its run, so that what it would have found then is not known. */
  uses_now: z.boolean(),
  days: z.array(previewDaySchema),
  /** The most frequent first, over all signals. */
  entities: z.array(signalEntitySchema.extend({ signals: count })),
  overlaps: z.array(previewOverlapSchema),
  /** Only a part of the signals was compared with those of other rules. */
  overlaps_cut: z.boolean(),
  found: z.array(previewSignalSchema),
  /** Events that can be read as samples. */
  samples: count,
  /** Time of its queries, and processor time of the engine, for a day of data; null while not known. */
  query_ms_day: z.number().nullable(),
  cpu_ms_day: z.number().nullable(),
  /** Share of what a rule may take of the engine. */
  cpu_share: z.number().nullable(),
});
export type PreviewResult = z.output<typeof previewResultSchema>;

const fields = {
  preview_id: idSchema,
  kind: z.enum(PREVIEW_KINDS),
  state: z.enum(PREVIEW_STATES),
  /** Time of arrival, half-open. */
  start: epochMs,
  end: epochMs,
  /** Days of rules that were looked at, and of how many. */
  done: count,
  total: count,
  error: saidSchema.nullable(),
  author: z.string(),
  created: epochMs,
  ended: epochMs.nullable(),
};

export const previewItemSchema = z.object({
  ...fields,
  rules: count,
  /** The first rule. */
  title: z.string(),
  rows: count,
  signals: count,
});
export type PreviewItem = z.output<typeof previewItemSchema>;

export const previewSchema = z.object({
  ...fields,
  rules: z.array(previewRuleSchema),
  /** Of the rule that was asked for, or of the only one. */
  result: previewResultSchema.nullable(),
});
export type RulePreview = z.output<typeof previewSchema>;
