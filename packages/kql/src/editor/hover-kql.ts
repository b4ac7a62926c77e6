import { EVENT_COLUMNS, STREAMS } from '@tyrian/catalog';
import { aggregateByName, scalarFunctionByName } from '@tyrian/plan';
import type { KqlSchema } from '../event-schema.ts';
import { kusto } from '../kusto.ts';
import { isSupportedFunction } from '../supported-names.ts';

const columns = new Map(EVENT_COLUMNS.map((column) => [column.name, column]));
const streams = new Map<string, { readonly description: string }>(
  STREAMS.map((stream) => [stream.name, stream]),
);

/** What stands at a place, in a line or two; null when there is nothing to say. Pure. */
export function hoverKql(text: string, position: number, schema: KqlSchema): string | null {
  const word = wordAt(text, position);
  if (!word) return null;
  const column = columns.get(word) ?? columns.get(schema.aliases.get(word) ?? '');
  if (column) {
    const alias = column.name === word ? '' : `${word} is ${column.name}\n`;
    return `${alias}${column.name}: ${column.type}\n${column.description}`;
  }
  const stream = streams.get(word);
  if (stream) return `${word}\n${stream.description}`;
  if (text.charAt(wordEnd(text, position)) === '(') {
    const fn = scalarFunctionByName(word) ?? aggregateByName(word);
    if (fn) {
      const parameters = fn.parameters.map(
        ({ type, optional, repeated }) => `${type}${optional ? '?' : repeated ? ' ...' : ''}`,
      );
      return `${word}(${parameters.join(', ')}): ${fn.result === 'bound' ? 'depends on its arguments' : fn.result}`;
    }
    if (!isSupportedFunction(word)) return `${word}() is not supported`;
  }
  const code = kusto.KustoCode.ParseAndAnalyze(text, schema.globals);
  const said = new kusto.Editor.KustoCodeService.ctor(code).GetQuickInfo(position).Text;
  return said === '' ? null : said;
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
