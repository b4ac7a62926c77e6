// @vitest-environment node
import { readFileSync } from 'node:fs';
import { CONDITION_WORDS, LINTS, SIGMA_MODIFIERS } from '@tyrian/sigma';
import { expect, it } from 'vitest';

const texts = JSON.parse(
  readFileSync(new URL('../locales/sigma.en-US.json', import.meta.url), 'utf8'),
) as Record<string, Record<string, string>>;

it('[T-sigma-lint] the console says in English what the linter says', () => {
  const sentences = Object.fromEntries(Object.entries(LINTS).map(([key, [, , sentence]]) => [key, sentence]));
  expect(texts.lint).toEqual(sentences);
});

it('[T-sigma-editor] every modifier and every word of conditions is told', () => {
  expect(Object.keys(texts.modifiers ?? {}).sort()).toEqual([...SIGMA_MODIFIERS].sort());
  const words = CONDITION_WORDS.flatMap((word) => word.split(' '));
  expect(Object.keys(texts.conditions ?? {}).sort()).toEqual([...new Set(words)].sort());
});
