import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf, versionNumber } from '../envelope/list-request.ts';
import { suppressedSignalSchema, suppressionConditionsSchema, suppressionRuleSchema } from './suppression.ts';

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const write = { kind: 'roles', in: 'scope', tags: ['engineer'] } as const;
const scope = { scope_id: idSchema };
const one = { ...scope, rule_id: idSchema };
const path = (name: string) => `/:clusterId/api/suppression/${name}`;

export const listSuppressionRules = endpoint({
  name: 'suppression.list',
  audit: 'nothing',
  method: 'POST',
  path: path('list'),
  summary: 'The suppression rules of the scope, with their hits of thirty days',
  input: z.object(scope),
  output: pageOf(suppressionRuleSchema),
  access: read,
});

export const saveSuppressionRule = endpoint({
  name: 'suppression.save',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary: 'Save a suppression rule: a new one, or another revision of one',
  input: z.object({
    ...scope,
    /** Absent: a new one. */
    rule_id: idSchema.optional(),
    /** The revision that the change is based on. */
    revision: versionNumber.default(0),
    workbook_id: idSchema,
    conditions: suppressionConditionsSchema,
    reason: z.string().trim().min(1).max(500),
    enabled: z.boolean().default(true),
    expires: epochMs.nullable().default(null),
  }),
  output: z.object({ rule_id: idSchema, revision: versionNumber }),
  access: write,
});

export const switchSuppressionRule = endpoint({
  name: 'suppression.setEnabled',
  audit: 'change',
  method: 'POST',
  path: path('switch'),
  summary: 'Switch a suppression rule on or off',
  input: z.object({ ...one, enabled: z.boolean() }),
  output: z.object({ revision: versionNumber }),
  access: write,
});

export const removeSuppressionRule = endpoint({
  name: 'suppression.remove',
  audit: 'change',
  method: 'POST',
  path: path('delete'),
  summary: 'Delete a suppression rule; what it suppressed stays visible',
  input: z.object(one),
  output: z.object({ rule_id: idSchema }),
  access: write,
});

export const previewSuppression = endpoint({
  name: 'suppression.preview',
  audit: 'nothing',
  method: 'POST',
  path: path('preview'),
  summary:
    'How many of the signals that a workbook raised in the last thirty days the conditions would have suppressed',
  input: z.object({ ...scope, workbook_id: idSchema, conditions: suppressionConditionsSchema }),
  output: z.object({
    suppressed: z.number().int(),
    /** All signals of the workbook in that time. */
    signals: z.number().int(),
    /** Only so many of the newest signals were looked at. */
    is_cut: z.boolean(),
    samples: z.array(suppressedSignalSchema),
  }),
  access: read,
});

export const listSuppressedSignals = endpoint({
  name: 'suppression.listSignals',
  audit: 'nothing',
  method: 'POST',
  path: path('signals'),
  summary: 'What was suppressed in a range of event time, newest first',
  input: z.object({
    ...scope,
    /** Absent: by any rule. */
    rule_id: idSchema.optional(),
    start: epochMs,
    end: epochMs,
    pageno: pageFields.pageno,
    pagesize: z.number().int().min(1).max(500).default(50),
  }),
  output: pageOf(
    suppressedSignalSchema.extend({ rule_id: idSchema, reason: z.string(), suppressed: epochMs }),
  ),
  access: read,
});

export const restoreSuppressedSignals = endpoint({
  name: 'suppression.restore',
  audit: 'change',
  method: 'POST',
  path: path('restore'),
  summary: 'Put what a rule suppressed into the queue; call again while some is left',
  input: z.object(one),
  output: z.object({ restored: z.number().int(), left: z.number().int() }),
  access: write,
});
