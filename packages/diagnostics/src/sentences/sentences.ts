import { COMPILER_SENTENCES } from './compiler-sentences.ts';
import { fillSentence, type Sentence } from './fill-sentence.ts';
import type { NamesIn } from './fill-template.ts';
import { LANGUAGE_SERVICE_SENTENCES } from './language-service-sentences.ts';
import { MISTAKE_SENTENCES } from './mistake-sentences.ts';
import { REASON_SENTENCES } from './reason-sentences.ts';

/** Every sentence of a diagnostic in English, by its key. Keys are stable; the console translates by them. */
export const SENTENCES = {
  ...COMPILER_SENTENCES,
  ...REASON_SENTENCES,
  ...MISTAKE_SENTENCES,
  ...LANGUAGE_SERVICE_SENTENCES,
} as const;

export type SentenceKey = keyof typeof SENTENCES;

type ValuesOf<Key extends SentenceKey> = Readonly<
  Record<NamesIn<(typeof SENTENCES)[Key]>, string | number | Sentence>
>;

/** The sentence of a key with its values; that they are those of its template is checked as the code is compiled. */
export function say<Key extends SentenceKey>(
  key: Key,
  ...[values]: [NamesIn<(typeof SENTENCES)[Key]>] extends [never] ? [] : [values: ValuesOf<Key>]
): Sentence {
  return values === undefined ? { key } : { key, values };
}

/** The English template of a sentence; undefined for a key that no sentence has. */
export const sentenceTemplate = (key: string): string | undefined =>
  Object.hasOwn(SENTENCES, key) ? SENTENCES[key as SentenceKey] : undefined;

/** A sentence in English. Throws on a key that no sentence has. */
export function inEnglish(sentence: Sentence): string {
  const text = fillSentence(sentence, sentenceTemplate);
  if (text === null) throw new Error(`No sentence has the key ${sentence.key}`);
  return text;
}

/** Names as alternatives: "A", "A or B", "A, B or C". */
export function oneOf(names: readonly string[]): string | Sentence {
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : say('either', { one: names.slice(0, -1).join(', '), other: last });
}
