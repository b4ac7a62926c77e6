import type { ColumnId, Expand } from '@tyrian/plan';
import { elementsSql } from '../functions/json-sql.ts';
import { scalarSql } from '../scalar-sql.ts';
import { parameter, type SelectItem, type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import {
  closed,
  columnsOf,
  contextOf,
  openRelation,
  type Relation,
  ready,
  type SplitState,
  wrapped,
} from './relation.ts';

/** `mv-expand`: arrays of one row run in parallel, the shorter filled with null; null gives one row, an empty array none. */
export function splitExpand(node: Expand, input: Relation, state: SplitState): Relation {
  const base = wrapped(
    ready(
      input,
      node.items.map((item) => item.source),
    ),
  );
  const context = contextOf(base, state);
  const arrays = node.items.map((item) => {
    const value = computed(scalarSql(item.source, context));
    return elementsSql(value, node.bagAsArray);
  });
  const lengths = arrays.map((array): Sql => sql`length(${array})`);
  const longest = lengths.reduce((one, other): Sql => sql`greatest(${one}, ${other})`);
  const elements =
    node.rowLimit === null ? longest : sql`least(${longest}, ${parameter('UInt64', String(node.rowLimit))})`;
  const size = node.keepEmpty ? sql`greatest(${elements}, 1)` : elements;
  const places = sql`range(toInt64(0), toInt64(${size}))`;
  const arrayJoin: SelectItem[] = node.items.map((item, index) => ({
    alias: `c${item.id}`,
    sql: sql`arrayResize(${arrays[index] as Sql}, ${size}, NULL)`,
  }));
  arrayJoin.push({
    alias: `c${node.index.id}`,
    sql: node.keepEmpty ? sql`if(${elements} = 0, [toInt64(-1)], ${places})` : places,
  });
  const columns = columnsOf(base);
  const items: SelectItem[] = [...closed(base).items];
  const add = (id: ColumnId): void => {
    items.push({ alias: `c${id}`, sql: { kind: 'column', id } });
  };
  for (const { id, type } of node.items) {
    add(id);
    columns.set(id, plainValue(type, { kind: 'column', id }, true));
  }
  add(node.index.id);
  columns.set(node.index.id, plainValue('long', { kind: 'column', id: node.index.id }, false));
  const select = {
    items,
    source: base.source,
    arrayJoin,
    where: base.where,
    groupBy: [],
    orderBy: [],
    limitBy: [],
    limit: null,
  };
  const order =
    base.order.length > 0 ? [...base.order, { id: node.index.id, descending: false, nullsFirst: true }] : [];
  return openRelation({ kind: 'select', select }, columns, order);
}
