import { existsSync, readdirSync, readFileSync } from 'node:fs';

// Queries to start mutations from: the corpus of this package, and larger collections beside the checkout when they are
// there.

const OWN = new URL('../../../../../packages/kql/corpus/', import.meta.url);
const BESIDE = new URL('../../../../../../shared/corpora/', import.meta.url);

function queriesOf(file: URL): string[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => (JSON.parse(line) as { query?: string }).query ?? []);
}

const filesOf = (folder: URL): URL[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.jsonl') && !name.startsWith('sigma'))
        .sort()
        .map((name) => new URL(name, folder))
    : [];

/** The queries of our own corpus, those that are refused included. */
export const ownQueries = (): readonly string[] => filesOf(OWN).flatMap(queriesOf);

/** Queries beside the checkout; none when there is no such folder. */
export const foundQueries = (): readonly string[] => filesOf(BESIDE).flatMap(queriesOf);
