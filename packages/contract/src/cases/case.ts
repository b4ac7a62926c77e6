import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';

// The records of an investigation. Names of the specification first; the rest stands in ours.

export const CASE_STATUSES = ['OPEN', 'ON-HOLD', 'IN-PROGRESS', 'CLOSED'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

export const SEVERITIES = ['Critical', 'High', 'Medium', 'Low', 'None'] as const;
export type Severity = (typeof SEVERITIES)[number];

export const RESOLUTIONS = ['true_positive', 'benign', 'false_positive', 'duplicate', 'other'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

export const ENTITY_TYPES = [
  'host',
  'user',
  'ip',
  'domain',
  'url',
  'mail',
  'file',
  'hash',
  'process',
  'object',
  'resource',
  'port',
  'action',
] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

/** `both`: a target in one signal, a suspect in another; such an entity counts as compromised. */
export const ENTITY_ROLES = ['suspect', 'target', 'both'] as const;
export type EntityRole = (typeof ENTITY_ROLES)[number];

export const handlerSchema = z.object({ user_id: idSchema, name: z.string() });

export const caseSchema = z.object({
  case_id: idSchema,
  /** `CASE-123`, counted per tenant. */
  case_key: z.string(),
  case_name: z.string(),
  status: z.enum(CASE_STATUSES),
  severity: z.enum(SEVERITIES),
  handler: handlerSchema.nullable(),
  created: epochMs,
  created_by: z.string(),
  updated: epochMs,
  closed: epochMs.nullable(),
  signal_count: z.number().int(),
  artifact_count: z.number().int(),
  notes_count: z.number().int(),
  /** Sum of the scores of the signals. */
  risk_score: z.number().int(),
  /** Case creation minus the creation of its oldest signal; null without a signal. */
  tta_seconds: z.number().int().nullable(),
  /** Time from creation to closing without time ON-HOLD or CLOSED; null until closed. */
  ttr_seconds: z.number().int().nullable(),
  on_hold_seconds: z.number().int(),
  resolution: z.enum(RESOLUTIONS).nullable(),
  tags: z.array(z.string()),
  /** Counts the changes; an edit names the revision it was made on. */
  revision: z.number().int(),
  scope_id: idSchema,
});
export type Case = z.output<typeof caseSchema>;

/**
 * `notes` is HTML-escaped text, both on the wire and in the store: see `escapeNote`. `kind` tells what the
 * product wrote from what a person wrote; `author` is set by the server and never taken from the request.
 */
export const caseNoteSchema = z.object({
  note_id: z.string(),
  notes: z.string(),
  author: z.string(),
  cnam_time: epochMs,
  tag_list: z.array(z.string()),
  kind: z.enum(['user', 'system']),
  /** Of a system note. */
  ...messageFields,
});
export type CaseNote = z.output<typeof caseNoteSchema>;

export const CASE_ACTIONS = [
  'create',
  'status',
  'severity',
  'name',
  'tags',
  'handler',
  'add_signal',
  'remove_signal',
  'add_entity',
  'note',
  'export',
] as const;
export type CaseAction = (typeof CASE_ACTIONS)[number];

export const caseHistorySchema = z.object({
  cnam_time: epochMs,
  author: z.string(),
  action: z.enum(CASE_ACTIONS),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** How a case was closed, and the note written then; escaped like the text of notes. */
  resolution: z.enum(RESOLUTIONS).nullable(),
  note: z.string().nullable(),
});
export type CaseHistoryEntry = z.output<typeof caseHistorySchema>;

export const partySchema = z.object({ type: z.string(), value: z.string() });
export type Party = z.output<typeof partySchema>;

/** A signal as a case shows it. */
export const caseSignalSchema = z.object({
  signal_id: idSchema,
  name: z.string(),
  workbook_id: z.string(),
  version: z.number().int(),
  stream: z.string(),
  tactic: z.string(),
  technique: z.string(),
  sub_technique: z.string(),
  score: z.number().int(),
  confidence: z.enum(['Low', 'Medium', 'High']),
  suspects: z.array(partySchema),
  targets: z.array(partySchema),
  first_time: epochMs,
  last_time: epochMs,
  occurrences: z.number().int(),
  added: epochMs,
  added_by: z.string(),
});
export type CaseSignal = z.output<typeof caseSignalSchema>;

export const caseEntitySchema = z.object({
  type: z.string(),
  value: z.string(),
  role: z.enum(ENTITY_ROLES),
  /** Sum of the scores of the case's signals that name the entity. */
  risk_score: z.number().int(),
  signal_ids: z.array(z.string()),
  first_seen: epochMs,
  last_seen: epochMs,
  /** True when an analyst added it by hand. */
  added: z.boolean(),
});
export type CaseEntity = z.output<typeof caseEntitySchema>;

/** Signals and entities as nodes; an edge says that a signal names an entity, and as what. */
export const caseGraphSchema = z.object({
  nodes: z.array(
    z.object({
      id: z.string(),
      kind: z.enum(['signal', 'entity']),
      type: z.string(),
      label: z.string(),
      role: z.enum(['signal', ...ENTITY_ROLES]),
      score: z.number().int(),
    }),
  ),
  edges: z.array(
    z.object({
      from: z.string(),
      to: z.string(),
      role: z.enum(['suspect', 'target']),
      signal_id: z.string(),
    }),
  ),
});
export type CaseGraph = z.output<typeof caseGraphSchema>;
