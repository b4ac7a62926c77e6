import {
  type clusterSummary,
  codedText,
  type connectCluster,
  type FleetItem,
  type fetchLicense,
  type OutputOf,
  PLAN_LIMIT_NAMES,
  PLAN_LIMITS,
  type PlanLimit,
  type ServerMessage,
  say,
  sayOfField,
  type setLicense,
  type setUpCluster,
} from '@tyrian/contract';
import type { QueryExecutorProvider } from 'kysely';
import type { z } from 'zod';
import { AppError, notFound } from '../../../platform/app-error.ts';
import { bindDeps } from '../../../platform/bind-deps.ts';
import type { EventStore } from '../../../platform/clickhouse/event-store.ts';
import {
  openTenantEngine,
  sealEngineAccess,
  type TenantEngine,
} from '../../../platform/clickhouse/route-event-store.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Logger } from '../../../platform/log.ts';
import { newId } from '../../../platform/new-id.ts';
import type { SecretBox } from '../../../platform/secret-box.ts';
import type { AuditService } from '../audit/audit-service.ts';
import { isViolation } from '../users/pg-violation.ts';
import { type AdministrationDb, identityOf } from './administration-tables.ts';
import { type ClusterFigures, figuresOf, figuresOfFleet, stateOf } from './cluster-figures.ts';
import {
  type ClusterRow,
  insertCluster,
  isEnabledPersonOf,
  selectClusters,
  setUpClusterRows,
  updateCluster,
  updateEngineAccess,
} from './cluster-store.ts';
import type { Actor } from './scope-service.ts';
import type { TenantAccessService } from './tenant-access-service.ts';
import type { TenantService } from './tenant-service.ts';
import { tryEngine, tryOwnEngine } from './try-engine.ts';

// The fleet: clusters are connected (on the platform's engine or one of their own), set up, licensed, accepted.

type ConnectInput = z.output<(typeof connectCluster)['input']>;
type SetUpInput = z.output<(typeof setUpCluster)['input']>;
type LicenseInput = z.output<(typeof setLicense)['input']>;
type EngineAccounts = Omit<NonNullable<ConnectInput['engine']>, 'url'>;
type Eula = { accepted: number; accepted_by: string };

/** How much of a plan a tenant uses; undefined where nothing of the kind exists. */
export type UsageCounter = (clusterId: string) => Promise<number>;

export interface ClusterService {
  fleet(page: {
    readonly pageno: number;
    readonly pagesize: number;
    readonly query: string;
  }): Promise<{ data: FleetItem[]; total_count: number }>;
  summary(clusterId: string): Promise<OutputOf<typeof clusterSummary>>;
  connect(actor: Actor, input: ConnectInput): Promise<{ clusterId: string; engine_version: string }>;
  setUp(actor: Actor, input: SetUpInput): Promise<{ scope_id: string; scope_name: string }[]>;
  rename(actor: Actor, clusterId: string, name: string): Promise<void>;
  setLicense(actor: Actor, input: LicenseInput): Promise<void>;
  license(clusterId: string): Promise<OutputOf<typeof fetchLicense>>;
  acceptEula(actor: Actor, clusterId: string): Promise<Eula>;
  /** New accounts for the cluster's own engine; they must be let in. */
  saveEngine(actor: Actor, clusterId: string, accounts: EngineAccounts): Promise<string>;
  remove(actor: Actor, clusterId: string, typedName: string): Promise<void>;
}

export interface ClusterDeps {
  readonly db: AdministrationDb;
  readonly eventStore: EventStore;
  readonly clock: Clock;
  readonly log: Logger;
  readonly secrets: SecretBox;
  readonly audit: AuditService;
  readonly tenants: Pick<TenantService, 'remove'>;
  readonly access: Pick<TenantAccessService, 'save'>;
  readonly usage: Partial<Readonly<Record<PlanLimit, UsageCounter>>>;
  readonly openCases: UsageCounter;
  readonly pendingSignals: UsageCounter;
}

const ADMINISTRATOR = { is_administrator: true, roles: {} };

function engineOf(url: string, accounts: EngineAccounts): TenantEngine {
  const ingest = { user: accounts.ingest_user, password: accounts.ingest_password };
  const query = accounts.query_user
    ? { user: accounts.query_user, password: accounts.query_password }
    : ingest;
  return { url, ingest, query };
}

async function orTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isViolation(error, 'unique'))
      throw new AppError('conflict', sayOfField('clusterName', say('tenants.nameTaken', { name })));
    throw error;
  }
}

/** Why a cluster's engine gives no figures, as the record of the cluster tells it. */
function problemOf(said: ServerMessage | null) {
  if (said === null) return { problem: null };
  const { message: problem, ...code } = codedText(said);
  return { problem, ...code };
}

function itemOf(row: ClusterRow, figures: ClusterFigures, now: number): FleetItem {
  return {
    clusterId: row.cluster_id,
    clusterName: row.cluster_name,
    licenseType: row.license_type,
    productType: row.product_type,
    license_until: row.license_until,
    state: stateOf(row, figures.problem, now),
    primary_org: row.primary_org,
    scope_count: row.scope_count,
    user_count: row.user_count,
    engine_url: row.engine_url,
    ...problemOf(figures.problem),
    events_24h: figures.events_24h,
    disk_bytes: figures.disk_bytes,
    last_event: figures.last_event,
    created: row.created_at,
  };
}

export function createClusterService(deps: ClusterDeps): ClusterService {
  return bindDeps(deps, {
    fleet,
    summary,
    connect,
    setUp,
    rename,
    setLicense: changeLicense,
    license,
    acceptEula,
    saveEngine,
    remove,
  });
}

function record(
  { audit }: ClusterDeps,
  trx: QueryExecutorProvider,
  { caller, source }: Actor,
  action: string,
  clusterId: string,
  details: Record<string, unknown> = {},
) {
  return audit.record({ action, who: caller, source, clusterId, entity: clusterId, details }, trx);
}

async function rowOf(deps: ClusterDeps, clusterId: string): Promise<ClusterRow> {
  const { rows } = await selectClusters(deps.db, { clusterId, search: '', limit: 1, offset: 0 });
  if (!rows[0]) throw notFound();
  return rows[0];
}

async function fleet(
  { db, clock, eventStore }: ClusterDeps,
  {
    pageno,
    pagesize,
    query,
  }: {
    readonly pageno: number;
    readonly pagesize: number;
    readonly query: string;
  },
): Promise<{ data: FleetItem[]; total_count: number }> {
  const page = { clusterId: null, search: query, limit: pagesize, offset: (pageno - 1) * pagesize };
  const { rows, total } = await selectClusters(db, page);
  const now = clock.now();
  const figuresOfCluster = await figuresOfFleet(eventStore, rows, now);
  const data = rows.map((row) => itemOf(row, figuresOfCluster(row.cluster_id), now));
  return { data, total_count: total };
}

async function summary(deps: ClusterDeps, clusterId: string): Promise<OutputOf<typeof clusterSummary>> {
  const now = deps.clock.now();
  const [row, figures, open_cases, pending_signals] = await Promise.all([
    rowOf(deps, clusterId),
    figuresOf(deps.eventStore, clusterId, now),
    deps.openCases(clusterId),
    deps.pendingSignals(clusterId),
  ]);
  const { events, first_event, streams } = figures;
  const { admin_count } = row;
  return {
    ...itemOf(row, figures, now),
    admin_count,
    events,
    first_event,
    streams,
    open_cases,
    pending_signals,
  };
}

async function connect(
  deps: ClusterDeps,
  actor: Actor,
  { clusterName, engine }: ConnectInput,
): Promise<{ clusterId: string; engine_version: string }> {
  const { db, eventStore, secrets, clock, log } = deps;
  const clusterId = newId();
  const own = engine ? engineOf(engine.url, engine) : null;
  await record(deps, db, actor, 'cluster.engine.try', clusterId, { engine: own?.url ?? 'platform' });
  const engine_version = own
    ? await tryOwnEngine(own, clusterId, deps.log)
    : await tryEngine(eventStore, clusterId);
  const sealed = own && { url: own.url, sealedAccess: sealEngineAccess(own, secrets) };
  try {
    await orTaken(clusterName, () =>
      db.transaction().execute(async (trx) => {
        await insertCluster(trx, { clusterId, name: clusterName, engine: sealed, now: clock.now() });
        const details = { clusterName, engine: own?.url ?? 'platform', engine_version };
        await record(deps, trx, actor, 'cluster.connect', clusterId, details);
      }),
    );
  } catch (error) {
    const store = own ? openTenantEngine(own, log) : eventStore;
    await store.dropTenant(clusterId).finally(() => (own ? store.close() : undefined));
    throw error;
  }
  return { clusterId, engine_version };
}

async function setUp(
  deps: ClusterDeps,
  actor: Actor,
  input: SetUpInput,
): Promise<{ scope_id: string; scope_name: string }[]> {
  const { clusterId } = input;
  await rowOf(deps, clusterId);
  const admin = input.admin_user_id;
  if (admin !== undefined && !(await isEnabledPersonOf(deps.db, input.primary_org_id, admin))) {
    throw new AppError('bad-input', sayOfField('admin_user_id', say('tenants.noSuchUser')), {
      field: 'admin_user_id',
    });
  }
  const scopes = input.scopes.map((name) => ({ scopeId: newId(), name }));
  try {
    await deps.db.transaction().execute(async (trx) => {
      const { productType, primary_org_id: primaryOrgId } = input;
      const now = deps.clock.now();
      const done = await setUpClusterRows(trx, { clusterId, productType, primaryOrgId, scopes, now });
      if (!done) throw new AppError('conflict', say('tenants.alreadySetUp'));
      if (admin !== undefined)
        await deps.access.save(actor, clusterId, admin, ADMINISTRATOR, identityOf(trx));
      const details = { productType, scopes: input.scopes };
      await record(deps, trx, actor, 'cluster.setup', clusterId, details);
    });
  } catch (error) {
    if (isViolation(error, 'foreign-key')) {
      throw new AppError('bad-input', sayOfField('primary_org_id', say('tenants.noSuchOrganization')), {
        field: 'primary_org_id',
      });
    }
    if (isViolation(error, 'unique'))
      throw new AppError('bad-input', sayOfField('scopes', say('tenants.scopeTwice')));
    throw error;
  }
  return scopes.map(({ scopeId, name }) => ({ scope_id: scopeId, scope_name: name }));
}

async function rename(deps: ClusterDeps, actor: Actor, clusterId: string, name: string): Promise<void> {
  const before = await rowOf(deps, clusterId);
  await orTaken(name, () =>
    deps.db.transaction().execute(async (trx) => {
      await updateCluster(trx, clusterId, { cluster_name: name });
      await record(deps, trx, actor, 'cluster.rename', clusterId, { from: before.cluster_name, to: name });
    }),
  );
}

async function changeLicense(
  deps: ClusterDeps,
  actor: Actor,
  { clusterId, licenseType, productType, license_until }: LicenseInput,
): Promise<void> {
  const before = await rowOf(deps, clusterId);
  await deps.db.transaction().execute(async (trx) => {
    await updateCluster(trx, clusterId, {
      license_type: licenseType,
      product_type: productType,
      license_until: license_until,
    });
    await record(deps, trx, actor, 'cluster.license', clusterId, {
      from: {
        licenseType: before.license_type,
        productType: before.product_type,
        license_until: before.license_until,
      },
      to: { licenseType, productType, license_until },
    });
  });
}

async function license(deps: ClusterDeps, clusterId: string): Promise<OutputOf<typeof fetchLicense>> {
  const row = await rowOf(deps, clusterId);
  const usage = await Promise.all(
    PLAN_LIMIT_NAMES.map(async (limit) => ({
      limit,
      allowed: PLAN_LIMITS[limit][row.product_type],
      used: (await deps.usage[limit]?.(clusterId)) ?? null,
    })),
  );
  const until = row.license_until;
  const accepted = row.eula_accepted_at;
  return {
    licenseType: row.license_type,
    productType: row.product_type,
    license_until: until,
    is_expired: until !== null && until <= deps.clock.now(),
    eula: accepted === null ? null : { accepted, accepted_by: row.eula_accepted_by ?? '' },
    usage,
  };
}

async function acceptEula(deps: ClusterDeps, actor: Actor, clusterId: string): Promise<Eula> {
  const row = await rowOf(deps, clusterId);
  if (row.eula_accepted_at !== null) {
    await record(deps, deps.db, actor, 'cluster.eula', clusterId, { changed: 0 });
    return { accepted: row.eula_accepted_at, accepted_by: row.eula_accepted_by ?? '' };
  }
  const eula: Eula = { accepted: deps.clock.now(), accepted_by: actor.caller.name };
  await deps.db.transaction().execute(async (trx) => {
    await updateCluster(trx, clusterId, {
      eula_accepted_at: eula.accepted,
      eula_accepted_by: eula.accepted_by,
    });
    await record(deps, trx, actor, 'cluster.eula', clusterId);
  });
  return eula;
}

async function saveEngine(
  deps: ClusterDeps,
  actor: Actor,
  clusterId: string,
  accounts: EngineAccounts,
): Promise<string> {
  const { db, secrets, clock } = deps;
  const { engine_url } = await rowOf(deps, clusterId);
  if (engine_url === null) throw new AppError('conflict', say('tenants.onPlatformEngine'));
  const engine = engineOf(engine_url, accounts);
  const { ingest_user } = accounts;
  await record(deps, db, actor, 'cluster.engine.try', clusterId, { engine: engine_url, ingest_user });
  const version = await tryOwnEngine(engine, clusterId, deps.log);
  await db.transaction().execute(async (trx) => {
    await updateEngineAccess(trx, clusterId, sealEngineAccess(engine, secrets), clock.now());
    await record(deps, trx, actor, 'cluster.engine', clusterId, { ingest_user });
  });
  return version;
}

async function remove(deps: ClusterDeps, actor: Actor, clusterId: string, typedName: string): Promise<void> {
  const { cluster_name } = await rowOf(deps, clusterId);
  if (typedName !== cluster_name) {
    throw new AppError('bad-input', sayOfField('clusterName', say('tenants.nameDiffers')), {
      field: 'clusterName',
    });
  }
  await deps.tenants.remove(clusterId, (trx) =>
    record(deps, trx, actor, 'cluster.remove', clusterId, { clusterName: cluster_name }),
  );
}
