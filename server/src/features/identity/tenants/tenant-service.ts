import {
  type AccessEntry,
  type AddFilter,
  matchesFilters,
  type ProductType,
  type ScopeAccess,
  say,
  type TenantItem,
  type UserItem,
} from '@tyrian/contract';
import { AppError, notAuthorised, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { newId } from '../../../platform/new-id.ts';
import type { Postgres } from '../../../platform/postgres/postgres.ts';
import type { LastStep } from '../../../platform/postgres/within-transaction.ts';
import { identityDb } from '../identity-tables.ts';
import type { AccessCaller } from '../sign-in/access-caller.ts';
import { asAccessCaller } from '../sign-in/authorizer.ts';
import { isViolation } from '../users/pg-violation.ts';
import { deleteTenantRows } from './delete-tenant-rows.ts';
import {
  deleteTenant,
  disableScopes,
  insertSecondaryOrganization,
  insertTenant,
  isScopeEnabled,
  selectAdministrators,
  selectAllScopes,
  selectScopes,
  selectTenantOrganizations,
  selectTenants,
  type TenantOrganization,
  type TenantRow,
  updateScopeStatus,
} from './tenant-store.ts';

// Tenants and their scopes: what a caller may see of them, and making and removing them.

interface TenantToMake {
  /** Made up when absent. */
  readonly clusterId?: string;
  readonly name: string;
  readonly productType: ProductType;
  readonly primaryOrgId: string;
  /** Names of the scopes, in order. */
  readonly scopes: readonly string[];
}

interface MadeTenant {
  readonly clusterId: string;
  readonly scopes: readonly { readonly scopeId: string; readonly name: string }[];
}

interface KnownTenant {
  readonly clusterId: string;
  readonly name: string;
  readonly productType: ProductType;
  readonly scopes: readonly {
    readonly scopeId: string;
    readonly name: string;
    readonly isEnabled: boolean;
  }[];
}

interface TenantSearch {
  readonly query: string;
  readonly filters: readonly AddFilter[];
  readonly page: number;
  readonly size: number;
}

interface ScopeSearch {
  readonly is_enabled?: 'enabled' | 'disabled' | undefined;
  readonly pageno: number;
  readonly pagesize: number;
}

type ListedScope = Pick<ScopeAccess, 'scope_id' | 'scope_name' | 'is_enabled' | 'cluster_id'>;
type TenantDetail = TenantItem & {
  all_scopes: { scope_id: string; scope_name: string; is_enabled: boolean }[];
  secondary_orgs: string[];
  organizations: TenantOrganization[];
  admins: UserItem[];
};

export interface TenantService {
  /** Makes the tenant and its database for events. Throws AppError `conflict` when the name is taken. */
  create(tenant: TenantToMake, lastStep?: LastStep<string>): Promise<MadeTenant>;
  connectOrganization(clusterId: string, orgId: string): Promise<void>;
  setScopeEnabled(clusterId: string, scopeId: string, isEnabled: boolean): Promise<void>;
  /** Whether work may be done for the scope: it exists in the tenant and is enabled. */
  isScopeEnabled(clusterId: string, scopeId: string): Promise<boolean>;
  all(): Promise<readonly KnownTenant[]>;
  /** Every tenant with its enabled scopes, for work that no caller asked for. */
  allWithScopes(): Promise<readonly { readonly clusterId: string; readonly scopeIds: readonly string[] }[]>;
  /**
   * Deletes the tenant with all its records and events. Repeatable after a failure midway. `firstStep` runs in the
   * transaction of the first change.
   */
  remove(clusterId: string, firstStep?: LastStep): Promise<void>;
  list(caller: Caller, search: TenantSearch): Promise<{ data: TenantItem[]; total_count: number }>;
  read(caller: Caller, clusterId: string): Promise<TenantDetail>;
  scopes(
    caller: Caller,
    clusterId: string | null,
    search: ScopeSearch,
  ): { data: ListedScope[]; total_count: number };
}

export interface TenantDeps {
  readonly postgres: Postgres;
  readonly eventStore: Pick<EventStore, 'ensureTenant' | 'dropTenant'>;
  readonly clock: Clock;
}

/** The clusters that a caller can reach. */
function reachable(caller: AccessCaller): AccessEntry[] {
  return caller.record.access.filter((entry) => caller.entryAt(entry.clusterId) !== undefined);
}

function itemOf(row: TenantRow, entry: AccessEntry | undefined): TenantItem {
  return {
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    licenseType: row.license_type,
    productType: row.product_type,
    scope_list: (entry?.scope_access ?? [])
      .filter((scope) => scope.is_enabled)
      .map(({ scope_id, scope_name, is_enabled }) => ({ scope_id, scope_name, is_enabled })),
    primary_org: row.primary_org,
    user_count: row.user_count,
    created: row.created_at,
  };
}

const pageOf = <T>(all: readonly T[], page: number, size: number) => ({
  data: all.slice((page - 1) * size, page * size),
  total_count: all.length,
});

interface TenantServiceParts extends TenantDeps {
  readonly db: ReturnType<typeof identityDb>;
}

export function createTenantService(deps: TenantDeps): TenantService {
  const { postgres } = deps;
  const db = identityDb(postgres);
  const parts: TenantServiceParts = { ...deps, db };
  return {
    scopes,
    ...bindDeps(parts, {
      create,
      list,
      connectOrganization,
      setScopeEnabled,
      isScopeEnabled: isEnabledScope,
      all,
      allWithScopes,
      remove,
      read,
    }),
  };
}

async function create(
  parts: TenantServiceParts,
  tenant: TenantToMake,
  lastStep?: LastStep<string>,
): Promise<MadeTenant> {
  const { db, clock, eventStore } = parts;
  const clusterId = tenant.clusterId ?? newId();
  const scopes = tenant.scopes.map((name) => ({ scopeId: newId(), name }));
  try {
    await db.transaction().execute(async (trx) => {
      await insertTenant(trx, { ...tenant, clusterId, scopes, now: clock.now() });
      await lastStep?.(trx, clusterId);
    });
  } catch (error) {
    if (isViolation(error, 'unique')) {
      throw new AppError('conflict', say('tenants.tenantOrScopeTaken', { name: tenant.name }));
    }
    if (isViolation(error, 'foreign-key')) throw new AppError('bad-input', say('users.noSuchOrganization'));
    throw error;
  }
  try {
    await eventStore.ensureTenant(clusterId);
  } catch (error) {
    await deleteTenant(db, clusterId);
    throw error;
  }
  return { clusterId, scopes };
}

async function all(parts: TenantServiceParts): Promise<KnownTenant[]> {
  const [rows, scopes] = await Promise.all([
    selectTenants(parts.db, { all: true, clusterIds: [], orgId: null }),
    selectAllScopes(parts.db),
  ]);
  return rows.map((row) => ({
    clusterId: row.cluster_id,
    name: row.cluster_name,
    productType: row.product_type,
    scopes: (scopes.get(row.cluster_id) ?? []).map((scope) => ({
      scopeId: scope.scope_id,
      name: scope.scope_name,
      isEnabled: scope.is_enabled,
    })),
  }));
}

async function list(parts: TenantServiceParts, caller: Caller, search: TenantSearch) {
  const known = asAccessCaller(caller);
  const { record } = known;
  const rows = await selectTenants(parts.db, {
    all: record.isRoot,
    clusterIds: reachable(known).map((entry) => entry.clusterId),
    orgId: record.isOrgAdmin || record.userType === 'content_manager' ? record.orgId : null,
  });
  const text = search.query.trim().toLowerCase();
  const found = rows
    .map((row) => itemOf(row, known.entryAt(row.cluster_id)))
    .filter((item) => item.clusterName.toLowerCase().includes(text))
    .filter((item) =>
      matchesFilters(search.filters, (key) => {
        const value = item[key as keyof TenantItem];
        return typeof value === 'object' ? null : (value ?? null);
      }),
    );
  return pageOf(found, search.page, search.size);
}

function connectOrganization({ db }: TenantServiceParts, clusterId: string, orgId: string): Promise<void> {
  return insertSecondaryOrganization(db, clusterId, orgId);
}

async function setScopeEnabled(
  { db }: TenantServiceParts,
  clusterId: string,
  scopeId: string,
  isEnabled: boolean,
): Promise<void> {
  if (!(await updateScopeStatus(db, clusterId, scopeId, isEnabled))) throw notFound();
}

function isEnabledScope({ db }: TenantServiceParts, clusterId: string, scopeId: string): Promise<boolean> {
  return isScopeEnabled(db, clusterId, scopeId);
}

async function allWithScopes(
  parts: TenantServiceParts,
): Promise<readonly { readonly clusterId: string; readonly scopeIds: readonly string[] }[]> {
  return (await all(parts)).map(({ clusterId, scopes }) => ({
    clusterId,
    scopeIds: scopes.filter((scope) => scope.isEnabled).map((scope) => scope.scopeId),
  }));
}

async function remove(
  { db, postgres, eventStore }: TenantServiceParts,
  clusterId: string,
  firstStep?: LastStep,
): Promise<void> {
  // Nobody can reach a tenant without an enabled scope: nothing new is written while it goes.
  await db.transaction().execute(async (trx) => {
    await disableScopes(trx, clusterId);
    await firstStep?.(trx);
  });
  await deleteTenantRows(postgres, clusterId);
  await eventStore.dropTenant(clusterId);
  await deleteTenant(db, clusterId);
}

async function read({ db }: TenantServiceParts, caller: Caller, clusterId: string): Promise<TenantDetail> {
  const entry = asAccessCaller(caller).entryAt(clusterId);
  const [row] = await selectTenants(db, { all: false, clusterIds: [clusterId], orgId: null });
  if (!entry || !row) throw notFound();
  return {
    ...itemOf(row, entry),
    all_scopes: await selectScopes(db, clusterId),
    secondary_orgs: row.secondary_orgs,
    organizations: await selectTenantOrganizations(db, clusterId),
    admins: await selectAdministrators(db, clusterId),
  };
}

function scopes(
  caller: Caller,
  clusterId: string | null,
  search: ScopeSearch,
): { data: ListedScope[]; total_count: number } {
  const entries = reachable(asAccessCaller(caller));
  const wanted = clusterId === null ? entries : entries.filter((entry) => entry.clusterId === clusterId);
  if (clusterId !== null && wanted.length === 0) throw notAuthorised();
  const found = wanted
    .flatMap((entry) => entry.scope_access)
    .filter((scope) => !search.is_enabled || scope.is_enabled === (search.is_enabled === 'enabled'))
    .map(({ scope_id, scope_name, is_enabled, cluster_id }) => ({
      scope_id,
      scope_name,
      is_enabled,
      cluster_id,
    }));
  return pageOf(found, search.pageno, search.pagesize);
}
