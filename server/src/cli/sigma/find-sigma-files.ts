import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../command.ts';

const RULE_FILE = /\.ya?ml$/i;

/**
 * The files that the arguments name, those of folders in the order of their names. Links within folders are not
 * followed. Throws UsageError for a path that is not there.
 */
export function findSigmaFiles(paths: readonly string[]): readonly string[] {
  return paths.flatMap((one) => {
    const found = statSync(one, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`${one} is not there`);
    return found.isDirectory() ? filesBelow(one) : [one];
  });
}

function filesBelow(folder: string): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return entries.flatMap((entry): readonly string[] => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(full);
    return entry.isFile() && RULE_FILE.test(entry.name) ? [full] : [];
  });
}
