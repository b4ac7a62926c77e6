import { readFileSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';

// What one worker thread has worked, whatever else the machine does. Linux tells it of each thread; newer versions of
// Node tell it anywhere. Where neither does, the work of the whole process is an upper bound.

/** Milliseconds that a thread has worked so far. */
export interface ThreadWork {
  spentMs(): Promise<number>;
  /** False when others' work may be counted too. */
  readonly isOwn: boolean;
}

interface MeasuredWorker {
  /** Microseconds; from Node 24.6. */
  readonly cpuUsage?: () => Promise<NodeJS.CpuUsage>;
}

/** `task` is the thread's folder below /proc, as `/proc/thread-self` names it there; '' where there is none. */
export function threadWork(worker: Worker, task: string): ThreadWork {
  const file = `/proc/${task}/schedstat`;
  if (task !== '' && millisecondsIn(file) !== null)
    return { isOwn: true, spentMs: async () => millisecondsIn(file) ?? 0 };
  const { cpuUsage } = worker as MeasuredWorker;
  if (cpuUsage)
    return { isOwn: true, spentMs: async () => total(await cpuUsage.call(worker).catch(() => NOTHING)) };
  return { isOwn: false, spentMs: async () => Math.min(total(process.cpuUsage()), performance.now()) };
}

const NOTHING: NodeJS.CpuUsage = { user: 0, system: 0 };
const total = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

/** The first figure of the file: nanoseconds on a processor. Null when the system keeps no such file. */
function millisecondsIn(file: string): number | null {
  try {
    const spent = Number(readFileSync(file, 'utf8').split(' ', 1)[0]);
    return Number.isFinite(spent) ? spent / 1e6 : null;
  } catch {
    return null;
  }
}
