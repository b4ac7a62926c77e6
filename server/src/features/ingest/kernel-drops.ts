import { readFile } from 'node:fs/promises';
import { KERNEL_DROPS } from '../sources/ingest-source.ts';
import type { SourceService } from '../sources/source-service.ts';

// Datagrams that the kernel had to drop because the process did not read them in time: nobody sees who sent them, so they
// count for no source. Linux tells of each socket how many they were; other systems do not, and nothing is counted there.

const TABLES = ['/proc/net/udp', '/proc/net/udp6'];

/** Drops of each socket with one of the ports, by its inode, from the text of a table of /proc/net. */
export function dropsIn(table: string, ports: ReadonlySet<number>): ReadonlyMap<string, number> {
  const drops = new Map<string, number>();
  for (const line of table.split('\n').slice(1)) {
    const cells = line.trim().split(/\s+/);
    const port = Number.parseInt(cells[1]?.split(':').at(-1) ?? '', 16);
    const [inode, count] = [cells[9], Number(cells.at(-1))];
    if (inode !== undefined && ports.has(port) && Number.isSafeInteger(count)) drops.set(inode, count);
  }
  return drops;
}

export interface KernelDrops {
  /** Counts what was dropped since it looked last. Never throws. */
  look(): Promise<void>;
}

export function createKernelDrops({
  sources,
  ports,
  read = (path) => readFile(path, 'utf8'),
}: {
  readonly sources: Pick<SourceService, 'refuse'>;
  /** Ports of datagrams that the process has; 0 for one that it could not have. */
  readonly ports: () => readonly number[];
  readonly read?: (path: string) => Promise<string>;
}): KernelDrops {
  const known = new Map<string, number>();
  return {
    look: async () => {
      const own = new Set(ports().filter((port) => port > 0));
      if (own.size === 0) return;
      const tables = await Promise.all(TABLES.map((path) => read(path).catch(() => '')));
      let more = 0;
      for (const table of tables)
        for (const [inode, count] of dropsIn(table, own)) {
          more += Math.max(0, count - (known.get(inode) ?? 0));
          known.set(inode, count);
        }
      if (more > 0) sources.refuse(KERNEL_DROPS, '', more);
    },
  };
}
