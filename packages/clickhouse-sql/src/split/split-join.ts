import type { ColumnId, Join, JoinKind, KqlType } from '@tyrian/plan';
import { scalarSql } from '../scalar-sql.ts';
import { type Sql, sql } from '../sql.ts';
import { computed, nullToEmpty, type SqlValue } from '../sql-value.ts';
import {
  closed,
  columnsOf,
  contextOf,
  openRelation,
  type Relation,
  type SplitState,
  wrapped,
} from './relation.ts';

const WORDS: Readonly<Record<JoinKind, Sql>> = {
  inner: sql`INNER JOIN`,
  leftouter: sql`LEFT JOIN`,
  rightouter: sql`RIGHT JOIN`,
  fullouter: sql`FULL JOIN`,
  leftsemi: sql`LEFT SEMI JOIN`,
  leftanti: sql`LEFT ANTI JOIN`,
  rightsemi: sql`RIGHT SEMI JOIN`,
  rightanti: sql`RIGHT ANTI JOIN`,
};

/** Both sides become selects; what an outer join leaves empty is null, and '' for strings. */
export function splitJoin(node: Join, left: Relation, right: Relation, state: SplitState): Relation {
  const sides = { left: wrapped(left), right: wrapped(right) };
  const on = node.keys.flatMap((key) =>
    equalKeys(
      computed(scalarSql(key.left, contextOf(sides.left, state))),
      computed(scalarSql(key.right, contextOf(sides.right, state))),
    ),
  );
  const columns = new Map<ColumnId, SqlValue>();
  const { join } = node;
  if (join !== 'rightsemi' && join !== 'rightanti')
    addSide(columns, sides.left, join === 'rightouter' || join === 'fullouter');
  if (join !== 'leftsemi' && join !== 'leftanti')
    addSide(columns, sides.right, join === 'leftouter' || join === 'fullouter');
  return openRelation(
    { kind: 'join', words: WORDS[join], left: closed(sides.left), right: closed(sides.right), on },
    columns,
  );
}

const ZERO: Readonly<Partial<Record<KqlType, Sql>>> = {
  guid: sql`toUUID('00000000-0000-0000-0000-000000000000')`,
};

/**
 * Null equals null, as in a group. Only where both keys can be null is that asked: then the value without its null and
 * the question whether it is one are two keys, which the engine packs into one (`<=>` takes five times as long).
 */
function equalKeys(left: SqlValue, right: SqlValue): Sql[] {
  if (!left.nullable || !right.nullable) return [sql`${left.sql} = ${right.sql}`];
  const known = ({ sql: own, type }: SqlValue): Sql => sql`ifNull(${own}, ${ZERO[type] ?? sql`0`})`;
  return [sql`${known(left)} = ${known(right)}`, sql`isNull(${left.sql}) = isNull(${right.sql})`];
}

function addSide(columns: Map<ColumnId, SqlValue>, side: Relation, canMiss: boolean): void {
  for (const [id, value] of columnsOf(side)) columns.set(id, canMiss ? missing(value) : value);
}

function missing(value: SqlValue): SqlValue {
  const { indexed: _, ...rest } = value;
  return value.type === 'string' ? { ...rest, sql: nullToEmpty(value.sql) } : { ...rest, nullable: true };
}
