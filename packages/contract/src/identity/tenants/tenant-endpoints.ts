import { z } from 'zod';
import { ALL_ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { addFilterSchema, idSchema, pageFields, pageOf } from '../../envelope/list-request.ts';
import {
  organizationItemSchema,
  scopeItemSchema,
  tenantItemSchema,
  tenantUserSchema,
  userItemSchema,
} from '../users/access-record.ts';

// Tenants, scopes, users and organizations as the caller may see them. Lists that any session may ask for
// answer with what the caller can reach and nothing else; what cannot be reached counts as not there.

const scopeListed = scopeItemSchema.extend({ cluster_id: idSchema });
const scopePage = {
  is_enabled: z.enum(['enabled', 'disabled']).optional(),
  pageno: pageFields.pageno,
  pagesize: z.coerce.number().int().min(1).max(10_000).default(1000),
};

export const listClusters = endpoint({
  name: 'tenants.listOwn',
  requirement: 'C014',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/cluster/list',
  summary: 'The clusters that the caller can reach.',
  input: z.object({
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
    size: z.coerce.number().int().min(1).max(10_000).default(1000),
  }),
  output: pageOf(tenantItemSchema),
  access: { kind: 'session' },
});

export const listAllScopes = endpoint({
  name: 'scopes.listAll',
  requirement: 'C016',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/cluster/scope/list',
  summary: 'The scopes of every cluster that the caller can reach.',
  input: z.object(scopePage),
  output: pageOf(scopeListed),
  access: { kind: 'session' },
});

export const listScopes = endpoint({
  name: 'scopes.list',
  requirement: 'C017',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/cluster/:clusterId/scope/list',
  summary: 'The scopes of a cluster; disabled ones for its administrators only.',
  input: z.object(scopePage),
  output: pageOf(scopeListed),
  access: { kind: 'session' },
});

export const readScopes = endpoint({
  name: 'scopes.listByQuery',
  requirement: 'C018',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/cluster/:clusterId/scope/list',
  summary: 'The scopes of a cluster, asked for by query.',
  input: z.object(scopePage),
  output: pageOf(scopeListed),
  access: { kind: 'session' },
});

export const readAllScopes = endpoint({
  name: 'scopes.listAllByQuery',
  requirement: 'C018',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/cluster/scope/list',
  summary: 'The scopes of every cluster that the caller can reach, asked for by query.',
  input: z.object(scopePage),
  output: pageOf(scopeListed),
  access: { kind: 'session' },
});

export const HEALTH_STATES = ['up', 'starting', 'degraded', 'down'] as const;

export const platformState = endpoint({
  name: 'platform.readState',
  requirement: 'C024',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/state',
  summary: 'How the engines and the roles are.',
  input: z.object({}),
  output: z.object({
    state: z.enum(HEALTH_STATES),
    version: z.string(),
    /** `kind` is engine or role; `detail` says why something is not up. */
    components: z.array(
      z.object({
        kind: z.enum(['engine', 'role']),
        name: z.string(),
        state: z.enum(HEALTH_STATES),
        detail: z.string(),
      }),
    ),
  }),
  access: { kind: 'session' },
});

export const tenantList = endpoint({
  name: 'tenants.list',
  requirement: 'C026',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/cluster/tenant-list',
  summary: 'The tenants that the caller can reach, with their enabled scopes.',
  input: z.object({
    size: z.coerce.number().int().min(1).max(10_000).default(1000),
    query: z.string().max(256).default(''),
    add_filter: z.array(addFilterSchema).max(50).default([]),
    page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  }),
  output: pageOf(tenantItemSchema),
  access: { kind: 'session' },
});

export const readTenant = endpoint({
  name: 'tenants.read',
  requirement: 'C027',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/cluster/:clusterId',
  summary: 'One tenant: scopes, organizations, administrators.',
  input: z.object({}),
  output: tenantItemSchema.extend({
    all_scopes: z.array(scopeItemSchema),
    secondary_orgs: z.array(z.string()),
    /** The primary one first. */
    organizations: z.array(z.object({ orgId: idSchema, name: z.string(), is_primary: z.boolean() })),
    admins: z.array(userItemSchema),
  }),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const listScopeUsers = endpoint({
  name: 'scopes.listUsers',
  requirement: 'C041',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/api/users/list',
  summary: 'Enabled users with a role in the scope, by name.',
  input: z.object({
    scope_id: idSchema,
    pageno: pageFields.pageno,
    pagesize: z.coerce.number().int().min(1).max(10_000).default(10),
    query: z.string().max(256).default(''),
    /** Analysts and engineers alone: who may see and handle cases. */
    handlers_only: z.boolean().default(false),
  }),
  output: pageOf(userItemSchema),
  access: { kind: 'roles', in: 'scope', tags: ['engineer', 'analyst', 'viewer'] },
});

export const listTenantUsers = endpoint({
  name: 'tenants.listUsers',
  requirement: 'C125',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/cluster-user/user-list',
  summary: 'The users connected to a tenant, with their access.',
  input: z.object({
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    query: z.string().max(256).default(''),
  }),
  output: pageOf(tenantUserSchema),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const listOrganizations = endpoint({
  name: 'organizations.list',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/organization/list',
  summary: 'Every organization for root; the own one for its administrator.',
  input: z.object({
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    query: z.string().max(256).default(''),
  }),
  output: pageOf(organizationItemSchema),
  access: { kind: 'roles', in: 'platform', tags: ['org-admin', ...ALL_ROOTS] },
});

export const TENANT_ENDPOINTS = [
  listClusters,
  listAllScopes,
  listScopes,
  readScopes,
  readAllScopes,
  platformState,
  tenantList,
  readTenant,
  listScopeUsers,
  listTenantUsers,
  listOrganizations,
] as const;
