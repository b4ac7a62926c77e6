import type { Diagnostic, Fix } from '@tyrian/diagnostics';
import type { KqlSchema } from '../event-schema.ts';
import { messages } from '../messages.ts';
import { SUPPORTED_OPERATORS } from '../supported-names.ts';
import { foreignStep } from './foreign-steps.ts';
import { nearNames } from './near-names.ts';
import { quoted } from './quoted-text.ts';

// Who does not know KQL types what is looked for: a word, an address, `error AND user:ana`. Such a text is no query, and
// what the parser says of it helps nobody. It is told apart here, and one change makes it a search over all events: every
// word has to be there, AND, OR, NOT and quotes mean what they mean elsewhere, and `field:value` looks for the value.

/** Words that begin a statement or an operator, which then is a query with a mistake of its own. */
const BEGINNINGS = new Set([
  ...SUPPORTED_OPERATORS,
  'set',
  'declare',
  'alias',
  'restrict',
  'find',
  'externaldata',
  'materialize',
  'database',
  'cluster',
  'workspace',
  'select',
]);
/** Words that begin a search of Splunk that only counts or computes. */
const FOREIGN_BEGINNINGS = new Set(['stats', 'eval', 'dedup', 'eventstats']);
/** Fields of another product's query that name where to look, not what for. */
const PLACES = new Set(['index', 'sourcetype', 'source', 'earliest', 'latest', 'logsource', 'repo']);
const OPENING = '“„«‘';
const LONGEST = 400;
const LONGEST_SHOWN = 60;

const WORD =
  /\(|\)|!?(?:"[^"]*"|“[^”"]*[”"]|„[^“”"]*[“”"]|«[^»]*»|‘[^’']*[’']|'[^']*')|[\w.@-]+!?[:=]"[^"]*"|[^\s()]+(?:\([^\s()]*\)[^\s()]*)*/g;

interface FreeText {
  /** Where the words stand. */
  readonly start: number;
  readonly end: number;
  /** What finds them. */
  readonly search: string;
  /** They stand behind the name of a table. */
  readonly isInTable?: boolean;
}

/** The mistake of a text that is no query but words to look for; null for any other text. */
export function freeTextMistake(text: string, schema: KqlSchema): Diagnostic | null {
  const start = beginningOf(text);
  if (FOREIGN_BEGINNINGS.has(/^\w+(?=\s)/.exec(text.slice(start))?.[0] ?? ''))
    return foreignBeginning(text, start);
  const found = freeText(text, start, schema);
  return found && messages.freeText({ start: found.start, end: found.end }, fixesOf(text, found, schema));
}

/** `stats count by user`: the step of another language without a table before it. */
function foreignBeginning(text: string, start: number): Diagnostic | null {
  const step = foreignStep(text, start);
  const [fix] = step?.fixes ?? [];
  if (!step || !fix) return null;
  const mended = `Events | ${fix.text}`;
  const span = step.span ?? fix.span;
  return messages.foreignBeginning(span, step.text, [{ ...fix, text: mended }]);
}

/** A text that is one literal is a query, which gives that literal back; it is told how to look for it instead. */
export function literalAlone(text: string): Diagnostic | null {
  const literal = /^\s*("[^"\n]*"|'[^'\n]*'|\d+(?:\.\d+)?)\s*;?\s*$/.exec(text)?.[1];
  if (literal === undefined) return null;
  const start = text.indexOf(literal);
  const search = searchFor(literal);
  if (search === null) return null;
  return messages.literalAlone({ start, end: start + literal.length }, [
    { span: { start, end: start + literal.length }, text: search, search: shown(literal) },
  ]);
}

function fixesOf(text: string, found: FreeText, schema: KqlSchema): readonly Fix[] {
  const { start, end, search, isInTable } = found;
  const span = { start, end };
  if (isInTable) return [{ span, text: search }];
  const words = text.slice(start, end);
  const asSearch: Fix = { span, text: search, search: shown(words.replace(/^search\s+/i, '')) };
  if (!/^\w+$/.test(words)) return [asSearch];
  // It may also be a table with a slip in its name.
  const tables = nearNames(words, schema.tables.keys()).slice(0, 1);
  return [...tables.map((name) => ({ span, text: name })), asSearch];
}

const shown = (words: string): string => {
  const plain = words
    .replace(/\s+/g, ' ')
    .replace(/^["“'‘]([^"“”'‘’]*)["”'’]$/, '$1')
    .trim();
  return plain.length > LONGEST_SHOWN ? `${plain.slice(0, LONGEST_SHOWN - 1)}…` : plain;
};

/** Behind spaces and comments. */
const beginningOf = (text: string): number => /^(?:\s+|\/\/[^\n]*(?:\n|$))*/.exec(text)?.[0].length ?? 0;

function freeText(text: string, start: number, schema: KqlSchema): FreeText | null {
  const pipe = pipeAfter(text, start);
  const end = start + text.slice(start, pipe).trimEnd().replace(/;$/, '').length;
  const words = text.slice(start, end);
  if (words === '' || words.length > LONGEST || /[;{}[\]\n]/.test(words)) return null;
  const first = /^[A-Za-z_][\w-]*(?![\w.:@\\/*-])/.exec(words)?.[0] ?? '';
  const isAlone = first === words;
  if (first.toLowerCase() === 'search') return withoutQuotes(words, start, end);
  if (BEGINNINGS.has(first) || BEGINNINGS.has(first.toLowerCase())) return null;
  const second = /^\S+\s+([a-z-]+)\b/.exec(words)?.[1] ?? '';
  if (SUPPORTED_OPERATORS.has(second)) return null;
  if (schema.functions.some(({ name }) => name === first)) return null;
  // One name before a pipe is a table that is not there, and one that a column has is no word to look for.
  if (isAlone && (pipe < text.length || isColumn(first, schema))) return null;
  if (/^\w+\s*\(/.test(words) || /(?:==|=~|!=|<=|>=|!~)/.test(words)) return null;
  if (schema.tables.has(first)) return inTable(words, first, start, end);
  const search = searchFor(words);
  return search === null ? null : { start, end, search };
}

/** `Authentication ana`: a table and words to look for in it. */
function inTable(words: string, table: string, start: number, end: number): FreeText | null {
  const asked = words.slice(table.length).trim();
  const search = /^[|,]/.test(asked) ? null : searchFor(asked);
  return search === null ? null : { start, end, search: `${table} | ${search}`, isInTable: true };
}

/** `search mimikatz`: the words of a search stand without their quotes. */
function withoutQuotes(words: string, start: number, end: number): FreeText | null {
  const asked = words.slice('search'.length).trim();
  if (asked === '' || /^(?:in\s*\(|kind\s*=|\*)|[=:"]|\b(?:has|contains|matches)\b/.test(asked)) return null;
  const search = searchFor(asked);
  return search === null ? null : { start, end, search };
}

const isColumn = (word: string, schema: KqlSchema): boolean =>
  schema.aliases.has(word) || (schema.tables.get('Events')?.columns ?? []).some(({ name }) => name === word);

/** Where the first pipe outside of quotes is, or the end of the text. */
function pipeAfter(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"') quote = char;
    else if (char === '|' && text.charAt(at + 1) !== '|' && text.charAt(at - 1) !== '|') return at;
  }
  return text.length;
}

/** KQL that looks for the words in all events; null when there are none. */
function searchFor(words: string): string | null {
  const parts: string[] = [];
  /** The open brackets: whether what is in them must not be there. */
  const open: boolean[] = [];
  /** What has to stand before the next term: '' at the beginning and behind an opening bracket. */
  let joint = '';
  let isNot = false;
  for (const token of words.match(WORD) ?? []) {
    const operator = OPERATORS.get(token);
    if (operator === 'not') isNot = true;
    else if (operator !== undefined) joint = joint === '' ? '' : ` ${operator} `;
    else if (token === '(') {
      parts.push(`${joint}${isNot ? 'not(' : '('}`);
      open.push(isNot);
      joint = '';
      isNot = false;
    } else if (token === ')') {
      if (joint !== '' && open.pop() !== undefined) parts.push(')');
    } else {
      const term = termOf(token, isNot, open.includes(true));
      if (term === '') continue;
      parts.push(joint + term);
      joint = ' and ';
      isNot = false;
    }
  }
  if (joint === '') return null;
  return `search ${parts.join('')}${')'.repeat(open.length)}`;
}

/** One word of a search; what must not be there is named with the columns that do not have it. */
function termOf(token: string, isNot: boolean, isInNot: boolean): string {
  const negated = /^!["“]/.test(token);
  const value = askedBy(negated ? token.slice(1) : token);
  if (value === '') return '';
  const term = isNot || negated || isInNot ? `* has ${quoted(value)}` : quoted(value);
  return isNot || negated ? `not(${term})` : term;
}

const OPERATORS: ReadonlyMap<string, 'and' | 'or' | 'not'> = new Map([
  ['AND', 'and'],
  ['and', 'and'],
  ['&&', 'and'],
  ['+', 'and'],
  ['OR', 'or'],
  ['or', 'or'],
  ['||', 'or'],
  ['NOT', 'not'],
  ['!', 'not'],
]);

/** What a word looks for: the text in its quotes, the value of `field:value` and `field=value`, else itself. */
function askedBy(token: string): string {
  const quote = token.charAt(0);
  if ((quote === '"' || quote === "'" || OPENING.includes(quote)) && token.length > 1)
    return token.slice(1, -1).trim();
  const pair = /^([A-Za-z_@][\w.@-]+)(?:!?=|:)(?![\\/]|:)(.+)$/.exec(token);
  // Addresses of IPv6, of network cards and times have colons of their own.
  if (pair?.[1] !== undefined && !/^[\da-f]+(?::[\da-f]*)+$/i.test(token)) {
    if (PLACES.has(pair[1].toLowerCase())) return '';
    return askedBy(pair[2] ?? '');
  }
  const bare = token.replace(/[,;?]+$/, '').replaceAll(/["“”„«»]/g, '');
  return /^\*+$/.test(bare) ? '' : bare;
}
