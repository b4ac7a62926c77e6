import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  basicAuthorization,
  type ClickhouseAccount,
  type EventStoreOptions,
} from '../../platform/clickhouse/event-store-options.ts';
import { ConfigError } from '../../platform/config.ts';
import type { Logger } from '../../platform/log.ts';
import { CLICKHOUSE_UID, ownUid } from '../engine-identity.ts';
import { freeLoopbackAddress, type LoopbackAddress } from '../loopback-address.ts';
import type { EmbeddedOptions } from '../postgres/embedded-postgres.ts';
import { awaitPredecessor, type EngineProcess, spawnEngine } from '../spawn-engine.ts';
import { type SupervisedEngine, superviseEngine } from '../supervise-engine.ts';
import { clickhouseAccounts, type ShardPosition, writeClickhouseFiles } from './clickhouse-config.ts';
import { mendDeduplicationLogs } from './mend-deduplication-logs.ts';

const CHILD = fileURLToPath(new URL('clickhouse-child.cjs', import.meta.url));
const READY_TIMEOUT_MS = 120_000;

export interface EmbeddedClickhouse extends SupervisedEngine {
  /** How to connect to it. Holds passwords: never log it. */
  readonly access: Omit<EventStoreOptions, 'log'>;
}

/** The library of ClickHouse for this platform. Throws ConfigError when there is none. */
export function findLibrary(): string {
  const name = `@chdb/lib-${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
  try {
    return path.join(
      path.dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)),
      'libchdb.so',
    );
  } catch (error) {
    throw new ConfigError(
      `No ClickHouse for this platform: add the package ${name} to server/package.json, or set ` +
        `TYRIAN_CLICKHOUSE_URL to a ClickHouse of your own. (${(error as Error).message})`,
    );
  }
}

/** One line where the kernel cannot keep the engine to its own files and to no connections: the rest holds. */
function tellConfinement(line: string, log: Logger): void {
  const [, reach] = /^confined: (.*)$/.exec(line) ?? [];
  if (reach === undefined || reach === 'files and connections') return;
  log.warn(
    { engine: 'clickhouse', confined: reach },
    'the kernel cannot confine the engine wholly (Landlock)',
  );
}

/** One line where a connection that is broken off ends the engine, which is then started again. */
function tellFragility(line: string, log: Logger): void {
  const [, state] = /^after a broken connection: (.*)$/.exec(line) ?? [];
  if (state === undefined || state === 'kept') return;
  log.warn(
    { engine: 'clickhouse', reason: state },
    'a connection that is broken off will restart the engine',
  );
}

/** Blocks that a killed engine only believes to have stored can be sent again. */
function mendDeduplication(dataFolder: string, log: Logger): void {
  const records = mendDeduplicationLogs(path.join(dataFolder, 'clickhouse'));
  if (records > 0)
    log.warn({ engine: 'clickhouse', records }, 'forgot blocks that the engine had noted but not stored');
}

/** Asks as the user that will do the work; the port answers before the start statements are through. */
async function answers(url: string, account: ClickhouseAccount): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: 'SELECT 1',
      headers: { authorization: basicAuthorization(account), connection: 'close' },
      signal: AbortSignal.timeout(5_000),
    });
    return response.ok && (await response.text()).trim() === '1';
  } catch {
    return false;
  }
}

/** Waits until two answers lie 100 ms apart, because an engine that is about to fail still answers once. */
async function untilReady(running: EngineProcess, url: string, account: ClickhouseAccount): Promise<void> {
  let endedWith: string | undefined;
  running.ended.then(({ reason, output }) => {
    endedWith = `${reason}: ${output}`;
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  let good = 0;
  while (good < 2) {
    if (endedWith !== undefined) throw new Error(`ClickHouse ${endedWith}`);
    if (Date.now() > deadline) {
      await running.stop();
      throw new Error(`ClickHouse is not ready after ${READY_TIMEOUT_MS} ms`);
    }
    if (await answers(url, account)) good += 1;
    else good = 0;
    await sleep(good === 1 ? 100 : 25);
  }
}

/** One of several embedded engines that form a cluster; by default an engine stands alone, anywhere. */
export interface EmbeddedShard {
  readonly listen: LoopbackAddress;
  readonly position: ShardPosition;
}

/** Starts the ClickHouse of a data folder and keeps it running. */
export async function startEmbeddedClickhouse(
  options: EmbeddedOptions,
  shard?: EmbeddedShard,
): Promise<EmbeddedClickhouse> {
  const { dataFolder, secrets, log } = options;
  const library = findLibrary();
  const pidFile = path.join(dataFolder, 'clickhouse.pid');
  const listen = shard?.listen ?? (await freeLoopbackAddress());
  const native = (shard?.position.shards ?? []).map(({ port }) => port);
  const ownNative = native.filter((_, index) => index === shard?.position.own);
  const url = `http://${listen.host}:${listen.port}`;
  const accounts = clickhouseAccounts(secrets);
  const uid = ownUid(CLICKHOUSE_UID);
  const supervised = await superviseEngine(
    'clickhouse',
    async () => {
      await awaitPredecessor(pidFile, 10_000);
      mendDeduplication(dataFolder, log);
      const files = writeClickhouseFiles(dataFolder, listen, secrets, uid, shard?.position);
      const running = spawnEngine({
        script: CHILD,
        argument: { library, ...files, ports: [listen.port, ...ownNative], peerPorts: native, uid },
        pidFile,
        log,
        staysInSession: true,
        onLine: (line) => {
          tellConfinement(line, log);
          tellFragility(line, log);
        },
      });
      await untilReady(running, url, accounts.ingest);
      // Read once, and passwords are in them.
      for (const file of [files.config, files.users, files.startSql]) rmSync(file, { force: true });
      return running;
    },
    log,
  );
  return { ...supervised, access: { url, ...accounts } };
}
