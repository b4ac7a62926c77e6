import { ALL_EVENTS } from '@tyrian/catalog';
import { call, columnReference, constant, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { stringOf } from '../expressions/lower-literal.ts';
import type { Lowering, NamedColumn, Names, Place, Table } from '../lowering.ts';
import { boundColumns, child, children, kindOf, nameOf, type Syntax, wordOf } from '../syntax.ts';
import { absentColumns } from './absent-columns.ts';
import { lowerScan } from './lower-scan.ts';
import { tablesLike, wildcardOf } from './lower-union.ts';
import { keepRows } from './subtables.ts';

// `search`: a bare text is looked for in every column. Where the rows still hold the event as it was received (Raw),
// that text is what is searched, through the index; otherwise every column is.

const RAW = 'Raw';

/** `T | search ...`. */
export function lowerSearch(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const searched = withCondition(node, input, names, lowering);
  return labelled(node, searched, 'search', lowering);
}

/** `search ...` over all events, or `search in (A, B) ...`. */
export function lowerSearchSource(node: Syntax, place: Place, lowering: Lowering): Table {
  const clause = child(node, 'InClause');
  const tables = clause ? children(clause, 'Expressions') : [];
  const sources =
    tables.length > 0
      ? tables.flatMap((table) => searchedTables(table, place, lowering))
      : [{ name: ALL_EVENTS, table: lowerScan(ALL_EVENTS, node, lowering) }];
  const everywhere = sources.flatMap(({ table }) => table.columns);
  const found = sources.map(({ name, table }) => ({
    name,
    table: withCondition(node, table, absentColumns(table, everywhere, place.names), lowering),
  }));
  const [only] = found;
  if (found.length === 1 && only) return labelled(node, only.table, only.name, lowering);
  return merged(node, found, lowering);
}

function searchedTables(node: Syntax, place: Place, lowering: Lowering): { name: string; table: Table }[] {
  const pattern = wildcardOf(node);
  if (pattern)
    return tablesLike(pattern, lowering).map((name) => ({ name, table: lowerScan(name, node, lowering) }));
  return [{ name: nameOf(node) || 'search', table: lowering.table(node, place) }];
}

function withCondition(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const condition = child(node, 'Condition');
  if (!condition) return input;
  const predicate = searchCondition(condition, { names, columns: input.columns }, lowering);
  return keepRows(input, predicate, lowering);
}

/** The condition of `search` and `find`, in which a bare text stands for a search of every column. */
export function searchCondition(node: Syntax, place: Place, lowering: Lowering): Scalar {
  const kind = kindOf(node);
  if (kind === 'StarExpression') return constant('bool', true);
  if (kind === 'ParenthesizedExpression') {
    const inside = child(node, 'Expression');
    return inside ? searchCondition(inside, place, lowering) : constant('bool', true);
  }
  if (kind === 'StarExpression') return constant('bool', true);
  const [left, right] = [child(node, 'Left'), child(node, 'Right')];
  const operator = kind === 'BinaryExpression' ? wordOf(node, 'Operator') : '';
  if ((operator === 'and' || operator === 'or') && left && right)
    return call(
      'bool',
      operator,
      searchCondition(left, place, lowering),
      searchCondition(right, place, lowering),
    );
  if (operator === ':' && left && right && isText(right)) {
    const text = convertTo(lowering.expression(left, place), 'string');
    return termTest(text, stringOf(right));
  }
  if (/LiteralExpression$/.test(kind) && isText(node)) return anywhere(stringOf(node), place);
  if (kind === 'FunctionCallExpression' && nameOf(child(node, 'Name')) === 'not') {
    const list = child(node, 'ArgumentList');
    const [only] = list ? children(list, 'Expressions') : [];
    if (only) return call('bool', 'not', searchCondition(only, place, lowering));
  }
  return convertTo(lowering.expression(node, place), 'bool');
}

/** The binder types a bare text in a search as a condition. */
const isText = (node: Syntax): boolean => typeof (node.LiteralValue ?? node.ConstantValue) === 'string';

function anywhere(text: string, place: Place): Scalar {
  const raw = place.columns.find((column) => column.name === RAW && column.type === 'string');
  const columns = raw ? [raw] : place.columns;
  const tests = columns.map((column) =>
    termTest(convertTo(columnReference(column.id, column.type), 'string'), text),
  );
  const [only] = tests;
  return tests.length === 1 && only ? only : call('bool', 'or', ...tests);
}

/** `abc` is a whole term, `abc*` begins one, `*abc` ends one, `*abc*` stands anywhere. */
function termTest(text: Scalar, pattern: string): Scalar {
  if (pattern === '*' || pattern === '') return constant('bool', true);
  const starts = pattern.startsWith('*');
  const ends = pattern.endsWith('*');
  const inner = pattern.replace(/^\*/, '').replace(/\*$/, '');
  if (inner.includes('*')) {
    const regex = inner
      .split('*')
      .map((part) => part.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&'))
      .join('.*');
    return call('bool', 'matches_regex', text, constant('string', `(?i)${regex}`));
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
        const own = table.columns.find((one) => one.name === column.name && one.type === column.type);
        return own
          ? columnReference(own.id, own.type)
          : constant(column.type, column.type === 'string' ? '' : null);
      }),
    }),
  );
  return {
    node: { kind: 'union', columns: columns.map(({ id, type }) => ({ id, type })), branches },
    columns,
  };
}
