import { accessSync, chmodSync, constants, lstatSync, mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from '../platform/config.ts';

// PostgreSQL refuses to run as root, so root starts it as the user `nobody`. Its files must then lie where that
// user can go: every folder above them needs the x bit for others.

/** The user id that PostgreSQL gets when Tyrian runs as root. */
export const NOBODY = 65_534;

const ROOT_FALLBACK = '/var/lib/tyrian';

export function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** The part of the path that exists, deepest first. */
function deepestExisting(folder: string): string {
  let current = path.resolve(folder);
  while (!lstatSync(current, { throwIfNoEntry: false })) current = path.dirname(current);
  return current;
}

/** True when the user `nobody` can walk to the folder (or would, once it is made). */
export function nobodyCanReach(folder: string): boolean {
  let current = deepestExisting(folder);
  for (;;) {
    const { mode, uid } = statSync(current);
    if ((mode & 0o001) === 0 && !(uid === NOBODY && (mode & 0o100) !== 0)) return false;
    const parent = path.dirname(current);
    if (parent === current) return true;
    current = parent;
  }
}

/**
 * Decides and makes the data folder: the one that was asked for, else `data` below `checkout`; for root, where
 * `nobody` cannot reach the latter, /var/lib/tyrian. Throws ConfigError when it cannot be used.
 */
export function prepareDataFolder(wanted: string | undefined, checkout: string): string {
  const usual = wanted ?? path.join(checkout, 'data');
  // The folder itself is opened below; what counts is the way to it.
  const reachable = !isRoot() || nobodyCanReach(path.dirname(usual));
  if (!reachable && wanted !== undefined) {
    throw new ConfigError(
      `TYRIAN_DATA: ${wanted} lies below a folder that only its owner may enter. As root, PostgreSQL runs as ` +
        `user ${NOBODY} and must reach its files: name a folder that others can enter, e.g. ${ROOT_FALLBACK}`,
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
