// Lists the identifiers of the specification that no test names, by section, and names in tests that do not exist.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { trackedFiles } from './tracked-files.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const known = fs
  .readFileSync(path.join(root, 'tools/requirements/identifiers.txt'), 'utf8')
  .split('\n')
  .filter(Boolean);

/** Identifiers that open the title of a test: `it('[S4-11][C078] …')`, also behind `each` and beside our own `[T-…]`. */
function namedIn(text) {
  const openings = [
    ...text.matchAll(/['"`]((?:\[(?:S\d+-\d+|C\d{3}|T-[\w-]+)(?:\s*,\s*(?:S\d+-\d+|C\d{3}))*\]\s*)+)/g),
  ];
  return openings.flatMap((opening) => opening[1].match(/S\d+-\d+|C\d{3}/g) ?? []);
}

const tests = trackedFiles(root).filter((file) => /\.(test|e2e)\.tsx?$/.test(file));
const named = new Map();
for (const file of tests) {
  for (const id of namedIn(fs.readFileSync(path.join(root, file), 'utf8'))) {
    named.set(id, [...(named.get(id) ?? []), file]);
  }
}

const missing = known.filter((id) => !named.has(id));
const unknown = [...named.keys()].filter((id) => !known.includes(id));
const sections = new Map();
for (const id of missing) {
  const section = id.startsWith('C') ? 'calls' : id.split('-')[0];
  sections.set(section, [...(sections.get(section) ?? []), id]);
}
for (const [section, ids] of sections)
  console.log(`${section}: ${ids.length} without a test: ${ids.join(' ')}`);
for (const id of unknown) console.log(`unknown identifier ${id} in ${named.get(id).join(', ')}`);
console.log(`${known.length - missing.length} of ${known.length} identifiers have a test that names them.`);
process.exitCode = unknown.length > 0 ? 1 : 0;
