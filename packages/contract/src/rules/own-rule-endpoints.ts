import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema, versionNumber } from '../envelope/list-request.ts';
import { RULE_KINDS, RULE_VERDICTS, ruleFieldSchema } from './rule.ts';

// The tenant's own rules: a pack whose rules are written in the console, one text each, with versions and a lock. They
// are switched, listed and read as the rules of any pack.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/api/rules/own/${name}`;

/** Characters of a rule that is written here. */
export const LONGEST_OWN_RULE = 200_000;
const text = z.string().max(LONGEST_OWN_RULE);

export const ruleCheckSchema = z.object({
  kind: z.enum(RULE_KINDS),
  title: z.string(),
  verdict: z.enum(RULE_VERDICTS),
  reason_code: z.string().nullable(),
  /** The reason in English, with its values; empty when it is what the tenant lacks. */
  reason: z.string(),
  /** Where in the text, in UTF-16 units. */
  span: z.object({ start: z.number().int(), end: z.number().int() }).nullable(),
  mapping: z.string().nullable(),
  streams: z.array(z.string()).nullable(),
  missing_streams: z.array(z.string()),
  fields: z.array(ruleFieldSchema),
  kql: z.string().nullable(),
  can_run: z.boolean(),
  /** Titles of own rules that would no longer compile with this text. */
  breaks: z.array(z.string()),
  /** The title of another own rule that has the same id. */
  same_id: z.string().nullable(),
});
export type RuleCheck = z.output<typeof ruleCheckSchema>;

export const checkOwnRule = endpoint({
  name: 'rules.checkOwn',
  audit: 'nothing',
  method: 'POST',
  path: path('check'),
  summary:
    'The verdict on the text of a rule for this tenant, its query and how its fields are read; nothing is stored',
  input: z.object({
    ...scope,
    text,
    /** The own rule whose text it would become. */ rule_id: idSchema.optional(),
  }),
  output: ruleCheckSchema,
  access: write,
});

export const saveOwnRule = endpoint({
  name: 'rules.saveOwn',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary:
    'Save a rule of the tenant, new or as a further version. Refused when the text does not compile, somebody else has locked the rule, or another version was saved meanwhile',
  input: z.object({
    ...scope,
    /** A new rule when absent. */
    rule_id: idSchema.optional(),
    text,
    comment: z.string().trim().max(500).default(''),
    /** The version that the text is based on; 0 for a new rule. */
    version: z.number().int().min(0).max(1_000_000).default(0),
    /** Of a new rule: the rule that it was made from. */
    cloned_from: idSchema.optional(),
  }),
  output: z.object({ rule_id: idSchema, version: z.number().int() }),
  access: write,
});

export const lockOwnRule = endpoint({
  name: 'rules.lockOwn',
  audit: 'change',
  method: 'POST',
  path: path('lock'),
  summary: 'Lock a rule of the tenant against changes of its text by others, or unlock it',
  input: z.object({ ...scope, rule_id: idSchema, lock: z.boolean() }),
  output: z.object({ locked: z.boolean(), locked_by: z.string().nullable() }),
  access: write,
});

export const removeOwnRule = endpoint({
  name: 'rules.removeOwn',
  audit: 'change',
  method: 'POST',
  path: path('remove'),
  summary:
    'Delete a rule of the tenant with its versions; its signals stay. Refused while it is on in any scope or another own rule names it',
  input: z.object({ ...scope, rule_id: idSchema }),
  output: z.object({ rule_id: idSchema }),
  access: write,
});

export const readRuleVersion = endpoint({
  name: 'rules.readVersion',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/rules/version',
  summary: 'The text of a version of a rule',
  input: z.object({ ...scope, rule_id: idSchema, version: versionNumber }),
  output: z.object({ version: z.number().int(), text: z.string() }),
  access: read,
});
