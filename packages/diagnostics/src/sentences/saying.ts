import type { Saying } from '../diagnostic.ts';
import type { Sentence } from './fill-sentence.ts';
import { inEnglish } from './sentences.ts';

/** What a diagnostic says: its sentences, written out in English too. */
export const saying = (text: Sentence, hintText?: Sentence): Saying => ({
  message: inEnglish(text),
  text,
  ...(hintText ? { hint: inEnglish(hintText), hintText } : {}),
});
