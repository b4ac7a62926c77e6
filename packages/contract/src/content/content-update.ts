import { z } from 'zod';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// Content that is newer than what a tenant runs, and what it would change.

/** `workbook`: a shipped detection; `rule`: a rule of a pack; `copy`: a copy whose original has changed. */
export const UPDATE_KINDS = ['workbook', 'rule', 'copy'] as const;
export const UPDATE_CHANGES = ['new', 'changed', 'gone'] as const;
export const UPDATE_STATES = ['open', 'declined'] as const;
/** What an update may change of a workbook or a rule. */
export const UPDATE_PARTS = [
  'name',
  'text',
  'query',
  'score',
  'schedule',
  'description',
  'technique',
  'entities',
  'knowledge',
  'samples',
  'tags',
  'stage',
  'folder',
  'verdict',
] as const;
export type UpdatePart = (typeof UPDATE_PARTS)[number];

const ID_FORM = /^(workbook|rule|copy):[A-Za-z0-9_-]{1,64}$/;

/** The kind and what it is about: `workbook:native-psexec-use`. */
export const updateIdSchema = z.string().max(80).regex(ID_FORM);

export const contentUpdateSchema = z.object({
  update_id: z.string(),
  kind: z.enum(UPDATE_KINDS),
  change: z.enum(UPDATE_CHANGES),
  /** Of the workbook or the rule. */
  ID: idSchema,
  name: z.string(),
  /** The pack of a rule, the name of a copy's original; empty for a shipped detection. */
  of: z.string(),
  /** The version that the tenant has; null for what is new. */
  from_version: z.number().int().nullable(),
  /** The version that it would have; null for what goes. */
  to_version: z.number().int().nullable(),
  parts: z.array(z.enum(UPDATE_PARTS)),
  /** The scope has settings of its own about it, or a copy of it. They stay. */
  customised: z.boolean(),
  /** It runs in this scope. */
  enabled: z.boolean(),
  state: z.enum(UPDATE_STATES),
  /** Null where nobody noted it. */
  offered: epochMs.nullable(),
});
export type ContentUpdate = z.output<typeof contentUpdateSchema>;

/** Texts of two versions, one beside the other; null where there is none. */
const pairSchema = z.object({ before: z.string().nullable(), after: z.string().nullable() });

export const contentUpdateDetailSchema = contentUpdateSchema.extend({
  /** As a file holds it. */
  text: pairSchema,
  /** The query of a rule, as it is without the settings of a scope. */
  query: pairSchema.nullable(),
  /** Of a copy: from the version of the original that it was made of to the copy as it is. */
  own: pairSchema.nullable(),
});
export type ContentUpdateDetail = z.output<typeof contentUpdateDetailSchema>;

/** Whether newer shipped detections wait for a review or replace those of the tenant at once. */
export const SHIPPED_POLICIES = ['review', 'at-once'] as const;
export type ShippedPolicy = (typeof SHIPPED_POLICIES)[number];
