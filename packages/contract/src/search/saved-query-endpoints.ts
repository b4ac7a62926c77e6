import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { resolveTime } from './search-time.ts';
import { MAX_QUERY_LENGTH } from './search-values.ts';

// Texts that people keep: queries to open again and snippets to put into other queries. Each belongs to a scope and
// to whoever saved it; a shared one is seen by everybody who may search there. Only its owner changes it, and an
// engineer of the scope may change or delete what is shared. Another person's own text is "not found".

const inScope = { kind: 'roles', in: 'scope', tags: SECURITY } as const;

export const SAVED_KINDS = ['query', 'snippet'] as const;
export type SavedKind = (typeof SAVED_KINDS)[number];

/** A time as the range picker writes it: `now-6h`, or ISO 8601. */
const rangeText = z
  .string()
  .max(64)
  .refine((text) => resolveTime(text, { nowMs: Date.UTC(2026, 0), zone: 'UTC', edge: 'from' }) !== null, {
    message: reason('savedTime'),
  });

const savedFields = {
  kind: z.enum(SAVED_KINDS).default('query'),
  name: z.string().trim().min(1).max(120),
  description: z.string().trim().max(2000).default(''),
  /** Path of names joined by `/`; empty: the top of the list. */
  folder: z.string().trim().max(200).default(''),
  tags: z.array(z.string().trim().min(1).max(40)).max(20).default([]),
  /** KQL; in a snippet `${name}` is a place to fill in, in order. */
  text: z.string().min(1).max(MAX_QUERY_LENGTH),
  /** Range that the query opens with; null: the one that is chosen then. */
  range: z.object({ from: rangeText, to: rangeText }).nullable().default(null),
  shared: z.boolean().default(false),
};

export const savedQuerySchema = z.object({
  ...savedFields,
  id: z.string(),
  owner: z.string(),
  owner_name: z.string(),
  /** The caller may change and delete it. */
  editable: z.boolean(),
  /** Counts changes; a change names the one that it saw. */
  version: z.number().int(),
  created: epochMs,
  updated: epochMs,
});
export type SavedQuery = z.output<typeof savedQuerySchema>;

export const listSavedQueries = endpoint({
  name: 'savedQueries.list',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/search/saved',
  summary:
    "Saved queries or snippets of a scope: the caller's own and those that are shared, by folder and name",
  input: z.object({ scope_id: idSchema, kind: z.enum(SAVED_KINDS).default('query') }),
  output: z.array(savedQuerySchema),
  access: inScope,
});

export const readSavedQuery = endpoint({
  name: 'savedQueries.read',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/wrk/api/search/saved/read',
  summary: 'One saved query or snippet by its id',
  input: z.object({ scope_id: idSchema, id: idSchema }),
  output: savedQuerySchema,
  access: inScope,
});

export const saveQuery = endpoint({
  name: 'savedQueries.save',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/saved/save',
  summary: 'Saves a query or snippet; with an id it changes that one, when `version` is still the newest',
  input: z.object({
    scope_id: idSchema,
    id: idSchema.optional(),
    version: versionNumber.optional(),
    ...savedFields,
  }),
  output: savedQuerySchema,
  access: inScope,
});

export const deleteSavedQuery = endpoint({
  name: 'savedQueries.delete',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/saved/delete',
  summary: 'Deletes a saved query or snippet; it can be brought back for a day',
  input: z.object({ scope_id: idSchema, id: idSchema }),
  output: z.object({ id: z.string() }),
  access: inScope,
});

export const restoreSavedQuery = endpoint({
  name: 'savedQueries.restore',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/wrk/api/search/saved/restore',
  summary: 'Brings back what was deleted in the last day',
  input: z.object({ scope_id: idSchema, id: idSchema }),
  output: savedQuerySchema,
  access: inScope,
});
