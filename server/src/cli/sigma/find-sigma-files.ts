import { readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { isBelowRegressionData } from '../../features/rules/sample-files.ts';
import { UsageError } from '../command.ts';

const RULE_FILE = /\.ya?ml$/i;

export const isRuleFile = (file: string): boolean =>
  RULE_FILE.test(file) && !isBelowRegressionData(file.split(path.sep).join('/'));

/**
 * The files that the arguments name, those of folders in the order of their names; of rules unless told otherwise. Links within folders are not
 * followed. Throws UsageError for a path that is not there.
 */
export function findSigmaFiles(
  paths: readonly string[],
  isWanted: (file: string) => boolean = isRuleFile,
): readonly string[] {
  return paths.flatMap((one) => {
    const found = statSync(one, { throwIfNoEntry: false });
    if (!found) throw new UsageError(`${one} is not there`);
    return found.isDirectory() ? filesBelow(one, isWanted) : [one];
  });
}

function filesBelow(folder: string, isWanted: (file: string) => boolean): readonly string[] {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );
  return entries.flatMap((entry): readonly string[] => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return filesBelow(full, isWanted);
    return entry.isFile() && isWanted(full) ? [full] : [];
  });
}
