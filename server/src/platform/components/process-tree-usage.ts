import { readFileSync, readlinkSync } from 'node:fs';
import { diskOf } from './process-metrics.ts';

// What an engine on the same machine takes, as Linux tells it of the engine's processes: PostgreSQL does not tell itself.

/** Of the kernel's counts of processor time, which are in hundredths of a second. */
const TICK_MS = 10;
/** Fields of /proc/PID/stat behind the name, from 0: parent, and processor time of itself and of children that ended. */
const PARENT = 1;
const TIMES = { own: [11, 12], ended: [13, 14] } as const;

interface ProcessStat {
  readonly name: string;
  readonly fields: readonly string[];
}

function statOf(pid: number): ProcessStat {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const end = text.lastIndexOf(')');
  return { name: text.slice(text.indexOf('(') + 1, end), fields: text.slice(end + 2).split(' ') };
}

const sumOf = ({ fields }: ProcessStat, places: readonly number[]): number =>
  places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) * TICK_MS;

function kilobytes(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0);
}

/** Own memory of all processes together, and once what they share. */
function memoryOf(pids: readonly number[]): number {
  let own = 0;
  let shared = 0;
  for (const pid of pids) {
    const status = readIfThere(`/proc/${pid}/status`);
    own += kilobytes(status, 'RssAnon');
    shared = Math.max(shared, kilobytes(status, 'RssShmem'));
  }
  return (own + shared) * 1024;
}

/** A process may end while it is looked at. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function childrenOf(pid: number): readonly number[] {
  const text = readIfThere(`/proc/${pid}/task/${pid}/children`);
  return text.split(' ').filter(Boolean).map(Number);
}

/** Processor time of a process, 0 when it has ended. */
function timeOf(pid: number): number {
  try {
    return sumOf(statOf(pid), TIMES.own);
  } catch {
    return 0;
  }
}

export interface TreeUsage {
  /** Processor time since the start, of all processes together. */
  readonly cpu_ms: number;
  readonly mem_bytes: number;
  /** Of the file system with its data. */
  readonly disk_pct: number | null;
  readonly disk_free_bytes: number | null;
}

/** The folder in which a process works, where we may know it. */
function workingFolder(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return null;
  }
}

/**
 * What the parent of a process and all its children take, for PostgreSQL by the id of one of its backends. Null where
 * that cannot be told: no Linux, or another machine, which shows by the name of the processes.
 */
export function usageOfParent(backendPid: number, name: string): TreeUsage | null {
  try {
    const backend = statOf(backendPid);
    const parent = Number(backend.fields[PARENT]);
    const main = statOf(parent);
    if (!backend.name.startsWith(name) || !main.name.startsWith(name)) return null;
    const pids = childrenOf(parent);
    const cpu_ms =
      sumOf(main, [...TIMES.own, ...TIMES.ended]) + pids.reduce((sum, pid) => sum + timeOf(pid), 0);
    const folder = workingFolder(parent);
    const disk = folder === null ? { disk_pct: null, disk_free_bytes: null } : diskOf(folder);
    return { cpu_ms, mem_bytes: memoryOf([parent, ...pids]), ...disk };
  } catch {
    return null;
  }
}
