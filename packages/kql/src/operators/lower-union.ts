import { ALL_EVENTS } from '@tyrian/catalog';
import { columnReference, constant, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Place, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  type BoundColumn,
  boundColumns,
  child,
  children,
  kindOf,
  nameOf,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
} from '../syntax.ts';
import { lowerScan } from './lower-scan.ts';

interface Member {
  readonly table: Table;
  readonly source: string;
}

/** `T | union A, B`. */
export function lowerUnion(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const others = members(node, { names, columns: [] }, lowering, 1);
  return unionOf(node, [{ table: input, source: 'union_arg0' }, ...others], lowering);
}

/** `union A, B`. */
export function lowerUnionSource(node: Syntax, place: Place, lowering: Lowering): Table {
  return unionOf(node, members(node, place, lowering, 0), lowering);
}

function members(node: Syntax, place: Place, lowering: Lowering, first: number): Member[] {
  const fuzzy = parametersOf(node).get('isfuzzy');
  const mayMiss = fuzzy !== undefined && textOf(fuzzy).trim().toLowerCase() === 'true';
  return children(node, 'Expressions').flatMap((expression, index): Member[] => {
    // The binder has warned of what a fuzzy union does not find.
    if (mayMiss && isMissing(expression, place, lowering)) return [];
    const pattern = wildcardOf(expression);
    if (pattern) return matching(pattern, expression, lowering);
    const source = givenName(expression) || `union_arg${index + first}`;
    return [{ table: lowering.table(expression, { ...place, columns: [] }), source }];
  });
}

/** A name that neither the query nor the schema knows. */
function isMissing(node: Syntax, place: Place, lowering: Lowering): boolean {
  if (kindOf(node) === 'ParenthesizedExpression') {
    const inside = child(node, 'Expression');
    return inside !== null && isMissing(inside, place, lowering);
  }
  if (kindOf(node) !== 'NameReference' || wildcardOf(node)) return false;
  return !place.names.has(nameOf(node)) && !lowering.tables.has(nameOf(node));
}

/** The name of a table, or the one that `as` gives a pipe at its end; '' when it has none. */
function givenName(node: Syntax): string {
  const inside = kindOf(node) === 'ParenthesizedExpression' ? child(node, 'Expression') : node;
  if (!inside) return '';
  if (kindOf(inside) === 'NameReference') return nameOf(inside);
  const last = kindOf(inside) === 'PipeExpression' ? child(inside, 'Operator') : null;
  return last && kindOf(last) === 'AsOperator' ? nameOf(child(last, 'Name')) : '';
}

/** What `Net*` or `*` asks for; null for any other expression. */
export function wildcardOf(node: Syntax): RegExp | null {
  const name = child(node, 'Name');
  if (kindOf(node) === 'StarExpression') return /.*/;
  if (!name || !/Wildcarded/.test(kindOf(name))) return null;
  const quoted = textOf(name).replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${quoted.replaceAll('*', '.*')}$`);
}

/**
 * The tables that a pattern names. `*` alone means every event once: the views of the well-known tables show the same
 * events again, and are named by a pattern that says more.
 */
export function tablesLike(pattern: RegExp, lowering: Lowering): string[] {
  const named = [...lowering.tables.values()].filter(({ name }) => name !== ALL_EVENTS && pattern.test(name));
  const streams = named.filter(({ view }) => !view);
  // Streams that were given further columns are views too, but then there are no others.
  return (pattern.test('') && streams.length > 0 ? streams : named).map(({ name }) => name);
}

function matching(pattern: RegExp, node: Syntax, lowering: Lowering): Member[] {
  return tablesLike(pattern, lowering).map((source) => ({
    source,
    table: lowerScan(source, node, lowering),
  }));
}

function unionOf(node: Syntax, sources: readonly Member[], lowering: Lowering): Table {
  const parameters = parametersOf(node);
  const sourceName = parameters.get('withsource') ?? parameters.get('with_source');
  const named = sourceName ? nameOf(sourceName) || textOf(sourceName) : null;
  const inner = textOf(parameters.get('kind') ?? node).toLowerCase() === 'inner';
  const everywhere = (bound: BoundColumn): boolean =>
    bound.name === named ||
    sources.every(({ table }) =>
      table.columns.some((one) => one.name === bound.name && one.type === bound.type),
    );
  const shown = boundColumns(node).filter((bound) => !inner || everywhere(bound));
  const columns: NamedColumn[] = shown.map((bound) => ({
    name: bound.name,
    id: lowering.newId(),
    type: bound.type ?? 'dynamic',
  }));
  if (columns.length === 0 || sources.length === 0) {
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'union'));
    return { node: { kind: 'values', columns: [], rows: [], ordinal: lowering.newId() }, columns: [] };
  }
  const branches = sources.map(
    ({ table, source }): UnionBranch => ({
      input: table.node,
      columns: columns.map((column, index) =>
        column.name === named ? constant('string', source) : branchColumn(table, column, shown[index]),
      ),
    }),
  );
  const planned = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'union', columns: planned, branches }, columns };
}

/** A column of a branch by name and type; columns of one name and several types are told apart by a suffix. */
function branchColumn(table: Table, column: NamedColumn, bound: BoundColumn | undefined): Scalar {
  const type = bound?.type ?? column.type;
  const own =
    table.columns.find((one) => one.name === column.name && one.type === type) ??
    table.columns.find((one) => `${one.name}_${one.type}` === column.name && one.type === type) ??
    (bound?.type === null ? table.columns.find((one) => one.name === column.name) : undefined);
  return own
    ? convertTo(columnReference(own.id, own.type), type)
    : constant(type, type === 'string' ? '' : null);
}
