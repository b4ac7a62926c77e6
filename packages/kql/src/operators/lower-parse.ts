import type { KqlType } from '@tyrian/catalog';
import { type ComputeItem, call, constant, type Scalar } from '@tyrian/plan';
import { checkRegex } from '../expressions/check-regex.ts';
import { convertTo } from '../expressions/convert.ts';
import { stringOf } from '../expressions/lower-literal.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
} from '../syntax.ts';
import { keepRows } from './subtables.ts';

// `parse` and `parse-where`: the pattern becomes one anchored regular expression, each column one of its groups. In the
// simple mode a number that is not one makes the whole pattern fail; in the relaxed mode only that column is null. In the
// regex mode texts take as much as they can, as Kusto's examples and its engine have it, though its words say otherwise.

type ParseKind = 'ParseOperator' | 'ParseWhereOperator';
type Mode = 'simple' | 'relaxed' | 'regex';

interface Pattern {
  readonly regex: string;
  readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
}

const NUMBER: Readonly<Partial<Record<KqlType, string>>> = {
  int: '([-+]?\\d+)',
  long: '([-+]?\\d+)',
  real: '([-+]?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)',
  decimal: '([-+]?\\d+(?:\\.\\d+)?)',
};

/** `parse [kind=...] text with ...`. */
export function lowerParse(
  node: Syntax<'ParseOperator' | 'ParseWhereOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const expression = child(node, 'Expression');
  const mode = modeOf(node, lowering);
  if (!mode) return input;
  const text = convertTo(lowering.expression(expression, { names, columns: input.columns }), 'string');
  const flags = mode === 'regex' ? flagsOf(node) : 's';
  const pattern = patternOf(node, mode, flags, lowering);
  const regex = constant('string', `${flags === '' ? '' : `(?${flags})`}${pattern.regex}`);
  const onlyMatches = kindOf(node) === 'ParseWhereOperator';
  const source = onlyMatches ? keepRows(input, call('bool', 'matches_regex', text, regex), lowering) : input;
  const columns: NamedColumn[] = [...input.columns];
  const items: ComputeItem[] = pattern.columns.map(({ name, type }, index) => {
    const captured: Scalar = call(
      'string',
      'parse_capture',
      text,
      regex,
      constant('long', String(index + 1)),
    );
    const id = lowering.newId();
    const at = columns.findIndex((column) => column.name === name);
    if (at >= 0) columns[at] = { name, id, type };
    else columns.push({ name, id, type });
    const parsed = type === 'dynamic' ? call('dynamic', 'parse_json', captured) : convertTo(captured, type);
    return { id, expression: parsed };
  });
  const order = boundColumns(node).flatMap(
    (bound) => columns.find((column) => column.name === bound.name) ?? [],
  );
  return {
    ...source,
    node: { kind: 'compute', input: source.node, items },
    columns: order.length === columns.length ? order : columns,
  };
}

function modeOf(node: Syntax<ParseKind>, lowering: Lowering): Mode | null {
  const kind = parametersOf(node).get('kind');
  const word = kind ? textOf(kind).toLowerCase() : 'simple';
  if (word === 'simple' || word === 'relaxed' || word === 'regex') return word;
  lowering.refuse(messages.parameter(spanOf(node), 'parse', `kind=${word}`));
  return null;
}

function flagsOf(node: Syntax<ParseKind>): string {
  const flags = parametersOf(node).get('flags');
  return flags ? textOf(flags).replace(/[^imsU]/g, '') : '';
}

function patternOf(node: Syntax<ParseKind>, mode: Mode, flags: string, lowering: Lowering): Pattern {
  const parts = children(node, 'Patterns');
  const columns: { name: string; type: KqlType }[] = [];
  const bound = boundColumns(node);
  let regex = mode === 'regex' ? '\\A' : '^';
  parts.forEach((part, index) => {
    const last = index === parts.length - 1;
    const kind = kindOf(part);
    if (kind === 'StarExpression') regex += last ? '.*' : '.*?';
    else if (isKind(part, 'NameDeclaration', 'NameAndTypeDeclaration')) {
      const name = nameOf(isKind(part, 'NameAndTypeDeclaration') ? child(part, 'Name') : part);
      const type = bound.find((column) => column.name === name)?.type ?? 'string';
      const typed = kind === 'NameDeclaration' ? 'string' : type;
      columns.push({ name, type: typed });
      regex += capture(typed, mode, last, flags.includes('U'));
    } else if (kind === 'LiteralExpression' || kind === 'CompoundStringLiteralExpression') {
      const literal = stringOf(part);
      if (mode === 'regex') checkRegex(literal, part, lowering);
      regex += mode === 'regex' ? `(?:${literal.replace(/\((?!\?)/g, '(?:')})` : quoted(literal);
    } else lowering.refuse(messages.expression(spanOf(part), kind));
  });
  return { regex: mode === 'regex' ? regex : `${regex}$`, columns };
}

/** The flag U turns greedy and lazy round; the last text goes to the end all the same. */
function capture(type: KqlType, mode: Mode, last: boolean, turned: boolean): string {
  const number = mode === 'relaxed' ? undefined : NUMBER[type];
  if (number) return number;
  if (mode === 'regex') return last && turned ? '(.*?)' : '(.*)';
  return last ? '(.*)' : '(.*?)';
}

const quoted = (text: string): string => text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&');
