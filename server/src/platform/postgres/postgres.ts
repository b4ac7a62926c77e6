import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import { bindDeps } from '../bind-deps.ts';
import type { Logger } from '../log.ts';
import { migrateJobQueue } from './migrate-job-queue.ts';
import type { PlatformTables } from './platform-tables.ts';
import { type NotificationHandler, openListener } from './postgres-listener.ts';
import { runPostgresMigrations } from './run-postgres-migrations.ts';
import { type StatementsAtOnce, statementsOfTenant, transactionOfTenant } from './tenant-transactions.ts';
import { typeParsers } from './timestamp.ts';

// Access to PostgreSQL. `platform` reaches the tables of the whole platform; the tables of a tenant are
// under row-level security and answer only inside `inTenant`. That is the second lock behind the services.

/** A transaction that sees the rows of one tenant only. Add a feature's tables with `.withTables<T>()`. */
export type TenantTransaction = Transaction<PlatformTables>;

export interface Postgres {
  /** Platform-wide tables (organizations, users, sessions, jobs). Add tables with `.withTables<T>()`. */
  readonly platform: Kysely<PlatformTables>;
  /**
   * Runs `work` in one transaction as the role without rights beyond row security, bound to the tenant.
   * Commits when `work` resolves, rolls back when it throws. Statements that it asks for at once are sent at once.
   */
  inTenant<T>(clusterId: string, work: (trx: TenantTransaction) => Promise<T>): Promise<T>;
  /**
   * The same for statements that need no answer of each other: they and their commit are sent together. When one fails none
   * has happened, and the first error is thrown.
   */
  atOnce(clusterId: string, statements: StatementsAtOnce): Promise<void>;
  /** Calls `handler` with the payload of every NOTIFY on the channel; returns how to stop. */
  listen(channel: string, handler: NotificationHandler): Promise<() => Promise<void>>;
  notify(channel: string, payload: string): Promise<void>;
  /** Waits until no process does the work of this name, and does it. Holds a connection meanwhile. */
  exclusively<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Connections of their own for the job queue, made when first asked for. */
  queuePool(): pg.Pool;
  /** Applies db/postgres in order, and the tables of the job queue; safe to call from several processes at once. */
  migrate(): Promise<void>;
  /** Resolves when the engine answers, rejects with the reason otherwise. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly url: string;
  readonly log: Logger;
  readonly maxConnections?: number;
}

// bigint columns hold counters, far below 2^53: read them as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

function checkedTenant(clusterId: string): string {
  if (clusterId === '' || clusterId.includes('\0')) throw new Error('a transaction needs a cluster id');
  return clusterId;
}

/** One listens, the others take and return entries of the queue: as many as there are jobs at once. */
const QUEUE_CONNECTIONS = 7;
const QUEUE_PATIENCE_MS = 1_000;

interface PoolSettings extends Pick<pg.PoolConfig, 'max' | 'application_name' | 'types'> {
  /** Sends statements without waiting for the answers of those before. */
  readonly pipeline?: boolean;
}

function createPool(url: string, log: Logger, config: PoolSettings): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    ...config,
  });
  // Without a listener a lost idle connection ends the process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error.message }, 'a PostgreSQL connection was lost');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

interface PostgresParts {
  readonly platform: Kysely<PlatformTables>;
  readonly url: string;
  readonly log: Logger;
  readonly openListeners: Set<() => Promise<void>>;
  readonly pool: ReturnType<typeof createPool>;
  queue: pg.Pool | null;
}

/** Connects lazily: making the value does not need the engine to be up. */
export function createPostgres({ url, log, maxConnections = 10 }: PostgresOptions): Postgres {
  const pool = createPool(url, log, {
    max: maxConnections,
    application_name: 'tyrian',
    types: typeParsers,
    pipeline: true,
  });
  const platform = new Kysely<PlatformTables>({ dialect: new PostgresDialect({ pool }) });
  const openListeners = new Set<() => Promise<void>>();
  const parts: PostgresParts = { platform, url, log, openListeners, pool, queue: null };
  return {
    platform,
    inTenant: async (clusterId, work) => transactionOfTenant(pool, checkedTenant(clusterId), work),
    atOnce: async (clusterId, statements) => statementsOfTenant(pool, checkedTenant(clusterId), statements),
    exclusively: (name, work) => exclusively(parts, name, work),
    ...bindDeps(parts, { listen, notify, queuePool, migrate, ping, close }),
  };
}

async function listen(
  { url, log, openListeners }: PostgresParts,
  channel: string,
  handler: NotificationHandler,
): Promise<() => Promise<void>> {
  const stop = await openListener({ url, log, channel, handler });
  openListeners.add(stop);
  return async () => {
    openListeners.delete(stop);
    await stop();
  };
}

async function exclusively<T>({ pool }: PostgresParts, name: string, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isLost = true;
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name]);
    return await work();
  } finally {
    await client
      .query('select pg_advisory_unlock(hashtextextended($1, 0))', [name])
      .then(() => {
        isLost = false;
      })
      .catch(() => undefined);
    // A connection that could not give the lock back is closed, and the lock with it.
    client.release(isLost);
  }
}

async function notify({ platform }: PostgresParts, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(platform);
}

function queuePool(parts: PostgresParts): pg.Pool {
  parts.queue ??= createPool(parts.url, parts.log, {
    max: QUEUE_CONNECTIONS,
    application_name: 'tyrian jobs',
  });
  return parts.queue;
}

async function migrate({ pool, log }: PostgresParts): Promise<void> {
  await runPostgresMigrations(pool, log);
  await migrateJobQueue(pool, log);
}

async function ping({ pool }: PostgresParts): Promise<void> {
  await pool.query('select 1');
}

async function close(parts: PostgresParts): Promise<void> {
  const { openListeners, platform, pool } = parts;
  await Promise.all([...openListeners].map((stop) => stop()));
  // A job that does not stop keeps its connection.
  if (parts.queue)
    await Promise.race([parts.queue.end(), pause(QUEUE_PATIENCE_MS, undefined, { ref: false })]);
  await platform.destroy();
  // Kysely ends a pool only when it has used it; migrations and pings go to the pool itself.
  if (!pool.ending) await pool.end();
}
