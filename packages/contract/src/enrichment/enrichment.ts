import { z } from 'zod';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';

// What is added to events as they come in. Every event passes the steps in this order; a step sees what those before it
// have added. Tables belong to a scope; the databases of addresses are the same for everybody.

export const ENRICHMENT_STEPS = ['geo', 'networks', 'indicators', 'assets', 'identities', 'bucket'] as const;
export type EnrichmentStep = (typeof ENRICHMENT_STEPS)[number];

export const ENRICHMENT_KINDS = ['networks', 'indicators', 'assets', 'identities', 'bucket'] as const;
export type EnrichmentTableKind = (typeof ENRICHMENT_KINDS)[number];

/** Kinds whose content is uploaded. */
export const UPLOADED_KINDS = ['networks', 'indicators', 'assets', 'identities'] as const;
export type UploadedKind = (typeof UPLOADED_KINDS)[number];

export const ENRICHMENT_FORMATS = ['lines', 'csv', 'stix'] as const;
export type EnrichmentFormat = (typeof ENRICHMENT_FORMATS)[number];

export const ENRICHMENT_LIMITS = {
  tablesOfScope: 50,
  /** Entries of one table. */
  entries: 200_000,
  /** Memory that the tables of a scope may take in each process that takes events in. */
  bytesOfScope: 48 * 1024 * 1024,
  /** Parts of an upload, and characters of each. */
  parts: 20,
  partLength: 400_000,
  samples: 20,
  days: 30,
  yamlLength: 32_000,
} as const;

/** Columns of an event that assets and identities are looked up by, when nobody says others. */
export const LOOKUP_COLUMNS: Readonly<Record<'assets' | 'identities', readonly string[]>> = {
  assets: ['DvcHostname', 'DvcIpAddr', 'SrcIpAddr', 'DstIpAddr', 'SrcHostname', 'DstHostname'],
  identities: ['ActorUsername', 'TargetUsername'],
};

/** A letter first, then letters, digits and `_`: it stands in `Ext.Enrichment` and in queries. */
export const enrichmentNameSchema = z
  .string()
  .trim()
  .max(60)
  .regex(/^[A-Za-z][A-Za-z0-9_]*$/);

/** Why something failed, as a sentence and by its code. */
const failureSchema = z.object({ message: z.string(), ...messageFields });

export const enrichmentTableSchema = z.object({
  table_id: idSchema,
  kind: z.enum(ENRICHMENT_KINDS),
  name: z.string(),
  enabled: z.boolean(),
  /** Columns of the event that are looked up; empty where they are given. */
  fields: z.array(z.string()),
  format: z.enum(ENRICHMENT_FORMATS),
  key_column: z.string(),
  /** Confidence of indicators whose list says none. */
  confidence: z.number().int(),
  /** From then on entries without an expiry of their own do not match; null: never. */
  expires: epochMs.nullable(),
  yaml: z.string(),
  version: z.number().int(),
  rows: z.number().int(),
  size_bytes: z.number().int(),
  last_build: z.object({ time: epochMs, rows: z.number().int(), error: failureSchema.nullable() }).nullable(),
  is_building: z.boolean(),
  author: z.string(),
  created: epochMs,
  modified: epochMs,
  modified_by: z.string(),
  revision: versionNumber,
  /** Of the last seven days. */
  looked_7d: z.number().int(),
  hits_7d: z.number().int(),
  last_hit: epochMs.nullable(),
});
export type EnrichmentTable = z.output<typeof enrichmentTableSchema>;

export const ROW_FAULTS = [
  'no-indicator',
  'no-network',
  'no-key',
  'no-time',
  'unsupported-pattern',
  'malformed',
] as const;

/** What an upload holds. */
export const enrichmentContentSchema = z.object({
  rows: z.number().int(),
  /** Rows that could not be read; of some of them the place and the reason. */
  fault_count: z.number().int(),
  faults: z.array(z.object({ line: z.number().int(), reason: z.enum(ROW_FAULTS), text: z.string() })),
  /** The first entries as they are kept. */
  samples: z.array(z.object({ key: z.string(), values: z.record(z.string(), z.string()) })),
});
export type EnrichmentContent = z.output<typeof enrichmentContentSchema>;

/** A thing that a step added to an event. */
export const enrichmentFactSchema = z.object({
  step: z.enum(ENRICHMENT_STEPS),
  table: z.string(),
  version: z.string(),
  /** The column of the event that was looked up, and its value. */
  field: z.string(),
  key: z.string(),
  added: z.array(z.object({ name: z.string(), value: z.string() })),
});
export type EnrichmentFact = z.output<typeof enrichmentFactSchema>;

export const HUNT_STATES = ['waiting', 'running', 'done', 'failed', 'canceled'] as const;

export const HUNT_LIMITS = {
  /** That wait or run in a scope at a time. */
  open: 3,
  days: 400,
  /** Different values that one keeps; beyond it the hunt ends and says so. */
  finds: 5_000,
} as const;

/** Indicators of a list, looked for in events that are stored. */
export const indicatorHuntSchema = z.object({
  hunt_id: idSchema,
  table_id: idSchema,
  table_name: z.string(),
  state: z.enum(HUNT_STATES),
  /** Event time, half-open. */
  from: epochMs,
  to: epochMs,
  /** From here to the end everything has been looked at. */
  covered: epochMs,
  indicators: z.number().int(),
  /** Events that matched. */
  events: z.number().int(),
  /** There are more different values than a hunt keeps; the others, and what is older, are not in it. */
  is_cut: z.boolean(),
  error: failureSchema.nullable(),
  author: z.string(),
  created: epochMs,
  ended: epochMs.nullable(),
});
export type IndicatorHunt = z.output<typeof indicatorHuntSchema>;

export const indicatorFindSchema = z.object({
  indicator: z.string(),
  field: z.string(),
  value: z.string(),
  category: z.string(),
  confidence: z.number().int(),
  events: z.number().int(),
  first: epochMs,
  last: epochMs,
});
export type IndicatorFind = z.output<typeof indicatorFindSchema>;
