import { readdirSync, readFileSync } from 'node:fs';

// Processor time of a bench and of the engines that it has started.

const TICKS_PER_SECOND = 100;

const ENGINES = [
  { kind: 'clickhouse', command: /clickhouse-child/ },
  { kind: 'postgres', command: /^postgres:|bin\/postgres/ },
] as const;

/** Threads of ClickHouse that merge parts keep this name as long as the engine runs. */
const MERGING = 'MergeMutate';

/** Processor seconds by who spent them. */
export interface ProcessorSeconds {
  readonly node: number;
  readonly postgres: number;
  readonly clickhouse: number;
  /** Those of `clickhouse` in which it merged parts. */
  readonly merges: number;
}

/** Processor seconds of this process, and of PostgreSQL and ClickHouse below it. */
export function processorSeconds(): ProcessorSeconds {
  const processes = new Map<number, { name: string; parent: number; ticks: number }>();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const { parent, all } = readStat(`/proc/${id}/stat`);
      const name = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      processes.set(Number(id), { name, parent, ticks: all });
    } catch {
      // It has ended meanwhile.
    }
  }
  const seconds = { node: 0, postgres: 0, clickhouse: 0, merges: 0 };
  for (const [id, { name, ticks }] of processes) {
    let at: number | undefined = id;
    while (at !== undefined && at !== process.pid) at = processes.get(at)?.parent;
    if (at === undefined) continue;
    const kind = ENGINES.find((engine) => engine.command.test(name))?.kind ?? 'node';
    seconds[kind] += ticks / TICKS_PER_SECOND;
    if (kind === 'clickhouse') seconds.merges += mergeTicks(id) / TICKS_PER_SECOND;
  }
  return seconds;
}

/** Of the threads of a process that merge. */
function mergeTicks(process: number): number {
  let ticks = 0;
  for (const thread of readdirSync(`/proc/${process}/task`)) {
    try {
      const { name, own } = readStat(`/proc/${process}/task/${thread}/stat`);
      if (name === MERGING) ticks += own;
    } catch {
      // It has ended meanwhile: none that merges.
    }
  }
  return ticks;
}

/** Of a process or thread: its name, its parent, its ticks, and those of children that have ended too. */
function readStat(file: string): { name: string; parent: number; own: number; all: number } {
  const text = readFileSync(file, 'utf8');
  const end = text.lastIndexOf(')');
  const fields = text
    .slice(end + 2)
    .split(' ')
    .map(Number);
  // User and system time, then that of children.
  const [own, all] = [13, 15].map((to) => fields.slice(11, to).reduce((sum, each) => sum + each, 0));
  return {
    name: text.slice(text.indexOf('(') + 1, end),
    parent: fields[1] ?? 0,
    own: own ?? 0,
    all: all ?? 0,
  };
}
