import { EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import type { KqlSchema } from '../event-schema.ts';
import { kusto } from '../kusto.ts';
import { isSupportedFunction } from '../supported-names.ts';
import { signaturesOf } from './call-signature.ts';
import type { FieldFacts } from './complete-kql.ts';
import { functionNote } from './function-notes.ts';
import { comparisonNote, operatorNote } from './operator-notes.ts';

const columns = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));
const streams = new Map<string, { readonly description: string }>(
  STREAMS.map((stream) => [stream.name, stream]),
);

/** What stands at a place, in a line or two; null when there is nothing to say. Pure. */
export function hoverKql(
  text: string,
  position: number,
  schema: KqlSchema,
  facts: FieldFacts = new Map(),
): string | null {
  const word = wordAt(text, position);
  if (!word) return null;
  const column = columns.get(word) ?? columns.get(schema.aliases.get(word) ?? '');
  if (column) {
    const alias = column.name === word ? '' : `${word} is ${column.name}\n`;
    const example = facts.get(column.name)?.example ?? '';
    const seen = example === '' ? '' : `\ne.g. ${example}`;
    return `${alias}${column.name}: ${column.type}\n${column.description}${seen}`;
  }
  const stream = streams.get(word);
  if (stream) return `${word}\n${stream.description}`;
  const isCall = text.charAt(wordEnd(text, position)) === '(';
  const forms = isCall ? signaturesOf(word) : [];
  if (forms.length > 0) {
    const note = isSupportedFunction(word) ? functionNote(word) : `${word}() is not supported`;
    return [...forms.map((form) => form.text), note].filter((line) => line !== '').join('\n');
  }
  const operator = operatorNote(operatorAt(text, position));
  if (operator && !isCall) return [operator.note, operator.example].filter((line) => line !== '').join('\n');
  const comparison = comparisonNote(word);
  if (comparison !== '' && !isCall) return `${word}\n${comparison}`;
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const said = new kusto.Editor.KustoCodeService.ctor(code).GetQuickInfo(position).Text;
  return said === '' ? null : said;
}

/** The operator at a place, hyphens included, where it follows a pipe or begins the text. */
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
