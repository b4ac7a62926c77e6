import { readdirSync, readFileSync } from 'node:fs';

// Processor time of a bench and of the engines that it has started.

const TICKS_PER_SECOND = 100;

const ENGINES = [
  { kind: 'clickhouse', command: /clickhouse-child/ },
  { kind: 'postgres', command: /^postgres:|bin\/postgres/ },
] as const;

/** Processor seconds of this process, and of PostgreSQL and ClickHouse below it. */
export function processorSeconds(): Record<'node' | 'postgres' | 'clickhouse', number> {
  const processes = new Map<number, { name: string; parent: number; ticks: number }>();
  for (const id of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const text = readFileSync(`/proc/${id}/stat`, 'utf8');
      const fields = text
        .slice(text.lastIndexOf(')') + 2)
        .split(' ')
        .map(Number);
      const name = readFileSync(`/proc/${id}/cmdline`, 'utf8');
      // User and system time, and that of children which have ended.
      const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0);
      processes.set(Number(id), { name, parent: fields[1] ?? 0, ticks });
    } catch {
      // It has ended meanwhile.
    }
  }
  const seconds = { node: 0, postgres: 0, clickhouse: 0 };
  for (const [id, { name, ticks }] of processes) {
    let at: number | undefined = id;
    while (at !== undefined && at !== process.pid) at = processes.get(at)?.parent;
    if (at === undefined) continue;
    const kind = ENGINES.find((engine) => engine.command.test(name))?.kind ?? 'node';
    seconds[kind] += ticks / TICKS_PER_SECOND;
  }
  return seconds;
}
