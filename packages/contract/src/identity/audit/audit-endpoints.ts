import { z } from 'zod';
import { ALL_ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../../envelope/list-request.ts';

// The audit trail: who did what, when, where and from which address; changes, sign-ins, exports and every read of
// event data.

export const auditEntrySchema = z.object({
  /** Position in the chain of all entries, from 1. */
  entry_no: z.number().int(),
  created: epochMs,
  /** Address of the caller; empty for the product itself. */
  source: z.string(),
  action: z.string(),
  entity: z.string(),
  user_id: z.string().nullable(),
  user: z.string(),
  orgId: z.string().nullable(),
  cluster_id: z.string().nullable(),
  scope_id: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditItem = z.output<typeof auditEntrySchema>;

/** Text `True` or `False` in any case, as the specification writes flags of a query. */
const flag = z
  .union([
    z.boolean(),
    z
      .string()
      .max(5)
      .regex(/^(true|false)$/i),
  ])
  .transform((value) => (typeof value === 'string' ? value.toLowerCase() === 'true' : value));

const filters = {
  pageno: pageFields.pageno,
  pagesize: pageFields.pagesize,
  /** Part of the name of the user, in any case. */
  user: z.string().max(256).default(''),
  /** Begin of the action, e.g. `case.` or `search`. */
  action: z.string().max(64).default(''),
  /** Answers a CSV file of all entries in the range instead of a page. */
  export: flag.default(false),
};

/** `export` answers text; else a page. */
const answer = z.union([pageOf(auditEntrySchema), z.string()]);

export const clusterAuditTrail = endpoint({
  name: 'audit.listOfTenant',
  requirement: 'C038',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/core/audit-trail',
  summary: 'The audit trail of one tenant, newest first; `export` gives it as CSV.',
  input: z.object({
    start: z.coerce.number().int().optional(),
    end: z.coerce.number().int().optional(),
    ...filters,
  }),
  output: answer,
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const auditTrail = endpoint({
  name: 'audit.list',
  requirement: 'C039',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/audit-trail/',
  summary:
    'The audit trail of all that the caller administers, newest first. `tenant-list=True` keeps what belongs to a tenant, `False` what belongs to none.',
  input: z.object({
    from: z.coerce.number().int().optional(),
    to: z.coerce.number().int().optional(),
    orgId: idSchema.optional(),
    'tenant-list': flag.optional(),
    ...filters,
  }),
  output: answer,
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', 'tenant-admin', ...ALL_ROOTS] },
});

export const verifyAuditTrail = endpoint({
  name: 'audit.verify',
  audit: 'change',
  method: 'GET',
  path: '/lc/mgmt/audit-trail/verify',
  summary: 'Walks the chain of the whole trail and names the first entries where it is broken.',
  input: z.object({}),
  output: z.object({
    entries: z.number().int(),
    /** The last link, to be noted elsewhere: a chain that was written anew has another. */
    head: z.object({ no: z.number().int(), hash: z.string() }),
    /** The last entry that a signature of the installation covers; 0 when there is none. */
    signed_to: z.number().int(),
    faults: z.array(
      z.object({
        kind: z.enum(['changed', 'removed', 'moved', 'forged']),
        from: z.number().int(),
        to: z.number().int(),
      }),
    ),
    checked: epochMs,
  }),
  access: { kind: 'roles', in: 'platform', tags: ALL_ROOTS },
});
