/** What names something, by its id and its own name. */
export interface Naming {
  readonly id: string;
  readonly name: string;
}

/** Patterns for LIKE that each find texts in lower case which hold one of the words. */
export const likeWords = (words: readonly string[]): string[] =>
  words.map((word) => `%${word.toLowerCase().replaceAll(/[%_\\]/g, '\\$&')}%`);

/** By the word, as it is written: those whose text, in lower case, holds it as a whole word. */
export function textsNaming(
  words: readonly string[],
  texts: readonly (Naming & { readonly body: string })[],
): ReadonlyMap<string, readonly Naming[]> {
  return new Map(
    words.map((word) => {
      const whole = new RegExp(`\\b${word.toLowerCase()}\\b`);
      return [word, texts.filter(({ body }) => whole.test(body)).map(({ id, name }) => ({ id, name }))];
    }),
  );
}
