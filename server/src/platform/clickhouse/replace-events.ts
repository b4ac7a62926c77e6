import { SPREAD_INSERT_SETTINGS } from './cluster-layout.ts';
import { rewritten } from './delete-events.ts';
import { type EventStore, tenantDatabase } from './event-store.ts';
import { INDEXES_LEFT_TO_MERGES, partitionOf } from './event-tables.ts';
import { BY_HOST, BY_MINUTE, countingOf, type FigureTable } from './figure-tables.ts';

// Putting events in place of those with the same identity (docs/decisions/0029-reading-stored-events-again.md). The new ones
// wait in a table of their own, `reread_N`, and are told from the old ones by their reading, N. Every step can be done twice:
// what is there already is not put in again, what is taken from the figures is marked, and only what has a new reading goes.

export interface Replacement {
  readonly clusterId: string;
  readonly scopeId: string;
  /** Number that no other replacement has. */
  readonly reading: number;
  /** Where old and new ones lie, as the engine calls it. */
  readonly partition: string;
}

type Store = Pick<EventStore, 'command' | 'rows' | 'systemRows' | 'tablesDatabase' | 'openMutations'>;

export const waitingTable = ({ reading }: Pick<Replacement, 'reading'>): string => `reread_${reading}`;

/** An empty table for the new ones, like that of the events. */
export async function prepareReplacement(eventStore: Store, one: Replacement): Promise<void> {
  await dropReplacement(eventStore, one);
  await eventStore.command(one.clusterId, `CREATE TABLE ${waitingTable(one)} AS events`);
}

async function dropReplacement(
  eventStore: Pick<EventStore, 'command'>,
  one: Pick<Replacement, 'clusterId' | 'reading'>,
): Promise<void> {
  const sql = `DROP TABLE IF EXISTS ${waitingTable(one)} SETTINGS max_table_size_to_drop = 0`;
  await eventStore.command(one.clusterId, sql);
}

const paramsOf = ({ scopeId, reading, partition }: Replacement) => ({ scope: scopeId, reading, partition });

/** The new ones in a query that names `events` of `database`. */
const newOnes = (database: string): string => `SELECT EventUid FROM \`${database}\`.events
  WHERE _partition_id = {partition:String} AND Scope = {scope:String} AND Reading = {reading:UInt32}`;

async function columnsOf(eventStore: Store, one: Replacement): Promise<string> {
  const rows = await eventStore.systemRows<{ name: string }>(
    'SELECT DISTINCT name FROM system.columns WHERE database = {database:String} AND table = {table:String}',
    { database: await eventStore.tablesDatabase(one.clusterId), table: waitingTable(one) },
  );
  if (rows.length === 0) throw new Error(`the table ${waitingTable(one)} of tenant ${one.clusterId} is gone`);
  return rows.map(({ name }) => `\`${name}\``).join(', ');
}

/** Puts the new ones beside the old, each once. */
export async function putReplacement(eventStore: Store, one: Replacement): Promise<void> {
  const database = tenantDatabase(one.clusterId);
  const columns = await columnsOf(eventStore, one);
  const isSpread = (await eventStore.tablesDatabase(one.clusterId)) !== database;
  const settings = {
    insert_deduplicate: 0,
    max_threads: 1,
    max_block_size: 8_192,
    min_insert_block_size_rows: 50_000,
    min_insert_block_size_bytes: 134_217_728,
    ...INDEXES_LEFT_TO_MERGES,
    ...(isSpread ? { ...SPREAD_INSERT_SETTINGS, distributed_product_mode: "'allow'" } : {}),
  };
  await eventStore.command(
    one.clusterId,
    `INSERT INTO \`${database}\`.events (${columns}) SELECT ${columns} FROM ${waitingTable(one)}
      WHERE EventUid NOT IN (${newOnes(database)})
      SETTINGS ${Object.entries(settings)
        .map(([name, value]) => `${name} = ${value}`)
        .join(', ')}`,
    paramsOf(one),
    `${waitingTable(one)}-put`,
  );
}

/** The old ones of those that were put in. */
const oldOnes = (tables: string): string => `_partition_id = {partition:String} AND Scope = {scope:String}
  AND Reading < {reading:UInt32} AND EventUid IN (${newOnes(tables)})`;

/** A row of figures that counts nothing and says that the old ones were taken from them. */
function markOf(table: FigureTable, mark: string, { partition }: Replacement): string {
  const { day, retentionDays } = partitionOf(partition);
  const values: Readonly<Record<string, string>> = {
    IngestedMinute: `toDateTime('${day} 00:00:00', 'UTC')`,
    IngestedDay: `toDate('${day}')`,
    RetentionDays: `toUInt32(${retentionDays})`,
    EventMinute: 'toInt32(0)',
    EventHour: 'toInt32(0)',
    Score: 'toInt32(0)',
    [table === BY_MINUTE ? 'SourceName' : 'DvcHostname']: `'${mark}'`,
  };
  const cells = [
    ...table.keys.split(', ').map((name) => `${values[name] ?? "''"} AS ${name}`),
    ...table.sums.map((name) => `toInt64(0) AS ${name}`),
    ...Object.keys(table.others).map((name) => `toDateTime64('${day} 00:00:00', 3, 'UTC') AS ${name}`),
  ];
  return `SELECT ${cells.join(', ')}`;
}

/** Takes the old ones from one table of figures: one part with its mark, so that it is there as a whole or not at all. */
async function takeFrom(eventStore: Store, table: FigureTable, one: Replacement): Promise<void> {
  const tables = await eventStore.tablesDatabase(one.clusterId);
  const mark = `reread ${one.reading}`;
  const marked = table === BY_MINUTE ? 'SourceName' : 'DvcHostname';
  const counting = (await countingOf(eventStore, one.clusterId, table.view)).replace(
    /\bFROM (?:(?:`[^`]+`|\w+)\.)?`?events`?/,
    `FROM (SELECT * FROM \`${tables}\`.events WHERE ${oldOnes(tables)}) AS events`,
  );
  const others = Object.keys(table.others);
  const columns = [...table.keys.split(', '), ...table.sums, ...others];
  const negative = [...table.keys.split(', '), ...table.sums.map((name) => `-${name} AS ${name}`), ...others];
  await eventStore.command(
    one.clusterId,
    `INSERT INTO ${table.name} (${columns.join(', ')})
      SELECT ${columns.join(', ')} FROM (
        SELECT ${negative.join(', ')} FROM (${counting})
        UNION ALL ${markOf(table, mark, one)}
      )
      WHERE (SELECT count() FROM ${table.name}
        WHERE _partition_id = {partition:String} AND Scope = '' AND ${marked} = '${mark}') = 0
      SETTINGS insert_deduplicate = 0, max_insert_threads = 1, min_insert_block_size_bytes = 0,
        min_insert_block_size_rows = 100000000`,
    paramsOf(one),
    `${waitingTable(one)}-${table.name}`,
  );
}

/** Takes the old ones from the figures, once. */
export async function takeFromFigures(eventStore: Store, one: Replacement): Promise<void> {
  for (const table of [BY_MINUTE, BY_HOST]) await takeFrom(eventStore, table, one);
}

/** Deletes the old ones; resolves when they are gone. */
export async function deleteReplaced(
  eventStore: Store,
  one: Replacement,
  signal?: AbortSignal,
): Promise<void> {
  const tables = await eventStore.tablesDatabase(one.clusterId);
  await eventStore.command(
    one.clusterId,
    `ALTER TABLE events DELETE IN PARTITION ID '${one.partition}' WHERE ${oldOnes(tables)}`,
    paramsOf(one),
  );
  await rewritten(eventStore, one.clusterId, signal);
}

/** Removes what a replacement needed: its table, and its marks among the figures where it put anything in. */
export async function finishReplacement(
  eventStore: Store,
  one: Replacement,
  hasMarks: boolean,
): Promise<void> {
  for (const { name } of hasMarks ? [BY_MINUTE, BY_HOST] : [])
    await eventStore.command(
      one.clusterId,
      `ALTER TABLE ${name} DELETE IN PARTITION ID '${one.partition}' WHERE Scope = ''`,
    );
  await dropReplacement(eventStore, one);
}
