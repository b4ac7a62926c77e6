import { type Sentence, say } from '@tyrian/diagnostics';
import { call, constant } from '@tyrian/plan';
import { checkRegex } from '../expressions/check-regex.ts';
import { convertTo } from '../expressions/convert.ts';
import { stringOf } from '../expressions/lower-literal.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  nameOf,
  optionalChild,
  type Syntax,
  spanOf,
  textOf,
} from '../syntax.ts';
import { ColumnMaker } from './compute-columns.ts';

// `parse-kv`: the text is cut into pairs by one regular expression, from left to right, so that a delimiter inside quotes
// never ends a value. The pairs become a bag, in which the first of a key stays, and each column is a member of it.

interface Options {
  readonly pair: string;
  readonly kv: string;
  readonly quotes: readonly { readonly open: string; readonly close: string }[];
  readonly escapes: readonly string[];
  readonly greedy: boolean;
  readonly regex: string;
}

/** How a text is cut: the expression, how many of its groups are keys, and what is done to the text before. */
interface Cutting {
  readonly regex: string;
  readonly keyGroups: number;
  /** Quotes: the first groups of keys and of values stand in quotes. */
  readonly quoted: number;
  readonly mark: string;
}

/** `parse-kv text as (key:type, ...) with (...)`. */
export function lowerParseKv(
  node: Syntax<'ParseKvOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const expression = child(node, 'Expression');
  const options = optionsOf(node);
  const text = convertTo(lowering.expression(expression, { names, columns: input.columns }), 'string');
  const keys = keysOf(node);
  if (options.regex !== '') checkRegex(options.regex, node, lowering);
  const cutting = cuttingOf(
    options,
    keys.map((key) => key.name),
  );
  if ('key' in cutting) {
    lowering.refuse(messages.badArgument(spanOf(node), 'parse-kv', cutting));
    return input;
  }
  const bag = lowering.newId();
  const settings = [cutting.regex, cutting.mark, options.pair, options.escapes.join('')];
  const pairs = call(
    'dynamic',
    'key_values',
    text,
    ...settings.map((one) => constant('string', one)),
    constant('long', String(cutting.keyGroups)),
    constant('long', String(cutting.quoted)),
  );
  const cut: Table = {
    ...input,
    node: { kind: 'compute', input: input.node, items: [{ id: bag, expression: pairs }] },
  };
  const maker = new ColumnMaker(cut, names, lowering);
  const columns: NamedColumn[] = [...input.columns];
  for (const { name, type } of keys) {
    const member = call(
      'dynamic',
      'member',
      { kind: 'column', type: 'dynamic', id: bag },
      constant('string', name),
    );
    const column = maker.column(convertTo(convertTo(member, 'string'), type), name);
    const at = columns.findIndex((one) => one.name === name);
    if (at >= 0) columns[at] = column;
    else columns.push(column);
  }
  return { node: maker.node(), columns };
}

function keysOf(node: Syntax<'ParseKvOperator'>): NamedColumn[] {
  const bound = boundColumns(node);
  return children(child(node, 'Keys'), 'Columns').map((column) => {
    const name = nameOf(child(column, 'Name'));
    return { name, id: 0, type: bound.find((one) => one.name === name)?.type ?? 'string' };
  });
}

function optionsOf(node: Syntax<'ParseKvOperator'>): Options {
  const clause = optionalChild(node, 'WithClause');
  const all = (clause ? children(clause, 'Properties') : []).map((property) => ({
    name: nameOf(child(property, 'Name')).toLowerCase(),
    value: child(property, 'Expression'),
  }));
  const texts = (name: string): string[] =>
    all.filter((one) => one.name === name).map((one) => stringOf(one.value));
  const greedy = all.find((one) => one.name === 'greedy');
  return {
    pair: texts('pair_delimiter')[0] ?? '',
    kv: texts('kv_delimiter')[0] ?? '',
    quotes: texts('quote').map((chars) => ({ open: chars[0] ?? '', close: chars[1] ?? chars[0] ?? '' })),
    escapes: texts('escape'),
    greedy: greedy !== undefined && textOf(greedy.value).trim().toLowerCase() === 'true',
    regex: texts('regex')[0] ?? '',
  };
}

const WORD = '[0-9A-Za-z]';

/** What the options mean; a sentence when they mean nothing. */
function cuttingOf(options: Options, keys: readonly string[]): Cutting | Sentence {
  const { pair, kv, quotes, regex } = options;
  if (regex !== '')
    return groupsIn(regex) === 2 ? { regex, keyGroups: 1, quoted: 0, mark: '' } : say('twoGroups');
  if (quotes.some(({ open }) => open === '')) return say('quoteLength');
  if (pair === '' && kv === '') return wordCutting(options, keys);
  if (pair === '' || kv === '') return say('delimitersTogether');
  if (options.greedy) return greedyCutting(options);
  const inQuotes = quotes.map((quote) => quotedText(quote, options.escapes));
  const key = [...inQuotes, '(.*?)'].join('|');
  const value = [...inQuotes.map((one) => `${one}\\s*(?:${quoted(pair)}|$)`), `(.*?)(?:${quoted(pair)}|$)`];
  return {
    regex: `(?s)\\s*(?:${key})\\s*${quoted(kv)}\\s*(?:${value.join('|')})`,
    keyGroups: quotes.length + 1,
    quoted: quotes.length,
    mark: '',
  };
}

/** Without delimiters a key is a whole word, and what stands between it and the next word separates the two. */
function wordCutting({ quotes, escapes }: Options, keys: readonly string[]): Cutting {
  const names = [...keys].sort((one, other) => other.length - one.length).map(quoted);
  const inQuotes = quotes.map((quote) => quotedText(quote, escapes));
  const openers = quotes.map(({ open }) => open).join('');
  const between = `[^0-9A-Za-z${classed(openers)}]+`;
  const wrapped = quotes.map(({ open, close }) => `${quoted(open)}(${names.join('|')})${quoted(close)}`);
  const key = [...wrapped, `\\b(${names.join('|')})`].join('|');
  return {
    regex: `(?s)(?:${key})(?:${between}(?:${[...inQuotes, `(${WORD}+)`].join('|')}))`,
    keyGroups: quotes.length + 1,
    quoted: quotes.length,
    mark: '',
  };
}

/** A value goes on until the next key. The keys are marked first, because the expressions here cannot look ahead. */
function greedyCutting({ pair, kv, quotes }: Options): Cutting | Sentence {
  if (quotes.length > 0) return say('greedyOrQuote');
  const delimiters = classed(pair + kv);
  return {
    regex: '(?s)\\x01([^\\x02]*)\\x02\\s*([^\\x01]*)',
    keyGroups: 1,
    quoted: 0,
    mark: `(?s)(?:^|${quoted(pair)})\\s*([^${delimiters}\\x01\\x02]+?)\\s*${quoted(kv)}`,
  };
}

function quotedText({ open, close }: { open: string; close: string }, escapes: readonly string[]): string {
  const escaping = classed(escapes.join(''));
  const escaped = escaping === '' ? '' : `[${escaping}].|`;
  return `${quoted(open)}((?:${escaped}[^${classed(close)}${escaping}])*)${quoted(close)}`;
}

/** The capturing groups of an expression. */
function groupsIn(regex: string): number {
  const bare = regex.replace(/\\[\s\S]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '');
  return (bare.match(/\((?!\?)|\(\?P?</g) ?? []).length;
}

const quoted = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$/-]/g, '\\$&');
const classed = (text: string): string => text.replace(/[\\\]^[-]/g, '\\$&');
