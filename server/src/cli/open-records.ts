import { readFileSync } from 'node:fs';
import path from 'node:path';
import { prepareDataFolder } from '../engines/data-folder.ts';
import { lockDataFolder } from '../engines/data-lock.ts';
import { engineSecrets } from '../engines/engine-secrets.ts';
import type { LoopbackAddress } from '../engines/loopback-address.ts';
import { appPostgresUrl, startEmbeddedPostgres } from '../engines/postgres/embedded-postgres.ts';
import type { Config } from '../platform/config.ts';
import { createLog } from '../platform/log.ts';
import { createPostgres, type Postgres } from '../platform/postgres/postgres.ts';
import { CHECKOUT } from './serve-command.ts';

// Reaches the records (PostgreSQL) from the command line: those of TYRIAN_POSTGRES_URL, those of a server that
// runs on the data folder, or, when none runs, an engine that is started for the command and stopped after it.

interface OpenRecords {
  readonly postgres: Postgres;
  close(): Promise<void>;
}

/** Where a running engine wrote down that it listens; undefined when there is no such file. */
function addressInUse(dataFolder: string): LoopbackAddress | undefined {
  try {
    const lines = readFileSync(path.join(dataFolder, 'postgres', 'postmaster.pid'), 'utf8').split('\n');
    const port = Number(lines[3]);
    const host = (lines[5] ?? '').trim();
    return Number.isInteger(port) && port > 0 && host !== '' ? { host, port } : undefined;
  } catch {
    return undefined;
  }
}

async function connected(url: string): Promise<OpenRecords | null> {
  const postgres = createPostgres({ url, log: createLog('silent'), maxConnections: 3 });
  try {
    await postgres.ping();
    return { postgres, close: () => postgres.close() };
  } catch {
    await postgres.close();
    return null;
  }
}

async function started(dataFolder: string): Promise<OpenRecords> {
  const unlock = lockDataFolder(dataFolder);
  try {
    const secrets = engineSecrets(dataFolder);
    const engine = await startEmbeddedPostgres({
      dataFolder,
      secrets,
      log: createLog('silent'),
      durable: true,
    });
    const postgres = createPostgres({ url: engine.url, log: createLog('silent'), maxConnections: 3 });
    return {
      postgres,
      close: async () => {
        await postgres.close();
        await engine.stop();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function open(config: Config): Promise<OpenRecords> {
  if (config.postgresUrl !== undefined) {
    const postgres = createPostgres({ url: config.postgresUrl, log: createLog('silent'), maxConnections: 3 });
    return { postgres, close: () => postgres.close() };
  }
  const dataFolder = prepareDataFolder(config.dataFolder, CHECKOUT);
  const listen = addressInUse(dataFolder);
  const running = listen ? await connected(appPostgresUrl(engineSecrets(dataFolder), listen)) : null;
  return running ?? started(dataFolder);
}

/** Runs `work` on the migrated records and lets go of them, whatever happens. */
export async function withRecords<T>(config: Config, work: (postgres: Postgres) => Promise<T>): Promise<T> {
  const records = await open(config);
  try {
    await records.postgres.migrate();
    return await work(records.postgres);
  } finally {
    await records.close();
  }
}
