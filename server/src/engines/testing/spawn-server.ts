import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ANY_PORTS } from '../../platform/config.ts';
import type { EngineHealth } from '../../platform/http/health-route.ts';

const PROGRAM = fileURLToPath(new URL('../../../bin/tyrian.mjs', import.meta.url));
const START_TIMEOUT_MS = 120_000;

/** A whole server in a process of its own, as a user would start it. */
export interface SpawnedServer {
  readonly processId: number;
  /** As the server prints it once it is ready, empty before: it takes any free port unless the test names one. */
  readonly address: string;
  readonly ingestAddress: string;
  readonly output: () => string;
  health(): Promise<{ http: number; body: { status: string } } | null>;
  /** How an engine is by the server's log, which tells more than `/health`. */
  engine(name: EngineHealth['name']): Omit<EngineHealth, 'name'>;
  kill(signal: NodeJS.Signals): void;
  /** Closes the channel to it, as happens when its starter is killed. */
  leave(): void;
  /** Resolves with code or signal. */
  readonly ended: Promise<number | string>;
}

/** A data folder in the temporary folder that goes after the test. */
export function temporaryData(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'tyrian-life-'));
  chmodSync(folder, 0o711);
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Ids of the living processes whose command line names the folder. */
export function processesNaming(folder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(folder);
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The process id in a pid file. */
export function pidIn(file: string): number {
  return Number(readFileSync(file, 'utf8').split(/\s/)[0]);
}

/** The state of an engine after these lines of the log. */
function engineAfter(lines: readonly string[], name: EngineHealth['name']): Omit<EngineHealth, 'name'> {
  let health: Omit<EngineHealth, 'name'> = { state: 'up', restarts: 0, lastError: null };
  for (const line of lines) {
    if (!line.startsWith('{') || !line.includes(`"engine":"${name}"`)) continue;
    const { msg, reason, restarts } = JSON.parse(line) as { msg: string; reason?: string; restarts?: number };
    if (msg === 'engine is up again') health = { ...health, state: 'up', restarts: restarts ?? 0 };
    if (msg.startsWith('engine ended')) health = { ...health, state: 'down', lastError: reason ?? null };
  }
  return health;
}

/** When it is gone and all that it said is read. Its `close` does not come when we have closed the channel. */
async function endOf(child: ChildProcess): Promise<number | string> {
  const read = [child.stdout, child.stderr].map((stream) => stream && once(stream, 'close'));
  const [code, signal] = await once(child, 'exit');
  await Promise.all(read);
  return code ?? signal ?? 'unknown';
}

export interface SpawnServerOptions {
  readonly dataFolder: string;
  readonly env?: Readonly<Record<string, string>>;
  /** After `serve`. */
  readonly args?: readonly string[];
  /** The user that runs it; ours when absent. */
  readonly uid?: number;
  /** Wait until it answers; true when absent. */
  readonly untilReady?: boolean;
}

/** Little is inherited; ports are free ones. `own` wins. */
function environmentOf(dataFolder: string, own: NonNullable<SpawnServerOptions['env']>): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    TYRIAN_DATA: dataFolder,
    ...ANY_PORTS,
    // With the lines that say when an engine is up again.
    TYRIAN_LOG_LEVEL: 'info',
    ...own,
  };
}

function startProcess({ dataFolder, env = {}, args = [], uid }: SpawnServerOptions) {
  return spawn(process.execPath, [PROGRAM, 'serve', ...args], {
    // With a channel: killed in the middle of a test, we leave no server behind.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
    env: environmentOf(dataFolder, env),
  });
}

export async function spawnServer(options: SpawnServerOptions): Promise<SpawnedServer> {
  const { args = [], untilReady = true } = options;
  const child = startProcess(options);
  const texts: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => texts.push(String(chunk)));
  const ended = endOf(child);
  let gone = false;
  ended.then(() => {
    gone = true;
  });
  const said = (line: RegExp): string => line.exec(texts.join(''))?.[1] ?? '';
  const server: SpawnedServer = {
    processId: child.pid ?? 0,
    get address() {
      return said(/^Tyrian is ready: (\S+)$/m);
    },
    get ingestAddress() {
      return said(/^Senders: (\S+)$/m);
    },
    output: () => texts.join(''),
    health: async () => {
      try {
        const where = args.includes('ingest') ? server.ingestAddress : server.address;
        const response = await fetch(`${where}/health`, { headers: { connection: 'close' } });
        return { http: response.status, body: (await response.json()) as never };
      } catch {
        return null;
      }
    },
    // The last line may be half written.
    engine: (name) => engineAfter(texts.join('').split('\n').slice(0, -1), name),
    kill: (signal) => child.kill(signal),
    leave: () => child.disconnect(),
    ended,
  };
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (untilReady && (await server.health())?.http !== 200) {
    if (gone || Date.now() > deadline) throw new Error(`the server did not start:\n${server.output()}`);
    await sleep(50);
  }
  return server;
}
