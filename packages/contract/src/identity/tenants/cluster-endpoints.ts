import { z } from 'zod';
import { PLAN_LIMIT_NAMES } from '../../access/plan-limits.ts';
import { PRODUCT_TYPES } from '../../access/product-types.ts';
import { ALL_ROOTS, ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../../envelope/list-request.ts';
import { messageFields } from '../../messages/message-values.ts';
import { LICENSE_TYPES } from '../users/access-record.ts';

// The fleet of clusters and the way of one into it: connected, set up, licensed, its agreement accepted, active.

/** `agreement`: everything is there but the accepted licence agreement. */
export const CLUSTER_STATES = ['connected', 'agreement', 'active', 'expired', 'unreachable'] as const;
export type ClusterState = (typeof CLUSTER_STATES)[number];

const clusterName = z.string().trim().min(1).max(128);

const engineSchema = z.object({
  url: z.url({ protocol: /^https?$/ }).max(512),
  /** Writes and defines tables. */
  ingest_user: z.string().trim().min(1).max(128),
  ingest_password: z.string().max(256),
  /** Only reads; the same as the writing one when absent. */
  query_user: z.string().trim().max(128).default(''),
  query_password: z.string().max(256).default(''),
});

const AS_ROOT = { kind: 'roles', in: 'platform', tags: ['root', 'root-init'] } as const;

export const fleetItemSchema = z.object({
  clusterId: idSchema,
  clusterName: z.string(),
  licenseType: z.enum(LICENSE_TYPES),
  productType: z.enum(PRODUCT_TYPES),
  license_until: epochMs.nullable(),
  state: z.enum(CLUSTER_STATES),
  primary_org: z.string().nullable(),
  scope_count: z.number().int(),
  user_count: z.number().int(),
  /** Address of its own engine; null on the engine of the platform. */
  engine_url: z.string().nullable(),
  /** Why it is unreachable. */
  problem: z.string().nullable(),
  ...messageFields,
  events_24h: z.number().int().nullable(),
  disk_bytes: z.number().int().nullable(),
  last_event: epochMs.nullable(),
  created: epochMs,
});
export type FleetItem = z.output<typeof fleetItemSchema>;

export const listFleet = endpoint({
  name: 'tenants.listFleet',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/cluster/fleet',
  summary: 'Every cluster with its state, licence and volume, asked of the engine where its events stand.',
  input: z.object({
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    query: z.string().max(256).default(''),
  }),
  output: pageOf(fleetItemSchema),
  access: { kind: 'roles', in: 'platform', tags: ROOTS },
});

export const connectCluster = endpoint({
  name: 'tenants.connect',
  requirement: 'C029',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/cluster/connect',
  summary:
    'Connects a new cluster, on the engine of the platform or on a ClickHouse of its own that answers and lets both accounts in.',
  input: z.object({ clusterName, engine: engineSchema.optional() }),
  output: z.object({ clusterId: idSchema, engine_version: z.string() }),
  access: AS_ROOT,
});

export const setUpCluster = endpoint({
  name: 'tenants.setUp',
  requirement: 'C030',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/cluster/setup',
  summary: 'Sets a connected cluster up: product type, organization, first scopes, first administrator.',
  input: z.object({
    clusterId: idSchema,
    productType: z.enum(PRODUCT_TYPES),
    primary_org_id: idSchema,
    scopes: z.array(z.string().trim().min(1).max(128)).min(1).max(100),
    admin_user_id: idSchema.optional(),
  }),
  output: z.object({
    clusterId: idSchema,
    scopes: z.array(z.object({ scope_id: idSchema, scope_name: z.string() })),
  }),
  access: AS_ROOT,
});

export const renameCluster = endpoint({
  name: 'tenants.rename',
  requirement: 'C031',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/cluster/:clusterId',
  summary: 'Renames a cluster.',
  input: z.object({ clusterName }),
  output: z.object({ clusterId: idSchema, clusterName: z.string() }),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', 'root'] },
});

export const setLicense = endpoint({
  name: 'tenants.setLicense',
  requirement: 'C025',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/cluster/license_flag',
  summary: 'Sets licence and product type of a cluster.',
  input: z.object({
    clusterId: idSchema,
    licenseType: z.enum(LICENSE_TYPES),
    productType: z.enum(PRODUCT_TYPES),
    /** Null: without end. */
    license_until: epochMs.nullable().default(null),
  }),
  output: z.object({}),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});

export const planUsageSchema = z.object({
  limit: z.enum(PLAN_LIMIT_NAMES as [(typeof PLAN_LIMIT_NAMES)[number]]),
  allowed: z.number().int(),
  /** Null: nothing of this kind exists yet. */
  used: z.number().int().nullable(),
});
export type PlanUsage = z.output<typeof planUsageSchema>;

export const fetchLicense = endpoint({
  name: 'tenants.fetchLicense',
  requirement: 'C032',
  audit: 'nothing',
  method: 'POST',
  path: '/:clusterId/mgmt/license/fetch',
  summary: 'The licence of a cluster, and how much of what its plan allows is used.',
  input: z.object({}),
  output: z.object({
    licenseType: z.enum(LICENSE_TYPES),
    productType: z.enum(PRODUCT_TYPES),
    license_until: epochMs.nullable(),
    is_expired: z.boolean(),
    eula: z.object({ accepted: epochMs, accepted_by: z.string() }).nullable(),
    usage: z.array(planUsageSchema),
  }),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const acceptClusterEula = endpoint({
  name: 'tenants.acceptEula',
  requirement: 'C033',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/cluster/eula',
  summary: 'Accepts the licence agreement for a cluster.',
  input: z.object({ clusterId: idSchema }),
  output: z.object({ accepted: epochMs, accepted_by: z.string() }),
  access: { kind: 'roles', in: 'platform', tags: ['root'] },
});

export const clusterSummary = endpoint({
  name: 'tenants.readSummary',
  requirement: 'C028',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/cluster/:clusterId/summary_details',
  summary: 'A cluster in figures.',
  input: z.object({}),
  output: fleetItemSchema.extend({
    admin_count: z.number().int(),
    events: z.number().int().nullable(),
    first_event: epochMs.nullable(),
    open_cases: z.number().int(),
    pending_signals: z.number().int(),
    streams: z.array(z.object({ stream: z.string(), events: z.number().int(), last_event: epochMs })),
  }),
  access: { kind: 'roles', in: 'cluster', tags: ['tenant-admin', ...ALL_ROOTS] },
});

export const saveClusterEngine = endpoint({
  name: 'tenants.saveEngine',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/cluster/:clusterId/engine',
  summary: 'Changes the accounts of a ClickHouse of its own. Where the events stand does not change.',
  input: engineSchema.omit({ url: true }),
  output: z.object({ engine_version: z.string() }),
  access: { kind: 'roles', in: 'cluster', tags: ['root'] },
});

export const removeCluster = endpoint({
  name: 'tenants.remove',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/cluster/:clusterId/remove',
  summary: 'Deletes a cluster with all its records and events. The name must be given as it stands.',
  input: z.object({ clusterName: z.string().max(128) }),
  output: z.object({}),
  access: { kind: 'roles', in: 'cluster', tags: ['root'] },
});
