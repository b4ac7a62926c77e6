import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../platform/config.ts';

// One process per data folder. The lock names the process by id and start time, so that a lock left behind by a
// killed process is recognised even when its id has been given to another one since.

interface Holder {
  readonly processId: number;
  readonly startTime: string;
}

/** Start time of a process in the kernel's ticks, or null when there is no such process. */
export function processStartTime(processId: number): string | null {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    // The second field is the name in parentheses and may hold anything; count after its end.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? null : (fields[19] ?? null);
  } catch {
    return livesWithoutProc(processId) ? 'unknown' : null;
  }
}

function livesWithoutProc(processId: number): boolean {
  if (process.platform === 'linux') return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function readHolder(file: string): Holder | null {
  try {
    const [id, startTime] = readFileSync(file, 'utf8').trim().split(' ');
    return id && startTime ? { processId: Number(id), startTime } : null;
  } catch {
    return null;
  }
}

function isAlive(holder: Holder): boolean {
  return processStartTime(holder.processId) === holder.startTime;
}

/** Takes a lock in a data folder (`tyrian.lock` for all of it); returns how to give it back. Throws ConfigError naming the holder. */
export function lockDataFolder(folder: string, name = 'tyrian.lock'): () => void {
  const file = path.join(folder, name);
  const mine = `${process.pid} ${processStartTime(process.pid) ?? 'unknown'}\n`;
  for (let attempt = 0; attempt < 5; attempt++) {
    try {
      const handle = openSync(file, 'wx', 0o600);
      writeSync(handle, mine);
      closeSync(handle);
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && isAlive(holder)) {
      throw new ConfigError(
        `The data folder ${folder} is in use by another Tyrian (process ${holder.processId}). ` +
          'Stop that one first, or set TYRIAN_DATA to another folder. (Roles in several processes need engines ' +
          'of their own: TYRIAN_POSTGRES_URL and TYRIAN_CLICKHOUSE_URL.)',
      );
    }
    // Stale. Rename, not delete: of two starters that see it, only one succeeds.
    try {
      renameSync(file, `${file}.${process.pid}.stale`);
      rmSync(`${file}.${process.pid}.stale`, { force: true });
    } catch {}
  }
  throw new ConfigError(`Cannot take the lock of ${folder}: another process is starting there.`);
}
