import { setImmediate as loopTurn } from 'node:timers/promises';
import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  Transaction,
} from 'kysely';
import pg from 'pg';
import type { PlatformTables } from './platform-tables.ts';

// Transactions that are bound to a tenant from their first message on. Each answer of the engine that is waited for wakes
// both sides, so little is waited for: the message that begins a transaction binds it and is sent with the first statement,
// statements that are asked for at once are sent at once, and where nothing depends on an answer the commit goes with them.
// The pool's connections must be in pipeline mode.

/** Statements that need no answer of each other, in the order in which they are to run. */
export type StatementsAtOnce = (trx: Transaction<PlatformTables>) => readonly Promise<unknown>[];

/** Begins a transaction as the role without rights beyond row security, bound to a tenant. */
function boundBegin(clusterId: string): CompiledQuery {
  const bind = [`'tyrian.cluster_id', ${pg.escapeLiteral(clusterId)}`, `'role', 'tyrian_tenant'`];
  return CompiledQuery.raw(
    `begin; select ${bind.map((setting) => `set_config(${setting}, true)`).join(', ')}`,
  );
}

interface OpenTransaction {
  readonly trx: Transaction<PlatformTables>;
  /** Waits for the engine's word. Statements of `trx` that come later are refused: they would run outside of it. */
  commit(): Promise<void>;
  rollback(): Promise<void>;
  release(): Promise<void>;
}

async function openTransaction(pool: pg.Pool, clusterId: string): Promise<OpenTransaction> {
  const driver: Driver = new PostgresDriver({ pool });
  await driver.init();
  const connection = await driver.acquireConnection();
  const begun = connection.executeQuery(boundBegin(clusterId));
  // What comes next fails too, and `commit` tells why.
  begun.catch(() => undefined);
  const provider = whileOpen(connection);
  const end = async (how: 'commit' | 'rollback'): Promise<void> => {
    provider.close();
    const ended = connection.executeQuery(CompiledQuery.raw(how));
    await Promise.all([begun, ended]);
  };
  return {
    trx: transactionOn(driver, provider),
    commit: () => end('commit'),
    rollback: () => end('rollback'),
    release: () => driver.releaseConnection(connection),
  };
}

/** Gives the connection to every statement right away, until it is closed. */
function whileOpen(connection: DatabaseConnection): ConnectionProvider & { close(): void } {
  let isOpen = true;
  return {
    provideConnection: async (consumer) => {
      if (!isOpen) throw new Error('a statement came after the end of its transaction');
      return consumer(connection);
    },
    close: () => {
      isOpen = false;
    },
  };
}

function transactionOn(driver: Driver, provider: ConnectionProvider): Transaction<PlatformTables> {
  const dialect: Dialect = {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => driver,
    createIntrospector: (made) => new PostgresIntrospector(made),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), provider);
  return new Transaction<PlatformTables>({ config: { dialect }, dialect, driver, executor });
}

/**
 * Runs `work` in a transaction of the tenant on a connection of the pool, which whoever made it ends. Commits when `work`
 * resolves, rolls back when it throws. What `work` asks for at once is sent at once.
 */
export async function transactionOfTenant<T>(
  pool: pg.Pool,
  clusterId: string,
  work: (trx: Transaction<PlatformTables>) => Promise<T>,
): Promise<T> {
  const { trx, commit, rollback, release } = await openTransaction(pool, clusterId);
  try {
    const made = await work(trx);
    await commit();
    return made;
  } catch (error) {
    await rollback().catch(() => undefined);
    throw error;
  } finally {
    await release();
  }
}

/**
 * Runs statements in a transaction of the tenant and sends its commit behind them, without waiting for their answers. When
 * one of them fails none has happened, and the first error is thrown.
 */
export async function statementsOfTenant(
  pool: pg.Pool,
  clusterId: string,
  statements: StatementsAtOnce,
): Promise<void> {
  const { sent } = await transactionOfTenant(pool, clusterId, async (trx) => {
    const answers = Promise.all(statements(trx));
    // What cannot even be sent is known by then, and nothing is committed.
    await Promise.race([answers, loopTurn()]);
    return { sent: answers };
  });
  await sent;
}
