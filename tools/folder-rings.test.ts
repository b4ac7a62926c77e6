import { expect, it } from 'vitest';
import { folderOf, ringImports, ringProblems } from './folder-rings.mjs';

const feature = (name: string, imports: string) =>
  [`server/src/features/${name}/${name}.ts`, `import type { A } from '${imports}';`] as const;
const edge = (from: string, to: string) => `server/src/features/${from} -> server/src/features/${to}`;

it.each([
  ['server/src/features/cases/case-store.ts', 'server/src/features/cases'],
  ['console/src/features/cases/case-page.tsx', 'console/src/features/cases'],
  ['server/src/platform/jobs/job-runs.ts', 'server/src/platform/jobs'],
  ['packages/kql/src/operators/where.ts', 'packages/kql/src/operators'],
  ['server/src/features/identity/users/user-store.ts', 'server/src/features/identity'],
  ['server/src/platform/clock.ts', undefined],
  ['server/src/compose.ts', undefined],
  ['server/src/features/cases/case-store.test.ts', undefined],
  ['server/src/features/cases/testing/some-cases.ts', undefined],
])('knows the folder of %s', (file, folder) => {
  expect(folderOf(file)).toBe(folder);
});

it('finds a ring of two, a ring of three, and none where imports go one way', () => {
  expect(ringImports([feature('cases', '../signals/a.ts'), feature('signals', '../mail/a.ts')])).toEqual({});
  const two = [feature('cases', '../signals/a.ts'), feature('signals', '../cases/a.ts')];
  expect(Object.keys(ringImports(two))).toEqual([edge('cases', 'signals'), edge('signals', 'cases')]);
  const three = [
    feature('cases', '../signals/a.ts'),
    feature('signals', '../mail/a.ts'),
    feature('mail', '../cases/a.ts'),
    feature('demo', '../cases/a.ts'),
  ];
  expect(Object.keys(ringImports(three))).toHaveLength(3);
});

it('folders of one feature are in no ring', () => {
  const users = ['server/src/features/identity/users/a.ts', `import '../sign-in/b.ts';`] as const;
  const signIn = ['server/src/features/identity/sign-in/b.ts', `import '../users/a.ts';`] as const;
  expect(ringImports([users, signIn])).toEqual({});
});

it('the list of rings may only shrink', () => {
  const files = [feature('cases', '../signals/a.ts'), feature('signals', '../cases/a.ts')];
  const listed = { [edge('cases', 'signals')]: [1, ''], [edge('signals', 'cases')]: [1, ''] } as const;
  expect(ringProblems(files, {})).toHaveLength(2);
  expect(ringProblems(files, listed)).toEqual([]);
  expect(ringProblems(files, { ...listed, [edge('mail', 'cases')]: [1, ''] })).toHaveLength(1);
  expect(ringProblems(files, { ...listed, [edge('cases', 'signals')]: [2, ''] })).toHaveLength(1);
});
