import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { isRoot, NOBODY } from '../data-folder.ts';

export const OWNER = 'tyrian_owner';

const run = promisify(execFile);

/**
 * Makes the database cluster below the data folder unless it is there, and returns its folder. It is made beside
 * its place and moved there when whole, so that a start that is killed midway leaves nothing half done.
 */
export async function initialisePostgres(
  dataFolder: string,
  binaries: string,
  ownerPassword: string,
  durable: boolean,
): Promise<string> {
  const folder = path.join(dataFolder, 'postgres');
  if (existsSync(path.join(folder, 'PG_VERSION'))) return folder;
  const workspace = path.join(dataFolder, 'postgres.new');
  rmSync(workspace, { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(workspace, { mode: 0o700 });
  const passwordFile = path.join(workspace, 'password');
  writeFileSync(passwordFile, ownerPassword, { mode: 0o600 });
  const fresh = path.join(workspace, 'cluster');
  const identity = isRoot() ? { uid: NOBODY, gid: NOBODY } : {};
  if (isRoot()) {
    for (const made of [workspace, passwordFile]) chownSync(made, NOBODY, NOBODY);
  }
  await run(
    path.join(binaries, 'bin', 'initdb'),
    [
      ...['-D', fresh, '-U', OWNER, `--pwfile=${passwordFile}`],
      ...['--auth=scram-sha-256', '--encoding=UTF8', '--data-checksums'],
      ...['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
      ...(durable ? [] : ['--no-sync']),
    ],
    { cwd: '/', env: { PATH: process.env.PATH ?? '', LANG: 'C', TZ: 'UTC' }, ...identity },
  );
  renameSync(fresh, folder);
  chmodSync(folder, 0o700);
  rmSync(workspace, { recursive: true, force: true });
  return folder;
}
