import { createRequire } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../../platform/config.ts';
import { freePort } from '../free-port.ts';
import type { EmbeddedOptions } from '../postgres/embedded-postgres.ts';
import { awaitPredecessor, type EngineProcess, spawnEngine } from '../spawn-engine.ts';
import { type SupervisedEngine, superviseEngine } from '../supervise-engine.ts';
import { writeClickhouseFiles } from './clickhouse-config.ts';

const CHILD = fileURLToPath(new URL('clickhouse-child.mjs', import.meta.url));
const READY_TIMEOUT_MS = 120_000;

export interface EmbeddedClickhouse extends SupervisedEngine {
  readonly url: string;
}

function findLibrary(): string {
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

/** Asks as the user that will do the work; the port answers before the start statements are through. */
async function answers(url: string, password: string): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      body: 'SELECT 1',
      headers: { 'X-ClickHouse-User': 'ingest', 'X-ClickHouse-Key': password, connection: 'close' },
      signal: AbortSignal.timeout(5_000),
    });
    return response.ok && (await response.text()).trim() === '1';
  } catch {
    return false;
  }
}

/** Waits until two answers lie 100 ms apart, because an engine that is about to fail still answers once. */
async function untilReady(running: EngineProcess, url: string, password: string): Promise<void> {
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
    if (await answers(url, password)) good += 1;
    else good = 0;
    await sleep(good === 1 ? 100 : 25);
  }
}

/** Starts the ClickHouse of a data folder and keeps it running. */
export async function startEmbeddedClickhouse(options: EmbeddedOptions): Promise<EmbeddedClickhouse> {
  const { dataFolder, secrets, log } = options;
  const library = findLibrary();
  const pidFile = path.join(dataFolder, 'clickhouse.pid');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const supervised = await superviseEngine(
    'clickhouse',
    async () => {
      await awaitPredecessor(pidFile, 10_000);
      const files = writeClickhouseFiles(dataFolder, port, secrets);
      const running = spawnEngine({ script: CHILD, argument: { library, ...files }, pidFile, log });
      await untilReady(running, url, secrets.clickhouseIngest);
      return running;
    },
    log,
  );
  return { ...supervised, url };
}
