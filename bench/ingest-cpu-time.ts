import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// Processor time by part of the system, read from /proc, so that a figure means something on a machine that others
// use too: the clock on the wall does not tell work from waiting, this does.

/** The kernel counts in hundredths of a second on every platform that Tyrian runs on. */
const TICKS_PER_SECOND = 100;

/** Seconds of processor time by part. */
export type CpuTimes = Readonly<Record<string, number>>;

function ticksOf(statFile: string): number {
  try {
    const text = readFileSync(statFile, 'latin1');
    // Fields after the name, which may hold anything and stands in parentheses; 11 and 12 are user and system.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'latin1').trim();
  } catch {
    return '';
  }
}

/** Ticks of the threads whose name begins so. */
function threadTicks(pid: number, name: string): number {
  let ticks = 0;
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const folder = `/proc/${pid}/task/${thread}`;
      if (textOf(`${folder}/comm`).startsWith(name)) ticks += ticksOf(`${folder}/stat`);
    }
  } catch {
    // The process has ended.
  }
  return ticks;
}

/** A process and everything that it started. */
function treeTicks(root: number): number {
  let ticks = ticksOf(`/proc/${root}/stat`);
  for (const thread of textOf(`/proc/${root}/task/${root}/children`).split(' ')) {
    if (thread !== '') ticks += treeTicks(Number(thread));
  }
  return ticks;
}

function pidIn(dataFolder: string, engine: string): number {
  return Number.parseInt(textOf(path.join(dataFolder, `${engine}.pid`)), 10);
}

/** What has been used until now by the server in this process and by its engines. */
export function cpuTimes(dataFolder: string): CpuTimes {
  const clickhouse = pidIn(dataFolder, 'clickhouse');
  const merges = threadTicks(clickhouse, 'Merge');
  const main = ticksOf(`/proc/self/task/${process.pid}/stat`);
  const ticks = {
    'server, main thread': main,
    'server, other threads': ticksOf('/proc/self/stat') - main,
    'ClickHouse, inserts': ticksOf(`/proc/${clickhouse}/stat`) - merges,
    'ClickHouse, merges': merges,
    PostgreSQL: treeTicks(pidIn(dataFolder, 'postgres-watchdog')),
  };
  return Object.fromEntries(Object.entries(ticks).map(([part, count]) => [part, count / TICKS_PER_SECOND]));
}

/** Microseconds of processor time for each of `events` between two readings, as text. */
export function perEvent(before: CpuTimes, after: CpuTimes, events: number): string {
  const used = Object.entries(after).map(([part, seconds]) => [part, seconds - (before[part] ?? 0)] as const);
  const micros = (seconds: number) => `${((seconds * 1e6) / events).toFixed(1)} µs`;
  const all = used.reduce((sum, [, seconds]) => sum + seconds, 0);
  return `${micros(all)} of processor time for each: ${used.map(([part, s]) => `${part} ${micros(s)}`).join(', ')}`;
}
