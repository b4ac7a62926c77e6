import { ALL_EVENTS } from '@tyrian/catalog';
import { call, columnReference, constant, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { stringOf } from '../expressions/lower-literal.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import {
  argumentsOf,
  boundColumns,
  boundType,
  boundValue,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  optionalChild,
  parametersOf,
  type Syntax,
  textOf,
  wildcardOf,
  wordOf,
} from '../syntax.ts';
import { absentColumns } from './absent-columns.ts';
import { lowerScan } from './lower-scan.ts';
import { branchColumn, tablesLike } from './lower-union.ts';
import { nameBefore, sourceName } from './source-name.ts';
import { keepRows } from './subtables.ts';

// `search`: a bare text is looked for in every column. Where the rows still hold the event as it was received (Raw),
// that text is what is searched, through the index; otherwise every column is.

const RAW = 'Raw';
const NUMBERS = new Set<string>(['int', 'long', 'real', 'decimal']);

/** `T | search ...`. */
export function lowerSearch(
  node: Syntax<'SearchOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const searched = withCondition(node, input, names, lowering);
  return labelled(node, searched, nameBefore(node, names) || 'search_arg0', lowering);
}

/** `search ...` over all events, or `search in (A, B) ...`. */
export function lowerSearchSource(
  node: Syntax<'SearchOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const clause = optionalChild(node, 'InClause');
  const tables = clause ? children(clause, 'Expressions') : [];
  const sources =
    tables.length > 0
      ? tables.flatMap((table, index) => searchedTables(table, index, context, lowering))
      : [{ name: ALL_EVENTS, table: lowerScan(ALL_EVENTS, node, lowering) }];
  const everywhere = sources.flatMap(({ table }) => table.columns);
  const found = sources.map(({ name, table }) => ({
    name,
    table: withCondition(node, table, absentColumns(table, everywhere, context.names), lowering),
  }));
  const [only] = found;
  if (found.length === 1 && only) return labelled(node, only.table, only.name, lowering);
  return merged(node, found, lowering);
}

function searchedTables(
  node: Syntax,
  index: number,
  context: ExpressionContext,
  lowering: Lowering,
): { name: string; table: Table }[] {
  const pattern = wildcardOf(node);
  if (pattern)
    return tablesLike(pattern, lowering).map((name) => ({ name, table: lowerScan(name, node, lowering) }));
  const name = sourceName(node, context.names) || `search_arg${index}`;
  return [{ name, table: lowering.table(node, context) }];
}

function withCondition(
  node: Syntax<'SearchOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const condition = child(node, 'Condition');
  const kind = parametersOf(node).get('kind');
  const exact = kind !== undefined && textOf(kind).toLowerCase() === 'case_sensitive';
  const found = searchCondition(condition, { names, columns: input.columns }, lowering, exact);
  const predicate = exact ? caseSensitive(found) : found;
  return keepRows(input, predicate, lowering);
}

const CASE_SENSITIVE: Readonly<Record<string, string>> = {
  contains: 'contains_cs',
  endswith: 'endswith_cs',
  equal_ci: 'equal',
  has: 'has_cs',
  hasprefix: 'hasprefix_cs',
  hassuffix: 'hassuffix_cs',
  in_ci: 'in',
  startswith: 'startswith_cs',
};

/** `search kind=case_sensitive`: every comparison of strings heeds the case. */
function caseSensitive(scalar: Scalar): Scalar {
  if (scalar.kind !== 'call') return scalar;
  const fn = CASE_SENSITIVE[scalar.fn] ?? scalar.fn;
  return { ...scalar, fn, args: scalar.args.map(caseSensitive) };
}

/** The condition of `search` and `find`, in which a bare text stands for a search of every column. */
export function searchCondition(
  node: Syntax,
  context: ExpressionContext,
  lowering: Lowering,
  exact = false,
): Scalar {
  const kind = kindOf(node);
  if (kind === 'StarExpression') return constant('bool', true);
  if (isKind(node, 'ParenthesizedExpression'))
    return searchCondition(child(node, 'Expression'), context, lowering, exact);
  if (isKind(node, 'BinaryExpression')) {
    const [left, right] = [child(node, 'Left'), child(node, 'Right')];
    const operator = wordOf(node, 'Operator');
    if (operator === 'and' || operator === 'or')
      return call(
        'bool',
        operator,
        searchCondition(left, context, lowering, exact),
        searchCondition(right, context, lowering, exact),
      );
    if (operator === ':' && isText(right)) {
      const text = convertTo(lowering.expression(left, context), 'string');
      return termTest(text, stringOf(right), exact);
    }
  }
  if (/LiteralExpression$/.test(kind) && isText(node))
    return anywhere(stringOf(node), context.columns, exact);
  // A number is looked for as it is written, though not among numbers with a fraction.
  if (/LiteralExpression$/.test(kind) && NUMBERS.has(boundType(node) ?? '')) {
    const columns = context.columns.filter(({ type }) => type !== 'real' && type !== 'decimal');
    return anywhere(textOf(node), columns, exact);
  }
  if (isKind(node, 'FunctionCallExpression') && nameOf(child(node, 'Name')) === 'not') {
    const [only] = argumentsOf(node);
    if (only) return call('bool', 'not', searchCondition(only, context, lowering, exact));
  }
  return convertTo(lowering.expression(node, context), 'bool');
}

/** The binder types a bare text in a search as a condition. */
const isText = (node: Syntax): boolean => typeof boundValue(node) === 'string';

function anywhere(text: string, all: readonly NamedColumn[], exact: boolean): Scalar {
  const raw = all.find((column) => column.name === RAW && column.type === 'string');
  const columns = raw ? [raw] : all;
  const tests = columns.map((column) =>
    termTest(convertTo(columnReference(column.id, column.type), 'string'), text, exact),
  );
  const [only] = tests;
  // Rows without a column hold no text.
  if (!only) return constant('bool', false);
  return tests.length === 1 ? only : call('bool', 'or', ...tests);
}

/** `abc` is a whole term, `abc*` begins one, `*abc` ends one, `*abc*` stands anywhere, `a*c` begins and ends at words. */
function termTest(text: Scalar, pattern: string, exact: boolean): Scalar {
  if (pattern === '*' || pattern === '') return constant('bool', true);
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  const inner = pattern.replace(/^\*/, '').replace(/\*$/, '');
  if (inner.includes('*')) {
    const regex = inner
      .split('*')
      .map((part) => part.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'))
      .join('.*');
    const whole = `${exact ? '' : '(?i)'}${starts ? '' : '\\b'}${regex}${ends ? '' : '\\b'}`;
    return call('bool', 'matches_regex', text, constant('string', whole));
  }
  const fn = starts && ends ? 'contains' : starts ? 'hassuffix' : ends ? 'hasprefix' : 'has';
  return call('bool', fn, text, constant('string', inner));
}

/** The binder puts the name of the table before the columns. */
function labelled(node: Syntax, table: Table, name: string, lowering: Lowering): Table {
  const bound = boundColumns(node);
  const label = bound.find((column) => column.name === '$table');
  if (!label) return table;
  const id = lowering.newId();
  // Over all events the stream is the table that a row stands in.
  const stream = table.columns.find((column) => column.name === 'Stream' && column.type === 'string');
  const own = name === ALL_EVENTS && stream ? columnReference(stream.id, 'string') : null;
  const items = [{ id, expression: own ?? constant('string', name) }];
  const columns: NamedColumn[] = [{ name: '$table', id, type: 'string' }, ...table.columns];
  return { node: { kind: 'compute', input: table.node, items }, columns };
}

function merged(node: Syntax, found: readonly { name: string; table: Table }[], lowering: Lowering): Table {
  const columns: NamedColumn[] = boundColumns(node).map((bound) => ({
    name: bound.name,
    id: lowering.newId(),
    type: bound.type ?? 'dynamic',
  }));
  const branches = found.map(
    ({ name, table }): UnionBranch => ({
      input: table.node,
      columns: columns.map((column): Scalar => {
        if (column.name === '$table') return constant('string', name);
        return branchColumn(table, column, null);
      }),
    }),
  );
  return {
    node: { kind: 'union', columns: columns.map(({ id, type }) => ({ id, type })), branches },
    columns,
  };
}
