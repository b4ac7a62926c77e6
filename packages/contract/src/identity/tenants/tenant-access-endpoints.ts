import { z } from 'zod';
import { SCOPE_ROLES } from '../../access/role-tags.ts';
import { boundedRecord } from '../../envelope/bounded-record.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { idSchema, pageFields, pageOf } from '../../envelope/list-request.ts';
import { userItemSchema } from '../users/access-record.ts';

// Who may do what in a tenant: people of its organizations, connected with a role per scope.

const ADMINISTRATION = { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root'] } as const;
const ROOT = { kind: 'roles', in: 'cluster', tags: ['root'] } as const;

export const listTenantCandidates = endpoint({
  name: 'tenants.listCandidates',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/cluster-user/candidates',
  summary:
    "Enabled people of the tenant's organizations who are not connected to it yet; but for root, found by three typed letters or more.",
  input: z.object({
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    query: z.string().max(256).default(''),
  }),
  output: pageOf(userItemSchema.extend({ organization: z.string(), is_primary: z.boolean() })),
  access: ADMINISTRATION,
});

export const saveTenantUser = endpoint({
  name: 'tenants.saveUser',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/cluster-user/:userId',
  summary: 'Connects a user to the tenant, or changes the roles held there. Scopes left out give No Access.',
  input: z.object({
    is_administrator: z.boolean(),
    roles: boundedRecord(idSchema, z.enum(SCOPE_ROLES), 1000),
  }),
  output: z.object({}),
  access: ADMINISTRATION,
});

export const assignRoles = endpoint({
  name: 'tenants.assignRoles',
  audit: 'change',
  method: 'POST',
  path: '/:clusterId/mgmt/cluster-user/bulk-assign',
  summary: 'Gives one role in several scopes to several users; what they hold elsewhere stays.',
  input: z.object({
    user_ids: z.array(idSchema).min(1).max(1000),
    scope_ids: z.array(idSchema).min(1).max(1000),
    role: z.enum(SCOPE_ROLES),
  }),
  output: z.object({ changed: z.number().int() }),
  access: ADMINISTRATION,
});

export const disconnectTenantUser = endpoint({
  name: 'tenants.disconnectUser',
  audit: 'change',
  method: 'DELETE',
  path: '/:clusterId/mgmt/cluster-user/:userId',
  summary: 'Takes away everything a user holds in the tenant.',
  input: z.object({}),
  output: z.object({}),
  access: ADMINISTRATION,
});

export const connectOrganization = endpoint({
  name: 'tenants.connectOrganization',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/organization/:orgId',
  summary:
    'Connects an organization to the tenant; `is_primary` makes it the primary one, and who is not of it administers the tenant no longer.',
  input: z.object({ is_primary: z.boolean().default(false) }),
  output: z.object({ demoted_users: z.number().int() }),
  access: ROOT,
});

export const disconnectOrganization = endpoint({
  name: 'tenants.disconnectOrganization',
  audit: 'change',
  method: 'DELETE',
  path: '/:clusterId/mgmt/organization/:orgId',
  summary: 'Takes a secondary organization off the tenant; its people lose what they held there.',
  input: z.object({}),
  output: z.object({ disconnected_users: z.number().int() }),
  access: ROOT,
});
