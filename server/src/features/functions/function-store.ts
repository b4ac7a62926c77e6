import { bindDeps } from '../../platform/bind-deps.ts';
import type { Postgres, TenantTransaction } from '../../platform/postgres/postgres.ts';
import { type Row, type Timestamp, timestamp, withTimestamps } from '../../platform/postgres/timestamp.ts';

// The functions of a tenant in PostgreSQL, tables of db/postgres/0015_functions.sql.

export interface FunctionText {
  readonly name: string;
  readonly parameters: string;
  readonly body: string;
  readonly description: string;
}

interface FunctionVersionTable extends FunctionText {
  readonly version: number;
  readonly changed_by: string;
  readonly updated_at: Timestamp;
}

interface FunctionTable extends FunctionVersionTable {
  readonly shared: boolean;
  readonly created_at: Timestamp;
}

export type FunctionRow = Row<FunctionTable>;
export type FunctionVersionRow = Row<FunctionVersionTable>;

type FunctionTables = {
  kql_function: FunctionTable & { readonly cluster_id: string };
  kql_function_version: FunctionVersionTable & { readonly cluster_id: string };
};

/** The last step of the transaction of a change: its entry in the audit trail. */
export type Told = (trx: TenantTransaction) => Promise<void>;

export interface FunctionStore {
  /** By name. */
  list(clusterId: string): Promise<FunctionRow[]>;
  /** The newest first; empty when there is no such function. */
  versions(clusterId: string, name: string): Promise<FunctionVersionRow[]>;
  /** Throws the engine's unique violation when the tenant has one of this name. */
  add(clusterId: string, row: FunctionRow, told: Told): Promise<void>;
  /** Puts the row in place of the one that still has version `seen`; false when another change came first. */
  change(clusterId: string, row: FunctionRow, seen: number, told: Told): Promise<boolean>;
  remove(clusterId: string, name: string, told: Told): Promise<void>;
}

const tables = (trx: TenantTransaction) => trx.withTables<FunctionTables>();

const storedRow = (row: FunctionRow) => withTimestamps(row, 'created_at', 'updated_at');

const versionOf = (row: FunctionRow) => ({
  name: row.name,
  version: row.version,
  parameters: row.parameters,
  body: row.body,
  description: row.description,
  changed_by: row.changed_by,
  updated_at: timestamp(row.updated_at),
});

export function createFunctionStore(postgres: Postgres): FunctionStore {
  return bindDeps(postgres, { list, versions, add, change, remove });
}

function list(postgres: Postgres, clusterId: string): Promise<FunctionRow[]> {
  return postgres.inTenant(clusterId, (trx) =>
    tables(trx)
      .selectFrom('kql_function')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .orderBy((order) => order.fn('lower', ['name']))
      .execute(),
  );
}

function versions(postgres: Postgres, clusterId: string, name: string): Promise<FunctionVersionRow[]> {
  return postgres.inTenant(clusterId, (trx) =>
    tables(trx)
      .selectFrom('kql_function_version')
      .selectAll()
      .where('cluster_id', '=', clusterId)
      .where('name', '=', name)
      .orderBy('version', 'desc')
      .execute(),
  );
}

function add(postgres: Postgres, clusterId: string, row: FunctionRow, told: Told): Promise<void> {
  return postgres.inTenant(clusterId, async (trx) => {
    const own = { cluster_id: clusterId };
    await tables(trx)
      .insertInto('kql_function')
      .values({ ...storedRow(row), ...own })
      .execute();
    await tables(trx)
      .insertInto('kql_function_version')
      .values({ ...versionOf(row), ...own })
      .execute();
    await told(trx);
  });
}

function change(
  postgres: Postgres,
  clusterId: string,
  row: FunctionRow,
  seen: number,
  told: Told,
): Promise<boolean> {
  return postgres.inTenant(clusterId, async (trx) => {
    const { numUpdatedRows } = await tables(trx)
      .updateTable('kql_function')
      .set(storedRow(row))
      .where('cluster_id', '=', clusterId)
      .where('name', '=', row.name)
      .where('version', '=', seen)
      .executeTakeFirst();
    if (Number(numUpdatedRows) !== 1) return false;
    await tables(trx)
      .insertInto('kql_function_version')
      .values({ ...versionOf(row), cluster_id: clusterId })
      .execute();
    await told(trx);
    return true;
  });
}

function remove(postgres: Postgres, clusterId: string, name: string, told: Told): Promise<void> {
  return postgres.inTenant(clusterId, async (trx) => {
    await tables(trx)
      .deleteFrom('kql_function')
      .where('cluster_id', '=', clusterId)
      .where('name', '=', name)
      .execute();
    await told(trx);
  });
}
