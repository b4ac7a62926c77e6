import type { ColumnId, ConstantValue, KqlType, Values } from '@tyrian/plan';
import { realParameter } from '../constant-value.ts';
import { parameter, type Sql, sql, wholeNumbers } from '../sql.ts';
import { clickhouseType, plainValue, type SqlValue } from '../sql-value.ts';
import { openRelation, type Relation } from './relation.ts';

/** Rows of the query itself: one array parameter for each column, unfolded together. */
export function splitValues(node: Values): Relation {
  const ordinals = node.rows.map((_, index) => String(index));
  const arrays: { id: ColumnId; type: KqlType; array: Sql; nullable: boolean }[] = node.columns.map(
    ({ id, type }, index) => {
      const cells = node.rows.map((row) => row[index] ?? null);
      return { id, type, array: cellArray(type, cells), nullable: cells.includes(null) };
    },
  );
  arrays.push({
    id: node.ordinal,
    type: 'long',
    array: wholeNumbers('Array(Int64)', ordinals),
    nullable: false,
  });
  const source = {
    kind: 'select',
    select: {
      items: [],
      source: { kind: 'nothing' },
      arrayJoin: arrays.map(({ id, array }) => ({ alias: `c${id}`, sql: array })),
      where: [],
      groupBy: [],
      orderBy: [],
      limitBy: [],
      limit: null,
    },
  } as const;
  const items = arrays.map(({ id }) => ({ alias: `c${id}`, sql: { kind: 'column', id } as const }));
  const columns = new Map<ColumnId, SqlValue>(
    arrays.map(({ id, type, nullable }) => [id, plainValue(type, { kind: 'column', id }, nullable)]),
  );
  const order = [{ id: node.ordinal, descending: false, nullsFirst: true, natural: true }];
  const select = { ...source.select, items };
  return openRelation({ kind: 'select', select }, columns, node.rows.length > 1 ? order : []);
}

function cellArray(type: KqlType, cells: readonly ConstantValue[]): Sql {
  const nullable = cells.includes(null);
  switch (type) {
    case 'string':
      return parameter(
        'Array(String)',
        cells.map((cell) => String(cell ?? '')),
      );
    case 'decimal':
    case 'guid': {
      const texts = parameter(
        'Array(Nullable(String))',
        cells.map((cell) => (cell === null ? null : String(cell))),
      );
      return type === 'guid'
        ? sql`arrayMap(x -> toUUIDOrNull(x), ${texts})`
        : sql`arrayMap(x -> toDecimal256OrNull(x, 20), ${texts})`;
    }
    case 'int':
    case 'long':
    case 'datetime':
    case 'timespan':
      return wholeNumbers(
        `Array(${clickhouseType(type, nullable)})`,
        cells.map((cell) => (cell === null ? null : String(cell))),
      );
    case 'real':
      return realNumbers(cells, nullable);
    default:
      return parameter(`Array(${clickhouseType(type, nullable)})`, cells);
  }
}

/** The text of an array has no way to write NaN and the infinities as numbers, so those go as texts. */
function realNumbers(cells: readonly ConstantValue[], nullable: boolean): Sql {
  if (!cells.some((cell) => typeof cell === 'string'))
    return parameter(`Array(${clickhouseType('real', nullable)})`, cells);
  const texts = parameter(
    `Array(${clickhouseType('string', nullable)})`,
    cells.map((cell) => (cell === null ? null : String(realParameter(cell)))),
  );
  return nullable
    ? sql`arrayMap(x -> toFloat64OrNull(x), ${texts})`
    : sql`arrayMap(x -> toFloat64(x), ${texts})`;
}
