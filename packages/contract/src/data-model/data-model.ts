import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';

// The data model of a tenant: the streams and fields that every tenant has, and those that content managers added.

export const DATA_MODEL_LIMITS = {
  streams: 60,
  fields: 500,
  aliases: 10,
  openRequests: 200,
  keptDays: 90,
} as const;

export const FIELD_TYPES = ['string', 'int', 'float', 'ip', 'time', 'bool', 'geo'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** As what a query reads a field of each type. */
export const KQL_TYPE_OF = {
  string: 'string',
  int: 'long',
  float: 'real',
  ip: 'string',
  time: 'datetime',
  bool: 'bool',
  geo: 'dynamic',
} as const satisfies Readonly<Record<FieldType, string>>;

const plainName = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[A-Za-z_]\w*$/, reason('functionName'));

export const streamNameSchema = plainName(64);
export const fieldNameSchema = plainName(100);

export const modelStreamSchema = z.object({
  name: z.string(),
  /** Of one that was added; '' for one that every tenant has, which the reader's language describes. */
  description: z.string(),
  /** Every tenant has it. */
  native: z.boolean(),
  /** Fields that were added to it. */
  fields: z.number().int(),
  /** Null: nobody changed it. */
  changed_by: z.string().nullable(),
  changed: epochMs.nullable(),
});
export type ModelStream = z.output<typeof modelStreamSchema>;

export const modelFieldSchema = z.object({
  stream: z.string(),
  name: z.string(),
  type: z.enum(FIELD_TYPES),
  description: z.string(),
  example: z.string(),
  /** Other names of the field: in queries, and in the events of sources that spell it otherwise. */
  aliases: z.array(z.string()),
  added_by: z.string(),
  added: epochMs,
});
export type ModelField = z.output<typeof modelFieldSchema>;

export const REQUEST_STATES = ['open', 'approved', 'refused'] as const;

export const modelRequestSchema = z.object({
  request_id: idSchema,
  stream: z.string(),
  /** Empty: the stream itself. */
  field: z.string(),
  type: z.enum(FIELD_TYPES),
  description: z.string(),
  example: z.string(),
  source: z.string(),
  state: z.enum(REQUEST_STATES),
  reason: z.string(),
  asked_by: z.string(),
  created: epochMs,
  decided_by: z.string().nullable(),
  decided: epochMs.nullable(),
});
export type ModelRequest = z.output<typeof modelRequestSchema>;

/** A stream or field that somebody needs. */
export const wantedSchema = z.object({
  stream: streamNameSchema,
  field: z.union([fieldNameSchema, z.literal('')]).default(''),
  type: z.enum(FIELD_TYPES).default('string'),
  description: z.string().trim().max(2000).default(''),
  example: z.string().trim().max(500).default(''),
});
export type Wanted = z.output<typeof wantedSchema>;
