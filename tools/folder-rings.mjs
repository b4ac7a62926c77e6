// No ring between folders: a feature that is in a ring with another cannot be read, moved or deleted alone. Counted are
// the folders of features, of packages and of the server's platform; types count like values, tests do not.
import path from 'node:path';
import ts from 'typescript';

const PARTS = [
  /^(server\/src\/features\/[^/]+)\//,
  /^(console\/src\/features\/[^/]+)\//,
  /^(console\/src\/query-kit\/[^/]+)\//,
  /^(server\/src\/platform\/[^/]+)\//,
  /^(packages\/[^/]+\/src\/[^/]+)\//,
];

/** Imports that close a ring today, with how many files have one, and why. The figures may only fall. */
export const RINGS = {
  'packages/contract/src/envelope -> packages/contract/src/messages': [3, 'answers carry texts'],
  'packages/contract/src/messages -> packages/contract/src/envelope': [
    1,
    'some texts stand beside the codes',
  ],
  'packages/kql/src/expressions -> packages/kql/src/operators': [1, 'a function may hold a whole query'],
  'packages/kql/src/operators -> packages/kql/src/expressions': [27, 'operators hold expressions'],
  'packages/kql/src/operators -> packages/kql/src/plugins': [2, 'evaluate is an operator'],
  'packages/kql/src/plugins -> packages/kql/src/expressions': [7, 'plugins take expressions'],
  'packages/kql/src/plugins -> packages/kql/src/operators': [2, 'some plugins give rows as operators do'],
};

/** The folder of a file that rings are looked for between, undefined for a file of none. */
export function folderOf(file) {
  if (/\.(test|e2e)\.tsx?$|\/testing\//.test(file)) return undefined;
  for (const part of PARTS) {
    const folder = part.exec(file)?.[1];
    if (folder) return folder;
  }
  return undefined;
}

/** Files that a file imports by a relative path, as paths from the root. */
function importsOf(file, text) {
  return ts
    .preProcessFile(text, true, true)
    .importedFiles.map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => path.posix.join(path.posix.dirname(file), name));
}

/**
 * Imports between folders that are part of a ring, for files given as `[path, text]`: `{ 'a -> b': [file, …] }` with the
 * files of `a` that import from `b`. Sorted, so that two runs say the same.
 */
export function ringImports(files) {
  const edges = new Map();
  for (const [file, text] of files) {
    const from = folderOf(file);
    if (!from) continue;
    for (const target of importsOf(file, text)) {
      const to = folderOf(target);
      if (!to || to === from) continue;
      const targets = edges.get(from) ?? new Map();
      edges.set(from, targets.set(to, [...(targets.get(to) ?? []), file]));
    }
  }
  const found = [];
  for (const [from, targets] of edges) {
    for (const [to, by] of targets)
      if (reaches(edges, to, from)) found.push([`${from} -> ${to}`, [...new Set(by)].sort()]);
  }
  return Object.fromEntries(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Problems as sentences: rings that are not listed or have grown, and figures that are too high. */
export function ringProblems(files, listed = RINGS) {
  const found = ringImports(files);
  const grown = Object.entries(found)
    .filter(([ring, by]) => by.length > (listed[ring]?.[0] ?? 0))
    .map(([ring, by]) => `${ring}: closes a ring of folders, in ${by.join(', ')}`);
  const lower = Object.keys(listed).filter((ring) => (found[ring]?.length ?? 0) < listed[ring][0]);
  return [
    ...grown,
    ...lower.map((ring) => `${ring}: less in a ring now; lower it in tools/folder-rings.mjs`),
  ];
}

function reaches(edges, from, wanted) {
  const seen = new Set();
  const waiting = [from];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (at === wanted) return true;
    if (seen.has(at)) continue;
    seen.add(at);
    waiting.push(...(edges.get(at)?.keys() ?? []));
  }
  return false;
}
