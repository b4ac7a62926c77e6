import type { ClickHouseClient } from '@clickhouse/client';
import type { Logger } from '../log.ts';
import { checksum } from '../postgres/run-postgres-migrations.ts';
import { type MigrationFile, readMigrations } from '../read-migrations.ts';

// Each tenant's database carries the list of the files that made it. ClickHouse has no transactions for
// definitions, so every statement must be repeatable (IF NOT EXISTS): a start that was killed midway repeats it.

/** The statements of a migration; a `;` at the end of a line ends one. */
function statementsOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => !line.trim().startsWith('--'))
    .join('\n')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

async function applied(client: ClickHouseClient, database: string): Promise<Map<string, string>> {
  await client.command({ query: `CREATE DATABASE IF NOT EXISTS \`${database}\`` });
  await client.command({
    query: `CREATE TABLE IF NOT EXISTS \`${database}\`.schema_migration
      (name String, checksum String, applied_at DateTime DEFAULT now())
      ENGINE = ReplacingMergeTree ORDER BY name SETTINGS fsync_after_insert = 1`,
  });
  const result = await client.query({
    query: `SELECT name, checksum FROM \`${database}\`.schema_migration FINAL`,
    format: 'JSONEachRow',
  });
  const rows = await result.json<{ name: string; checksum: string }>();
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** A statement that copies a large table may run for hours; its progress keeps the connection from being given up. */
const AS_LONG_AS_IT_TAKES = {
  max_execution_time: '0',
  send_progress_in_http_headers: '1',
  http_headers_progress_interval_ms: '240000',
};

/** Creates the database of a tenant and applies the missing files of db/clickhouse to it. */
export async function runClickhouseMigrations(
  client: ClickHouseClient,
  database: string,
  log: Logger,
  files: readonly MigrationFile[] = readMigrations('clickhouse'),
): Promise<void> {
  const done = await applied(client, database);
  for (const file of files) {
    const known = done.get(file.name);
    if (known === checksum(file.text)) continue;
    if (known !== undefined) {
      throw new Error(`db/clickhouse/${file.name} has changed since it was applied to ${database}`);
    }
    for (const statement of statementsOf(file.text)) {
      await client.command({
        query: statement,
        clickhouse_settings: { ...AS_LONG_AS_IT_TAKES, database } as Record<string, string>,
      });
    }
    await client.insert({
      table: `\`${database}\`.schema_migration`,
      values: [{ name: file.name, checksum: checksum(file.text) }],
      format: 'JSONEachRow',
    });
    log.info({ migration: file.name, database }, 'ClickHouse migration applied');
  }
}
