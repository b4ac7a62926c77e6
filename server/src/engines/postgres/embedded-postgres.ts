import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Logger } from '../../platform/log.ts';
import { handOver, ownUid, POSTGRES_UID } from '../engine-identity.ts';
import type { EngineSecrets } from '../engine-secrets.ts';
import { freeLoopbackAddress, type LoopbackAddress } from '../loopback-address.ts';
import { awaitPredecessor, type EngineProcess, spawnEngine } from '../spawn-engine.ts';
import { type SupervisedEngine, superviseEngine } from '../supervise-engine.ts';
import { initialisePostgres, OWNER } from './initialise-postgres.ts';
import { postgresBinaries } from './stage-postgres.ts';
import { stopOrphanedPostmaster } from './stop-orphaned-postmaster.ts';

const WATCHDOG = fileURLToPath(new URL('postgres-watchdog.mjs', import.meta.url));
const APP_USER = 'tyrian';
const READY_TIMEOUT_MS = 60_000;

export interface EmbeddedPostgres extends SupervisedEngine {
  readonly url: string;
}

export interface EmbeddedOptions {
  readonly dataFolder: string;
  readonly secrets: EngineSecrets;
  readonly log: Logger;
  /** False in tests: the data need not survive the machine. */
  readonly durable: boolean;
}

function urlOf(user: string, password: string, { host, port }: LoopbackAddress, database: string): string {
  return `postgres://${user}:${password}@${host}:${port}/${database}`;
}

/** How the program itself connects to the embedded server that listens there. */
export function appPostgresUrl(secrets: EngineSecrets, listen: LoopbackAddress): string {
  return urlOf(APP_USER, secrets.postgresApp, listen, APP_USER);
}

/** Waits until the server accepts work; rejects when its process ends first. */
async function untilReady(running: EngineProcess, ownerUrl: string): Promise<void> {
  let endedWith: string | undefined;
  running.ended.then(({ reason, output }) => {
    endedWith = `${reason}: ${output}`;
  });
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (;;) {
    if (endedWith !== undefined) throw new Error(`PostgreSQL ${endedWith}`);
    const client = new pg.Client({ connectionString: ownerUrl, connectionTimeoutMillis: 2_000 });
    client.on('error', () => undefined);
    try {
      await client.connect();
      await client.query('select 1');
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        await running.stop();
        throw new Error(`PostgreSQL is not ready after ${READY_TIMEOUT_MS} ms: ${(error as Error).message}`);
      }
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(25);
  }
}

/** The program works as an ordinary user that owns its database, so that row-level security binds it too. */
async function makeAppUser(ownerUrl: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [APP_USER]);
    const options = `login createrole createdb password ${pg.escapeLiteral(password)}`;
    await client.query(`${rowCount === 0 ? 'create' : 'alter'} role ${APP_USER} ${options}`);
    const known = await client.query('select from pg_database where datname = $1', [APP_USER]);
    if (known.rowCount === 0) await client.query(`create database ${APP_USER} owner ${APP_USER}`);
  } finally {
    await client.end();
  }
}

function serverArguments(folder: string, { host, port }: LoopbackAddress, durable: boolean): string[] {
  const settings: Record<string, string> = {
    listen_addresses: host,
    port: String(port),
    unix_socket_directories: '',
    max_connections: '120',
    shared_buffers: '256MB',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'error',
    idle_in_transaction_session_timeout: '120s',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  };
  return ['-D', folder, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** Starts the PostgreSQL of a data folder and keeps it running. */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { dataFolder, secrets, log, durable } = options;
  const pidFile = path.join(dataFolder, 'postgres-watchdog.pid');
  await awaitPredecessor(pidFile, 10_000);
  const binaries = postgresBinaries(dataFolder);
  const folder = await initialisePostgres(dataFolder, binaries, secrets.postgresOwner, durable);
  const listen = await freeLoopbackAddress();
  const ownerUrl = urlOf(OWNER, secrets.postgresOwner, listen, 'postgres');

  const supervised = await superviseEngine(
    'postgres',
    async () => {
      await stopOrphanedPostmaster(folder);
      handOver(folder, ownUid(POSTGRES_UID));
      const running = spawnEngine({
        script: WATCHDOG,
        argument: {
          binary: path.join(binaries, 'bin', 'postgres'),
          args: serverArguments(folder, listen, durable),
          uid: ownUid(POSTGRES_UID),
        },
        pidFile,
        log,
      });
      await untilReady(running, ownerUrl);
      return running;
    },
    log,
  );
  await makeAppUser(ownerUrl, secrets.postgresApp);
  return { ...supervised, url: appPostgresUrl(secrets, listen) };
}
