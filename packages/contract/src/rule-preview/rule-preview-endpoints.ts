import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../envelope/list-request.ts';
import { reason } from '../messages/input-messages.ts';
import { PREVIEW_KINDS, PREVIEW_LIMITS, previewItemSchema, previewSchema } from './rule-preview.ts';

// Previews of rules and retro-hunts: started as a job, watched, stopped, read back, deleted. They belong to their scope.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, preview_id: idSchema };
const path = (name: string) => `/:clusterId/api/rules/previews/${name}`;

export const startRulePreview = endpoint({
  name: 'rulePreviews.begin',
  audit: 'change',
  method: 'POST',
  path: path('start'),
  summary:
    'Start the job that looks what rules would have raised from the events that arrived in a range, with what the scope changes about them, whether they are on or off. Nothing is raised',
  input: z
    .object({
      ...scope,
      kind: z.enum(PREVIEW_KINDS).default('preview'),
      rule_ids: z.array(idSchema).min(1).max(PREVIEW_LIMITS.rules),
      start: epochMs,
      end: epochMs,
    })
    .refine(({ start, end }) => start < end, { message: reason('startBeforeEnd'), path: ['start'] }),
  output: z.object({
    preview_id: idSchema,
    /** Rules that have no query. */
    skipped: z.number().int(),
  }),
  access: write,
});

export const readRulePreview = endpoint({
  name: 'rulePreviews.read',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'How far a preview is, what each rule has found so far, and of one rule all that is known',
  input: z.object({ ...one, rule_id: idSchema.optional() }),
  output: previewSchema,
  access: read,
});

export const listRulePreviews = endpoint({
  name: 'rulePreviews.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Previews and retro-hunts of a scope, newest first: all, or those of one rule',
  input: z.object({
    ...scope,
    rule_id: idSchema.optional(),
    kind: z.enum(PREVIEW_KINDS).optional(),
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(100).default(50),
  }),
  output: pageOf(previewItemSchema).extend({
    /** From where on events can be looked at: what the tenant keeps longest. */
    earliest: epochMs,
  }),
  access: read,
});

export const readPreviewSamples = endpoint({
  name: 'rulePreviews.readSamples',
  audit: 'event-data',
  method: 'POST',
  path: path('samples'),
  summary: 'Events that a rule of a preview has found, newest first, as far as they are still kept',
  input: z.object({ ...one, rule_id: idSchema }),
  output: z.object({
    /** The query that finds them, and the event time that they lie in. */
    kql: z.string(),
    start: epochMs,
    end: epochMs,
    fields_list: z.array(z.string()),
    data: z.array(z.record(z.string(), z.unknown())),
  }),
  access: read,
});

export const cancelRulePreview = endpoint({
  name: 'rulePreviews.cancel',
  audit: 'change',
  method: 'POST',
  path: path('cancel'),
  summary: 'Stop a preview and its queries. What it has found stays',
  input: z.object(one),
  output: z.object({ preview_id: idSchema }),
  access: write,
});

export const removeRulePreview = endpoint({
  name: 'rulePreviews.remove',
  audit: 'change',
  method: 'POST',
  path: path('remove'),
  summary: 'Delete a preview with what it found. Refused while it runs',
  input: z.object(one),
  output: z.object({ preview_id: idSchema }),
  access: write,
});
