import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema, pageFields, pageOf, versionNumber } from '../envelope/list-request.ts';
import { SAMPLE_STATES } from '../samples/rule-sample.ts';
import { STAGES } from '../workbooks/workbook.ts';
import {
  packRuleDetailSchema,
  packRuleSchema,
  RULE_LEVELS,
  RULE_VERDICTS,
  ruleOverlaySchema,
  rulePackSchema,
} from './rule.ts';

// The calls about rules of packs. Packs belong to the tenant; what a scope changes is its own.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/api/rules/${name}`;

/** Absent: all. */
const filter = {
  text: z.string().trim().max(200).optional(),
  verdict: z.enum(RULE_VERDICTS).optional(),
  level: z.enum(RULE_LEVELS).optional(),
  log_source: z.string().max(300).optional(),
  tactic: z.string().max(60).optional(),
  technique: z.string().max(20).optional(),
  pack_id: idSchema.optional(),
  enabled: z.boolean().optional(),
  samples: z.enum(SAMPLE_STATES).optional(),
};
export const ruleFilterSchema = z.object(filter);
export type RuleFilter = z.output<typeof ruleFilterSchema>;

export const RULE_SORTS = ['title', 'level', 'verdict', 'changed'] as const;

export const listRules = endpoint({
  name: 'rules.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'Rules of the packs of the tenant, with what the scope has made of them',
  input: z.object({
    ...scope,
    ...filter,
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(500).default(100),
    sort: z.enum(RULE_SORTS).default('title'),
    order: z.enum(['asc', 'desc']).default('asc'),
  }),
  output: pageOf(packRuleSchema),
  access: read,
});

const count = z.object({ name: z.string(), count: z.number().int() });

export const countRules = endpoint({
  name: 'rules.count',
  audit: 'nothing',
  method: 'POST',
  path: path('count'),
  summary:
    'How many rules there are by verdict, level, log source, tactic and pack, of those that a filter lets through',
  input: z.object({ ...scope, ...filter }),
  output: z.object({
    total: z.number().int(),
    enabled: z.number().int(),
    verdicts: z.array(count),
    levels: z.array(count),
    /** The most frequent first. */
    log_sources: z.array(count),
    tactics: z.array(count),
    /** By the state of their samples. */
    samples: z.array(count),
  }),
  access: read,
});

export const readPackRule = endpoint({
  name: 'rules.read',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'A rule: its text, authors and licence, its verdict and what is missing, its fields, its query',
  input: z.object({ ...scope, rule_id: idSchema }),
  output: packRuleDetailSchema,
  access: read,
});

export const switchRules = endpoint({
  name: 'rules.setEnabled',
  audit: 'change',
  method: 'POST',
  path: path('switch'),
  summary:
    'Switch rules on or off in a scope: those named, or all that a filter lets through. Those without a query stay off; `skipped` counts them, and `unproven` those that their samples keep out of PROD',
  input: z.object({
    ...scope,
    rule_ids: z.array(idSchema).max(500).optional(),
    /** When no rules are named. */
    filter: ruleFilterSchema.optional(),
    enabled: z.boolean(),
    /** Left as it is when absent. */
    stage: z.enum(STAGES).optional(),
  }),
  output: z.object({
    switched: z.number().int(),
    skipped: z.number().int(),
    unproven: z.number().int().optional(),
  }),
  access: write,
});

export const saveRuleOverlay = endpoint({
  name: 'rules.saveOverlay',
  audit: 'change',
  method: 'POST',
  path: path('overlay'),
  summary: 'Set what a scope changes about a rule: stage, level, schedule, exceptions, threshold',
  input: z.object({
    ...scope,
    rule_id: idSchema,
    overlay: ruleOverlaySchema,
    /** The revision that the change is based on. */
    revision: versionNumber,
  }),
  output: z.object({ revision: z.number().int() }),
  access: write,
});

export const listRulePacks = endpoint({
  name: 'rules.listPacks',
  audit: 'nothing',
  method: 'POST',
  path: path('packs'),
  summary: 'The packs of the tenant',
  input: z.object(scope),
  output: z.array(rulePackSchema),
  access: read,
});

export const removeRulePack = endpoint({
  name: 'rules.removePack',
  audit: 'change',
  method: 'POST',
  path: path('packs/remove'),
  summary: 'Remove a pack with its rules; their signals stay. Refused while a rule of it is on in any scope',
  input: z.object({ ...scope, pack_id: idSchema }),
  output: z.object({ pack_id: idSchema, rules: z.number().int() }),
  access: write,
});
