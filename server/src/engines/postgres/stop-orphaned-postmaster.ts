import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// PostgreSQL refuses to start when its pid file names a living process, even one that has nothing to do with it:
// after a restart of a container the small process ids are all taken. We hold the lock of the data folder, so
// what the file names is either a postmaster that lost its watchdog, which we end, or somebody else: then the
// file is stale.

function isPostmasterOf(processId: number, folder: string): boolean {
  try {
    const command = readFileSync(`/proc/${processId}/cmdline`, 'utf8').split('\0');
    return (command[0] ?? '').endsWith('postgres') && command.includes(folder);
  } catch {
    return false;
  }
}

/** Ends a postmaster that an earlier, killed Tyrian left behind and removes a stale pid file. */
export async function stopOrphanedPostmaster(folder: string): Promise<void> {
  const file = path.join(folder, 'postmaster.pid');
  let processId: number;
  try {
    processId = Number(readFileSync(file, 'utf8').split('\n')[0]);
  } catch {
    return;
  }
  const started = Date.now();
  while (processId > 1 && isPostmasterOf(processId, folder)) {
    const waited = Date.now() - started;
    process.kill(processId, waited < 5_000 ? 'SIGINT' : waited < 10_000 ? 'SIGQUIT' : 'SIGKILL');
    await sleep(100);
  }
  rmSync(file, { force: true });
}
