import { setTimeout as pause } from 'node:timers/promises';
import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import pg from 'pg';
import type { Logger } from '../log.ts';
import { migrateJobQueue } from './migrate-job-queue.ts';
import type { PlatformTables } from './platform-tables.ts';
import { type NotificationHandler, openListener } from './postgres-listener.ts';
import { runPostgresMigrations } from './run-postgres-migrations.ts';

// The door to PostgreSQL. `platform` reaches the tables of the whole platform; the tables of a tenant are
// under row-level security and answer only inside `inTenant`. That is the second lock behind the services.

/** A transaction that sees the rows of one tenant only. Add a feature's tables with `.withTables<T>()`. */
export type TenantTransaction = Transaction<PlatformTables>;

export interface Postgres {
  /** Platform-wide tables (organizations, users, sessions, jobs). Add tables with `.withTables<T>()`. */
  readonly platform: Kysely<PlatformTables>;
  /**
   * Runs `work` in one transaction as the role without rights beyond row security, bound to the tenant.
   * Commits when `work` resolves, rolls back when it throws.
   */
  inTenant<T>(clusterId: string, work: (trx: TenantTransaction) => Promise<T>): Promise<T>;
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

// bigint columns hold milliseconds and counters, far below 2^53: read them as numbers.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => Number(text));

function checkedTenant(clusterId: string): string {
  if (clusterId === '') throw new Error('inTenant needs a cluster id');
  return clusterId;
}

/** One listens, the others take and return entries of the queue. */
const QUEUE_CONNECTIONS = 4;
const QUEUE_PATIENCE_MS = 1_000;

function createPool(url: string, log: Logger, max: number, name: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: 5_000,
    application_name: name,
  });
  // Without a listener a lost idle connection ends the process.
  pool.on('error', (error) => {
    if (!pool.ending) log.warn({ err: error.message }, 'a PostgreSQL connection was lost');
  });
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Connects lazily: making the value does not need the engine to be up. */
export function createPostgres({ url, log, maxConnections = 10 }: PostgresOptions): Postgres {
  const pool = createPool(url, log, maxConnections, 'tyrian');
  let queue: pg.Pool | null = null;
  const platform = new Kysely<PlatformTables>({ dialect: new PostgresDialect({ pool }) });
  const openListeners = new Set<() => Promise<void>>();

  return {
    platform,
    inTenant: (clusterId, work) =>
      platform.transaction().execute(async (trx) => {
        await sql`select set_config('tyrian.cluster_id', ${checkedTenant(clusterId)}, true),
          set_config('role', 'tyrian_tenant', true)`.execute(trx);
        return work(trx);
      }),
    listen: async (channel, handler) => {
      const stop = await openListener({ url, log, channel, handler });
      openListeners.add(stop);
      return async () => {
        openListeners.delete(stop);
        await stop();
      };
    },
    exclusively: async (name, work) => {
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
    },
    notify: async (channel, payload) => {
      await sql`select pg_notify(${channel}, ${payload})`.execute(platform);
    },
    queuePool: () => {
      queue ??= createPool(url, log, QUEUE_CONNECTIONS, 'tyrian jobs');
      return queue;
    },
    migrate: async () => {
      await runPostgresMigrations(pool, log);
      await migrateJobQueue(pool, log);
    },
    ping: async () => {
      await pool.query('select 1');
    },
    close: async () => {
      await Promise.all([...openListeners].map((stop) => stop()));
      // A job that does not stop keeps its connection.
      if (queue) await Promise.race([queue.end(), pause(QUEUE_PATIENCE_MS, undefined, { ref: false })]);
      await platform.destroy();
      // Kysely ends a pool only when it has used it; migrations and pings go to the pool itself.
      if (!pool.ending) await pool.end();
    },
  };
}
