import { allowanceOf, type ProductType, type ScopeRole, say } from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import { withinTransaction } from '../../../platform/postgres/within-transaction.ts';
import type { AuditService } from '../audit/audit-service.ts';
import type { IdentityDb } from '../identity-tables.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import { isViolation } from '../users/pg-violation.ts';
import type { UserService } from '../users/user-service.ts';
import type { Actor } from './scope-service.ts';
import {
  type Candidate,
  countConnected,
  countOtherAdministrators,
  deleteAccess,
  deleteTenantOrganization,
  selectCandidates,
  selectStanding,
  updateRoles,
  upsertTenantOrganization,
} from './tenant-access-store.ts';

// Who may do what in a tenant. Its people come from its organizations, its administrators from the primary one; a
// plan allows so many users; and only root can take the last administrator away.

/** An organization may serve many tenants: its people are found by who knows them, not listed. */
const LEAST_TYPED = 3;

interface AccessInput {
  readonly is_administrator: boolean;
  readonly roles: Readonly<Record<string, ScopeRole>>;
}

export interface TenantAccessService {
  /** People of the tenant's organizations; who is not root has to type a part of the name or address. */
  candidates(
    actor: Actor,
    clusterId: string,
    page: { readonly pageno: number; readonly pagesize: number; readonly query: string },
  ): Promise<{ data: Candidate[]; total_count: number }>;
  /** `trx`: the transaction of the act that the change belongs to; one of its own when absent. */
  save(actor: Actor, clusterId: string, userId: string, input: AccessInput, trx?: IdentityDb): Promise<void>;
  /** How many of the users are connected and have the role now. */
  assign(
    actor: Actor,
    clusterId: string,
    input: {
      readonly user_ids: readonly string[];
      readonly scope_ids: readonly string[];
      readonly role: ScopeRole;
    },
  ): Promise<number>;
  disconnect(actor: Actor, clusterId: string, userId: string): Promise<void>;
  /** How many users administer the tenant no longer, because another organization has become the primary one. */
  connectOrganization(actor: Actor, clusterId: string, orgId: string, isPrimary: boolean): Promise<number>;
  /** How many users lost what they held. */
  disconnectOrganization(actor: Actor, clusterId: string, orgId: string): Promise<number>;
}

export interface TenantAccessDeps {
  readonly db: IdentityDb;
  readonly audit: AuditService;
  readonly users: Pick<UserService, 'grant'>;
}

export function createTenantAccessService(deps: TenantAccessDeps): TenantAccessService {
  return bindDeps(deps, {
    candidates,
    save,
    assign,
    disconnect,
    connectOrganization,
    disconnectOrganization,
  });
}

function record(
  { audit }: TenantAccessDeps,
  trx: QueryExecutorProvider,
  { caller, source }: Actor,
  action: string,
  clusterId: string,
  entity: string,
  details: Record<string, unknown> = {},
) {
  return audit.record({ action, who: caller, source, clusterId, entity, details }, trx);
}

async function assertSeatFree(from: IdentityDb, actor: Actor, clusterId: string): Promise<void> {
  const plan: ProductType | undefined = asAccessCaller(actor.caller).entryAt(clusterId)?.productType;
  if (plan === undefined) throw notFound();
  const allowed = allowanceOf(plan, 'users');
  if ((await countConnected(from, clusterId)) < allowed) return;
  throw new AppError('conflict', say('tenants.planUsers', { plan, allowed }), { limit: 'users', allowed });
}

async function assertOthersAdminister(
  from: IdentityDb,
  actor: Actor,
  clusterId: string,
  userId: string,
): Promise<void> {
  if (asAccessCaller(actor.caller).record.isRoot) return;
  if ((await countOtherAdministrators(from, clusterId, userId)) > 0) return;
  throw new AppError('conflict', say('tenants.lastAdministrator'));
}

async function candidates(
  { db }: TenantAccessDeps,
  { caller }: Actor,
  clusterId: string,
  { pageno, pagesize, query }: { readonly pageno: number; readonly pagesize: number; readonly query: string },
): Promise<{ data: Candidate[]; total_count: number }> {
  const isEnough = asAccessCaller(caller).record.isRoot || query.trim().length >= LEAST_TYPED;
  if (!isEnough) return { data: [], total_count: 0 };
  const page = { search: query, limit: pagesize, offset: (pageno - 1) * pagesize };
  return selectCandidates(db, clusterId, page);
}

async function save(
  deps: TenantAccessDeps,
  actor: Actor,
  clusterId: string,
  userId: string,
  { is_administrator, roles }: AccessInput,
  given = deps.db,
): Promise<void> {
  const standing = await selectStanding(given, clusterId, userId);
  if (!standing) throw notFound();
  if (is_administrator && !standing.is_primary) {
    throw new AppError('bad-input', say('tenants.administratorsOfPrimary'));
  }
  const isConnected = standing.access_type !== null && standing.access_type !== 'No Access';
  const holdsRole = Object.values(roles).some((role) => role !== 'No Access');
  if (!isConnected && (is_administrator || holdsRole)) await assertSeatFree(given, actor, clusterId);
  if (standing.access_type === 'Administrator' && !is_administrator) {
    await assertOthersAdminister(given, actor, clusterId, userId);
  }
  const accessType = is_administrator ? 'Administrator' : holdsRole ? 'Custom' : 'No Access';
  await withinTransaction(given, async (trx) => {
    await deps.users.grant({ userId, clusterId, accessType, roles }, trx);
    const details = { user: standing.name, accessType, roles };
    await record(deps, trx, actor, 'access.save', clusterId, userId, details);
  });
}

function assign(
  deps: TenantAccessDeps,
  actor: Actor,
  clusterId: string,
  {
    user_ids,
    scope_ids,
    role,
  }: {
    readonly user_ids: readonly string[];
    readonly scope_ids: readonly string[];
    readonly role: ScopeRole;
  },
): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const changed = await updateRoles(trx, clusterId, user_ids, scope_ids, role);
    await record(deps, trx, actor, 'access.assign', clusterId, role, { user_ids, scope_ids, changed });
    return changed;
  });
}

async function disconnect(
  deps: TenantAccessDeps,
  actor: Actor,
  clusterId: string,
  userId: string,
): Promise<void> {
  const { db } = deps;
  const standing = await selectStanding(db, clusterId, userId);
  if (!standing) throw notFound();
  if (standing.access_type === 'Administrator') {
    await assertOthersAdminister(db, actor, clusterId, userId);
  }
  await db.transaction().execute(async (trx) => {
    if (!(await deleteAccess(trx, clusterId, userId))) throw notFound();
    await record(deps, trx, actor, 'access.disconnect', clusterId, userId, { user: standing.name });
  });
}

async function connectOrganization(
  deps: TenantAccessDeps,
  actor: Actor,
  clusterId: string,
  orgId: string,
  isPrimary: boolean,
): Promise<number> {
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const demoted = await upsertTenantOrganization(trx, clusterId, orgId, isPrimary);
      const details = { is_primary: isPrimary, demoted };
      await record(deps, trx, actor, 'tenant.organization.connect', clusterId, orgId, details);
      return demoted;
    });
  } catch (error) {
    if (isViolation(error, 'foreign-key')) throw notFound();
    throw error;
  }
}

function disconnectOrganization(
  deps: TenantAccessDeps,
  actor: Actor,
  clusterId: string,
  orgId: string,
): Promise<number> {
  return deps.db.transaction().execute(async (trx) => {
    const users = await deleteTenantOrganization(trx, clusterId, orgId);
    if (users === null) {
      throw new AppError('conflict', say('tenants.onlySecondary'));
    }
    await record(deps, trx, actor, 'tenant.organization.disconnect', clusterId, orgId, { users });
    return users;
  });
}
