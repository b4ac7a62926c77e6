import { foldScalar, type Range, type Scalar } from '@tyrian/plan';
import { scalarSql } from '../scalar-sql.ts';
import { parameter, type Sql, sql } from '../sql.ts';
import { computed, plainValue } from '../sql-value.ts';
import { contextOf, openRelation, type Relation, type SplitState } from './relation.ts';

/** Numbers that cannot be known before the query runs are held in an array; this is the longest one. */
const LONGEST_ARRAY = 5_000_000;

/** `range`: the count of rows is worked out first, each row is then from + number * step. */
export function splitRange(node: Range, state: SplitState): Relation {
  const outside = contextOf(openRelation({ kind: 'nothing' }, new Map()), state);
  const [from, to, step] = [node.from, node.to, node.step].map((part) => computed(scalarSql(part, outside)));
  if (!from || !to || !step) throw new Error('range takes three values');
  const { id, type } = node.column;
  const order = [{ id, descending: isNegative(node.step), nullsFirst: true, natural: true }];
  const known = knownCount(node);
  const columns = new Map([[id, plainValue(type, { kind: 'column', id } as const, false)]]);
  const select = (items: Sql, source: Sql | null): Relation =>
    openRelation(
      {
        kind: 'select',
        select: {
          items: [{ alias: `c${id}`, sql: items }],
          source: source ? { kind: 'function', call: source } : { kind: 'nothing' },
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
  if (known !== null)
    return select(
      sql`(${from.sql} + toInt64(number) * ${step.sql})`,
      sql`numbers(${parameter('UInt64', known.toString())})`,
    );
  const count = sql`ifNull(if(${step.sql} = 0, 0, floor((${to.sql} - ${from.sql}) / ${step.sql}) + 1), 0)`;
  const longest = parameter('Int64', String(LONGEST_ARRAY));
  const numbers = sql`arrayJoin(range(toUInt64(greatest(0, least(${count}, ${longest})))))`;
  return select(sql`assumeNotNull(${from.sql} + toInt64(${numbers}) * ${step.sql})`, null);
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
