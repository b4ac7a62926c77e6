import { z } from 'zod';
import { epochMs } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { messageFields } from '../messages/message-values.ts';

// Samples of rules: events as a source sends them, and whether the rule has to match them.

/** What the samples of one rule may be. */
export const SAMPLE_LIMITS = {
  samples: 30,
  /** Events of one sample. */
  events: 50,
  /** Characters of all events of a rule. */
  chars: 200_000,
  nameChars: 200,
} as const;

export const SAMPLE_EXPECTATIONS = ['match', 'no match'] as const;

export const ruleSampleSchema = z.object({
  name: z.string().trim().min(1).max(SAMPLE_LIMITS.nameChars),
  expect: z.enum(SAMPLE_EXPECTATIONS),
  /** Each a line of text or a JSON object, as its source sends it. */
  events: z.array(z.string().min(1).max(SAMPLE_LIMITS.chars)).min(1).max(SAMPLE_LIMITS.events),
});
export type RuleSample = z.output<typeof ruleSampleSchema>;

const charsOf = (samples: readonly RuleSample[]): number =>
  samples.reduce((sum, { events }) => sum + events.reduce((chars, event) => chars + event.length, 0), 0);

export const ruleSamplesSchema = z
  .array(ruleSampleSchema)
  .max(SAMPLE_LIMITS.samples)
  .refine((samples) => charsOf(samples) <= SAMPLE_LIMITS.chars, { message: reason('samplesTooLong') })
  .refine((samples) => new Set(samples.map(({ name }) => name)).size === samples.length, {
    message: reason('sampleNamesDiffer'),
  });

/**
 * `none`: there are no samples; `untested`: not run since rule or samples changed; `passed`: each did as expected, and
 * one of them had to match.
 */
export const SAMPLE_STATES = ['none', 'untested', 'passed', 'failed'] as const;
export type SampleState = (typeof SAMPLE_STATES)[number];

export const sampleResultSchema = z.object({
  name: z.string(),
  expect: z.enum(SAMPLE_EXPECTATIONS),
  /** The rule found something in the events. */
  matched: z.boolean(),
  passed: z.boolean(),
  /** Why it could not be run. */
  problem: z.object({ message: z.string(), ...messageFields }).nullable(),
});
export type SampleResult = z.output<typeof sampleResultSchema>;

export const sampleReportSchema = z.object({
  state: z.enum(SAMPLE_STATES),
  /** Of the last run; empty while it is untested. */
  results: z.array(sampleResultSchema),
  tested: epochMs.nullable(),
});
export type SampleReport = z.output<typeof sampleReportSchema>;

/** Where a sample comes from: those of a pack are its own and change with it. */
export const SAMPLE_ORIGINS = ['pack', 'own'] as const;
export const keptSampleSchema = ruleSampleSchema.extend({ origin: z.enum(SAMPLE_ORIGINS) });
export type KeptSample = z.output<typeof keptSampleSchema>;

/** Whether results prove a rule: all passed, and one of them had to match. */
export const provesRule = (results: readonly SampleResult[]): boolean =>
  results.length > 0 &&
  results.every(({ passed }) => passed) &&
  results.some(({ expect }) => expect === 'match');
