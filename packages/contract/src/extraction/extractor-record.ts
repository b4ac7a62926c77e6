import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';

// Extractors: how the lines of a source become events. Those that come with Tyrian are read-only; a tenant's own have a
// draft beside the version that reads what comes in.

export const EXTRACTOR_LIMITS = {
  /** Own extractors of a tenant, and versions that are kept of each. */
  own: 200,
  versions: 100,
  /** Characters of one definition. */
  yaml: 65_536,
  /** Lines of samples, and their characters together. */
  samples: 500,
  sampleChars: 524_288,
  /** Numbers of a tenant's own begin here. */
  firstOwnId: 10_001,
  /** A new one is marked as such for so many days. */
  newDays: 7,
  /** How far back events are looked for that nothing could read. */
  unparsedDays: 7,
} as const;

const count = z.number().int();
const saidSchema = z.object({ message: z.string(), ...messageFields });

/** A positive number: below 10,001 those that come with Tyrian. */
export const extractorIdSchema = z.number().int().min(1).max(2_147_483_646);

export const EXTRACTOR_TYPES = ['native', 'custom'] as const;
/** `draft`: has never been published. */
export const EXTRACTOR_STATUSES = ['draft', 'enabled', 'disabled'] as const;
export type ExtractorStatus = (typeof EXTRACTOR_STATUSES)[number];

/** What is looked at before an extractor reads what comes in, in this order. */
export const EXTRACTOR_CHECKS = [
  'syntax',
  'duplicates',
  'new-names',
  'samples-match',
  'samples-unique',
  'extractor-unique',
] as const;
export type ExtractorCheckName = (typeof EXTRACTOR_CHECKS)[number];

export const extractorFindingSchema = saidSchema.extend({
  /** `fail` keeps the extractor from being published. */
  result: z.enum(['fail', 'warn']),
  /** Of the definition, or of the samples in the checks of samples; from 1. */
  line: count.nullable(),
  column: count.nullable(),
  /** A mistake in the definition, by its code in the language; `message` says it in English. */
  fault: z
    .object({ code: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) })
    .nullable(),
});
export type ExtractorFinding = z.output<typeof extractorFindingSchema>;

export const extractorCheckSchema = z.object({
  check: z.enum(EXTRACTOR_CHECKS),
  /** `skip`: could not be looked at, because an earlier one failed or there is nothing to look at. */
  result: z.enum(['pass', 'fail', 'warn', 'skip']),
  findings: z.array(extractorFindingSchema),
});
export type ExtractorCheck = z.output<typeof extractorCheckSchema>;

export const extractorItemSchema = z.object({
  extractor_id: extractorIdSchema,
  name: z.string(),
  source_name: z.string(),
  source_type: z.string(),
  author: z.string(),
  type: z.enum(EXTRACTOR_TYPES),
  /** Of the one that reads what comes in; 0 before the first. */
  version: count,
  status: z.enum(EXTRACTOR_STATUSES),
  is_new: z.boolean(),
  /** There is a draft beside the published one, or nothing but a draft. */
  has_draft: z.boolean(),
  /** The one that it was cloned from. */
  cloned_from: extractorIdSchema.nullable(),
  updated: epochMs.nullable(),
});
export type ExtractorItem = z.output<typeof extractorItemSchema>;

export const extractorSchema = extractorItemSchema.extend({
  /** Counts the changes; a change names the one that it saw. */
  revision: count,
  /** What reads what comes in; empty before the first version. */
  yaml: z.string(),
  draft: z.string().nullable(),
  draft_by: z.string().nullable(),
  /** Lines that its author gave in this scope. */
  samples: z.array(z.string()),
  /** Enabled clones of a native one, and the native one of an enabled clone: one of them reads at a time. */
  instead: z.array(z.object({ extractor_id: extractorIdSchema, name: z.string() })),
});
export type Extractor = z.output<typeof extractorSchema>;

export const extractorVersionSchema = z.object({
  version: count,
  author: z.string(),
  comment: z.string(),
  created: epochMs,
});
export type ExtractorVersion = z.output<typeof extractorVersionSchema>;

/** What an extractor makes of one line. */
export const simulatedRowSchema = z.object({
  raw: z.string(),
  /** Not its own; its own but read by no entry; read. */
  reach: z.enum(['not-taken', 'fallback', 'read']),
  /** The entry that read it, where it has a name. */
  entry: z.string().nullable(),
  /** `PAD` parsed, `PER` its own but could not be read, `NLF` not its own. */
  parse_status: z.enum(['PAD', 'PER', 'NLF']),
  stream: z.string(),
  time: epochMs.nullable(),
  /** By the names of the data model. */
  columns: z.record(z.string(), z.union([z.string(), z.number()])),
  /** Fields without a column. */
  ext: z.record(z.string(), z.unknown()),
  /** Why not. */
  reason: z.string().nullable(),
});
export type SimulatedRow = z.output<typeof simulatedRowSchema>;

export const simulationSchema = z.object({
  rows: z.array(simulatedRowSchema),
  parsed: count,
  errors: count,
  /** Columns that some row fills, those of most rows first. */
  columns: z.array(z.string()),
  /** Null when the definition cannot be read: the checks say why. */
  ok: z.boolean(),
});
export type Simulation = z.output<typeof simulationSchema>;

export const samplesSchema = z
  .array(z.string().max(65_536))
  .max(EXTRACTOR_LIMITS.samples)
  .refine((lines) => lines.reduce((sum, line) => sum + line.length, 0) <= EXTRACTOR_LIMITS.sampleChars);

export const yamlSchema = z.string().min(1).max(EXTRACTOR_LIMITS.yaml);
export const extractorScope = { scope_id: idSchema };
