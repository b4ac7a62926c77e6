import { statfsSync } from 'node:fs';
import os from 'node:os';

// What a process says of itself and its machine with each heartbeat. Percentages are whole numbers.

export interface ProcessMetrics {
  /** Of all cores of the machine, since the last heartbeat. */
  readonly cpu_pct: number;
  /** Memory of the machine that is taken, by whomever. */
  readonly mem_pct: number;
  /** Of the file system that the data folder stands on; null where it cannot be told. */
  readonly disk_pct: number | null;
  /** Bytes that are free on it. */
  readonly disk_free_bytes: number | null;
  /** Memory of this process, bytes. */
  readonly mem_bytes: number;
  readonly address: string | null;
}

/** Of the file system that a folder stands on: the share that is taken, and what is free; null where it cannot be told. */
export function diskOf(folder: string): { disk_pct: number | null; disk_free_bytes: number | null } {
  try {
    const { blocks, bavail, bsize } = statfsSync(folder);
    const disk_pct = blocks === 0 ? null : Math.round((1 - bavail / blocks) * 100);
    return { disk_pct, disk_free_bytes: bavail * bsize };
  } catch {
    return { disk_pct: null, disk_free_bytes: null };
  }
}

function addressOfMachine(): string | null {
  const all = Object.values(os.networkInterfaces()).flatMap((list) => list ?? []);
  return all.find((one) => !one.internal && one.family === 'IPv4')?.address ?? null;
}

/** A reader of the figures; each call covers the time since the one before it, so each role has its own. */
export function createProcessMetrics(dataFolder: string): () => ProcessMetrics {
  let before = { cpu: process.cpuUsage(), at: process.hrtime.bigint() };
  return () => {
    const now = { cpu: process.cpuUsage(), at: process.hrtime.bigint() };
    const used = now.cpu.user + now.cpu.system - before.cpu.user - before.cpu.system;
    const passed = Number(now.at - before.at) / 1000;
    before = now;
    const cores = Math.max(1, os.availableParallelism());
    return {
      cpu_pct: passed <= 0 ? 0 : Math.min(100, Math.round((used / passed / cores) * 100)),
      mem_pct: Math.round((1 - os.freemem() / os.totalmem()) * 100),
      ...diskOf(dataFolder),
      mem_bytes: process.memoryUsage.rss(),
      address: addressOfMachine(),
    };
  };
}
