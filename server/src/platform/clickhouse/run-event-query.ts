import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ClickHouseClient } from '@clickhouse/client';
import { type EngineCluster, SPREAD_QUERY_SETTINGS, tablesDatabase } from './cluster-layout.ts';
import { type EventQuery, type EventRows, tenantDatabase } from './event-store.ts';
import { FILTERED_TABLES } from './event-tables.ts';
import { readEventRows } from './read-event-rows.ts';
import { asStoreError } from './store-errors.ts';

// One query of the reading user, with the second lock and within the memory that the engine allows.

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** The second lock: the engine itself filters every read of events and their figures by the scopes of the caller. */
function scopeFilterSetting(databases: ReadonlySet<string>, scopes: readonly string[]): string {
  const condition = scopes.length === 0 ? '0' : `Scope IN (${scopes.map(quoted).join(', ')})`;
  const filters = [...databases].flatMap((database) =>
    FILTERED_TABLES.map((table) => `${quoted(`${database}.${table}`)}: ${quoted(condition)}`),
  );
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

/** Lowers the memory asked for, and the sizes that follow from it, to what the engine of the query allows. */
function withinMemory(
  settings: NonNullable<EventQuery['settings']>,
  maxBytes: number,
): Record<string, string | number> {
  const wanted = Number(settings.max_memory_usage ?? 0);
  if (maxBytes === 0 || wanted <= maxBytes) return { ...settings };
  const lowered = MEMORY_SETTINGS.flatMap((name) =>
    settings[name] === undefined ? [] : [[name, Math.floor((Number(settings[name]) * maxBytes) / wanted)]],
  );
  return { ...settings, ...Object.fromEntries(lowered) };
}

interface QueryEngine {
  readonly cluster: EngineCluster | undefined;
  /** Whether the account can only read; one that may write is made to. */
  readonly accountOnlyReads: boolean;
  /** What the engine allows one query; 0 for no limit. */
  readonly maxMemoryBytes: number;
}

/** Resolves when the engine has begun to answer. `spread` replaces how the shards of a cluster are asked, `database` where names without one are looked for. */
export async function runEventQuery(
  client: ClickHouseClient,
  clusterId: string,
  query: EventQuery,
  { cluster, accountOnlyReads, maxMemoryBytes }: QueryEngine,
  spread: Readonly<Record<string, string | number>> = SPREAD_QUERY_SETTINGS,
  database: string = tenantDatabase(clusterId),
): Promise<EventRows> {
  const databases = new Set([tenantDatabase(clusterId), tablesDatabase(clusterId, cluster)]);
  const queryId = query.queryId ?? randomUUID();
  const { stream } = await client.exec({
    query: query.sql,
    query_id: queryId,
    query_params: { ...query.params },
    ...(query.signal ? { abort_signal: query.signal } : {}),
    clickhouse_settings: {
      ...withinMemory(query.settings ?? {}, maxMemoryBytes),
      ...(cluster ? spread : {}),
      // A read-only query is cancelled when its client goes; an account that may write is made to only read.
      ...(accountOnlyReads ? {} : { readonly: 2, cancel_http_readonly_queries_on_client_close: 1 }),
      database,
      default_format: 'JSONCompactEachRowWithProgress',
      ...(query.scopes === 'all'
        ? {}
        : { additional_table_filters: scopeFilterSetting(databases, query.scopes) }),
    } as Record<string, string | number>,
  });
  destroyWhenAborted(stream, query.signal);
  const reader = readEventRows(stream, query.onProgress, { tenant: clusterId });
  const columns = await reader.columns();
  const { batches, progress, receivedBytes } = reader;
  return {
    queryId,
    columns,
    batches: translatedBatches(batches),
    progress,
    receivedBytes,
    missingShards: () => [],
  };
}

async function* translatedBatches<T>(batches: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* batches;
  } catch (error) {
    throw asStoreError(error);
  }
}
