import { randomBytes } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { EventStoreOptions } from '../../platform/clickhouse/event-store-options.ts';
import { createLog } from '../../platform/log.ts';
import { type EmbeddedShard, startEmbeddedClickhouse } from '../clickhouse/embedded-clickhouse.ts';
import { isRoot } from '../engine-identity.ts';
import { engineSecrets } from '../engine-secrets.ts';
import { anotherPort, freeLoopbackAddress } from '../loopback-address.ts';
import { scratchFolder } from '../scratch-engines.ts';
import type { SupervisedEngine } from '../supervise-engine.ts';
import { pidIn } from './spawn-server.ts';

// Two embedded engines as the shards of one cluster, each with its part of the events, without replicas.

const CLUSTER = 'tyrian_test';
const SHARDS = 2;

export interface TestShards {
  /** How an event store reaches them. Holds passwords: never log it. */
  readonly access: Omit<EventStoreOptions, 'log'>;
  /** How a server is told of them. Holds passwords. */
  readonly env: Readonly<Record<'TYRIAN_CLICKHOUSE_URL' | 'TYRIAN_CLICKHOUSE_CLUSTER', string>>;
  /** Ends an engine (0 or 1) as kill -9 does; it stays away. */
  kill(position: number): Promise<void>;
  /** Starts one that was killed, at its address. */
  start(position: number): Promise<void>;
  close(): Promise<void>;
}

function withAccount(given: string, { user, password }: EventStoreOptions['ingest']): string {
  const url = new URL(given);
  url.username = user;
  url.password = password;
  return url.href;
}

function environmentOf(urls: readonly string[], account: EventStoreOptions['ingest']): TestShards['env'] {
  return {
    TYRIAN_CLICKHOUSE_URL: urls.map((url) => withAccount(url, account)).join(','),
    TYRIAN_CLICKHOUSE_CLUSTER: CLUSTER,
  };
}

export async function startShards(): Promise<TestShards> {
  const folder = scratchFolder('tyrian-shards-');
  const log = createLog('error');
  const listens = await Promise.all(Array.from({ length: SHARDS }, freeLoopbackAddress));
  const shards = await Promise.all(
    listens.map(async (listen) => ({ host: listen.host, port: await anotherPort(listen) })),
  );
  const secret = randomBytes(24).toString('base64url');
  const folderOf = (position: number) => path.join(folder, `shard-${position + 1}`);
  for (let position = 0; position < SHARDS; position += 1)
    mkdirSync(folderOf(position), { mode: isRoot() ? 0o711 : 0o700 });
  // All shards know the same users.
  const secrets = engineSecrets(folder);
  const running = new Map<number, SupervisedEngine>();
  const launch = async (position: number) => {
    const shard: EmbeddedShard = {
      listen: listens[position] as EmbeddedShard['listen'],
      position: { cluster: CLUSTER, secret, shards, own: position },
    };
    const options = { dataFolder: folderOf(position), secrets, log, durable: false };
    const engine = await startEmbeddedClickhouse(options, shard);
    running.set(position, engine);
    return engine;
  };
  const engines = await Promise.all(listens.map((_, position) => launch(position)));
  const access = engines[0]?.access as TestShards['access'];
  const stop = async (position: number): Promise<void> => {
    await running.get(position)?.stop();
    running.delete(position);
  };
  const urls = engines.map((engine) => engine.access.url);
  return {
    access: { ...access, cluster: { name: CLUSTER, urls } },
    env: environmentOf(urls, access.ingest),
    kill: async (position) => {
      process.kill(pidIn(path.join(folderOf(position), 'clickhouse.pid')), 'SIGKILL');
      // Else it would be started again at once.
      await stop(position);
    },
    start: async (position) => {
      await launch(position);
    },
    close: async () => {
      await Promise.all([...running.keys()].map(stop));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
