import { CATALOG_TEXTS, type CatalogTexts, type TenantCatalog } from '@tyrian/catalog';
import { fillTemplate } from '@tyrian/diagnostics';
import { FUNCTION_NOTES } from './function-notes.ts';
import { COMPARISON_NOTES, OPERATOR_NOTES } from './operator-notes.ts';

// What completion, hover and signature help say, in the language of the reader. The English stands with the code; the
// other languages in packages/kql/locales/editor.<locale>.json and packages/catalog/locales/catalog.<locale>.json. A name
// without a text in one language has its English. What the language service itself says stays English.

/** Words round the names and values of a note. */
const LABELS = {
  alias: '{{alias}} is {{column}}',
  also: 'Also: {{names}}',
  example: 'e.g. {{example}}',
  seenIn: 'Seen in {{streams}}',
  several: '{{first}} or {{second}}',
  unsupported: '{{name}}() is not supported',
} as const;

/** Notes by the name of what they are about, and the labels. */
export interface EditorTexts {
  readonly functions: Readonly<Record<string, string>>;
  readonly operators: Readonly<Record<string, string>>;
  readonly comparisons: Readonly<Record<string, string>>;
  readonly labels: Readonly<Record<string, string>>;
}

/** All that the editor says in one language. */
export type EditorWords = EditorTexts & CatalogTexts;

/** The English of the editor; a file of another language has the same names. */
export const EDITOR_TEXTS: EditorTexts = {
  functions: FUNCTION_NOTES,
  operators: Object.fromEntries(Object.entries(OPERATOR_NOTES).map(([name, { note }]) => [name, note])),
  comparisons: COMPARISON_NOTES,
  labels: LABELS,
};

export const ENGLISH_WORDS: EditorWords = { ...EDITOR_TEXTS, ...CATALOG_TEXTS };

/** The text of a name; '' when no language has one. */
export function wordOf(words: EditorWords, part: keyof EditorWords, name: string): string {
  for (const texts of [words[part], ENGLISH_WORDS[part]])
    if (Object.hasOwn(texts, name)) return texts[name] ?? '';
  return '';
}

/** A label with its values in their places. */
export const labelOf = (
  words: EditorWords,
  label: keyof typeof LABELS,
  values: Readonly<Record<string, string>>,
): string => fillTemplate(wordOf(words, 'labels', label), (name) => values[name]);

/** What a table is: a stream, their union, or a well-known table; '' for any other name. */
export const tableNote = (words: EditorWords, name: string): string =>
  wordOf(words, 'streams', name) || wordOf(words, 'tables', name);

/** What a stream, table or field is that the tenant added, as whoever added it says; '' for any other name. */
export const addedNote = ({ streams, tables, fields }: TenantCatalog, name: string): string =>
  [...streams, ...tables, ...fields].find((one) => one.name === name)?.description ?? '';

/** What a tabular operator does and how it is written, in two lines; '' when nothing is written down. */
export function operatorText(words: EditorWords, name: string): string {
  const example = Object.hasOwn(OPERATOR_NOTES, name) ? (OPERATOR_NOTES[name]?.example ?? '') : '';
  return [wordOf(words, 'operators', name), example].filter((line) => line !== '').join('\n');
}
