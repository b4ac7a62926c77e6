// Lists the requirements of the specification by how far they are, by section: guarded but without their screen, named by
// no test; the rest is proven. Names in tests that no requirement has are faults.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { identifiersNamed } from './named-identifiers.mjs';
import { stateOf } from './requirement-states.ts';
import { trackedFiles } from './tracked-files.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const read = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8');
const known = read('tools/requirements/identifiers.txt').trim().split('\n');

const named = new Map<string, string[]>();
for (const file of trackedFiles(root).filter((one) => /\.(test|e2e)\.tsx?$/.test(one))) {
  for (const id of identifiersNamed(read(file)).filter((one) => /^(S\d+-|C\d)/.test(one))) {
    named.set(id, [...(named.get(id) ?? []), file]);
  }
}

const sectionOf = (id: string) => (id.startsWith('C') ? 'calls' : id.split('-')[0]);
const withState = (state: string) => known.filter((id) => stateOf(id, named.get(id) ?? []) === state);
for (const [state, words] of [
  ['guarded', 'guarded, but without a screen'],
  ['not named', 'named by no test'],
] as const) {
  const ids = withState(state);
  for (const section of new Set(ids.map(sectionOf))) {
    const own = ids.filter((id) => sectionOf(id) === section);
    console.log(`${section}: ${own.length} ${words}: ${own.join(' ')}`);
  }
}

const unknown = [...named.keys()].filter((id) => !known.includes(id));
for (const id of unknown) console.log(`unknown identifier ${id} in ${named.get(id)?.join(', ')}`);
console.log(
  `Of ${known.length} requirements ${withState('proven').length} are proven, ${withState('guarded').length} guarded but ` +
    `without a screen, ${withState('not named').length} named by no test.`,
);
process.exitCode = unknown.length > 0 ? 1 : 0;
