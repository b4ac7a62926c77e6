import { z } from 'zod';
import { ALL_ROOTS, SECURITY } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema, versionNumber } from '../envelope/list-request.ts';
import { keptSampleSchema, ruleSamplesSchema, sampleReportSchema } from './rule-sample.ts';

// The calls about samples of rules: of a pack, where they are saved beside the rule, and of workbooks, where they are a part
// of the draft.

const read = { kind: 'roles', in: 'scope', tags: SECURITY } as const;
const scope = { scope_id: idSchema };
const path = (name: string) => `/:clusterId/api/samples/${name}`;

export const readSamples = endpoint({
  name: 'samples.read',
  audit: 'nothing',
  method: 'POST',
  path: path('read'),
  summary: 'The samples of a rule of a pack or of a workbook, with what the last run of them gave',
  input: z.object({ ...scope, rule_id: idSchema }),
  output: sampleReportSchema.extend({
    samples: z.array(keptSampleSchema),
    /** Counts the changes; 0 while there are none. Of a workbook its version. */
    revision: z.number().int(),
  }),
  access: read,
});

export const saveSamples = endpoint({
  name: 'samples.save',
  audit: 'change',
  method: 'POST',
  path: path('save'),
  summary:
    'Set the own samples of a rule of a pack, which stay through its updates, and run all of its samples',
  input: z.object({
    ...scope,
    rule_id: idSchema,
    samples: ruleSamplesSchema,
    /** The revision that the change is based on. */
    revision: versionNumber,
  }),
  output: sampleReportSchema.extend({ revision: z.number().int() }),
  access: { kind: 'roles', in: 'scope', tags: ['engineer'] },
});

export const runSamples = endpoint({
  name: 'samples.run',
  audit: 'nothing',
  method: 'POST',
  path: path('run'),
  summary:
    'Run samples through ingest and the query of the rule, apart from all events of the tenant: those of a rule, whose result is kept, or those of a draft',
  input: z.object({
    ...scope,
    /** Absent: the draft alone. */
    rule_id: idSchema.optional(),
    draft: z
      .object({
        queries: z.array(z.string().min(1).max(100_000)).min(1).max(20),
        samples: ruleSamplesSchema,
      })
      .optional(),
  }),
  output: sampleReportSchema,
  access: read,
});

export const samplePolicySchema = z.object({
  /** Only rules whose samples pass may be set to the stage PROD, in all scopes of the tenant. */
  prod_needs_samples: z.boolean(),
  changed: epochMs.nullable(),
  changed_by: z.string(),
});
export type SamplePolicy = z.output<typeof samplePolicySchema>;

export const readSamplePolicy = endpoint({
  name: 'samples.readPolicy',
  audit: 'nothing',
  method: 'GET',
  path: path('policy'),
  summary: 'Whether only rules with passing samples may be set to the stage PROD',
  input: z.object({}),
  output: samplePolicySchema,
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...SECURITY, ...ALL_ROOTS] },
});

export const setSamplePolicy = endpoint({
  name: 'samples.setPolicy',
  audit: 'change',
  method: 'PUT',
  path: path('policy'),
  summary: 'Set whether only rules with passing samples may be set to the stage PROD',
  input: z.object({ prod_needs_samples: z.boolean() }),
  output: samplePolicySchema,
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root'] },
});
