import { ALL_EVENTS } from '@tyrian/catalog';
import { columnReference, constant, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  type BoundColumn,
  boundColumns,
  children,
  nameOf,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
  wildcardOf,
} from '../syntax.ts';
import { lowerScan } from './lower-scan.ts';
import { nameBefore, sourceName } from './source-name.ts';

interface Member {
  readonly table: Table;
  readonly source: string;
}

/** `T | union A, B`. */
export function lowerUnion(
  node: Syntax<'UnionOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const others = members(node, { names, columns: [] }, lowering, 1);
  const source = nameBefore(node, names) || 'union_arg0';
  return unionOf(node, [{ table: input, source }, ...others], lowering);
}

/** `union A, B`. */
export function lowerUnionSource(
  node: Syntax<'UnionOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  return unionOf(node, members(node, context, lowering, 0), lowering);
}

function members(
  node: Syntax<'UnionOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
  first: number,
): Member[] {
  return children(node, 'Expressions').flatMap((expression, index): Member[] => {
    const pattern = wildcardOf(expression);
    if (pattern) return matching(pattern, expression, lowering);
    const source = sourceName(expression, context.names) || `union_arg${index + first}`;
    return [{ table: lowering.table(expression, { ...context, columns: [] }), source }];
  });
}

/**
 * The tables that a pattern names. `*` alone means every event once: the views of the well-known tables show the same
 * events again, and are named by a pattern that says more.
 */
export function tablesLike(pattern: RegExp, lowering: Lowering): string[] {
  const named = [...lowering.tables.values()].filter(({ name }) => name !== ALL_EVENTS && pattern.test(name));
  // A stream that was given further columns is a view too, and stays a stream.
  const streams = named.filter(({ stream }) => stream !== null);
  return (pattern.test('') && streams.length > 0 ? streams : named).map(({ name }) => name);
}

function matching(pattern: RegExp, node: Syntax, lowering: Lowering): Member[] {
  return tablesLike(pattern, lowering).map((source) => ({
    source,
    table: lowerScan(source, node, lowering),
  }));
}

function unionOf(node: Syntax<'UnionOperator'>, sources: readonly Member[], lowering: Lowering): Table {
  const parameters = parametersOf(node);
  const sourceName = parameters.get('withsource') ?? parameters.get('with_source');
  const named = sourceName ? nameOf(sourceName) || textOf(sourceName) : null;
  const inner = textOf(parameters.get('kind') ?? node).toLowerCase() === 'inner';
  const everywhere = (one: BoundColumn): boolean =>
    one.name === named ||
    sources.every(({ table }) =>
      table.columns.some(({ name, type }) => name === one.name && type === one.type),
    );
  const bound = boundColumns(node);
  const shown = inner ? bound.filter(everywhere) : bound;
  const origins = inner ? [] : originsOf(sources, bound, named);
  const columns: NamedColumn[] = shown.map(({ name, type }, index) => ({
    name: origins[index]?.shown ?? name,
    id: lowering.newId(),
    type: type ?? 'dynamic',
  }));
  if (columns.length === 0 || sources.length === 0) {
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'union'));
    return { node: { kind: 'values', columns: [], rows: [], ordinal: lowering.newId() }, columns: [] };
  }
  const branches = sources.map(
    ({ table, source }): UnionBranch => ({
      input: table.node,
      columns: columns.map((column, index) =>
        column.name === named
          ? constant('string', source)
          : memberColumn(table, column, origins[index], shown[index]),
      ),
    }),
  );
  const planned = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'union', columns: planned, branches }, columns };
}

function memberColumn(
  table: Table,
  column: NamedColumn,
  origin: Origin | undefined,
  bound: BoundColumn | undefined,
): Scalar {
  if (!origin) return branchColumn(table, column, bound);
  const own = table.columns.find((one) => one.name === origin.name && one.type === origin.type);
  return own
    ? columnReference(own.id, own.type)
    : constant(origin.type, origin.type === 'string' ? '' : null);
}

interface Origin extends NamedColumn {
  /** The name in the result. */
  readonly shown: string;
}

/**
 * Which column of the members each column of the result is, in the order that the binder gives them: by name, and of one
 * name by type. A name with a suffix that some column has by itself is numbered. Empty when the binder sees it otherwise.
 */
function originsOf(
  sources: readonly Member[],
  bound: readonly BoundColumn[],
  named: string | null,
): Origin[] {
  const byName = new Map<string, NamedColumn[]>();
  for (const column of sources.flatMap(({ table }) => table.columns)) {
    const known = byName.get(column.name) ?? [];
    if (!known.some((one) => one.type === column.type)) byName.set(column.name, [...known, column]);
  }
  const origins = [...byName.values()].flatMap((columns) =>
    columns.map((column): Origin => {
      const suffixed = `${column.name}_${column.type}`;
      const taken = byName.has(suffixed) ? `${suffixed}1` : suffixed;
      return { ...column, shown: columns.length > 1 ? taken : column.name };
    }),
  );
  if (named) origins.unshift({ name: named, id: 0, type: 'string', shown: named });
  if (bound.length !== origins.length || !bound.every((one, at) => one.type === origins[at]?.type)) return [];
  const known = bound.every((one) =>
    origins.some(({ shown, type }) => shown === one.name && type === one.type),
  );
  return known ? origins : origins.map((one, at) => ({ ...one, shown: bound[at]?.name ?? one.shown }));
}

/** A column of a branch by name and type; columns of one name and several types are told apart by a suffix. */
export function branchColumn(
  table: Table,
  column: NamedColumn,
  bound: BoundColumn | null | undefined,
): Scalar {
  const type = bound?.type ?? column.type;
  const own =
    table.columns.find((one) => one.name === column.name && one.type === type) ??
    table.columns.find((one) => `${one.name}_${one.type}` === column.name && one.type === type) ??
    (bound?.type === null ? table.columns.find((one) => one.name === column.name) : undefined);
  return own
    ? convertTo(columnReference(own.id, own.type), type)
    : constant(type, type === 'string' ? '' : null);
}
