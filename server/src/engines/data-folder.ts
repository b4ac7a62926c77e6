import { accessSync, chmodSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../platform/config.ts';
import { isRoot } from './engine-identity.ts';

// Started as root, the engines run under user ids of their own. Their files must then lie where these can go: every
// folder above them needs the x bit for others.

const ROOT_FALLBACK = '/var/lib/tyrian';

/** The part of the path that exists, deepest first. */
function deepestExisting(folder: string): string {
  let current = path.resolve(folder);
  while (!lstatSync(current, { throwIfNoEntry: false })) current = path.dirname(current);
  return current;
}

/** True when every user can walk to the folder (or could, once it is made). */
export function othersCanReach(folder: string): boolean {
  let current = deepestExisting(folder);
  for (;;) {
    if ((statSync(current).mode & 0o001) === 0) return false;
    const parent = path.dirname(current);
    if (parent === current) return true;
    current = parent;
  }
}

/**
 * Decides and makes the data folder: the one that was asked for, else `data` below `checkout`; for root, where
 * others cannot reach the latter, /var/lib/tyrian. Throws ConfigError when it cannot be used.
 */
export function prepareDataFolder(wanted: string | undefined, checkout: string): string {
  const usual = wanted ?? path.join(checkout, 'data');
  // The folder itself is opened below; what counts is the way to it.
  const reachable = !isRoot() || othersCanReach(path.dirname(usual));
  if (!reachable && wanted !== undefined) {
    throw new ConfigError(
      `TYRIAN_DATA: ${wanted} lies below a folder that only its owner may enter. As root, the engines run as ` +
        `users of their own and must reach their files: name a folder that others can enter, e.g. ${ROOT_FALLBACK}`,
    );
  }
  const folder = reachable ? usual : ROOT_FALLBACK;
  try {
    mkdirSync(folder, { recursive: true });
    // Others may pass through to what is theirs; what is inside is closed to them file by file.
    chmodSync(folder, isRoot() ? 0o711 : 0o700);
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw new ConfigError(`TYRIAN_DATA: cannot use ${folder}: ${(error as Error).message}`);
  }
  return folder;
}
