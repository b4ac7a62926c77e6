import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pidIn } from '../../../engines/testing/spawn-server.ts';
import type { SenderPorts } from '../sender-listeners.ts';

// A server in a process of its own that is killed and started again on the same data, as often as a test wants.

const SCRIPT = fileURLToPath(new URL('./crash-server.ts', import.meta.url));
const LOADER = import.meta.resolve('tsx');

interface Ready {
  readonly address: string;
  readonly ports: SenderPorts;
  readonly clusterId?: string;
  readonly token?: string;
}

type Rows = readonly (readonly unknown[])[];

/** Resolves with the field of the first message that has it. */
function answerOf<T>(child: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('the server ended'));
    child.once('exit', onExit);
    child.on('message', function listen(message: Record<string, unknown>) {
      if (!(field in message) && !('error' in message)) return;
      child.off('message', listen);
      child.off('exit', onExit);
      if ('error' in message) reject(new Error(String(message.error)));
      else resolve(message[field] as T);
    });
  });
}

export class KilledServer {
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  #child: ChildProcess | null = null;
  /** Of the process that runs, or ran last. */
  address = '';
  ports: SenderPorts | undefined;
  clusterId = '';
  token = '';

  constructor(env: Readonly<Record<string, string>> = {}) {
    this.#env = env;
    this.#folder = mkdtempSync(path.join(tmpdir(), 'tyrian-killed-'));
    chmodSync(this.#folder, 0o711);
  }

  async start(): Promise<void> {
    const child = fork(SCRIPT, [], {
      execArgv: ['--import', LOADER],
      env: { PATH: process.env.PATH, TYRIAN_DATA: this.#folder, ...this.#env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    const ready = await answerOf<Ready>(child, 'ready');
    this.address = ready.address;
    this.ports = ready.ports;
    this.clusterId = ready.clusterId ?? this.clusterId;
    this.token = ready.token ?? this.token;
  }

  /** Ends the process as if the machine had lost it; its engines are left to whoever starts next. */
  async kill(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    this.#child = null;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Ends the event store alone; the server starts it again. */
  killEventStore(): void {
    try {
      process.kill(pidIn(path.join(this.#folder, 'clickhouse.pid')), 'SIGKILL');
    } catch {
      // Ended already, and not yet started again.
    }
  }

  rows(sql: string): Promise<Rows> {
    return this.#ask({ clusterId: this.clusterId, sql });
  }

  /** The counts of all sources together. */
  async counts(): Promise<Readonly<Record<string, number>>> {
    const rows = await this.#ask({ counts: true });
    return Object.fromEntries(rows as readonly (readonly [string, number])[]);
  }

  async #ask(message: object): Promise<Rows> {
    const child = this.#child;
    if (child === null) throw new Error('no server runs');
    const answer = answerOf<Rows>(child, 'rows');
    child.send(message);
    return await answer;
  }

  async close(): Promise<void> {
    await this.kill();
    // The engines see that nobody holds them and end.
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
  }
}
