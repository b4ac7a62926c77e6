import { createEventStore } from '../platform/clickhouse/clickhouse-event-store.ts';
import type { EventStore } from '../platform/clickhouse/event-store.ts';
import type { EventStoreOptions } from '../platform/clickhouse/event-store-options.ts';
import type { Config } from '../platform/config.ts';
import type { EngineHealth } from '../platform/http/health-route.ts';
import type { Logger } from '../platform/log.ts';
import { createPostgres, type Postgres } from '../platform/postgres/postgres.ts';
import { assertClusterFits } from './assert-cluster-fits.ts';
import { startEmbeddedClickhouse } from './clickhouse/embedded-clickhouse.ts';
import { lockDataFolder } from './data-lock.ts';
import { engineSecrets } from './engine-secrets.ts';
import { watchExternalEngine } from './external-engine.ts';
import { type EmbeddedOptions, startEmbeddedPostgres } from './postgres/embedded-postgres.ts';
import type { SupervisedEngine } from './supervise-engine.ts';

// Two engines, each embedded or given by a URL. Whoever uses them sees no difference: PostgreSQL by its wire
// protocol, ClickHouse by HTTP.

export interface Engines {
  readonly postgres: Postgres;
  readonly eventStore: EventStore;
  /** How to connect to PostgreSQL. Holds a password: never log it. */
  readonly postgresUrl: string;
  readonly clickhouse: Omit<EventStoreOptions, 'log'>;
  health(): readonly EngineHealth[];
  stop(): Promise<void>;
}

interface Started<T> {
  readonly engine: SupervisedEngine;
  readonly client: T;
}

async function startPostgres(config: Config, embedded: EmbeddedOptions) {
  const { log } = embedded;
  if (config.postgresUrl === undefined) {
    const engine = await startEmbeddedPostgres(embedded);
    return { engine, client: createPostgres({ url: engine.url, log }), url: engine.url };
  }
  const client = createPostgres({ url: config.postgresUrl, log });
  const engine = await watchExternalEngine('postgres', 'TYRIAN_POSTGRES_URL', client.ping, log);
  return { engine, client, url: config.postgresUrl };
}

function bare(given: string): string {
  const url = new URL(given);
  url.username = '';
  url.password = '';
  return url.href;
}

function externalClickhouse(given: string, { clickhouseCluster }: Config): Omit<EventStoreOptions, 'log'> {
  const url = new URL(given);
  // Of several addresses the first names the account, which all shards know.
  const account = {
    user: decodeURIComponent(url.username) || 'default',
    password: decodeURIComponent(url.password),
  };
  const cluster = clickhouseCluster && { ...clickhouseCluster, urls: clickhouseCluster.urls.map(bare) };
  return { url: bare(given), cluster, ingest: account, query: account };
}

async function startClickhouse(
  config: Config,
  embedded: EmbeddedOptions,
  exclusively: Postgres['exclusively'],
) {
  const { log } = embedded;
  if (config.clickhouseUrl === undefined) {
    const engine = await startEmbeddedClickhouse(embedded);
    const { access } = engine;
    return { engine, client: createEventStore({ ...access, log, exclusively }), access };
  }
  const access = externalClickhouse(config.clickhouseUrl, config);
  await assertClusterFits({ ...access, log });
  const client = createEventStore({ ...access, log, exclusively });
  const engine = await watchExternalEngine('clickhouse', 'TYRIAN_CLICKHOUSE_URL', client.ping, log);
  return { engine, client, access };
}

async function stopAll(started: readonly Started<{ close(): Promise<void> }>[]): Promise<void> {
  await Promise.all(
    started.map(async ({ engine, client }) => {
      await client.close().catch(() => undefined);
      await engine.stop();
    }),
  );
}

export interface StartEnginesOptions {
  readonly config: Config;
  /** Prepared by `prepareDataFolder`. */
  readonly dataFolder: string;
  readonly log: Logger;
  /** False in tests: the data need not survive the machine. */
  readonly durable?: boolean;
}

/** Takes the data folder's lock and starts both engines. When one cannot start, the other is stopped again. */
export async function startEngines(options: StartEnginesOptions): Promise<Engines> {
  const { config, dataFolder, log, durable = true } = options;
  const embeds = config.postgresUrl === undefined || config.clickhouseUrl === undefined;
  // With both engines elsewhere, nothing of ours in the folder is shared that could be spoilt.
  const unlock = embeds ? lockDataFolder(dataFolder) : () => undefined;
  try {
    const embedded: EmbeddedOptions = { dataFolder, secrets: engineSecrets(dataFolder), log, durable };
    const records = startPostgres(config, embedded);
    const [postgres, clickhouse] = await Promise.allSettled([
      records,
      startClickhouse(config, embedded, async (name, work) => (await records).client.exclusively(name, work)),
    ]);
    if (postgres.status === 'rejected' || clickhouse.status === 'rejected') {
      await stopAll([postgres, clickhouse].flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])));
      throw postgres.status === 'rejected' ? postgres.reason : (clickhouse as PromiseRejectedResult).reason;
    }
    const started = [postgres.value, clickhouse.value] as const;
    return {
      postgres: postgres.value.client,
      eventStore: clickhouse.value.client,
      postgresUrl: postgres.value.url,
      clickhouse: clickhouse.value.access,
      health: () => started.map(({ engine }) => engine.health()),
      stop: async () => {
        await stopAll(started);
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
