import { z } from 'zod';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';
import { CONNECTOR_ENGINES } from './connector-config.ts';

// A connector brings events of one source into one scope: senders push to it, or it fetches them itself.

export const CONNECTOR_LIMITS = {
  /** Of a scope. */
  ofScope: 200,
  /** Records that a test shows, and characters of each text of them. */
  testRecords: 10,
  testChars: 4_000,
} as const;

export const CONNECTOR_STATES = ['running', 'stopped', 'failed'] as const;
export type ConnectorState = (typeof CONNECTOR_STATES)[number];
export const VALIDATION_STATES = ['pending', 'ok', 'failed'] as const;

const saidSchema = z.object({ message: z.string(), ...messageFields });
export type ConnectorReason = z.output<typeof saidSchema>;

export const connectorSchema = z.object({
  id: idSchema,
  /** Of the catalogue. */
  kind: z.string(),
  engine: z.enum(CONNECTOR_ENGINES),
  name: z.string(),
  scope_id: idSchema,
  /** The source whose events these are. */
  source_id: idSchema,
  state: z.enum(CONNECTOR_STATES),
  /** Why it failed. */
  reason: saidSchema.nullable(),
  /** When it is tried again. */
  next_try: epochMs.nullable(),
  validation: z.object({
    status: z.enum(VALIDATION_STATES),
    reason: saidSchema.nullable(),
    time: epochMs.nullable(),
  }),
  config: z.record(z.string(), z.unknown()),
  /** Names of the secrets that are stored; the secrets themselves leave in no answer. */
  secrets_set: z.array(z.string()),
  revision: versionNumber,
  last_event: epochMs.nullable(),
  /** Null while the event store does not answer. */
  events_24h: z.number().int().nullable(),
  created_by: z.string(),
  created: epochMs,
  changed: epochMs,
});
export type Connector = z.output<typeof connectorSchema>;

/** A record as it would be stored. */
export const connectorRecordSchema = z.object({
  raw: z.string(),
  stream: z.string(),
  source_type: z.string(),
  status: z.enum(['PAD', 'PER', 'NLF']),
  parse_error: z.string().nullable(),
  time: epochMs.nullable(),
  fields: z.record(z.string(), z.unknown()),
});
export type ConnectorRecord = z.output<typeof connectorRecordSchema>;
