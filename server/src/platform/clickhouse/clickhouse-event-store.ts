import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { COUNTRY_DICTIONARY, USER_AGENT_MARK } from '@tyrian/clickhouse-sql';
import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import type { Logger } from '../log.ts';
import { prepareCountryDatabase } from './country-database.ts';
import {
  type EventQuery,
  type EventRows,
  type EventStore,
  EventStoreError,
  tenantDatabase,
} from './event-store.ts';
import { FILTERED_TABLES, TEXT_INDEX } from './event-tables.ts';
import { readEventRows } from './read-event-rows.ts';
import { createReferenceReadiness } from './reference-readiness.ts';
import { RESULT_MEMORY } from './result-memory.ts';
import { type MigrationRun, runClickhouseMigrations, schemaState } from './run-clickhouse-migrations.ts';
import { prepareUserAgents } from './user-agent-database.ts';

// ClickHouse over HTTP, as two users: `ingest` writes and defines tables, `query` only reads, within limits that
// it cannot lift. A query is cancelled on the engine when its signal aborts, because `query` is read-only.

export interface ClickhouseAccount {
  readonly user: string;
  readonly password: string;
}

/** The header by which the client signs in with this account. */
export function basicAuthorization({ user, password }: ClickhouseAccount): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

export interface EventStoreOptions {
  /** `http://host:port` without credentials. */
  readonly url: string;
  readonly ingest: ClickhouseAccount;
  readonly query: ClickhouseAccount;
  /** Reads as `query` does and gives way on the processor; `query` does it all when absent. */
  readonly patient?: ClickhouseAccount;
  readonly log: Logger;
  /** Keep connections open between calls; off for the embedded engine, whose stop would wait for them. */
  readonly keepAlive: boolean;
  /** Runs work that no other process may do at the same time; without it only this process is kept apart. */
  readonly exclusively?: <T>(name: string, work: () => Promise<T>) => Promise<T>;
}

const INSERT_SETTINGS = {
  input_format_skip_unknown_fields: 1,
  date_time_input_format: 'best_effort',
  // Text of the source that looks like a time stays the text it is.
  input_format_try_infer_dates: 0,
  input_format_try_infer_datetimes: 0,
  // Senders' batches are made in the ingest role; a second buffer in the engine would only add delay.
  async_insert: 0,
  insert_deduplicate: 1,
  // The tables of figures take a repeated insert that was ended before it reached them, and only then.
  deduplicate_blocks_in_dependent_materialized_views: 1,
  // Merges build it; until then the text is read, with the same answers (docs/decisions/0010).
  exclude_materialize_skip_indexes_on_insert: TEXT_INDEX,
  throw_on_max_partitions_per_insert_block: 0,
  wait_end_of_query: 1,
  // Queries that are placed behind others pause while events come in.
  priority: '1',
} as const;

function clientFor(options: EventStoreOptions, account: ClickhouseAccount): ClickHouseClient {
  return createClient({
    url: options.url,
    username: account.user,
    password: account.password,
    application: 'tyrian',
    request_timeout: 600_000,
    max_open_connections: 64,
    keep_alive: { enabled: options.keepAlive },
    log: { level: ClickHouseLogLevel.OFF },
  });
}

function asStoreError(error: unknown): unknown {
  if (error instanceof ClickHouseError) return new EventStoreError(Number(error.code), error.message, error);
  if (error instanceof Error && error.name === 'AbortError') return error;
  if (error instanceof Error && /abort/i.test(error.message)) return error;
  if (error instanceof EventStoreError || error instanceof AppError) return error;
  return new EventStoreError(0, `the event store does not answer: ${(error as Error).message}`, error);
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asStoreError(error);
  }
}

/** Kept connections that an engine may have closed at the same time. */
const MOST_CLOSED = 3;

/** An engine may close a kept connection in the moment in which we use it again: nothing has run, so ask anew. */
function askedAgain<T>(work: () => Promise<T>): Promise<T> {
  const attempt = async (left: number): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      const isClosed = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
      if (!isClosed || left === 0) throw error;
      return attempt(left - 1);
    }
  };
  return translated(() => attempt(MOST_CLOSED));
}

const PARTITIONS = `SELECT partition_id AS id, sum(rows) AS held FROM system.parts
  WHERE database = {database:String} AND table = 'events' AND active GROUP BY id ORDER BY id`;
const OPEN_MUTATIONS = `SELECT table AS name, parts_to_do AS parts FROM system.mutations
  WHERE database = {database:String} AND NOT is_done`;

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The second lock: the engine itself filters every read of events and their figures by the scopes of the caller. */
function scopeFilterSetting(database: string, scopes: readonly string[]): string {
  const condition = scopes.length === 0 ? '0' : `Scope IN (${scopes.map(quoted).join(', ')})`;
  const filters = FILTERED_TABLES.map((table) => `${quoted(`${database}.${table}`)}: ${quoted(condition)}`);
  return `{${filters.join(', ')}}`;
}

/** The client itself heeds its signal only until the answer begins; closing the connection stops the engine. */
function destroyWhenAborted(stream: Readable, signal: AbortSignal | undefined): void {
  if (!signal) return;
  const destroy = (): void => {
    stream.destroy(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };
  if (signal.aborted) destroy();
  signal.addEventListener('abort', destroy, { once: true });
  stream.once('close', () => signal.removeEventListener('abort', destroy));
}

const MEMORY_SETTINGS = [
  'max_memory_usage',
  'max_bytes_before_external_group_by',
  'max_bytes_before_external_sort',
] as const;

/** Lowers a wish for memory, and the sizes that follow from it, to what the engine of the query allows. */
function withinMemory(
  settings: NonNullable<EventQuery['settings']>,
  mostBytes: number,
): Record<string, string | number> {
  const wished = Number(settings.max_memory_usage ?? 0);
  if (mostBytes === 0 || wished <= mostBytes) return { ...settings };
  const lowered = MEMORY_SETTINGS.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, Math.floor((Number(settings[name]) * mostBytes) / wished)]],
  );
  return { ...settings, ...Object.fromEntries(lowered) };
}

interface Readers {
  readonly ordinary: ClickHouseClient;
  readonly patient: ClickHouseClient;
}

function readersFor(options: EventStoreOptions): Readers {
  const ordinary = clientFor(options, options.query);
  return { ordinary, patient: options.patient ? clientFor(options, options.patient) : ordinary };
}

async function runQuery(
  readers: Readers,
  clusterId: string,
  query: EventQuery,
  accountOnlyReads: boolean,
  mostMemoryBytes: number,
): Promise<EventRows> {
  const database = tenantDatabase(clusterId);
  const queryId = query.queryId ?? randomUUID();
  const client = query.givesWay ? readers.patient : readers.ordinary;
  const { stream } = await client.exec({
    query: query.sql,
    query_id: queryId,
    query_params: { ...query.params },
    ...(query.signal ? { abort_signal: query.signal } : {}),
    clickhouse_settings: {
      ...withinMemory(query.settings ?? {}, mostMemoryBytes),
      // A read-only query is cancelled when its client goes; an account that may write is made to only read.
      ...(accountOnlyReads ? {} : { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 }),
      database,
      default_format: 'JSONCompactEachRowWithProgress',
      ...(query.scopes === 'all'
        ? {}
        : { additional_table_filters: scopeFilterSetting(database, query.scopes) }),
    } as Record<string, string | number>,
  });
  destroyWhenAborted(stream, query.signal);
  const reader = readEventRows(stream, query.onProgress, { tenant: clusterId });
  const columns = await reader.columns();
  const { batches, progress, receivedBytes } = reader;
  return { queryId, columns, batches, progress, receivedBytes };
}

/** Connects lazily: making the value does not need the engine to be up. */
export function createEventStore(options: EventStoreOptions): EventStore {
  const writer = clientFor(options, options.ingest);
  const readers = readersFor(options);
  const accountOnlyReads = options.query.user !== options.ingest.user;
  const ready = new Map<string, Promise<void>>();
  const countries = createReferenceReadiness(
    {
      name: 'the address database',
      shown: say('words.addressDatabase'),
      mark: COUNTRY_DICTIONARY,
      load: () => askedAgain(() => prepareCountryDatabase(writer, options.ingest)),
    },
    options.log,
  );
  const userAgents = createReferenceReadiness(
    {
      name: 'the list of user agents',
      shown: say('words.userAgents'),
      mark: USER_AGENT_MARK,
      load: () => askedAgain(() => prepareUserAgents(writer, options.ingest)),
    },
    options.log,
  );

  const exclusively = options.exclusively ?? ((_name, work) => work());

  const migrate = (clusterId: string, run: MigrationRun = {}): Promise<void> => {
    const database = tenantDatabase(clusterId);
    return exclusively(`migrate ${database}`, () =>
      runClickhouseMigrations(writer, database, options.log, run),
    );
  };

  /** Makes what is not there. Bringing events up to date may take hours: that is not done while somebody waits. */
  async function prepareTenant(clusterId: string): Promise<void> {
    const state = await schemaState(writer, tenantDatabase(clusterId));
    if (state === 'behind') throw new AppError('unavailable', say('engines.eventsBehind'));
    if (state === 'absent') await migrate(clusterId);
  }

  async function command(sql: string, params: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await askedAgain(() => writer.command({ query: sql, query_params: { ...params } }));
  }

  let memory: Promise<number> | null = null;
  /** What the engine allows one query of the reading user; 0 for no limit. Asked once. */
  const mostMemory = (): Promise<number> => {
    memory ??= askedAgain(async () => {
      const result = await readers.ordinary.query({
        query: "SELECT getSetting('max_memory_usage') AS most",
        format: 'JSONEachRow',
      });
      const [row] = await result.json<{ most: string | number }>();
      return Number(row?.most ?? 0);
    }).catch((error: unknown) => {
      memory = null;
      throw error;
    });
    return memory;
  };

  const store: EventStore = {
    ensureTenant: (clusterId) => {
      const known = ready.get(clusterId);
      if (known) return known;
      const made = askedAgain(() => prepareTenant(clusterId));
      ready.set(clusterId, made);
      made.catch(() => ready.delete(clusterId));
      return made;
    },
    migrateTenant: async (clusterId, run) => {
      // Every statement of a migration can be repeated.
      await askedAgain(() => migrate(clusterId, run));
      ready.set(clusterId, Promise.resolve());
    },
    tenantState: (clusterId) => askedAgain(() => schemaState(writer, tenantDatabase(clusterId))),
    prepareCountries: countries.prepare,
    dropTenant: async (clusterId) => {
      ready.delete(clusterId);
      await command(`DROP DATABASE IF EXISTS \`${tenantDatabase(clusterId)}\` SYNC`);
    },
    insertRows: async (clusterId, body, { dedupToken, format = 'JSONEachRow', table = 'events', signal }) => {
      // Rows for a tenant that is being brought up to date wait in the spool, as if the engine were away.
      await store.ensureTenant(clusterId).catch((error: Error) => {
        throw error instanceof AppError ? new EventStoreError(0, error.message, error) : error;
      });
      const send = () =>
        writer
          .exec({
            query: `INSERT INTO \`${tenantDatabase(clusterId)}\`.\`${table}\` FORMAT ${format}`,
            values: Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body,
            ...(signal ? { abort_signal: signal } : {}),
            clickhouse_settings: { ...INSERT_SETTINGS, insert_deduplication_token: dedupToken },
          })
          .then(({ stream }) => stream.resume());
      // What came twice under one token is stored once; a stream is gone after its first reading.
      await (Buffer.isBuffer(body) ? askedAgain(send) : translated(send));
    },
    query: async (clusterId, query) => {
      await store.ensureTenant(clusterId);
      await Promise.all([countries.awaitFor(query.sql), userAgents.awaitFor(query.sql)]);
      const most = query.settings?.max_memory_usage === undefined ? 0 : await mostMemory();
      const answer = await askedAgain(() => runQuery(readers, clusterId, query, accountOnlyReads, most));
      return { ...answer, batches: translatedBatches(answer.batches) };
    },
    rows: async (clusterId, query) => {
      const { columns, batches, receivedBytes } = await store.query(clusterId, query);
      const held = RESULT_MEMORY.hold(clusterId);
      const rows: (readonly unknown[])[] = [];
      try {
        for await (const batch of batches) {
          held.set(receivedBytes());
          for (const row of batch) rows.push(row);
        }
        return { columns, rows };
      } finally {
        held.release();
      }
    },
    cancel: async (queryId) => {
      const result = await askedAgain(() =>
        writer.query({
          query: 'KILL QUERY WHERE query_id = {id:String} SYNC',
          query_params: { id: queryId },
          format: 'JSONEachRow',
        }),
      );
      return (await result.json()).length > 0;
    },
    command: (clusterId, sql, params) =>
      translated(async () => {
        await writer.command({
          query: sql,
          query_params: { ...params },
          clickhouse_settings: { database: tenantDatabase(clusterId) } as Record<string, string>,
        });
      }),
    diskBytes: async (clusterId) => {
      const [row] = await store.systemRows<{ bytes: string | number }>(
        'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE database = {database:String} AND active',
        { database: tenantDatabase(clusterId) },
      );
      return Number(row?.bytes ?? 0);
    },
    partitions: async (clusterId) => {
      const found = await store.systemRows<{ id: string; held: string | number }>(PARTITIONS, {
        database: tenantDatabase(clusterId),
      });
      return found.map(({ id, held }) => ({ id, rows: Number(held) }));
    },
    openMutations: async (clusterId) => {
      const found = await store.systemRows<{ name: string; parts: string | number }>(OPEN_MUTATIONS, {
        database: tenantDatabase(clusterId),
      });
      return found.map(({ name, parts }) => ({ table: name, parts: Number(parts) }));
    },
    systemRows: (sql, params) =>
      askedAgain(async () => {
        const result = await writer.query({ query: sql, query_params: { ...params }, format: 'JSONEachRow' });
        return result.json();
      }),
    ping: async () => {
      await askedAgain(async () => (await writer.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json());
    },
    close: async () => {
      await Promise.all([writer, ...Object.values(readers)].map((client) => client.close()));
    },
  };
  return store;
}

async function* translatedBatches<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    throw asStoreError(error);
  }
}
