import type { ColumnId, MatchSteps } from '@tyrian/plan';
import { scalarSql } from '../scalar-sql.ts';
import { commaList, ownText, type Select, type SelectItem, type Source, type Sql, sql } from '../sql.ts';
import { computed, plainValue, type SqlValue } from '../sql-value.ts';
import { matchFold } from './match-fold.ts';
import {
  closed,
  columnsOf,
  contextOf,
  openRelation,
  orderItems,
  type Relation,
  type SplitState,
  wrapped,
} from './relation.ts';
import { elementOf } from './state-tuple.ts';

// `scan`. The rows of a partition become one array in their order; a fold runs over what the steps read of them and
// gives, row by row, the steps that the row matches; both arrays are then taken apart side by side.

/** Rows run through steps; see match-fold.ts for the steps themselves. */
export function splitMatchSteps(node: MatchSteps, input: Relation, state: SplitState): Relation {
  const base = wrapped(input);
  const partition = (node.partition ?? []).map((scalar) => ({
    id: state.newId(),
    sql: computed(scalarSql(scalar, contextOf(base, state))).sql,
  }));
  const carried = [...base.columns];
  const fold = matchFold(node, base, state);
  const ids = { rows: state.newId(), seen: state.newId(), found: state.newId(), position: state.newId() };
  const row = tupleOf(carried.map(([, value]) => value.sql));
  const gathered = select({
    items: [
      ...partition.map(({ id }) => as(id, column(id))),
      as(ids.rows, sql`groupArray(${row})`),
      as(ids.seen, sql`groupArray(${fold.seen})`),
    ],
    source: { kind: 'select', select: sorted(base, partition) },
    groupBy: partition.map(({ id }) => column(id)),
  });
  const folded = select({
    items: [
      ...partition.map(({ id }) => as(id, column(id))),
      as(ids.rows, column(ids.rows)),
      as(ids.found, fold.over(column(ids.seen))),
    ],
    source: { kind: 'select', select: gathered },
  });
  const sideBySide = select({
    items: [ids.rows, ids.found, ids.position, ...partition.map(({ id }) => id)].map((id) =>
      as(id, column(id)),
    ),
    source: { kind: 'select', select: folded },
    arrayJoin: [
      as(ids.rows, column(ids.rows)),
      as(ids.found, column(ids.found)),
      as(ids.position, sql`arrayEnumerate(${column(ids.rows)})`),
    ],
  });
  return matched(node, state, { carried, ids, partition: partition.map(({ id }) => id), sideBySide });
}

interface Matched {
  readonly carried: readonly (readonly [ColumnId, SqlValue])[];
  readonly ids: { readonly rows: number; readonly found: number; readonly position: number };
  readonly partition: readonly number[];
  readonly sideBySide: Select;
}

/** A row for each match, in the order of the rows; of one row the match of the last step first. */
function matched(node: MatchSteps, state: SplitState, parts: Matched): Relation {
  const { carried, ids, partition, sideBySide } = parts;
  const [step, series] = [state.newId(), state.newId()];
  const match = column(ids.found);
  const own: [ColumnId, SqlValue][] = [
    [step, plainValue('long', sql`toInt64(${elementOf(match, 1)})`, false)],
    [node.matchId.id, plainValue('long', elementOf(match, 2), false)],
    [series, plainValue('long', elementOf(match, 3), false)],
    ...node.declared.map(({ id, expression }, index): [ColumnId, SqlValue] => [
      id,
      plainValue(expression.type, elementOf(match, index + 4), true),
    ]),
    [ids.position, plainValue('long', sql`toInt64(${column(ids.position)})`, false)],
  ];
  const rows = carried.map(([id, value], index): [ColumnId, SqlValue] => {
    const { constant: _, ...rest } = value;
    return [id, { ...rest, sql: elementOf(column(ids.rows), index + 1) }];
  });
  const all = [...rows, ...own];
  const apart = select({
    items: [...all.map(([id, value]) => as(id, value.sql)), ...partition.map((id) => as(id, column(id)))],
    source: { kind: 'select', select: sideBySide },
    arrayJoin: [as(ids.found, match)],
  });
  const order = [
    { id: ids.position, descending: false, nullsFirst: true },
    { id: step, descending: true, nullsFirst: false },
  ];
  const columns = columnsOf(openRelation({ kind: 'nothing' }, new Map(all)));
  const relation = openRelation({ kind: 'select', select: apart }, columns, order);
  return withLastOnly(node, relation, { step, series, position: ids.position, partition }, state);
}

interface MatchColumns {
  readonly step: number;
  readonly series: number;
  readonly position: number;
  readonly partition: readonly number[];
}

/** Of the steps that say `output=last`, only the last row of each series stays. */
function withLastOnly(node: MatchSteps, relation: Relation, at: MatchColumns, state: SplitState): Relation {
  const lasting = node.steps.flatMap(({ output }, index) => (output === 'last' ? [index + 1] : []));
  if (lasting.length === 0) return relation;
  const keys = commaList([...at.partition, at.step, at.series].map(column));
  const last = state.newId();
  const latest = sql`toInt64(max(${column(at.position)}) OVER (PARTITION BY ${keys}))`;
  const around = wrapped({
    ...relation,
    columns: new Map(relation.columns).set(last, plainValue('long', latest, false)),
  });
  const steps = commaList(lasting.map((step) => ownText(step)));
  const stays = sql`(${column(at.step)} NOT IN (${steps}) OR ${column(at.position)} = ${column(last)})`;
  return { ...around, where: [stays] };
}

function sorted(base: Relation, partition: readonly { readonly id: number; readonly sql: Sql }[]): Select {
  const select = closed(base);
  return {
    ...select,
    items: [...select.items, ...partition.map(({ id, sql: piece }) => as(id, piece))],
    orderBy: orderItems(base),
  };
}

const column = (id: number): Sql => ({ kind: 'column', id });
const as = (id: number, piece: Sql): SelectItem => ({ alias: `c${id}`, sql: piece });
const tupleOf = (pieces: readonly Sql[]): Sql =>
  pieces.length === 0 ? sql`tuple(1)` : sql`tuple(${commaList(pieces)})`;

function select(parts: {
  readonly items: readonly SelectItem[];
  readonly source: Source;
  readonly arrayJoin?: readonly SelectItem[];
  readonly groupBy?: readonly Sql[];
}): Select {
  return { arrayJoin: [], where: [], groupBy: [], orderBy: [], limitBy: [], limit: null, ...parts };
}
