import { execFile } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { handOver, isRoot, ownUid, POSTGRES_UID } from '../engine-identity.ts';

export const OWNER = 'tyrian_owner';

/** Who makes the cluster for root: initdb asks for a user with an entry in /etc/passwd. */
const NOBODY = 65_534;

const run = promisify(execFile);

/**
 * A folder to make the cluster in, and as whom. For root it lies in one that only the group of the engine may enter,
 * which initdb gets and no other process of `nobody` has.
 */
function makeWorkspace(outer: string): { workspace: string; identity: { uid?: number; gid?: number } } {
  rmSync(outer, { recursive: true, force: true });
  mkdirSync(outer, { mode: 0o700 });
  const workspace = path.join(outer, 'work');
  mkdirSync(workspace, { mode: 0o700 });
  if (!isRoot()) return { workspace, identity: {} };
  chownSync(workspace, NOBODY, POSTGRES_UID);
  chownSync(outer, 0, POSTGRES_UID);
  chmodSync(outer, 0o710);
  return { workspace, identity: { uid: NOBODY, gid: POSTGRES_UID } };
}

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
  const outer = path.join(dataFolder, 'postgres.new');
  rmSync(folder, { recursive: true, force: true });
  const { workspace, identity } = makeWorkspace(outer);
  const passwordFile = path.join(workspace, 'password');
  writeFileSync(passwordFile, ownerPassword, { mode: 0o600 });
  if (identity.uid !== undefined) chownSync(passwordFile, identity.uid, POSTGRES_UID);
  const fresh = path.join(workspace, 'cluster');
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
  handOver(fresh, ownUid(POSTGRES_UID));
  renameSync(fresh, folder);
  chmodSync(folder, 0o700);
  rmSync(outer, { recursive: true, force: true });
  return folder;
}
