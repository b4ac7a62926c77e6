import { sql } from 'kysely';
import { z } from 'zod';
import type { Logger } from '../log.ts';
import type { Postgres } from '../postgres/postgres.ts';
import type { SecretBox } from '../secret-box.ts';
import { createEventStore } from './clickhouse-event-store.ts';
import type { EventStore } from './event-store.ts';
import type { ClickhouseAccount } from './event-store-options.ts';

// Most tenants stand on the engine of the platform; one may stand on a ClickHouse of its own. Which one is decided
// when the tenant is connected and never changes, so it is looked up once; only the accounts are read again. Its address is
// set by a root administrator alone and may be any: it does not go through platform/outgoing, which is for hosts that
// administrators of organizations and tenants name.

export interface TenantEngine {
  readonly url: string;
  readonly ingest: ClickhouseAccount;
  readonly query: ClickhouseAccount;
}

export interface RoutedEventStore {
  /** Sends each call to the engine of its tenant. Closing it closes the shared store too. */
  readonly eventStore: EventStore;
  /** Closes the connections to engines of tenants only. */
  closeOwn(): Promise<void>;
}

interface RouteDeps {
  readonly shared: EventStore;
  readonly postgres: Postgres;
  readonly secrets: SecretBox;
  readonly log: Logger;
}

const PURPOSE = 'tenant-engine';
/** New accounts are used after this time at the latest. */
const LOOK_AGAIN_MS = 10_000;

const account = z.object({ user: z.string(), password: z.string() });
const accessSchema = z.object({ ingest: account, query: account });

interface EngineRow {
  readonly url: string;
  readonly sealed_access: string;
  readonly changed_at: number;
}

interface Own {
  readonly store: EventStore;
  readonly changedMs: number;
  lookedMs: number;
}

/** What the table keeps of the accounts. */
export function sealEngineAccess(engine: TenantEngine, secrets: SecretBox): string {
  return secrets.seal(JSON.stringify({ ingest: engine.ingest, query: engine.query }), PURPOSE);
}

/** A store on an engine of a tenant's own; connects lazily. */
export function openTenantEngine(
  engine: TenantEngine,
  log: Logger,
  exclusively?: Postgres['exclusively'],
): EventStore {
  return createEventStore({ ...engine, log, ...(exclusively ? { exclusively } : {}) });
}

/** What is asked of the engine of the platform alone. */
function ofPlatform({ prepareCountries, tablesPattern, systemRows, ping }: EventStore) {
  return { prepareCountries, tablesPattern, systemRows, ping };
}

/** What engines have written down of themselves. */
function ofEngines(
  shared: EventStore,
  storeOf: (clusterId: string) => Promise<EventStore> | EventStore,
): Pick<EventStore, 'diskBytes' | 'partitions' | 'openMutations' | 'nodeRows'> {
  return {
    diskBytes: async (clusterId) => (await storeOf(clusterId)).diskBytes(clusterId),
    partitions: async (clusterId) => (await storeOf(clusterId)).partitions(clusterId),
    openMutations: async (clusterId) => (await storeOf(clusterId)).openMutations(clusterId),
    nodeRows: async (query, clusterId, signal) =>
      (clusterId === null ? shared : await storeOf(clusterId)).nodeRows(query, clusterId, signal),
  };
}

export function routeEventStore({ shared, postgres, secrets, log }: RouteDeps): RoutedEventStore {
  /** Null: on the shared engine. */
  const known = new Map<string, Own | null>();
  const opening = new Map<string, Promise<EventStore>>();

  async function rowOf(clusterId: string): Promise<EngineRow | undefined> {
    const { rows } = await sql<EngineRow>`
      select url, sealed_access, changed_at from tenant_engine where cluster_id = ${clusterId}`.execute(
      postgres.platform,
    );
    return rows[0];
  }

  async function lookUp(clusterId: string): Promise<EventStore> {
    const row = await rowOf(clusterId);
    const old = known.get(clusterId);
    if (!row) {
      known.set(clusterId, null);
      await old?.store.close();
      return shared;
    }
    if (old && old.changedMs === row.changed_at) {
      old.lookedMs = Date.now();
      return old.store;
    }
    const access = accessSchema.parse(JSON.parse(secrets.open(row.sealed_access, PURPOSE)));
    const store = openTenantEngine({ url: row.url, ...access }, log, postgres.exclusively);
    known.set(clusterId, { store, changedMs: row.changed_at, lookedMs: Date.now() });
    // Queries that still run on the old accounts end by themselves.
    old?.store.close().catch(() => undefined);
    return store;
  }

  /** One look-up at a time for a tenant; a failed one leaves what was known. */
  function lookUpOnce(clusterId: string): Promise<EventStore> {
    const running = opening.get(clusterId);
    if (running) return running;
    const started = lookUp(clusterId).finally(() => opening.delete(clusterId));
    opening.set(clusterId, started);
    return started;
  }

  function storeOf(clusterId: string): Promise<EventStore> | EventStore {
    const own = known.get(clusterId);
    if (own === null) return shared;
    if (own === undefined) return lookUpOnce(clusterId);
    if (Date.now() - own.lookedMs < LOOK_AGAIN_MS) return own.store;
    return lookUpOnce(clusterId).catch(() => own.store);
  }

  const owned = () => [...known.values()].flatMap((one) => (one ? [one.store] : []));
  const closeOwn = async () => {
    await Promise.all(owned().map((store) => store.close()));
    known.clear();
  };

  return {
    closeOwn,
    eventStore: {
      ...ofPlatform(shared),
      ...ofEngines(shared, storeOf),
      ensureTenant: async (clusterId) => (await storeOf(clusterId)).ensureTenant(clusterId),
      migrateTenant: async (clusterId, run) => (await storeOf(clusterId)).migrateTenant(clusterId, run),
      tenantState: async (clusterId) => (await storeOf(clusterId)).tenantState(clusterId),
      dropTenant: async (clusterId) => (await storeOf(clusterId)).dropTenant(clusterId),
      insertRows: async (clusterId, body, options) =>
        (await storeOf(clusterId)).insertRows(clusterId, body, options),
      query: async (clusterId, query) => (await storeOf(clusterId)).query(clusterId, query),
      rows: async (clusterId, query) => (await storeOf(clusterId)).rows(clusterId, query),
      rowsOfEach: async (clusterId, query) => (await storeOf(clusterId)).rowsOfEach(clusterId, query),
      command: async (clusterId, ...statement) => (await storeOf(clusterId)).command(clusterId, ...statement),
      cancel: async (queryId) => {
        // The id does not say whose engine runs it; an engine that does not answer cannot be asked.
        const asked = [shared, ...owned()].map((store) => store.cancel(queryId).catch(() => false));
        return (await Promise.all(asked)).some(Boolean);
      },
      tablesDatabase: async (clusterId) => (await storeOf(clusterId)).tablesDatabase(clusterId),
      close: async () => {
        await closeOwn();
        await shared.close();
      },
    },
  };
}
