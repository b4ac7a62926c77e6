import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { STAGES } from '../workbooks/workbook.ts';
import { CONFIDENCES } from '../workbooks/workbook-block.ts';

// A signal is evidence, not an alert to be closed: triage means to put it into a case or to tag it a false
// positive. Equal findings of one workbook within three hours are one signal with a count of occurrences.

export const SIGNAL_STATUSES = ['pending', 'triaged'] as const;
export const SIGNAL_VIEWS = ['pending', 'triaged', 'all'] as const;

/** A host, user, … that a signal names. */
export const signalEntitySchema = z.object({ type: z.string(), value: z.string() });
export type SignalEntity = z.output<typeof signalEntitySchema>;

export const signalSchema = z.object({
  signal_id: idSchema,
  name: z.string(),
  version: z.number().int(),
  workbook_id: idSchema,
  workbook_name: z.string(),
  stream: z.string(),
  stage: z.enum(STAGES),
  tactic: z.string(),
  technique: z.string(),
  sub_technique: z.string(),
  score: z.number().int(),
  confidence: z.enum(CONFIDENCES),
  suspects: z.array(signalEntitySchema),
  targets: z.array(signalEntitySchema),
  tags: z.array(z.string()),
  /** Event time of the first and the last occurrence. */
  first_time: epochMs,
  last_time: epochMs,
  /** When the signal was raised. */
  created: epochMs,
  occurrences: z.number().int(),
  /** Raised minus ingest of the earliest contributing event. */
  ttd_seconds: z.number().int().nullable(),
  status: z.enum(SIGNAL_STATUSES),
  false_positive: z.boolean(),
  case_ids: z.array(idSchema),
  scope_id: idSchema,
});
export type Signal = z.output<typeof signalSchema>;

export const signalHistorySchema = z.object({
  cnam_time: epochMs,
  author: z.string(),
  action: z.enum(['raised', 'false_positive', 'not_false_positive', 'case_added', 'case_removed', 'tags']),
  detail: z.string(),
  /** Of a detail that the product wrote. */
  ...messageFields,
});
export type SignalHistory = z.output<typeof signalHistorySchema>;

/** A signal with what its rows said: each field with its distinct values and how often each came. */
export const signalDetailSchema = signalSchema.extend({
  fields: z.array(
    z.object({
      field: z.string(),
      distinct: z.number().int(),
      values: z.array(z.object({ value: z.string(), count: z.number().int() })),
    }),
  ),
  history: z.array(signalHistorySchema),
  workbook_exists: z.boolean(),
});
export type SignalDetail = z.output<typeof signalDetailSchema>;

export const signalTagSchema = z.object({
  tag: z.string(),
  colour: z.string(),
  created_by: z.string(),
  count: z.number().int(),
});
export type SignalTag = z.output<typeof signalTagSchema>;

export const facetEntitySchema = z.object({
  value: z.string(),
  type: z.string(),
  count: z.number().int(),
});

/** Summary of a selection of signals: totals and the most frequent entities and detections. */
export const signalFacetsSchema = z.object({
  totals: z.object({
    signals: z.number().int(),
    occurrences: z.number().int(),
    suspects: z.number().int(),
    targets: z.number().int(),
    detections: z.number().int(),
    pending: z.number().int(),
    triaged: z.number().int(),
  }),
  suspects: z.array(facetEntitySchema),
  targets: z.array(facetEntitySchema),
  detections: z.array(
    z.object({
      workbook_id: idSchema,
      name: z.string(),
      count: z.number().int(),
      score: z.number().int(),
    }),
  ),
  /** For filters: the values that occur, with counts, per key (tactic, technique, confidence, stream, stage, tag, score). */
  filters: z.record(z.string(), z.array(z.object({ value: z.string(), count: z.number().int() }))),
});
export type SignalFacets = z.output<typeof signalFacetsSchema>;
