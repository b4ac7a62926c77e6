import type { ScopeRole, UserType } from '@tyrian/contract';
import type { Platform } from '../../../../platform/platform.ts';
import { timestamp } from '../../../../platform/postgres/timestamp.ts';
import { type Identity, identityFeature } from '../../identity-feature.ts';
import { identityDb } from '../../identity-tables.ts';
import { hashPassword } from '../../sign-in/password-hash.ts';
import { agreedAt } from '../agreed-at.ts';

// A small company for tests: an organization with two tenants of different product types, two enabled scopes
// and a disabled one each, and a user for every role in tenant A, where `scope` is its first scope.

export const SEED_PASSWORD = 'Seed-word.42';

export const SEED_ROLES = [
  'root',
  'rootViewer',
  'orgAdmin',
  'contentManager',
  'tenantAdmin',
  'adminEngineer',
  'engineer',
  'analyst',
  'viewer',
  'noAccess',
  'engineerOfB',
] as const;
export type SeedRole = (typeof SEED_ROLES)[number];

interface SeedTenant {
  readonly clusterId: string;
  /** The first scope: where everybody of the tenant has the role that names them. */
  readonly scope: string;
  /** The second scope: only the engineer has a role here. */
  readonly otherScope: string;
  readonly disabledScope: string;
}

export interface Company {
  readonly orgId: string;
  /** `enterprise`. */
  readonly a: SeedTenant;
  /** `essential`; `engineerOfB` is its engineer, and nobody else has a role here. */
  readonly b: SeedTenant;
  readonly userIds: Readonly<Record<SeedRole, string>>;
  readonly identity: Identity;
  emailOf(role: SeedRole): string;
  /** A fresh session of the user. */
  signIn(role: SeedRole): Promise<string>;
}

interface SeedUser {
  readonly userType?: UserType;
  readonly rootViewer?: boolean;
  readonly isTenantAdmin?: boolean;
  readonly role?: ScopeRole;
  readonly inB?: boolean;
}

const USERS: Readonly<Record<SeedRole, SeedUser>> = {
  root: { userType: 'root' },
  rootViewer: { userType: 'root', rootViewer: true },
  orgAdmin: { userType: 'org_admin' },
  contentManager: { userType: 'content_manager' },
  tenantAdmin: { isTenantAdmin: true },
  adminEngineer: { isTenantAdmin: true, role: 'Security Engineer' },
  engineer: { role: 'Security Engineer' },
  analyst: { role: 'Security Analyst' },
  viewer: { role: 'Viewer' },
  noAccess: {},
  engineerOfB: { role: 'Security Engineer', inB: true },
};

let sharedHash: Promise<string> | undefined;

async function seedTenant(
  identity: Identity,
  orgId: string,
  name: string,
  productType: 'essential' | 'enterprise',
): Promise<SeedTenant> {
  const made = await identity.tenants.create({
    name,
    productType,
    primaryOrgId: orgId,
    scopes: ['Main', 'Branch', 'Retired'],
  });
  const [scope, otherScope, disabledScope] = made.scopes.map((one) => one.scopeId) as [
    string,
    string,
    string,
  ];
  await identity.tenants.setScopeEnabled(made.clusterId, disabledScope, false);
  return { clusterId: made.clusterId, scope, otherScope, disabledScope };
}

/** Seeds the company into a fresh database. `suffix` keeps several companies apart. */
export async function seedCompany(platform: Platform, suffix = ''): Promise<Company> {
  const identity = identityFeature(platform);
  const db = identityDb(platform.postgres);
  const orgId = await identity.organizations.create(`Harbour${suffix}`);
  const a = await seedTenant(identity, orgId, `Alpha${suffix}`, 'enterprise');
  const b = await seedTenant(identity, orgId, `Beta${suffix}`, 'essential');
  sharedHash ??= hashPassword(SEED_PASSWORD);
  const passwordHash = await sharedHash;
  const emailOf = (role: SeedRole) => `${role.toLowerCase()}${suffix}@harbour.example`;
  const userIds = {} as Record<SeedRole, string>;
  for (const role of SEED_ROLES) {
    const user = USERS[role];
    const userId = `u${role.toLowerCase()}${suffix}`;
    userIds[role] = userId;
    await db
      .insertInto('person')
      .values({
        user_id: userId,
        org_id: orgId,
        email: emailOf(role),
        name: `${role} of Harbour${suffix}`,
        user_type: user.userType ?? 'general',
        root_viewer: user.rootViewer ?? false,
        password_hash: passwordHash,
        password_changed_at: timestamp(platform.clock.now()),
        created_at: timestamp(platform.clock.now()),
        ...agreedAt(platform.clock.now()),
      })
      .execute();
    if (user.userType) continue;
    const tenant = user.inB ? b : a;
    await identity.users.grant({
      userId,
      clusterId: tenant.clusterId,
      accessType: user.isTenantAdmin ? 'Administrator' : user.role ? 'Custom' : 'No Access',
      roles: user.role ? rolesIn(tenant, role, user.role) : {},
    });
  }
  return {
    orgId,
    a,
    b,
    userIds,
    identity,
    emailOf,
    signIn: async (role) => (await identity.auth.login(emailOf(role), SEED_PASSWORD, '192.0.2.10')).SSID,
  };
}

function rolesIn(tenant: SeedTenant, role: SeedRole, scopeRole: ScopeRole): Record<string, ScopeRole> {
  const main = { [tenant.scope]: scopeRole, [tenant.disabledScope]: scopeRole };
  return role === 'engineer' || role === 'engineerOfB' ? { ...main, [tenant.otherScope]: scopeRole } : main;
}
