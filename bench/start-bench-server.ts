import { fork } from 'node:child_process';
import { rmSync } from 'node:fs';
import path from 'node:path';
import type { BenchServer } from './neighbours-server.ts';

// Starts the server that is measured, in a process of its own, and ends it; and waits for its answers, but not for ever.

/** A call that takes longer counts as this long. */
const PATIENCE_MS = 30_000;

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves with the work, or after so long without it. */
export const inPatience = <T>(work: Promise<T>): Promise<T | undefined> =>
  Promise.race([work, pause(PATIENCE_MS).then(() => undefined)]);

/** Milliseconds that a call took; one that fails or never ends counts as long. */
export async function timedCall(work: () => Promise<boolean>): Promise<{ ms: number; isFine: boolean }> {
  const began = performance.now();
  const isFine = (await inPatience(work().catch(() => false))) ?? false;
  const ms = performance.now() - began;
  return { isFine, ms: isFine ? ms : Math.max(PATIENCE_MS, ms) };
}

/** Some events of now, as lines of JSON. */
export const smallBatch = (events = 20): string =>
  Array.from(
    { length: events },
    (_, n) => `{"@timestamp":"${new Date().toISOString()}","message":"small ${n}","host":"h${n}"}\n`,
  ).join('');

export interface RunningBenchServer {
  readonly server: BenchServer;
  stop(): Promise<void>;
}

/** Rejects when the server ends before it is ready. */
export async function startBenchServer(): Promise<RunningBenchServer> {
  const child = fork(path.join(import.meta.dirname, 'neighbours-server.ts'), [], {
    execArgv: ['--import', 'tsx'],
  });
  const server = await new Promise<BenchServer>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
    child.once('message', ({ ready }: { ready: BenchServer }) => resolve(ready));
  });
  return {
    server,
    stop: async () => {
      child.removeAllListeners('exit');
      const gone = new Promise((resolve) => child.once('exit', resolve));
      child.disconnect();
      await inPatience(gone);
      child.kill('SIGKILL');
      rmSync(server.folder, { recursive: true, force: true });
    },
  };
}
