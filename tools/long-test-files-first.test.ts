import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { TestSpecification, Vitest } from 'vitest/node';
import LongTestFilesFirst, { LONG_TEST_FILES } from './long-test-files-first.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

it('long test files are all there', () => {
  expect(LONG_TEST_FILES.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
});

it('they come first in their project, the longest before the others', async () => {
  const config = { root: ROOT };
  const cache = { getFileTestResults: () => undefined, getFileStats: () => undefined };
  const sequencer = new LongTestFilesFirst({ config, cache } as unknown as Vitest);
  const [first = '', second = ''] = LONG_TEST_FILES;
  const project = (name: string) => ({ name, config: { sequence: { groupOrder: 0 }, isolate: false } });
  const [engines, shards] = [project('engines'), project('shards')];
  const files = [
    { project: engines, moduleId: path.join(ROOT, 'server/src/short.test.ts') },
    { project: engines, moduleId: path.join(ROOT, second) },
    { project: engines, moduleId: path.join(ROOT, first) },
    { project: shards, moduleId: path.join(ROOT, first) },
  ];
  const sorted = await sequencer.sort(files as unknown as TestSpecification[]);
  expect(sorted).toEqual([files[2], files[1], files[0], files[3]]);
});
