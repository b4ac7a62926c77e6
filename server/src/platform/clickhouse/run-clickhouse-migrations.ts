import type { ClickHouseClient } from '@clickhouse/client';
import type { Logger } from '../log.ts';
import { checksum } from '../postgres/run-postgres-migrations.ts';
import { type MigrationFile, readMigrations } from '../read-migrations.ts';
import { type MigrationUnit, readMigrationSteps } from './read-migration-steps.ts';

// Each tenant's database carries the list of the files that made it. ClickHouse has no transactions for
// definitions, so every statement must be repeatable (IF NOT EXISTS): a start that was killed midway repeats it.

/** What a migration has done of its present file. */
export interface MigrationProgress {
  /** `0005_retention_and_figures.sql` */
  readonly file: string;
  /** Statements, and turns of loops over partitions. */
  readonly done: number;
  readonly total: number;
}

export interface MigrationRun {
  readonly files?: readonly MigrationFile[];
  readonly onProgress?: (progress: MigrationProgress) => void;
  /** Ends the run after the unit that is at work; the next run goes on behind it. */
  readonly signal?: AbortSignal;
  /** What a statement that defines tables is made into before it runs; itself when absent. */
  readonly rewrite?: (statement: string) => string;
}

/** `behind`: files are missing and there are events, so that bringing it up to date may take long. */
export type SchemaState = 'absent' | 'behind' | 'current';

async function rowsOf<T>(client: ClickHouseClient, query: string, params: Record<string, string>) {
  const result = await client.query({ query, query_params: params, format: 'JSONEachRow' });
  return result.json<T>();
}

/** The engine of a table; null when there is no such table. */
export async function engineOf(
  client: ClickHouseClient,
  database: string,
  table: string,
): Promise<string | null> {
  const [found] = await rowsOf<{ engine: string }>(
    client,
    'SELECT engine FROM system.tables WHERE database = {database:String} AND name = {table:String}',
    { database, table },
  );
  return found?.engine ?? null;
}

async function listApplied(client: ClickHouseClient, database: string): Promise<Map<string, string>> {
  const rows = await rowsOf<{ name: string; checksum: string }>(
    client,
    `SELECT name, checksum FROM \`${database}\`.schema_migration FINAL`,
    {},
  );
  return new Map(rows.map((row) => [row.name, row.checksum]));
}

/** Where the database of a tenant stands; changes nothing. */
export async function schemaState(
  client: ClickHouseClient,
  database: string,
  files: readonly MigrationFile[] = readMigrations('clickhouse'),
): Promise<SchemaState> {
  if ((await engineOf(client, database, 'schema_migration')) === null) return 'absent';
  const done = await listApplied(client, database);
  if (files.every((file) => done.get(file.name) === checksum(file.text))) return 'current';
  const parts = await rowsOf(
    client,
    'SELECT 1 FROM system.parts WHERE database = {database:String} AND startsWith(table, {table:String}) AND active LIMIT 1',
    { database, table: 'events' },
  );
  return parts.length > 0 ? 'behind' : 'absent';
}

const asItIs = (statement: string): string => statement;

/** The definitions of a database, and of what is noted of migrations in it. */
export function databaseDefinitions(
  database: string,
): Readonly<Record<'database' | 'done' | 'steps', string>> {
  return {
    database: `CREATE DATABASE IF NOT EXISTS \`${database}\``,
    done: `CREATE TABLE IF NOT EXISTS \`${database}\`.schema_migration
      (name String, checksum String, applied_at DateTime DEFAULT now())
      ENGINE = ReplacingMergeTree ORDER BY name SETTINGS fsync_after_insert = 1`,
    steps: `CREATE TABLE IF NOT EXISTS \`${database}\`.schema_migration_step (name String, unit String)
      ENGINE = MergeTree ORDER BY (name, unit) SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
  };
}

async function applied(
  client: ClickHouseClient,
  database: string,
  rewrite: (statement: string) => string,
): Promise<Map<string, string>> {
  const definitions = databaseDefinitions(database);
  await client.command({ query: rewrite(definitions.database) });
  await client.command({ query: rewrite(definitions.done) });
  return listApplied(client, database);
}

/** A statement that copies a large table may run for hours; its progress keeps the connection from being given up. */
const AS_LONG_AS_IT_TAKES = {
  max_execution_time: '0',
  send_progress_in_http_headers: '1',
  http_headers_progress_interval_ms: '240000',
};

/** Which units of a file are done, for files that want it noted. */
interface Notes {
  has(unit: string): boolean;
  /** Turns of a loop that are done. */
  turns(unit: string): number;
  add(unit: string): Promise<void>;
  clear(): Promise<void>;
}

const NO_NOTES: Notes = {
  has: () => false,
  turns: () => 0,
  add: async () => undefined,
  clear: async () => undefined,
};

async function openNotes(
  client: ClickHouseClient,
  database: string,
  file: string,
  rewrite: (statement: string) => string,
): Promise<Notes> {
  const table = `\`${database}\`.schema_migration_step`;
  await client.command({ query: rewrite(databaseDefinitions(database).steps) });
  const rows = await rowsOf<{ unit: string }>(
    client,
    `SELECT unit FROM ${table} WHERE name = {file:String}`,
    { file },
  );
  const done = new Set(rows.map((row) => row.unit));
  return {
    has: (unit) => done.has(unit),
    turns: (unit) => [...done].filter((one) => one.startsWith(`${unit} `)).length,
    add: async (unit) => {
      await client.insert({ table, values: [{ name: file, unit }], format: 'JSONEachRow' });
    },
    clear: async () => {
      await client.command({ query: rewrite(`DROP TABLE IF EXISTS ${table}`) });
    },
  };
}

async function partitionsOf(client: ClickHouseClient, database: string, table: string) {
  const rows = await rowsOf<{ id: string }>(
    client,
    `SELECT DISTINCT partition_id AS id FROM system.parts
     WHERE database = {database:String} AND table = {table:String} AND active ORDER BY id`,
    { database, table },
  );
  return rows.map((row) => row.id);
}

async function runFile(
  client: ClickHouseClient,
  database: string,
  file: MigrationFile,
  { onProgress, signal, rewrite = asItIs }: MigrationRun,
): Promise<void> {
  const { units, isNoted } = readMigrationSteps(file.text);
  const notes = isNoted ? await openNotes(client, database, file.name, rewrite) : NO_NOTES;
  let done = 0;
  let total = units.length;
  const command = (query: string) =>
    client.command({
      query: rewrite(query),
      clickhouse_settings: { ...AS_LONG_AS_IT_TAKES, database } as Record<string, string>,
    });
  const runOnce = async (name: string, statements: readonly string[]) => {
    if (!notes.has(name)) {
      signal?.throwIfAborted();
      for (const statement of statements) await command(statement);
      await notes.add(name);
    }
    done += 1;
    onProgress?.({ file: file.name, done, total });
  };
  const runUnit = async (name: string, { statements, eachPartitionOf }: MigrationUnit) => {
    if (eachPartitionOf === null) return runOnce(name, statements);
    if (notes.has(name)) {
      done += notes.turns(name);
      total += notes.turns(name);
      return runOnce(name, []);
    }
    const partitions = await partitionsOf(client, database, eachPartitionOf);
    total += partitions.length;
    for (const partition of partitions) {
      const turned = statements.map((statement) => statement.replaceAll('{partition}', partition));
      await runOnce(`${name} ${partition}`, turned);
    }
    // A note for the loop as a whole: later units may change what its table is.
    await runOnce(name, []);
  };
  for (const [index, unit] of units.entries()) await runUnit(String(index), unit);
  await client.insert({
    table: `\`${database}\`.schema_migration`,
    values: [{ name: file.name, checksum: checksum(file.text) }],
    format: 'JSONEachRow',
  });
  await notes.clear();
}

/** Creates the database of a tenant and applies the missing files of db/clickhouse to it. */
export async function runClickhouseMigrations(
  client: ClickHouseClient,
  database: string,
  log: Logger,
  run: MigrationRun = {},
): Promise<void> {
  const done = await applied(client, database, run.rewrite ?? asItIs);
  for (const file of run.files ?? readMigrations('clickhouse')) {
    const known = done.get(file.name);
    if (known === checksum(file.text)) continue;
    if (known !== undefined) {
      throw new Error(`db/clickhouse/${file.name} has changed since it was applied to ${database}`);
    }
    await runFile(client, database, file, run);
    log.info({ migration: file.name, database }, 'ClickHouse migration applied');
  }
}
