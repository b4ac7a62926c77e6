import { runMigrations } from 'graphile-worker';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { queueLogger } from '../queue-logger.ts';

/** Brings the schema `graphile_worker` to the version of the library. Several processes may do so at once. */
export async function migrateJobQueue(pool: pg.Pool, log: Logger): Promise<void> {
  await runMigrations({ pgPool: pool, logger: queueLogger(log) });
}
