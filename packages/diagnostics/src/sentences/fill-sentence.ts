import { fillTemplate } from './fill-template.ts';

/** A sentence as data: the key of its template, and what stands in its places: plain values, or sentences again. */
export interface Sentence {
  readonly key: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

/**
 * The text of a sentence; null when it, or one within it, has no template. `templateOf` gives the template of a key in
 * one language: text with the names of values in double braces.
 */
export function fillSentence(
  { key, values = {} }: Sentence,
  templateOf: (key: string) => string | undefined,
): string | null {
  const template = templateOf(key);
  if (template === undefined) return null;
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(values)) {
    const text = isSentence(value) ? fillSentence(value, templateOf) : String(value);
    if (text === null) return null;
    texts.set(name, text);
  }
  return fillTemplate(template, (name) => texts.get(name));
}

/** Whether what stands in a place of a sentence is a sentence again. */
export const isSentence = (value: unknown): value is Sentence =>
  typeof value === 'object' && value !== null && typeof (value as Sentence).key === 'string';
