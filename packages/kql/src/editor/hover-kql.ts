import { EVENT_COLUMNS } from '@tyrian/catalog';
import type { KqlSchema } from '../event-schema.ts';
import { kusto } from '../kusto.ts';
import { isSupportedFunction } from '../supported-names.ts';
import { signaturesOf } from './call-signature.ts';
import type { FieldFacts } from './complete-kql.ts';
import {
  addedNote,
  type EditorWords,
  ENGLISH_WORDS,
  labelOf,
  operatorText,
  tableNote,
  wordOf,
} from './editor-words.ts';

const columns = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));

/** What stands at a position, in a line or two, in the given words; null when there is nothing to say. Pure. */
export function hoverKql(
  text: string,
  position: number,
  schema: KqlSchema,
  facts: FieldFacts = new Map(),
  words: EditorWords = ENGLISH_WORDS,
): string | null {
  const word = wordAt(text, position);
  if (!word) return null;
  const isCall = text.charAt(wordEnd(text, position)) === '(';
  return (
    columnText(word, schema, facts, words) ??
    lines(word, tableNote(words, word) || addedNote(schema.catalog, word)) ??
    (isCall
      ? callText(word, words)
      : (lines(operatorText(words, operatorAt(text, position))) ??
        lines(word, wordOf(words, 'comparisons', word)))) ??
    serviceText(text, position, schema)
  );
}

/** The lines as one text; null when the last has nothing to say. */
function lines(...said: readonly string[]): string | null {
  return said.at(-1) === '' ? null : said.join('\n');
}

function columnText(word: string, schema: KqlSchema, facts: FieldFacts, words: EditorWords): string | null {
  const column = columns.get(word) ?? columns.get(schema.aliases.get(word) ?? '');
  if (!column) return null;
  const { name, type } = column;
  const example = facts.get(name)?.example ?? '';
  return [
    ...(name === word ? [] : [labelOf(words, 'alias', { alias: word, column: name })]),
    `${name}: ${type}`,
    wordOf(words, 'columns', name),
    ...(example === '' ? [] : [labelOf(words, 'example', { example })]),
  ].join('\n');
}

/** The forms of a function and what it is for; null for one that the language service does not know. */
function callText(name: string, words: EditorWords): string | null {
  const forms = signaturesOf(name);
  if (forms.length === 0) return null;
  const note = isSupportedFunction(name)
    ? wordOf(words, 'functions', name)
    : labelOf(words, 'unsupported', { name });
  return [...forms.map((form) => form.text), note].filter((line) => line !== '').join('\n');
}

/** What the language service says itself, such as the type of a variable; in English alone. */
function serviceText(text: string, position: number, schema: KqlSchema): string | null {
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const said = new kusto.Editor.KustoCodeService.ctor(code).GetQuickInfo(position).Text;
  return said === '' ? null : said;
}

/** The operator at a position, hyphens included, where it follows a pipe or begins the text. */
function operatorAt(text: string, position: number): string {
  let start = position;
  while (start > 0 && /[\w-]/.test(text.charAt(start - 1))) start -= 1;
  const before = text.slice(0, start).trimEnd();
  if (before !== '' && !/[|;(]$/.test(before) && !/\n\s*$/.test(text.slice(0, start))) return '';
  return /^[\w-]+/.exec(text.slice(start))?.[0] ?? '';
}

function wordEnd(text: string, position: number): number {
  let end = position;
  while (end < text.length && /\w/.test(text.charAt(end))) end += 1;
  return end;
}

function wordAt(text: string, position: number): string {
  let start = position;
  while (start > 0 && /\w/.test(text.charAt(start - 1))) start -= 1;
  return text.slice(start, wordEnd(text, position));
}
