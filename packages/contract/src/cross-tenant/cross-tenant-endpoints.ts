import { z } from 'zod';
import { SECURITY } from '../access/role-tags.ts';
import { caseSchema } from '../cases/case.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { signalSchema } from '../signals/signal.ts';

// One list over every scope where the caller is an analyst or an engineer, whatever the tenant. Each cluster
// answers by itself: one that cannot is named, and the others stand.

const access = { kind: 'roles', in: 'platform', tags: SECURITY } as const;

const input = z.object({
  /** A part of the name. */
  query: z.string().trim().max(256).default(''),
  /** Rows over all scopes. */
  pagesize: z.coerce.number().int().min(1).max(2000).default(500),
});

const answerOf = <T extends z.ZodType>(item: T) =>
  z.object({
    /** The newest first. */
    data: z.array(z.object({ cluster_id: idSchema, scope_id: idSchema, item })),
    /** The scopes asked, by cluster. `problem` says why there is no answer. */
    tenants: z.array(
      z.object({
        cluster_id: idSchema,
        scope_ids: z.array(idSchema),
        total_count: z.number().int(),
        problem: z.string().nullable(),
      }),
    ),
  });

export const crossTenantSignals = endpoint({
  name: 'crossTenant.listSignals',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/global/signals',
  summary: 'Signals of all scopes of the caller, those seen last first.',
  input,
  output: answerOf(signalSchema),
  access,
});

export const crossTenantCases = endpoint({
  name: 'crossTenant.listCases',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/global/cases',
  summary: 'Cases of all scopes of the caller, those changed last first.',
  input,
  output: answerOf(caseSchema),
  access,
});
