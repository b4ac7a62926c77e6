import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type Transaction,
} from 'kysely';
import pg from 'pg';
import type { PlatformTables } from './platform-tables.ts';

// Transactions that are bound to a tenant from their first message on: begin, the tenant and the role are one text, so that
// a transaction of one statement takes three turns with the engine instead of four. Each turn wakes both sides.

/** Tenants whose driver is kept; it is made again for a little. */
const MAX_KEPT = 1_000;

/** Begins a transaction as the role without rights beyond row security, bound to a tenant. */
function boundBegin(clusterId: string): string {
  const bind = [`'tyrian.cluster_id', ${pg.escapeLiteral(clusterId)}`, `'role', 'tyrian_tenant'`];
  return `begin; select ${bind.map((setting) => `set_config(${setting}, true)`).join(', ')}`;
}

class TenantDriver extends PostgresDriver {
  readonly #begin: CompiledQuery;

  constructor(pool: pg.Pool, clusterId: string) {
    super({ pool });
    this.#begin = CompiledQuery.raw(boundBegin(clusterId));
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(this.#begin);
  }
}

export interface TenantTransactions {
  /** Commits when `work` resolves, rolls back when it throws. */
  run<T>(clusterId: string, work: (trx: Transaction<PlatformTables>) => Promise<T>): Promise<T>;
}

/** Transactions on the connections of a pool, which whoever made it ends. */
export function createTenantTransactions(pool: pg.Pool): TenantTransactions {
  const kept = new Map<string, Kysely<PlatformTables>>();
  const open = (clusterId: string): Kysely<PlatformTables> => {
    const known = kept.get(clusterId);
    if (known) return known;
    const made = new Kysely<PlatformTables>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new TenantDriver(pool, clusterId),
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
    kept.set(clusterId, made);
    const [oldest] = kept.keys();
    if (kept.size > MAX_KEPT && oldest !== undefined) kept.delete(oldest);
    return made;
  };
  return { run: (clusterId, work) => open(clusterId).transaction().execute(work) };
}
