import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Logger } from '../log.ts';
import { type MigrationFile, readMigrations } from '../read-migrations.ts';

// Migrations are append-only files. Each runs once, in its own transaction, in the order of its number; a file
// that changed after it was applied stops the start, because then nobody knows what the database looks like.

/** Any constant will do; every process of Tyrian takes the same lock. */
const LOCK_KEY = 7_946_213;

export function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function applied(client: pg.PoolClient): Promise<Map<string, string>> {
  await client.query(
    `create table if not exists schema_migration (
       name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
  );
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migration',
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

async function apply(client: pg.PoolClient, file: MigrationFile): Promise<void> {
  await client.query('begin');
  try {
    await client.query(file.text);
    await client.query('insert into schema_migration (name, checksum) values ($1, $2)', [
      file.name,
      checksum(file.text),
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`db/postgres/${file.name}: ${(error as Error).message}`, { cause: error });
  }
}

/** Applies the missing files of db/postgres. Throws when an applied file has changed. */
export async function runPostgresMigrations(
  pool: pg.Pool,
  log: Logger,
  files: readonly MigrationFile[] = readMigrations('postgres'),
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY]);
    const done = await applied(client);
    for (const file of files) {
      const known = done.get(file.name);
      if (known === undefined) {
        await apply(client, file);
        log.info({ migration: file.name }, 'PostgreSQL migration applied');
      } else if (known !== checksum(file.text)) {
        throw new Error(
          `db/postgres/${file.name} has changed since it was applied to this database. ` +
            'Migrations are append-only: restore the file and put the change into a new one.',
        );
      }
    }
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK_KEY]).catch(() => undefined);
    client.release();
  }
}
