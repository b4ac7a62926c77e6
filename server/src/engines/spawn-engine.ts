import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type MessageValue, say } from '@tyrian/contract';
import type { Logger } from '../platform/log.ts';
import { processStartTime } from './data-lock.ts';

// Engines run in child processes outside of our process group, so that Ctrl-C in a terminal reaches only us and we
// stop them in order. Their standard input is a pipe from us: when it closes, they end.

interface EngineEnd {
  /** `ended with SIGKILL`: for everybody to see. */
  readonly reason: MessageValue;
  /** The last lines that it wrote: for the log. */
  readonly output: string;
}

export interface EngineProcess {
  readonly processId: number;
  /** Resolves when the process has ended, whoever ended it. */
  readonly ended: Promise<EngineEnd>;
  stop(): Promise<void>;
}

export interface SpawnOptions {
  readonly script: string;
  readonly argument: unknown;
  /** File that names the process, so that a later start can find one that outlived its parent. */
  readonly pidFile: string;
  readonly log: Logger;
  /**
   * The script leaves our process group by itself and stays in our session: Linux then weighs the priorities of its threads
   * against those of ours (sched(7), autogroups). Else it gets a session of its own.
   */
  readonly staysInSession?: boolean;
  /** Gets each line that it writes. */
  readonly onLine?: (line: string) => void;
}

const TAIL_LINES = 12;
const LAST_WORDS_MS = 100;
const STOP_TIMEOUT_MS = 12_000;

function keepTail(child: ChildProcess, log: Logger, onLine?: (line: string) => void): () => string {
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8');
    stream?.on('data', (text: string) => {
      for (const line of text.split('\n').filter((line) => line.trim() !== '')) {
        log.debug({ line }, 'engine output');
        onLine?.(line);
        tail.push(line);
        if (tail.length > TAIL_LINES) tail.shift();
      }
    });
  }
  return () => tail.join('\n');
}

/** Starts `script` with Node. Resolves at once; readiness is for the caller to find out. */
export function spawnEngine(options: SpawnOptions): EngineProcess {
  const { script, argument, pidFile, log, onLine, staysInSession = false } = options;
  const { NODE_OPTIONS: _ignored, ...env } = process.env;
  const child = spawn(process.execPath, [script, JSON.stringify(argument)], {
    detached: !staysInSession,
    stdio: ['pipe', 'pipe', 'pipe'],
    env,
  });
  const tail = keepTail(child, log, onLine);
  child.stdin.on('error', () => undefined);
  const ended = new Promise<EngineEnd>((resolve) => {
    child.on('error', (error) => resolve({ reason: error.message, output: '' }));
    child.on('exit', (code, signal) => {
      rmSync(pidFile, { force: true });
      const reason = say('words.engineEnded', { how: signal ?? `code ${code}` });
      // Its last words may still be in the pipe; a child of its own may hold the pipe for ever.
      const settle = () => resolve({ reason, output: tail() });
      child.once('close', settle);
      setTimeout(settle, LAST_WORDS_MS);
    });
  });
  const processId = child.pid ?? 0;
  writeFileSync(pidFile, `${processId} ${processStartTime(processId) ?? 'unknown'}\n`, { mode: 0o600 });
  return {
    processId,
    ended,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      await ended;
      clearTimeout(timer);
    },
  };
}

/**
 * Waits for an engine process of an earlier, killed Tyrian: it ends by itself, and is killed after `patienceMs`.
 */
export async function awaitPredecessor(pidFile: string, patienceMs: number): Promise<void> {
  let text: string;
  try {
    text = readFileSync(pidFile, 'utf8');
  } catch {
    return;
  }
  const [id, startTime] = text.trim().split(' ');
  const processId = Number(id);
  const alive = () => processId > 1 && processStartTime(processId) === startTime;
  const deadline = Date.now() + patienceMs;
  while (alive() && Date.now() < deadline) await sleep(50);
  if (alive()) process.kill(processId, 'SIGKILL');
  while (alive()) await sleep(50);
  rmSync(pidFile, { force: true });
}
