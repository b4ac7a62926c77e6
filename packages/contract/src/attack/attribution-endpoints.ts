import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { workbookDraftSchema } from '../workbooks/workbook.ts';
import { actorIdSchema, attackActorSchema, techniqueIdSchema } from './attack.ts';

// Which groups and campaigns are known to do what a workbook looks for, or what signals found: counted from ATT&CK, with
// the reasons. Nothing is saved unless somebody accepts it.

const access = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const workbook = { ...scope, ID: idSchema };
const path = (name: string) => `/:clusterId/api/models/${name}`;
const count = z.number().int();
const named = z.object({ id: z.string(), name: z.string() });

export const attributionSchema = z.object({
  actor: attackActorSchema,
  /** 0 to 100: the share of what is asked and of what the actor does that they have in common, rare techniques counting more. */
  score: count,
  techniques: z.array(
    z.object({
      id: techniqueIdSchema,
      name: z.string(),
      /** Groups and campaigns that use it: the fewer, the more it says. */
      used_by: count,
      /** The actor uses this technique itself, not only its parent or one of its sub-techniques. */
      is_exact: z.boolean(),
    }),
  ),
  /** Software of the actor that the text names. */
  software: z.array(named),
});
export type Attribution = z.output<typeof attributionSchema>;

const suggestions = z.object({
  /** What was asked of ATT&CK. */
  techniques: z.array(named),
  software: z.array(named),
  /** The best first, at most 20. */
  data: z.array(attributionSchema),
  /** Groups and campaigns that have anything in common with it. */
  total_count: count,
});
export type Suggestions = z.output<typeof suggestions>;

export const attributeSignals = endpoint({
  name: 'attack.attributeSignals',
  requirement: 'C127',
  audit: 'nothing',
  method: 'POST',
  path: path('signals_attribution'),
  summary: 'Groups and campaigns known for the techniques of some signals, with reasons',
  input: z.object({ ...scope, signal_ids: z.array(idSchema).min(1).max(500) }),
  output: suggestions,
  access,
});

const acceptedSchema = z.object({
  actor: attackActorSchema,
  accepted_by: z.string(),
  accepted: epochMs,
});

export const workbookAttributions = endpoint({
  name: 'attack.readAttributions',
  requirement: 'C128',
  audit: 'nothing',
  method: 'POST',
  path: path('get_workbook_attribution_data'),
  summary: 'Groups and campaigns that people accepted for a workbook',
  input: z.object(workbook),
  output: z.array(acceptedSchema),
  access,
});

export const attributeWorkbook = endpoint({
  name: 'attack.attributeWorkbook',
  requirement: 'C129',
  audit: 'nothing',
  method: 'POST',
  path: path('workbook_attribution'),
  summary:
    'Groups and campaigns known for the techniques that a workbook looks for, with reasons; nothing is saved',
  input: z.object(workbook),
  output: suggestions,
  access,
});

export const acceptAttribution = endpoint({
  name: 'attack.acceptAttribution',
  audit: 'change',
  method: 'POST',
  path: path('accept_workbook_attribution'),
  summary: 'Accept a group or campaign for a workbook, or take it back',
  input: z.object({ ...workbook, actor_id: actorIdSchema, accepted: z.boolean() }),
  output: z.object({ accepted: z.boolean() }),
  access,
});

export const workbookDocumentation = endpoint({
  name: 'attack.documentWorkbook',
  requirement: 'C130',
  audit: 'nothing',
  method: 'POST',
  path: path('workbook_documentation_generator'),
  summary:
    'A description of a workbook in Markdown, written from what it holds: saved, or as it stands in the editor',
  input: z
    .object({ ...scope, ID: idSchema.optional(), properties: workbookDraftSchema.optional() })
    .refine((input) => (input.ID === undefined) !== (input.properties === undefined)),
  output: z.object({ markdown: z.string() }),
  access,
});

export const workbookKnowledge = endpoint({
  name: 'attack.readWorkbookKnowledge',
  requirement: 'C131',
  audit: 'nothing',
  method: 'POST',
  path: path('get_workbook_kb_data'),
  summary: 'What the signals of a workbook say to whoever follows up, with their techniques',
  input: z.object(workbook),
  output: z.object({
    name: z.string(),
    kb: z.string(),
    techniques: z.array(named.extend({ tactics: z.array(z.string()), url: z.string() })),
  }),
  access,
});
