import { type Sql, sql } from '../sql.ts';
import type { SqlValue } from '../sql-value.ts';
import {
  digestCounts,
  digestState,
  digestText,
  digestTexts,
  hllHashes,
  hllState,
  isDigest,
  isHll,
  stateHash,
} from './state-sql.ts';

const at = (args: readonly SqlValue[], index: number): SqlValue => {
  const found = args[index];
  if (!found) throw new Error('An aggregation lacks an argument');
  return found;
};

// Over no rows a state is null.

/** The state of the distinct values, of the rows that meet `only` where it is given. */
export function hllOf(args: readonly SqlValue[], only: Sql | null): Sql {
  const hash = stateHash(at(args, 0));
  const some = sql`countIf(${only ?? sql`true`}) > 0`;
  return sql`if(${some}, ${hllState(only ? sql`groupUniqArrayIf(${hash}, ${only})` : sql`groupUniqArray(${hash})`)}, NULL)`;
}

/** One state of many. */
export function hllMerged(args: readonly SqlValue[]): Sql {
  const state = at(args, 0).sql;
  const merged = hllState(sql`groupUniqArrayArrayIf(${hllHashes(state)}, ${isHll(state)})`);
  return sql`if(count() > 0, ${merged}, NULL)`;
}

/** The state of the values, each as often as its weight says. */
export function digestOf(args: readonly SqlValue[]): Sql {
  const value = at(args, 0);
  const weight = args[1] ? sql`ifNull(${args[1].sql}, 0)` : sql`1`;
  const there =
    value.type === 'real' ? sql`ifNull(NOT isNaN(${value.sql}), false)` : sql`isNotNull(${value.sql})`;
  const counted = sql`${there} AND ${weight} > 0`;
  const state = digestState(
    sql`sumMapIf([${digestText(value)}], [toUInt64(greatest(${weight}, 0))], ${counted})`,
  );
  return sql`if(count() > 0, ${state}, NULL)`;
}

/** One state of many. */
export function digestMerged(args: readonly SqlValue[]): Sql {
  const state = at(args, 0).sql;
  const merged = digestState(
    sql`sumMapIf(${digestTexts(state)}, ${digestCounts(state)}, ${isDigest(state)})`,
  );
  return sql`if(count() > 0, ${merged}, NULL)`;
}
