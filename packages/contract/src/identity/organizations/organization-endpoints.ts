import { z } from 'zod';
import { ALL_ROOTS } from '../../access/role-tags.ts';
import { endpoint } from '../../envelope/endpoint.ts';
import { epochMs, idSchema, pageFields, pageOf } from '../../envelope/list-request.ts';
import { reason } from '../../messages/input-messages.ts';
import {
  accessEntrySchema,
  organizationItemSchema,
  USER_TYPES,
  userItemSchema,
} from '../users/access-record.ts';

// Organizations own people: who they are, whether they may sign in. An administrator of an organization sees and
// changes the own one; root all of them. What cannot be seen is not there.

const READERS = { kind: 'roles', in: 'platform', tags: ['org-admin', ...ALL_ROOTS] } as const;
const WRITERS = { kind: 'roles', in: 'platform', tags: ['org-admin', 'root', 'root-init'] } as const;
const ROOT = { kind: 'roles', in: 'platform', tags: ['root', 'root-init'] } as const;

const name = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .refine((text) => text.toLowerCase() !== 'system', { message: reason('reservedName') });
const status = z.enum(['enabled', 'disabled']);

export const personSchema = userItemSchema.extend({
  phone: z.string().nullable(),
  user_type: z.enum(USER_TYPES),
  root_viewer: z.boolean(),
  orgId: idSchema,
  organization: z.string(),
  status,
  mfa_flag: z.enum(['enabled', 'disabled']),
  created: epochMs,
  last_login: epochMs.nullable(),
  tenant_count: z.number().int(),
});
export type PersonItem = z.output<typeof personSchema>;

/** `link`: a mail with a link to set it; `shown`: told in the answer, once. */
export const FIRST_PASSWORD_WAYS = ['link', 'shown'] as const;
export type FirstPasswordWay = (typeof FIRST_PASSWORD_WAYS)[number];

export const readOrganization = endpoint({
  name: 'organizations.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/organization/:orgId',
  summary: 'One organization with the tenants it is connected to.',
  input: z.object({}),
  output: organizationItemSchema.extend({
    tenants: z.array(
      z.object({
        clusterId: idSchema,
        clusterName: z.string(),
        is_primary: z.boolean(),
        user_count: z.number().int(),
      }),
    ),
    /** How a new user can get the first password; empty where the organization keeps passwords elsewhere. */
    first_password_ways: z.array(z.enum(FIRST_PASSWORD_WAYS)),
  }),
  access: READERS,
});

export const createOrganization = endpoint({
  name: 'organizations.create',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/organization',
  summary: 'Makes an organization.',
  input: z.object({ name }),
  output: z.object({ orgId: idSchema }),
  access: ROOT,
});

export const saveOrganization = endpoint({
  name: 'organizations.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/organization/:orgId',
  summary: 'Renames an organization, or switches it off and on: nobody of a disabled one can sign in.',
  input: z.object({ name: name.optional(), status: status.optional() }),
  output: z.object({}),
  access: WRITERS,
});

export const deleteOrganization = endpoint({
  name: 'organizations.delete',
  audit: 'change',
  method: 'DELETE',
  path: '/lc/mgmt/organization/:orgId',
  summary: 'Deletes an organization without people and tenants.',
  input: z.object({}),
  output: z.object({}),
  access: ROOT,
});

export const listPeople = endpoint({
  name: 'users.list',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/mgmt/organization/:orgId/user-list',
  summary: 'The people of an organization, by name.',
  input: z.object({
    pageno: pageFields.pageno,
    pagesize: pageFields.pagesize,
    query: z.string().max(256).default(''),
  }),
  output: pageOf(personSchema),
  access: READERS,
});

const phone = z.string().trim().max(64).nullable().default(null);

export const addPerson = endpoint({
  name: 'users.add',
  audit: 'change',
  method: 'POST',
  path: '/lc/mgmt/organization/:orgId/user',
  summary:
    'Adds a user, who gets a mail with a link to set a password, or a first password that is told in this answer and never again.',
  input: z.object({
    name,
    email_id: z.email().max(254),
    phone,
    user_type: z.enum(USER_TYPES),
    root_viewer: z.boolean().default(false),
    first_password: z.enum(FIRST_PASSWORD_WAYS).default('shown'),
  }),
  output: z.object({
    user_id: idSchema,
    /** Null where a link was mailed, and where the organization keeps passwords elsewhere. */
    initial_password: z.string().nullable(),
    is_mailed: z.boolean(),
  }),
  access: WRITERS,
});

export const savePerson = endpoint({
  name: 'users.save',
  audit: 'change',
  method: 'PUT',
  path: '/lc/mgmt/user/:userId',
  summary: 'Changes name, phone, type or status of a user; switching one off ends the sessions.',
  input: z.object({
    name: name.optional(),
    phone: z.string().trim().max(64).nullable().optional(),
    user_type: z.enum(USER_TYPES).optional(),
    root_viewer: z.boolean().optional(),
    status: status.optional(),
  }),
  output: z.object({}),
  access: WRITERS,
});

export const deletePerson = endpoint({
  name: 'users.delete',
  audit: 'change',
  method: 'DELETE',
  path: '/lc/mgmt/user/:userId',
  summary: 'Deletes a user; cases, notes and the audit trail keep the name.',
  input: z.object({}),
  output: z.object({}),
  access: WRITERS,
});

export const readPerson = endpoint({
  name: 'users.read',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/mgmt/user/:userId',
  summary: 'One user with the access held: clusters, scopes, roles.',
  input: z.object({}),
  output: personSchema.extend({ access: z.array(accessEntrySchema) }),
  access: READERS,
});
