import { Readable } from 'node:stream';
import { COUNTRY_DICTIONARY, USER_AGENT_MARK } from '@tyrian/clickhouse-sql';
import { say } from '@tyrian/contract';
import { AppError } from '../app-error.ts';
import {
  PARTIAL_QUERY_SETTINGS,
  SPREAD_INSERT_SETTINGS,
  tablesDatabase,
  tablesPattern,
} from './cluster-layout.ts';
import { prepareCountryDatabase } from './country-database.ts';
import { engineFigures } from './engine-figures.ts';
import { type EngineNode, type EngineNodes, openEngineNodes } from './engine-nodes.ts';
import { type EventRows, type EventStore, EventStoreError, tenantDatabase } from './event-store.ts';
import type { EventStoreOptions } from './event-store-options.ts';
import { INDEXES_LEFT_TO_MERGES } from './event-tables.ts';
import { createShardCheck } from './missing-shards.ts';
import { type AskShards, createPartialAnswers } from './partial-answers.ts';
import { createReferenceReadiness } from './reference-readiness.ts';
import { RESULT_MEMORY } from './result-memory.ts';
import { runEventQuery } from './run-event-query.ts';
import { createTenantSchema } from './tenant-schema.ts';
import { prepareUserAgents } from './user-agent-database.ts';

// ClickHouse over HTTP, as two users: `ingest` writes and defines tables, `query` only reads, within limits that
// it cannot lift. A query is cancelled on the engine when its signal aborts, because `query` is read-only.

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
  ...INDEXES_LEFT_TO_MERGES,
  // The views that count rows for the tables of figures get few: sharing them out costs more than counting them.
  max_threads: 1,
  // The statements of the views are analyzed anew for each insert: the engine's older analyzer takes 2 to 4 ms less.
  enable_analyzer: 0,
  throw_on_max_partitions_per_insert_block: 0,
  wait_end_of_query: 1,
  // Queries that are placed behind others pause while events come in.
  priority: '1',
} as const;

async function collectRows(clusterId: string, answer: EventRows) {
  const { columns, batches, receivedBytes, missingShards } = answer;
  const held = RESULT_MEMORY.hold(clusterId);
  const rows: (readonly unknown[])[] = [];
  try {
    for await (const batch of batches) {
      held.set(receivedBytes());
      for (const row of batch) rows.push(row);
    }
    return { columns, rows, missingShards: missingShards() };
  } finally {
    held.release();
  }
}

/** What queries look up beside events, loaded on each engine. */
function referencesOf(nodes: EngineNodes, { ingest, log }: EventStoreOptions) {
  const onEach = async (load: (node: EngineNode) => Promise<void>): Promise<'whole' | 'part'> =>
    (await nodes.reachable(load)).length === nodes.count ? 'whole' : 'part';
  const countries = createReferenceReadiness(
    {
      name: 'the address database',
      shown: say('words.addressDatabase'),
      mark: COUNTRY_DICTIONARY,
      load: () => onEach(({ writer }) => prepareCountryDatabase(writer, ingest)),
    },
    log,
  );
  const userAgents = createReferenceReadiness(
    {
      name: 'the list of user agents',
      shown: say('words.userAgents'),
      mark: USER_AGENT_MARK,
      load: () => onEach(({ writer }) => prepareUserAgents(writer, ingest)),
    },
    log,
  );
  return { countries, userAgents };
}

/** Connects lazily: making the value does not need the engine to be up. */
export function createEventStore(options: EventStoreOptions): EventStore {
  const { cluster } = options;
  const nodes = openEngineNodes(options);
  const check = cluster ? createShardCheck(nodes, cluster, options.log) : null;
  const partial = check && createPartialAnswers(check);
  const accountOnlyReads = options.query.user !== options.ingest.user;
  const ready = new Map<string, Promise<void>>();
  const { countries, userAgents } = referencesOf(nodes, options);
  const exclusively = options.exclusively ?? ((_name, work) => work());
  const schema = createTenantSchema({ nodes, cluster, log: options.log, exclusively });
  const tablesOf = (clusterId: string): string => tablesDatabase(clusterId, cluster);

  const { maxMemory, ...figures } = engineFigures(nodes, tablesOf);

  const store: EventStore = {
    ensureTenant: (clusterId) => {
      const known = ready.get(clusterId);
      if (known) return known;
      const made = schema.prepare(clusterId);
      ready.set(clusterId, made);
      made.catch(() => ready.delete(clusterId));
      return made;
    },
    migrateTenant: async (clusterId, run) => {
      // Every statement of a migration can be repeated.
      await schema.migrate(clusterId, run);
      ready.set(clusterId, Promise.resolve());
    },
    tenantState: schema.state,
    prepareCountries: countries.prepare,
    dropTenant: async (clusterId) => {
      ready.delete(clusterId);
      await schema.drop(clusterId);
    },
    insertRows: async (clusterId, body, { dedupToken, format = 'JSONEachRow', table = 'events', signal }) => {
      // Rows for a tenant that is being brought up to date wait in the spool, as if the engine were away.
      await store.ensureTenant(clusterId).catch((error: Error) => {
        throw error instanceof AppError ? new EventStoreError(0, error.message, error) : error;
      });
      // Events find their shard; what belongs to none lies where it was written.
      const database = table === 'events' ? tenantDatabase(clusterId) : tablesOf(clusterId);
      const send = async ({ writer }: EngineNode): Promise<void> => {
        const { stream } = await writer.exec({
          query: `INSERT INTO \`${database}\`.\`${table}\` FORMAT ${format}`,
          values: Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body,
          ...(signal ? { abort_signal: signal } : {}),
          clickhouse_settings: {
            ...INSERT_SETTINGS,
            ...(cluster ? SPREAD_INSERT_SETTINGS : {}),
            insert_deduplication_token: dedupToken,
          },
        });
        stream.resume();
      };
      // What came twice under one token is stored once; a stream is gone after its first reading.
      await (Buffer.isBuffer(body) ? nodes.any(send) : nodes.once(send));
    },
    query: async (clusterId, query) => {
      await store.ensureTenant(clusterId);
      await Promise.all([countries.awaitFor(query.sql), userAgents.awaitFor(query.sql)]);
      const maxMemoryBytes = query.settings?.max_memory_usage === undefined ? 0 : await maxMemory();
      const engine = { cluster, accountOnlyReads, maxMemoryBytes };
      const ask: AskShards = (asked, isPartial) =>
        nodes.any(({ reader, patient }) =>
          runEventQuery(
            asked.givesWay ? patient : reader,
            clusterId,
            asked,
            engine,
            isPartial ? PARTIAL_QUERY_SETTINGS : undefined,
          ),
        );
      return partial && query.takesPart ? partial.ask(query, ask) : ask(query, false);
    },
    rows: async (clusterId, query) => collectRows(clusterId, await store.query(clusterId, query)),
    rowsOfEach: async (clusterId, query) => {
      await store.ensureTenant(clusterId);
      const engine = { cluster, accountOnlyReads, maxMemoryBytes: await maxMemory() };
      const answers = await nodes.reachable(async ({ reader }) => {
        const database = tablesOf(clusterId);
        return collectRows(clusterId, await runEventQuery(reader, clusterId, query, engine, {}, database));
      });
      return { columns: answers[0]?.columns ?? [], rows: answers.flatMap(({ rows }) => rows) };
    },
    cancel: async (queryId) => {
      const killed = await nodes.reachable(async ({ writer }) => {
        const result = await writer.query({
          query: 'KILL QUERY WHERE query_id = {id:String} SYNC',
          query_params: { id: queryId },
          format: 'JSONEachRow',
        });
        return (await result.json()).length > 0;
      });
      return killed.some(Boolean);
    },
    command: async (clusterId, sql, params, queryId) => {
      const database = tablesOf(clusterId);
      await nodes.eachOnce(({ writer }) =>
        writer.command({
          ...{ query: sql, query_params: { ...params } },
          ...(queryId === undefined ? {} : { query_id: queryId }),
          clickhouse_settings: { database } as Record<string, string>,
        }),
      );
    },
    ...figures,
    tablesPattern: tablesPattern(cluster),
    tablesDatabase: async (clusterId) => tablesOf(clusterId),
    ping: async () => {
      await nodes.any(async ({ writer }) =>
        (await writer.query({ query: 'SELECT 1', format: 'JSONEachRow' })).json(),
      );
      await check?.missing();
    },
    close: nodes.close,
  };
  return store;
}
