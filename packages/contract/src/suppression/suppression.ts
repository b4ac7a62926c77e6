import { z } from 'zod';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { signalEntitySchema } from '../signals/signal.ts';
import { STAGES } from '../workbooks/workbook.ts';
import { CONFIDENCES, SUSPECT_TYPES, TARGET_TYPES } from '../workbooks/workbook-block.ts';

// Suppression: signals of a rule whose suspects and targets are known to be harmless are kept apart from the queue. Nothing
// is deleted: what was suppressed can be seen, is counted, and can be put back.

export const SUPPRESSION_LIMITS = {
  rulesOfScope: 500,
  conditions: 20,
  values: 200,
  valueLength: 256,
  /** Days for which suppressed signals and the counts of hits are kept. */
  days: 30,
} as const;

const values = z
  .array(z.string().trim().min(1).max(SUPPRESSION_LIMITS.valueLength))
  .min(1)
  .max(SUPPRESSION_LIMITS.values);

/** A suspect or target of the signal is one of the values; case does not count. */
export const suppressionConditionSchema = z.discriminatedUnion('role', [
  z.object({ role: z.literal('suspect'), type: z.enum(SUSPECT_TYPES), values }),
  z.object({ role: z.literal('target'), type: z.enum(TARGET_TYPES), values }),
]);
export type SuppressionCondition = z.output<typeof suppressionConditionSchema>;

/** All of them have to hold. */
export const suppressionConditionsSchema = z
  .array(suppressionConditionSchema)
  .min(1)
  .max(SUPPRESSION_LIMITS.conditions);

export const suppressionRuleSchema = z.object({
  rule_id: idSchema,
  /** The workbook, or the rule of a pack, whose signals are looked at. */
  workbook_id: idSchema,
  workbook_name: z.string(),
  conditions: suppressionConditionsSchema,
  reason: z.string(),
  enabled: z.boolean(),
  /** From then on nothing is suppressed; null: never. */
  expires: epochMs.nullable(),
  created: epochMs,
  author: z.string(),
  modified: epochMs,
  modified_by: z.string(),
  revision: versionNumber,
  hits_30d: z.number().int(),
  last_hit: epochMs.nullable(),
});
export type SuppressionRule = z.output<typeof suppressionRuleSchema>;

/** A signal that was not raised, or would not have been. */
export const suppressedSignalSchema = z.object({
  name: z.string(),
  workbook_id: idSchema,
  workbook_name: z.string(),
  score: z.number().int(),
  confidence: z.enum(CONFIDENCES),
  stage: z.enum(STAGES),
  suspects: z.array(signalEntitySchema),
  targets: z.array(signalEntitySchema),
  first_time: epochMs,
  last_time: epochMs,
});
export type SuppressedSignal = z.output<typeof suppressedSignalSchema>;
