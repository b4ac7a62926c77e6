// A feature has one name: the same folder in the contract, in the server and in the console. Where one of the three is
// missing, the reason stands here, and in the table of docs/tour.md.

export const FEATURE_ROOTS = {
  contract: 'packages/contract/src/',
  server: 'server/src/features/',
  console: 'console/src/features/',
};

/** What lacks one of the three folders, and why. Every other feature has all of them. */
export const PARTIAL = {
  access: { in: ['contract'], why: 'roles, plans and menus: rules that every feature reads' },
  envelope: { in: ['contract'], why: 'what each call and answer is made of' },
  home: { in: ['console'], why: 'puts figures and lists of other features on one page' },
  ingest: { in: ['server'], why: 'senders speak protocols of the field, not calls' },
  'list-export': { in: ['contract', 'server'], why: 'every list has it: console/src/ui/export-dialog.tsx' },
  messages: { in: ['contract'], why: 'what the server says, by code' },
};

/** The folders of features found among `files`, as `{ name: ['contract', …] }`. */
export function featureFolders(files) {
  const found = {};
  for (const [place, root] of Object.entries(FEATURE_ROOTS)) {
    const names = files
      .filter((file) => file.startsWith(root))
      .map((file) => file.slice(root.length).split('/'));
    for (const name of new Set(names.filter((parts) => parts.length > 1).map(([first]) => first))) {
      found[name] = [...(found[name] ?? []), place];
    }
  }
  return found;
}

/** What is wrong with the folders, one sentence for each feature. */
export function featureFolderProblems(files, partial = PARTIAL) {
  const all = Object.keys(FEATURE_ROOTS);
  const found = featureFolders(files);
  const wrong = Object.entries(found)
    .filter(([name, places]) => (partial[name]?.in ?? all).join() !== places.join())
    .map(
      ([name, places]) =>
        `feature ${name}: stands in ${places.join(', ')}; give it one name in all three places`,
    );
  const gone = Object.keys(partial).filter((name) => !found[name]);
  return [
    ...wrong,
    ...gone.map((name) => `feature ${name}: is gone; remove it from tools/feature-folders.mjs`),
  ];
}
