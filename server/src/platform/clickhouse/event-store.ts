import type { Readable } from 'node:stream';
import type { MigrationRun, SchemaState } from './run-clickhouse-migrations.ts';

// What the program asks of ClickHouse. One database per tenant; a query names its tenant first and runs as a
// user that can only read.

export interface ResultColumn {
  readonly name: string;
  /** ClickHouse type, e.g. `Nullable(Int64)`. */
  readonly type: string;
}

export interface QueryProgress {
  readonly rowsRead: number;
  readonly bytesRead: number;
  /** 0 when the engine does not know yet. */
  readonly totalRows: number;
  readonly elapsedMs: number;
}

export interface EventQuery {
  readonly sql: string;
  /** Values of the typed parameters `{p0:String}`. */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, string | number>>;
  /**
   * The scopes that the caller may read: the second lock, enforced by the engine on events and their figures beside
   * the filter in the SQL. `all` only for work of the platform itself (field statistics, retention, tests).
   */
  readonly scopes: readonly string[] | 'all';
  /** Its threads let others of the machine go first, where the engine can do that. */
  readonly givesWay?: boolean;
  readonly queryId?: string;
  readonly signal?: AbortSignal;
  /**
   * Takes what the other shards of a cluster have when one of them does not answer; `missingShards` tells. By default
   * such a query fails.
   */
  readonly takesPart?: boolean;
  readonly onProgress?: (progress: QueryProgress) => void;
}

export interface EventRows {
  readonly queryId: string;
  readonly columns: readonly ResultColumn[];
  /** Batches of rows as the engine sends them. Throws EventStoreError when the query fails midway. */
  readonly batches: AsyncIterable<readonly (readonly unknown[])[]>;
  /** The last progress seen. */
  progress(): QueryProgress;
  /** What was read so far, as the engine sent it. */
  receivedBytes(): number;
  /** Numbers of shards, from 1, whose events are not in the answer; known with the first batch. */
  missingShards(): readonly number[];
}

interface InsertOptions {
  /** Two inserts with the same token store one batch. */
  readonly dedupToken: string;
  /** Lines of JSONEachRow when absent; Native blocks have the columns' own types. */
  readonly format?: 'JSONEachRow' | 'Native';
  /** Table of the tenant's database; `events` when absent. */
  readonly table?: string;
  readonly signal?: AbortSignal;
}

/** What one engine answered, by its host and port, or why it did not. */
export interface NodeAnswer<T> {
  readonly node: string;
  readonly answer: T | null;
  readonly error: unknown;
}

export interface EventStore {
  /**
   * Creates the tenant's database and applies db/clickhouse to it. Repeating it costs one look-up. Throws AppError
   * `unavailable` while there are events that an older version left and that `migrateTenant` has not brought up to date.
   */
  ensureTenant(clusterId: string): Promise<void>;
  /** Applies what is missing of db/clickhouse, however long it takes; one process at a time. */
  migrateTenant(clusterId: string, run?: MigrationRun): Promise<void>;
  tenantState(clusterId: string): Promise<SchemaState>;
  /** Loads the countries of addresses, which all tenants read; a query that needs them waits for it. */
  prepareCountries(): Promise<void>;
  /** Deletes every event of the tenant. */
  dropTenant(clusterId: string): Promise<void>;
  /** Stores rows; resolves after they are on disk. */
  insertRows(clusterId: string, body: Buffer | Readable, options: InsertOptions): Promise<void>;
  query(clusterId: string, query: EventQuery): Promise<EventRows>;
  /** Runs a query and collects its rows. For results known to be small. */
  rows(
    clusterId: string,
    query: EventQuery,
  ): Promise<{
    columns: readonly ResultColumn[];
    rows: readonly (readonly unknown[])[];
    /** Numbers of shards whose events are not in it; only where the query takes a part. */
    missingShards: readonly number[];
  }>;
  /**
   * Asks each engine about its own tables, those of `tablesDatabase`, and puts the rows one behind the other. A shard
   * that does not answer is left out: for estimates.
   */
  rowsOfEach(
    clusterId: string,
    query: EventQuery,
  ): Promise<{ columns: readonly ResultColumn[]; rows: readonly (readonly unknown[])[] }>;
  /** Ends a running query on the engine; true when one was found. */
  cancel(queryId: string): Promise<boolean>;
  /**
   * Runs a statement where the tenant's rows lie, on each engine, as the writing user: mutations, retention. One with a
   * `queryId` is refused while one of that id is running, e.g. on behalf of a process that was killed.
   */
  command(
    clusterId: string,
    sql: string,
    params?: Readonly<Record<string, unknown>>,
    queryId?: string,
  ): Promise<void>;
  /** What the tenant's events take on the disk of the engine. */
  diskBytes(clusterId: string): Promise<number>;
  /** Partitions of the tenant's events with their rows, as the engine has written them down: nothing is read for it. */
  partitions(clusterId: string): Promise<readonly { readonly id: string; readonly rows: number }[]>;
  /** Mutations of the tenant's tables that are not done, with the parts that each has to rewrite still. */
  openMutations(clusterId: string): Promise<readonly { readonly table: string; readonly parts: number }[]>;
  /** Fits the databases of tenants that hold rows, on engines that `systemRows` reads. */
  readonly tablesPattern: string;
  /** The database that holds the rows of a tenant on each engine, in which `command` works. */
  tablesDatabase(clusterId: string): Promise<string>;
  /**
   * Reads the engine's own tables (system.*), which the reading user cannot. Never with a user's text. Of a cluster the
   * rows of each shard, one behind the other.
   */
  systemRows<T>(sql: string, params?: Readonly<Record<string, unknown>>): Promise<readonly T[]>;
  /**
   * The same of each engine by itself, those of a tenant where it has its own; null: those of the platform. An engine that
   * does not answer is told as such.
   */
  nodeRows<T>(
    sql: string,
    clusterId: string | null,
    signal?: AbortSignal,
  ): Promise<readonly NodeAnswer<readonly T[]>[]>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** An error of the engine. `code` is ClickHouse's number, e.g. 159 for a timeout; 0 when it did not answer. */
export class EventStoreError extends Error {
  override readonly name = 'EventStoreError';
  readonly code: number;

  constructor(code: number, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Name of the tenant's ClickHouse database. Ids are letters, digits, `_` and `-`; anything else throws. */
export function tenantDatabase(clusterId: string): string {
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(clusterId)) throw new Error(`not a cluster id: ${clusterId}`);
  return `tenant_${clusterId}`;
}
