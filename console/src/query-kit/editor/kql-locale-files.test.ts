// @vitest-environment node
import { readFileSync } from 'node:fs';
import { LOCALES } from '@tyrian/contract';
import { SENTENCES } from '@tyrian/diagnostics';
import { describe, expect, it } from 'vitest';

// The sentences of diagnostics stand in English with the compiler, and in the other languages here.

const english: Readonly<Record<string, string>> = SENTENCES;
const namesIn = (text: string): string[] => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();
const textsOf = (locale: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`locales/kql.${locale}.json`, import.meta.url), 'utf8'));

describe.each(LOCALES.filter((locale) => locale !== 'en-US'))('diagnostics in %s', (locale) => {
  const texts = textsOf(locale);

  it('[R-C39] have every sentence, and none that is left over', () => {
    expect(Object.keys(texts).sort()).toEqual(Object.keys(english).sort());
    expect(Object.values(texts).filter((text) => text.trim() === '')).toEqual([]);
  });

  it('[R-C39] name the same values as in English', () => {
    for (const [key, text] of Object.entries(texts))
      expect(namesIn(text), key).toEqual(namesIn(english[key] ?? ''));
  });

  it('[R-C39] are translated', () => {
    // A sentence of values and signs alone needs no translation.
    const hasWords = (text: string) => /\p{L}/u.test(text.replace(/\{\{\w+\}\}/g, ''));
    const same = Object.entries(texts).filter(([key, text]) => text === english[key] && hasWords(text));
    expect(same).toEqual([]);
  });
});
