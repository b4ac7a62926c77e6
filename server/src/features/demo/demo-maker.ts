import type { DemoAccount } from '@tyrian/contract';
import { AppError } from '../../platform/app-error.ts';
import { newId } from '../../platform/new-id.ts';
import type { OrganizationService } from '../identity/organizations/organization-service.ts';
import { generatePassword } from '../identity/sign-in/generate-password.ts';
import type { TenantService } from '../identity/tenants/tenant-service.ts';
import type { UserService } from '../identity/users/user-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import { COMPANY } from './demo-company.ts';
import { DEMO_SOURCES } from './demo-line.ts';
import { PLANNED_TENANTS, PLANNED_USERS, type PlannedTenant } from './demo-plan.ts';
import type { DemoTenant } from './demo-store.ts';

// Makes the organization, tenants and users of the demo, and takes them away again. Everything goes through the
// services that the calls use, so the demo obeys every rule of the product.

export interface DemoMakerDeps {
  readonly organizations: OrganizationService;
  readonly tenants: TenantService;
  readonly users: UserService;
  readonly sources: SourceService;
  /** Brings the detections into a tenant, so that they are on before the first event. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
}

/** What stands of a demo. */
export interface DemoParts {
  readonly orgId: string | null;
  readonly tenants: readonly DemoTenant[];
}

export interface DemoMaker {
  /** Tells `note` the id of each part before it makes it, so that what a crash leaves behind is known. */
  make(
    note: (parts: DemoParts) => Promise<void>,
  ): Promise<DemoParts & { readonly accounts: readonly DemoAccount[] }>;
  /** Removes what stands of the parts; repeatable after a failure midway. */
  unmake(parts: DemoParts): Promise<void>;
}

export function createDemoMaker(deps: DemoMakerDeps): DemoMaker {
  const { organizations, tenants, users } = deps;

  return {
    make: async (note) => {
      const orgId = newId();
      const demoTenants: DemoTenant[] = [];
      await note({ orgId, tenants: demoTenants });
      await organizations.create(COMPANY.name, orgId);
      for (const planned of PLANNED_TENANTS) {
        const clusterId = newId();
        await note({ orgId, tenants: [...demoTenants, { clusterId, scopes: [] }] });
        demoTenants.push(await makeTenant(deps, { clusterId, orgId, planned }));
      }
      await note({ orgId, tenants: demoTenants });
      const accounts: DemoAccount[] = [];
      for (const planned of PLANNED_USERS) accounts.push(await makeUser(users, orgId, demoTenants, planned));
      return { orgId, tenants: demoTenants, accounts };
    },
    unmake: async ({ orgId, tenants: demoTenants }) => {
      for (const { clusterId } of demoTenants) await ignoreMissing(tenants.remove(clusterId));
      if (orgId === null) return;
      for (const { email } of PLANNED_USERS) {
        const user = await users.findByEmail(email);
        if (user && user.org_id === orgId) await ignoreMissing(users.remove(user.user_id));
      }
      await ignoreMissing(organizations.remove(orgId));
    },
  };
}

async function ignoreMissing(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof AppError && error.kind === 'not-found')) throw error;
  }
}

async function makeTenant(
  deps: DemoMakerDeps,
  { clusterId, orgId, planned }: { clusterId: string; orgId: string; planned: PlannedTenant },
): Promise<DemoTenant> {
  const { scopes } = await deps.tenants.create({
    clusterId,
    name: planned.name,
    productType: planned.productType,
    primaryOrgId: orgId,
    scopes: planned.scopes.map((scope) => scope.name),
  });
  const made: DemoTenant['scopes'][number][] = [];
  for (const { scopeId } of scopes) {
    const sources: Record<string, string> = {};
    for (const name of DEMO_SOURCES) {
      const { source } = await deps.sources.create({
        clusterId,
        scopeId,
        name,
        kind: 'http',
        networks: [],
        by: null,
      });
      sources[name] = source.source_id;
    }
    made.push({ scopeId, sources });
  }
  await deps.prepareTenant(
    clusterId,
    scopes.map((scope) => scope.scopeId),
  );
  return { clusterId, scopes: made };
}

async function makeUser(
  users: UserService,
  orgId: string,
  tenants: readonly DemoTenant[],
  planned: (typeof PLANNED_USERS)[number],
): Promise<DemoAccount> {
  const password = generatePassword();
  const { role, name, email, userType, rootViewer = false, access } = planned;
  const userId = await users.create({ orgId, name, email, userType, rootViewer, password, hasAgreed: true });
  for (const { clusterId, scopes } of access ? tenants : []) {
    const roles = access?.role ? scopes.map(({ scopeId }) => [scopeId, access.role] as const) : [];
    await users.grant({
      userId,
      clusterId,
      accessType: access?.type ?? 'No Access',
      roles: Object.fromEntries(roles.flatMap(([id, scopeRole]) => (scopeRole ? [[id, scopeRole]] : []))),
    });
  }
  return { role, email, password };
}
