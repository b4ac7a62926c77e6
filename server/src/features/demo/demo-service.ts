import type { DemoAccount, DemoStatus } from '@tyrian/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { Clock } from '../../platform/clock.ts';
import { generatePassword } from '../auth/generate-password.ts';
import type { OrganizationService } from '../organizations/organization-service.ts';
import type { SourceService } from '../sources/source-service.ts';
import type { TenantService } from '../tenants/tenant-service.ts';
import type { UserService } from '../users/user-service.ts';
import { COMPANY } from './demo-company.ts';
import { DEMO_SOURCES } from './demo-line.ts';
import { HISTORY_STEPS, PLANNED_TENANTS, PLANNED_USERS, type PlannedTenant } from './demo-plan.ts';
import type { DemoPlace, DemoStore } from './demo-store.ts';

// Makes and removes the demo company. Everything is made through the services that the calls use, so the demo obeys
// every rule of the product; its events are written by the flow, which works on as soon as the record is there.

export interface DemoService {
  status(): Promise<DemoStatus>;
  /** Throws AppError `conflict` when the demo is there. The passwords are told here and nowhere else. */
  add(): Promise<readonly DemoAccount[]>;
  /** Answers how many tenants were removed. Throws AppError `not-found` when there is no demo. */
  remove(): Promise<number>;
}

export interface DemoServiceDeps {
  readonly store: DemoStore;
  readonly organizations: OrganizationService;
  readonly tenants: TenantService;
  readonly users: UserService;
  readonly sources: SourceService;
  /** Brings the detections into a tenant, so that they are on before the first event. */
  readonly prepareTenant: (clusterId: string, scopeIds: readonly string[]) => Promise<void>;
  /** Waits until the flow has stopped writing. */
  readonly untilIdle: () => Promise<void>;
  readonly clock: Clock;
}

/** The demo is the same everywhere, so that documents can speak of it. */
const SEED = 20_261;

export function createDemoService(deps: DemoServiceDeps): DemoService {
  const { store, organizations, users, clock } = deps;

  const undo = async (orgId: string | null, places: readonly DemoPlace[]): Promise<void> => {
    for (const { clusterId } of places) await deps.tenants.remove(clusterId);
    for (const { email } of PLANNED_USERS) {
      const user = await users.findByEmail(email);
      if (user && user.org_id === orgId) await users.remove(user.user_id);
    }
    if (orgId !== null) await organizations.remove(orgId).catch(ignoreMissing);
  };

  const make = async (): Promise<{ orgId: string; places: DemoPlace[]; accounts: DemoAccount[] }> => {
    const orgId = await organizations.create(COMPANY.name);
    const places: DemoPlace[] = [];
    try {
      for (const planned of PLANNED_TENANTS) places.push(await makeTenant(deps, orgId, planned));
      const accounts: DemoAccount[] = [];
      for (const planned of PLANNED_USERS) accounts.push(await makeUser(users, orgId, places, planned));
      return { orgId, places, accounts };
    } catch (error) {
      // What went wrong first is what must be told; leftovers can be removed by hand.
      await undo(orgId, places).catch(() => undefined);
      throw error;
    }
  };

  return {
    status: async () => {
      const demo = await store.read();
      if (!demo) return { state: 'absent', events: 0, share: 0, created: null, tenants: [] };
      return {
        state: demo.state,
        events: demo.events,
        share: demo.filledSteps / (HISTORY_STEPS + 1),
        created: demo.createdMs,
        tenants: PLANNED_TENANTS.map((tenant) => tenant.name),
      };
    },
    add: async () => {
      if (await store.read()) throw new AppError('conflict', 'the demo company is there already');
      const { orgId, places, accounts } = await make();
      const nowMs = clock.now();
      const isNew = await store.add({
        state: 'filling',
        orgId,
        places,
        seed: SEED,
        createdMs: nowMs,
        filledSteps: 0,
        events: 0,
        liveMs: nowMs,
        story: 0,
        storyMs: nowMs + 5 * 60_000,
      });
      if (!isNew) {
        await undo(orgId, places);
        throw new AppError('conflict', 'the demo company is there already');
      }
      return accounts;
    },
    remove: async () => {
      const demo = await store.read();
      if (!demo) throw notFound('there is no demo company');
      await store.change({ state: 'removing' });
      await deps.untilIdle();
      await undo(demo.orgId, demo.places);
      await store.remove();
      return demo.places.length;
    },
  };
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError && error.kind === 'not-found')) throw error;
}

async function makeTenant(deps: DemoServiceDeps, orgId: string, planned: PlannedTenant): Promise<DemoPlace> {
  const { clusterId, scopes } = await deps.tenants.create({
    name: planned.name,
    productType: planned.productType,
    primaryOrgId: orgId,
    scopes: planned.scopes.map((scope) => scope.name),
  });
  const made: DemoPlace['scopes'][number][] = [];
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
  places: readonly DemoPlace[],
  planned: (typeof PLANNED_USERS)[number],
): Promise<DemoAccount> {
  const password = generatePassword();
  const { role, name, email, userType, rootViewer = false, access } = planned;
  const userId = await users.create({ orgId, name, email, userType, rootViewer, password });
  for (const { clusterId, scopes } of access ? places : []) {
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
