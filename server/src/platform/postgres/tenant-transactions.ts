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

/**
 * Runs `work` in a transaction of the tenant on a connection of the pool, which whoever made it ends. Commits when `work`
 * resolves, rolls back when it throws.
 */
export function transactionOfTenant<T>(
  pool: pg.Pool,
  clusterId: string,
  work: (trx: Transaction<PlatformTables>) => Promise<T>,
): Promise<T> {
  // A driver knows one tenant. Making it takes some microseconds.
  const db = new Kysely<PlatformTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new TenantDriver(pool, clusterId),
      createIntrospector: (made) => new PostgresIntrospector(made),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  return db.transaction().execute(work);
}
