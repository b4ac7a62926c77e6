import { foldScalar, type KqlType, type Range, type Scalar } from '@tyrian/plan';
import { scalarSql } from '../scalar-sql.ts';
import { parameter, type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import { contextOf, openRelation, type Relation, type SplitState } from './relation.ts';

/**
 * `range`: the count of rows is worked out first, each row is then from + number * step. The engine makes the rows as
 * they are read, so a `take` above a range of any length is answered at once.
 */
export function splitRange(node: Range, state: SplitState): Relation {
  const outside = contextOf(openRelation({ kind: 'nothing' }, new Map()), state);
  const [from, to, step] = [node.from, node.to, node.step].map((part) => computed(scalarSql(part, outside)));
  if (!from || !to || !step) throw new Error('range takes three values');
  const { id, type } = node.column;
  const order = [{ id, descending: isNegative(node.step), nullsFirst: true, natural: true }];
  const known = knownCount(node);
  const columns = new Map([[id, plainValue(type, { kind: 'column', id } as const, false)]]);
  const select = (items: Sql, source: Sql): Relation =>
    openRelation(
      {
        kind: 'select',
        select: {
          items: [{ alias: `c${id}`, sql: items }],
          source: { kind: 'function', call: source },
          arrayJoin: [],
          where: [],
          groupBy: [],
          orderBy: [],
          limitBy: [],
          limit: null,
        },
      },
      columns,
      order,
    );
  const count = known === null ? countSql(from.sql, to.sql, step.sql, type) : null;
  const rows = count ?? parameter('UInt64', String(known));
  const [first, each] = count
    ? [sql`assumeNotNull(${from.sql})`, sql`assumeNotNull(${step.sql})`]
    : [from.sql, step.sql];
  return select(sql`(${first} + toInt64(number) * ${each})`, sql`numbers(${rows})`);
}

/** The count of rows where a bound is a subquery; the engine works it out before it reads. Null bounds give no rows. */
function countSql(from: Sql, to: Sql, step: Sql, type: KqlType): Sql {
  const ahead = sql`if(${step} > 0, ${to} >= ${from}, ${to} <= ${from})`;
  const quotient =
    type === 'real'
      ? sql`floor((${to} - ${from}) / nullIf(${step}, 0) + 1e-12)`
      : sql`intDiv(${to} - ${from}, nullIf(${step}, 0))`;
  return sql`toUInt64(assumeNotNull(ifNull(if(${ahead}, ${quotient} + 1, 0), 0)))`;
}

const isNegative = (scalar: Scalar): boolean => {
  const folded = foldScalar(scalar);
  return folded.kind === 'constant' && String(folded.value).startsWith('-');
};

function knownCount(node: Range): bigint | null {
  const parts = [node.from, node.to, node.step].map(foldScalar);
  const values = parts.map((part) => (part.kind === 'constant' ? part.value : undefined));
  if (values.some((value) => value === undefined)) return null;
  if (values.some((value) => value === null)) return 0n;
  if (node.column.type === 'real') {
    const [from = 0, to = 0, step = 0] = values.map(Number);
    if (step === 0 || !Number.isFinite((to - from) / step)) return 0n;
    return BigInt(Math.max(0, Math.floor((to - from) / step + 1e-12) + 1));
  }
  const [from = 0n, to = 0n, step = 0n] = values.map((value) => BigInt(String(value)));
  if (step === 0n || (step > 0n ? to < from : to > from)) return 0n;
  return (to - from) / step + 1n;
}
