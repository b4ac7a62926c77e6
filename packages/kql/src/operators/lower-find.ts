import { ALL_EVENTS } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  type BoundColumn,
  boundColumns,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  optionalChild,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
  wildcardOf,
  within,
  wordOf,
} from '../syntax.ts';
import { absentColumns } from './absent-columns.ts';
import { lowerScan } from './lower-scan.ts';
import { searchCondition } from './lower-search.ts';
import { tablesLike } from './lower-union.ts';

// `find`: the rows of many tables that meet one condition. A column that a table lacks is null there; what the result
// does not show as columns of its own is packed into a bag where the query, or the documented default, asks for it.

interface Source {
  readonly table: Table;
  /** The name of the table, in each row. */
  readonly name: Scalar;
}

const PACK = 'pack_';

/** `find [in (tables)] where condition [project ...]`. */
export function lowerFind(
  node: Syntax<'FindOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const condition = child(node, 'Condition');
  const bound = boundColumns(node);
  const label = parametersOf(node).get('withsource');
  const named = label ? nameOf(label) || textOf(label) : 'source_';
  const searched = withSomeColumn(condition, sources(node, context, lowering));
  const columns: NamedColumn[] = bound.map((column) => ({
    name: column.name,
    id: lowering.newId(),
    type: column.type ?? 'dynamic',
  }));
  if (columns.length === 0 || searched.length === 0) {
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'find'));
    return { node: { kind: 'values', columns: [], rows: [], ordinal: lowering.newId() }, columns: [] };
  }
  const types = declaredTypes(optionalChild(node, 'Project'));
  const everywhere = searched.flatMap(({ table }) => table.columns);
  const branches = searched.map(({ table, name }): UnionBranch => {
    const absent = absentColumns(table, everywhere, context.names);
    const rows = filtered(condition, table, absent, lowering);
    const shown = columns.map((column, index): Scalar => {
      if (column.name === named) return name;
      if (column.name === PACK && column.type === 'dynamic') return packed(table, bound);
      return ownColumn(table, column, bound[index], types.has(column.name), node, lowering);
    });
    return { input: rows.node, columns: shown };
  });
  const planned = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'union', columns: planned, branches }, columns };
}

function sources(node: Syntax<'FindOperator'>, context: ExpressionContext, lowering: Lowering): Source[] {
  const clause = optionalChild(node, 'InClause');
  if (!clause) {
    const table = lowerScan(ALL_EVENTS, node, lowering);
    const stream = table.columns.find((column) => column.name === 'Stream');
    return [{ table, name: stream ? columnReference(stream.id, 'string') : constant('string', ALL_EVENTS) }];
  }
  return children(clause, 'Expressions').flatMap((expression): Source[] => {
    const pattern = wildcardOf(expression);
    if (pattern)
      return tablesLike(pattern, lowering).map((name) => ({
        table: lowerScan(name, expression, lowering),
        name: constant('string', name),
      }));
    return [
      { table: lowering.table(expression, context), name: constant('string', nameOf(expression) || 'find') },
    ];
  });
}

function filtered(condition: Syntax, table: Table, names: Names, lowering: Lowering): Table {
  const predicate = searchCondition(condition, { names, columns: table.columns }, lowering);
  return { ...table, node: { kind: 'filter', input: table.node, predicate } };
}

/** `project a:string` casts; without a type the column is the one that the binder found. */
function declaredTypes(project: Syntax<'FindProjectClause'> | null): ReadonlySet<string> {
  const columns = project ? children(project, 'Columns') : [];
  return new Set(
    columns
      .filter((column) => isKind(column, 'TypedColumnReference'))
      .map((column) => nameOf(child(column, 'Column'))),
  );
}

/** A table that has none of the columns that the condition names takes no part. */
function withSomeColumn(condition: Syntax, searched: readonly Source[]): readonly Source[] {
  const named = columnNames(condition);
  if (!named || named.size === 0) return searched;
  const known = searched.filter(({ table }) => table.columns.some((column) => named.has(column.name)));
  return known.length > 0 ? known : searched;
}

/** The names in a condition; null when it searches every column. */
function columnNames(condition: Syntax): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const one of within(condition)) {
    if (kindOf(one) === 'StarExpression' || (one.LiteralValue !== undefined && isBareText(one))) return null;
    if (kindOf(one) === 'NameReference') names.add(nameOf(one));
  }
  return names;
}

/** A text that is a condition by itself. */
function isBareText(node: Syntax): boolean {
  const above = node.Parent;
  const operator = isKind(above, 'BinaryExpression') ? wordOf(above, 'Operator') : null;
  const alone = operator === null || operator === 'and' || operator === 'or';
  return (
    typeof node.LiteralValue === 'string' &&
    alone &&
    above !== null &&
    !/List|Element|Call/.test(kindOf(above))
  );
}

/** A column of the result; whole numbers of several widths are one column. */
function ownColumn(
  table: Table,
  column: NamedColumn,
  bound: BoundColumn | undefined,
  cast: boolean,
  node: Syntax,
  lowering: Lowering,
): Scalar {
  const type = bound?.type ?? column.type;
  const own =
    table.columns.find((one) => one.name === column.name && (cast || one.type === type)) ??
    table.columns.find((one) => `${one.name}_${one.type}` === column.name && one.type === type);
  const other = table.columns.find((one) => one.name === column.name);
  if (!own && other?.type === 'int' && type === 'long')
    return convertTo(columnReference(other.id, other.type), type);
  if (!own && other)
    lowering.refuse(
      messages.badArgument(spanOf(node), 'find', say('findsSeveralTypes', { name: column.name })),
    );
  return own
    ? convertTo(columnReference(own.id, own.type), type)
    : constant(type, type === 'string' ? '' : null);
}

/** The columns that are not shown by themselves. */
function packed(table: Table, bound: readonly BoundColumn[]): Scalar {
  const shown = new Set(bound.map((column) => column.name));
  const rest = table.columns.filter(
    (column) => !shown.has(column.name) && !shown.has(`${column.name}_${column.type}`),
  );
  return call(
    'dynamic',
    'bag_pack',
    ...rest.flatMap((column): Scalar[] => [
      constant('string', column.name),
      columnReference(column.id, column.type),
    ]),
  );
}
