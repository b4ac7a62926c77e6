import { z } from 'zod';
import { ROOTS } from '../access/role-tags.ts';
import type { Access } from '../envelope/endpoint.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';
import { messageFields } from '../messages/message-values.ts';

// What the platform is made of: core (calls, detections), adapter (takes events in), datanode (keeps them). Root
// sees all of it, a tenant administrator what works for the own tenant, without the machines of the platform.

export const COMPONENT_TYPES = ['core', 'adapter', 'datanode'] as const;
export type ComponentType = (typeof COMPONENT_TYPES)[number];
export const COMPONENT_STATES = ['active', 'degraded', 'down', 'unknown'] as const;
export type ComponentState = (typeof COMPONENT_STATES)[number];
/** What somebody can be told about by mail. */
export const COMPONENT_EVENTS = ['down', 'degraded', 'active'] as const;
export type ComponentEvent = (typeof COMPONENT_EVENTS)[number];

const metric = z.number().nullable();

export const componentSchema = z.object({
  /** Stable over restarts, e.g. `api@console-1` or `clickhouse`. */
  id: z.string(),
  type: z.enum(COMPONENT_TYPES),
  /** Role or engine. */
  kind: z.string(),
  name: z.string(),
  /** The clusters it works for; null for all. */
  cluster_id: idSchema.nullable(),
  cluster_name: z.string().nullable(),
  hostname: z.string().nullable(),
  local_address: z.string().nullable(),
  version: z.string().nullable(),
  state: z.enum(COMPONENT_STATES),
  /** Why it is not active. */
  detail: z.string(),
  /** Of `detail`, where it is not an engine's own words. */
  ...messageFields,
  last_seen: epochMs.nullable(),
  started: epochMs.nullable(),
  /** As they were when the component was last heard; null where they cannot be told. Percentages are of the whole machine. */
  metrics: z.object({
    cpu_pct: metric,
    /** Of an engine: of the memory that it may take. */
    mem_pct: metric,
    /** What the process itself takes. */
    mem_bytes: metric,
    disk_pct: metric,
    /** What its data take. */
    disk_used_bytes: metric,
    disk_free_bytes: metric,
    /** A second: events taken in; of an engine rows written. */
    eps_in: metric,
    /** A second: events stored; of an engine rows read. */
    eps_out: metric,
    /** Batches in the spool, jobs, inserts or statements that wait. */
    queue: metric,
    queue_bytes: metric,
    /** Within the last hour: events that were not kept; of an engine inserts refused, or deadlocks. */
    dropped: metric,
  }),
});
export type ComponentItem = z.output<typeof componentSchema>;

export const componentConfigSchema = z.object({
  display_name: z.string().trim().max(64),
  cpu_limit: z.number().int().min(1).max(100),
  memory_limit: z.number().int().min(1).max(100),
  disk_limit: z.number().int().min(1).max(100),
  events: z.array(z.enum(COMPONENT_EVENTS)).max(COMPONENT_EVENTS.length),
  emails: z.array(z.email().max(254)).max(20),
});
export type ComponentConfig = z.output<typeof componentConfigSchema>;

const componentMinuteSchema = z.object({
  /** Begin of the minute. */
  time: epochMs,
  cpu_pct: metric,
  mem_bytes: metric,
  eps_in: metric,
  eps_out: metric,
  queue: metric,
  /** In the minute. */
  dropped: metric,
});
export type ComponentMinuteItem = z.output<typeof componentMinuteSchema>;

const list = z.object({ data: z.array(componentSchema) });
const detail = componentSchema.extend({
  config: componentConfigSchema,
  /** Mail can be sent at all. */
  mail_is_set_up: z.boolean(),
  /** The last hour by minute, oldest first; minutes of which nothing is known are missing. */
  minutes: z.array(componentMinuteSchema),
  services: z.array(z.object({ name: z.string(), value: z.string() })),
});

const ROOT_READ: Access = { kind: 'roles', in: 'platform', tags: ROOTS };
const ROOT_WRITE: Access = { kind: 'roles', in: 'platform', tags: ['root'] };
const TENANT: Access = { kind: 'roles', in: 'cluster', tags: ['tenant-admin'] };

export const listComponents = endpoint({
  name: 'components.list',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/component/list',
  summary: 'Every component of the platform as it is now.',
  input: z.object({}),
  output: list,
  access: ROOT_READ,
});

export const readComponent = endpoint({
  name: 'components.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/component/:type/:id',
  summary: 'One component with its health and its settings.',
  input: z.object({}),
  output: detail,
  access: ROOT_READ,
});

export const saveComponent = endpoint({
  name: 'components.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/component/:type/:id',
  summary: 'Names a component, sets its limits and who is mailed when.',
  input: componentConfigSchema,
  output: z.object({}),
  access: ROOT_WRITE,
});

export const forgetComponent = endpoint({
  name: 'components.forget',
  audit: 'change',
  method: 'DELETE',
  path: '/lc/mgmt/component/:type/:id',
  summary: 'Takes a stopped or silent role off the list.',
  input: z.object({}),
  output: z.object({}),
  access: ROOT_WRITE,
});

export const listTenantComponents = endpoint({
  name: 'components.listOfTenant',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/component/list',
  summary: 'What works for the tenant, as it is now.',
  input: z.object({}),
  output: list,
  access: TENANT,
});

export const readTenantComponent = endpoint({
  name: 'components.readOfTenant',
  audit: 'nothing',
  method: 'GET',
  path: '/:clusterId/mgmt/component/:type/:id',
  summary: 'One component as it works for the tenant.',
  input: z.object({}),
  output: detail,
  access: TENANT,
});

export const saveTenantComponent = endpoint({
  name: 'components.saveOfTenant',
  audit: 'change',
  method: 'PUT',
  path: '/:clusterId/mgmt/component/:type/:id',
  summary: 'Who of the tenant is mailed about a component, and when.',
  input: componentConfigSchema.pick({ events: true, emails: true }),
  output: z.object({}),
  access: TENANT,
});
