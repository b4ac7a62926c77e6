import { z } from 'zod';
import { endpoint } from '../envelope/endpoint.ts';
import { idSchema } from '../envelope/list-request.ts';
import { fileFields } from './list-export-endpoints.ts';

// The lists of administration as files. Who may read a list may take it along; its own call says who that is.

export const PLATFORM_LISTS = ['tenants', 'organizations', 'people', 'tenant_users', 'usage'] as const;
export type PlatformList = (typeof PLATFORM_LISTS)[number];

/** The fields of each list, in the order in which a file has them. */
export const PLATFORM_EXPORT_FIELDS: Readonly<Record<PlatformList, readonly string[]>> = {
  tenants: [
    'clusterName',
    'primary_org',
    'productType',
    'licenseType',
    'scopes',
    'user_count',
    'created',
    'clusterId',
  ],
  organizations: [
    'name',
    'auth_type',
    'user_count',
    'tenant_count',
    'session_timeout_min',
    'status',
    'created',
    'orgId',
  ],
  people: [
    'name',
    'email_id',
    'phone',
    'user_type',
    'root_viewer',
    'organization',
    'status',
    'mfa_flag',
    'tenant_count',
    'created',
    'last_login',
    'user_id',
  ],
  usage: ['day', 'raw_bytes', 'events', 'overage_bytes', 'billed_bytes', 'excess_day'],
  tenant_users: ['name', 'email_id', 'status', 'user_type', 'access_type', 'roles', 'last_login', 'user_id'],
};

export const exportPlatformList = endpoint({
  name: 'lists.exportOfPlatform',
  audit: 'export',
  method: 'POST',
  path: '/lc/mgmt/export_list',
  summary:
    'A list of administration as CSV or NDJSON: tenants, organizations, the people of an organization, the users of a tenant, its volume in a month.',
  input: z.object({
    entity: z.enum(PLATFORM_LISTS),
    ...fileFields,
    /** Of `people`. */
    orgId: idSchema.optional(),
    /** Of `tenant_users`, and of `usage`, whose `query` is the month. */
    clusterId: idSchema.optional(),
  }),
  output: z.unknown(),
  answer: 'blob',
  access: { kind: 'session' },
});
