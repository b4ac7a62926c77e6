import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';

const INSUFFICIENT_PRIVILEGE = '42501';
const TRIES = 100;
const PAUSE_MS = 100;

/**
 * Drops a database of a test with the connections to it. While a worker of autovacuum is in it, which belongs to the
 * superuser, PostgreSQL refuses to end the connections: then again a little later.
 */
export async function dropDatabase(admin: Postgres, database: string): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      await sql`drop database if exists ${sql.id(database)} with (force)`.execute(admin.platform);
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== INSUFFICIENT_PRIVILEGE || left === 0) throw error;
      await sleep(PAUSE_MS);
    }
  }
}
