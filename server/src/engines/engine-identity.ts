import { chmodSync, existsSync, lchownSync, lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

// Started as root, Tyrian runs each engine under a user id of its own: neither root nor `nobody`, so that what an engine
// can be made to do stays with its own files, and no other process reads these or signals it. The ids need no entry in
// /etc/passwd; they lie in a range that Linux distributions leave to nobody (systemd, "Users, Groups, UIDs and GIDs").
// Started as an ordinary user, the engines run as that user.

export const POSTGRES_UID = 60_810;
export const CLICKHOUSE_UID = 60_811;

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The id, when there is a choice: null when we are not root. */
export function ownUid(uid: number): number | null {
  return isRoot() ? uid : null;
}

/** From the top down: once a folder is closed, nobody else can put anything into its way. Links are not followed. */
function chownTree(entry: string, uid: number): void {
  lchownSync(entry, uid, uid);
  if (!lstatSync(entry).isDirectory()) return;
  for (const name of readdirSync(entry)) chownTree(path.join(entry, name), uid);
}

/**
 * Makes a folder of an engine's files belong to this user id alone, whoever had it before: an earlier version, root, an
 * ordinary user. Costs one look when it is so already; a hand-over that was interrupted is done again.
 */
export function handOver(folder: string, uid: number | null): void {
  if (uid === null) return;
  const unfinished = `${folder}.handing-over`;
  if (lstatSync(folder).uid === uid && !existsSync(unfinished)) return;
  writeFileSync(unfinished, '', { mode: 0o600 });
  chmodSync(folder, 0o700);
  chownTree(folder, uid);
  rmSync(unfinished);
}
