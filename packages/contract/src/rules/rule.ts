import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { SAMPLE_STATES } from '../samples/rule-sample.ts';
import { STAGES, scheduleSchema } from '../workbooks/workbook.ts';

// Rules of packs: content that a tenant has imported, and what a scope changes about it.

export const RULE_VERDICTS = ['runs', 'missing field', 'missing source', 'unsupported', 'invalid'] as const;
export type RuleVerdictName = (typeof RULE_VERDICTS)[number];
export const RULE_LEVELS = ['informational', 'low', 'medium', 'high', 'critical'] as const;
export type RuleLevel = (typeof RULE_LEVELS)[number];
export const RULE_KINDS = ['rule', 'correlation', 'filter', 'unreadable'] as const;
export const PACK_KINDS = ['imported', 'own'] as const;
/** The pack of the rules that a tenant writes in the console; imports leave it alone. */
export const OWN_PACK = 'own';
export const IMPORT_STATES = ['uploading', 'waiting', 'running', 'done', 'failed', 'canceled'] as const;
export const RULE_CHANGES = ['new', 'changed', 'verdict', 'gone'] as const;

/** Ids of rules of packs begin so; those of workbooks never do. */
export const PACK_RULE_PREFIX = 'sigma-';
export const isPackRuleId = (id: string): boolean => id.startsWith(PACK_RULE_PREFIX);

export const EXCEPTION_OPERATORS = ['equals', 'contains', 'startswith', 'endswith'] as const;

/** Events whose field is one of the values raise nothing. Texts are compared without case. */
export const ruleExceptionSchema = z.object({
  /** A column, or a path below `Ext`, as KQL writes it. */
  field: z
    .string()
    .max(200)
    .regex(/^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/),
  operator: z.enum(EXCEPTION_OPERATORS).default('equals'),
  values: z.array(z.string().trim().min(1).max(500)).min(1).max(100),
  reason: z.string().trim().max(500).default(''),
});
export type RuleException = z.output<typeof ruleExceptionSchema>;

/** So many events within so many minutes raise one signal, for each value of the field. */
export const ruleThresholdSchema = z.object({
  count: z.number().int().min(2).max(100_000),
  minutes: z.number().int().min(1).max(1440),
  field: ruleExceptionSchema.shape.field,
});
export type RuleThreshold = z.output<typeof ruleThresholdSchema>;

/** What a scope changes about a rule; kept through every update of the rule. */
export const ruleOverlaySchema = z.object({
  stage: z.enum(STAGES).default('test'),
  /** Null: as the rule says. */
  level: z.enum(RULE_LEVELS).nullable().default(null),
  /** Null: every minute. */
  schedule: scheduleSchema.nullable().default(null),
  exceptions: z.array(ruleExceptionSchema).max(50).default([]),
  threshold: ruleThresholdSchema.nullable().default(null),
});
export type RuleOverlay = z.output<typeof ruleOverlaySchema>;

export const packRuleSchema = z.object({
  rule_id: idSchema,
  pack_id: idSchema,
  pack: z.string(),
  kind: z.enum(RULE_KINDS),
  title: z.string(),
  /** Empty: the rule does not say. */
  level: z.enum([...RULE_LEVELS, '']),
  status: z.string(),
  /** `product/category/service`; what the rule leaves out is empty. */
  log_source: z.string(),
  tactics: z.array(z.string()),
  techniques: z.array(z.string()),
  verdict: z.enum(RULE_VERDICTS),
  /** Why it does not run. */
  reason_code: z.string().nullable(),
  /** There is a query, so that it can be switched on. */
  can_run: z.boolean(),
  enabled: z.boolean(),
  stage: z.enum(STAGES),
  version: z.number().int(),
  changed: epochMs,
  /** The last import of its pack did not hold it. */
  is_gone: z.boolean(),
  sample_state: z.enum(SAMPLE_STATES),
});
export type PackRule = z.output<typeof packRuleSchema>;

/** A field of a rule and how it is read. */
export const ruleFieldSchema = z.object({
  field: z.string(),
  /** The table that said so. */
  table: z.string(),
  /** As KQL writes them. */
  sources: z.array(z.string()),
  is_missing: z.boolean(),
});

export const packRuleDetailSchema = packRuleSchema.extend({
  path: z.string(),
  sigma_id: z.string().nullable(),
  description: z.string(),
  authors: z.string(),
  licence: z.string(),
  references: z.array(z.string()),
  falsepositives: z.array(z.string()),
  tags: z.array(z.string()),
  /** The reason in English, with its values. */
  reason: z.string(),
  /** Where in the text, in UTF-16 units. */
  span: z.object({ start: z.number().int(), end: z.number().int() }).nullable(),
  /** The mapping of its log source. */
  mapping: z.string().nullable(),
  streams: z.array(z.string()).nullable(),
  /** Streams of the rule that hold no events. */
  missing_streams: z.array(z.string()),
  fields: z.array(ruleFieldSchema),
  text: z.string(),
  /** What runs in this scope, exceptions and threshold included; null when there is no query. */
  kql: z.string().nullable(),
  versions: z.array(
    z.object({ version: z.number().int(), saved: epochMs, author: z.string(), comment: z.string() }),
  ),
  /** Of a rule that is written in the console; null for those of packs of others. */
  own: z
    .object({
      locked: z.boolean(),
      locked_by: z.string().nullable(),
      since: epochMs.nullable(),
      /** Nobody else has locked it. */
      may_change: z.boolean(),
      /** The rule that it was made from. */
      cloned_from: z.string().nullable(),
    })
    .nullable(),
  overlay: ruleOverlaySchema,
  /** Counts the changes of the overlay; 0 while there is none. */
  revision: z.number().int(),
});
export type PackRuleDetail = z.output<typeof packRuleDetailSchema>;

export const rulePackSchema = z.object({
  pack_id: idSchema,
  name: z.string(),
  kind: z.enum(PACK_KINDS),
  rules: z.number().int(),
  imported: epochMs.nullable(),
  imported_by: z.string(),
});
export type RulePack = z.output<typeof rulePackSchema>;

const counts = z.record(z.string(), z.number().int());
export const ruleImportSchema = z.object({
  import_id: idSchema,
  pack_id: idSchema,
  pack: z.string(),
  state: z.enum(IMPORT_STATES),
  files_done: z.number().int(),
  files_total: z.number().int().nullable(),
  /** Rules by verdict, and by tactic and log source; empty while it runs. */
  verdicts: counts,
  tactics: counts,
  log_sources: counts,
  /** Rules by how they differ from the last import. */
  changes: counts,
  error: z.string().nullable(),
  ...messageFields,
  author: z.string(),
  created: epochMs,
  ended: epochMs.nullable(),
});
export type RuleImport = z.output<typeof ruleImportSchema>;

export const ruleChangeSchema = z.object({
  rule_id: idSchema,
  change: z.enum(RULE_CHANGES),
  title: z.string(),
  path: z.string(),
  verdict_before: z.enum(RULE_VERDICTS).nullable(),
  verdict_after: z.enum(RULE_VERDICTS).nullable(),
});
export type RuleChange = z.output<typeof ruleChangeSchema>;

/** A tactic as Sigma writes it, e.g. `defense-evasion`, as ATT&CK does: `Defense Evasion`. */
export const tacticTitle = (short: string): string =>
  short
    .split(/[-_]/)
    .map((word) => (word === 'and' ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(' ');
