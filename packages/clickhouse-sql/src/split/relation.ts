import type { ColumnId, Scalar } from '@tyrian/plan';
import { columnsReadBy } from '@tyrian/plan';
import type { ScalarContext } from '../scalar-context.ts';
import { scalarSql } from '../scalar-sql.ts';
import type { OrderItem, Select, SelectItem, Source, Sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';

// A select that is still open: nodes of the plan add conditions and columns to it until one needs a fresh start.
// Order is remembered and written only where it matters, below a limit and at the end.

export interface OrderKey {
  readonly id: ColumnId;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
  /** The source gives its rows in this order by itself; a limit need not sort for it. */
  readonly natural?: boolean;
}

export interface Relation {
  readonly source: Source;
  readonly columns: ReadonlyMap<ColumnId, SqlValue>;
  readonly where: readonly Sql[];
  /** Columns that this select computes; whoever reads them needs a select around it. */
  readonly fresh: ReadonlySet<ColumnId>;
  readonly order: readonly OrderKey[];
}

/** A table that is computed once, with its columns by their position among those of a use. */
export interface SharedTable {
  readonly select: Select;
  readonly columns: readonly SqlValue[];
  readonly order: readonly (OrderKey & { readonly value: SqlValue })[];
}

/** What the split of one query carries along. */
export interface SplitState {
  newId(): ColumnId;
  readonly subselect: ScalarContext['subselect'];
  /** The tables that were met so far and are computed once, in order. */
  readonly shared: Map<number, SharedTable>;
}

export const openRelation = (
  source: Source,
  columns: ReadonlyMap<ColumnId, SqlValue>,
  order: readonly OrderKey[] = [],
): Relation => ({ source, columns, where: [], fresh: new Set(), order });

export const contextOf = (relation: Relation, state: SplitState): ScalarContext => ({
  column: (id) => {
    const value = relation.columns.get(id);
    if (!value) throw new Error(`Column ${id} is not there`);
    return value;
  },
  subselect: state.subselect,
});

export interface CloseOptions {
  readonly limit?: number;
  readonly limitBy?: readonly Sql[];
}

/** The relation as a finished select of all its columns. */
export function closed(relation: Relation, options: CloseOptions = {}): Select {
  const items: SelectItem[] = [...relation.columns].map(([id, value]) => ({
    alias: `c${id}`,
    sql: value.sql,
  }));
  return {
    items,
    source: relation.source,
    arrayJoin: [],
    where: relation.where,
    groupBy: [],
    orderBy:
      options.limit === undefined || relation.order.every((key) => key.natural) ? [] : orderItems(relation),
    limitBy: options.limitBy ?? [],
    limit: options.limit ?? null,
  };
}

/** A new open relation around a finished one. */
export function wrapped(relation: Relation, options: CloseOptions = {}): Relation {
  const select = closed(relation, options);
  return openRelation({ kind: 'select', select }, columnsOf(relation), relation.order);
}

/** The columns of a relation as a select around it sees them. */
export function columnsOf(relation: Relation): Map<ColumnId, SqlValue> {
  const outer = new Map<ColumnId, SqlValue>();
  for (const [id, value] of relation.columns) {
    const { constant: _, ...rest } = value;
    outer.set(id, { ...rest, sql: { kind: 'column', id } });
  }
  return outer;
}

/** The relation itself, or one around it when the expressions read what it computes. */
export function ready(relation: Relation, scalars: readonly Scalar[]): Relation {
  if (relation.fresh.size === 0) return relation;
  const reads = scalars.some((scalar) => [...columnsReadBy(scalar)].some((id) => relation.fresh.has(id)));
  return reads ? wrapped(relation) : relation;
}

/** Adds computed columns. */
export function withColumns(
  relation: Relation,
  items: readonly { readonly id: ColumnId; readonly expression: Scalar }[],
  state: SplitState,
): Relation {
  const base = ready(
    relation,
    items.map((item) => item.expression),
  );
  const context = contextOf(base, state);
  const columns = new Map(base.columns);
  for (const { id, expression } of items) columns.set(id, scalarSql(expression, context));
  return { ...base, columns, fresh: new Set([...base.fresh, ...items.map((item) => item.id)]) };
}

export function orderItems(relation: Relation): OrderItem[] {
  return relation.order.flatMap((key) => {
    const value = relation.columns.get(key.id);
    return value ? [{ sql: value.sql, descending: key.descending, nullsFirst: key.nullsFirst }] : [];
  });
}
