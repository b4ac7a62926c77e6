import { z } from 'zod';
import { PRODUCT_TYPES } from '../../access/product-types.ts';
import { SCOPE_ROLES } from '../../access/role-tags.ts';
import { epochMs, idSchema } from '../../envelope/list-request.ts';

// Who somebody is and what they may reach: the records of section 3 of the specification.

export const LICENSE_TYPES = ['open', 'trial', 'subscription'] as const;
export const USER_TYPES = ['general', 'org_admin', 'content_manager', 'root'] as const;
export type UserType = (typeof USER_TYPES)[number];

/** `Administrator`: tenant administration, and the scope roles listed. `Custom`: the scope roles only. */
export const ACCESS_TYPES = ['Administrator', 'Custom', 'No Access'] as const;
export type AccessType = (typeof ACCESS_TYPES)[number];

export const LOCALES = ['en-US', 'fr-FR', 'ru-RU', 'zh-CN'] as const;
export type Locale = (typeof LOCALES)[number];

export const scopeAccessSchema = z.object({
  scope_id: idSchema,
  scope_name: z.string(),
  role: z.enum(SCOPE_ROLES),
  is_enabled: z.boolean(),
  cluster_id: idSchema,
});
export type ScopeAccess = z.output<typeof scopeAccessSchema>;

export const accessEntrySchema = z.object({
  clusterId: idSchema,
  clusterName: z.string(),
  access_type: z.enum(ACCESS_TYPES),
  licenseType: z.enum(LICENSE_TYPES),
  productType: z.enum(PRODUCT_TYPES),
  scope_access: z.array(scopeAccessSchema),
});
export type AccessEntry = z.output<typeof accessEntrySchema>;

/** The user access record: the answer of login and of access-details. */
export const userAccessSchema = z.object({
  user_id: idSchema,
  name: z.string(),
  email_id: z.string(),
  SSID: z.string(),
  isRoot: z.boolean(),
  isRootViewer: z.boolean(),
  isOrgAdmin: z.boolean(),
  /** Administrator of at least one tenant. */
  isAdmin: z.boolean(),
  userType: z.enum(USER_TYPES),
  orgId: idSchema,
  EULA: z.boolean(),
  isPolicyAccepted: z.boolean(),
  mfa_flag: z.enum(['enabled', 'disabled']),
  locale: z.enum(LOCALES),
  access: z.array(accessEntrySchema),
});
export type UserAccess = z.output<typeof userAccessSchema>;

export const scopeItemSchema = z.object({
  scope_id: idSchema,
  scope_name: z.string(),
  is_enabled: z.boolean(),
});
export type ScopeItem = z.output<typeof scopeItemSchema>;

/** A tenant as lists show it; `scope_list` holds enabled scopes only. */
export const tenantItemSchema = z.object({
  clusterId: idSchema,
  clusterName: z.string(),
  licenseType: z.enum(LICENSE_TYPES),
  productType: z.enum(PRODUCT_TYPES),
  scope_list: z.array(scopeItemSchema),
  primary_org: z.string().nullable(),
  user_count: z.number().int(),
  created: epochMs,
});
export type TenantItem = z.output<typeof tenantItemSchema>;

/** A person as pickers show them. */
export const userItemSchema = z.object({ user_id: idSchema, name: z.string(), email_id: z.string() });
export type UserItem = z.output<typeof userItemSchema>;

/** A user of a tenant with the access held there. */
export const tenantUserSchema = userItemSchema.extend({
  status: z.enum(['enabled', 'disabled']),
  user_type: z.enum(USER_TYPES),
  access_type: z.enum(ACCESS_TYPES),
  scope_access: z.array(scopeAccessSchema),
  last_login: epochMs.nullable(),
});
export type TenantUser = z.output<typeof tenantUserSchema>;

export const organizationItemSchema = z.object({
  orgId: idSchema,
  name: z.string(),
  auth_type: z.enum(['standard', 'mfa', 'sso', 'ldap']),
  session_timeout_min: z.number().int(),
  status: z.enum(['enabled', 'disabled']),
  user_count: z.number().int(),
  tenant_count: z.number().int(),
  created: epochMs,
});
export type OrganizationItem = z.output<typeof organizationItemSchema>;
