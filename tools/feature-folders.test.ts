import { expect, it } from 'vitest';
import { featureFolderProblems, featureFolders } from './feature-folders.mjs';

const cases = [
  'packages/contract/src/cases/case.ts',
  'server/src/features/cases/case-store.ts',
  'console/src/features/cases/case-page.tsx',
];

it('finds a feature by its name in contract, server and console', () => {
  expect(featureFolders([...cases, 'packages/contract/src/index.ts', 'server/src/main.ts'])).toEqual({
    cases: ['contract', 'server', 'console'],
  });
  expect(featureFolderProblems(cases, {})).toEqual([]);
});

it('refuses another name in one of the three places', () => {
  const renamed = [...cases.slice(0, 2), 'console/src/features/incidents/case-page.tsx'];
  expect(featureFolderProblems(renamed, {})).toHaveLength(2);
});

it('a feature that lacks a place has a reason, which goes when the place comes', () => {
  const partial = { cases: { in: ['contract', 'server'], why: 'no screen' } };
  expect(featureFolderProblems(cases.slice(0, 2), partial)).toEqual([]);
  expect(featureFolderProblems(cases, partial)).toHaveLength(1);
  expect(featureFolderProblems([], partial)).toHaveLength(1);
});
