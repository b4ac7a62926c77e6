// Migrations are append-only: a database that has one keeps it as it was. `db/checksums.sha256` holds the checksum of each
// file, in the form of sha256sum; a change, a new name or a removal shows there.
import { createHash } from 'node:crypto';

export const CHECKSUMS = 'db/checksums.sha256';

/** Checksums of the list by path below `db`. */
export function listedChecksums(list) {
  return new Map(
    [...list.matchAll(/^([0-9a-f]{64}) {2}(\S+)$/gm)].map(([, sum, file]) => [`db/${file}`, sum]),
  );
}

/** Problems as sentences, for migrations given as `[path, text]` and the text of the list. */
export function migrationProblems(migrations, list) {
  const listed = listedChecksums(list);
  const there = new Set(migrations.map(([file]) => file));
  const problems = migrations.flatMap(([file, text]) => {
    const sum = createHash('sha256').update(text).digest('hex');
    const known = listed.get(file);
    if (known === sum) return [];
    if (known !== undefined) return [`${file}: has changed; migrations are append-only, add a new file`];
    return [`${file}: is not listed; append to ${CHECKSUMS}: ${sum}  ${file.slice('db/'.length)}`];
  });
  for (const file of listed.keys())
    if (!there.has(file)) problems.push(`${file}: is gone; migrations are append-only`);
  return problems;
}
