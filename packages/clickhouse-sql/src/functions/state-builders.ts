import { commaList, type Sql, sql } from '../sql.ts';
import { arg, type Builder } from './builder.ts';
import { arrayJsonSql, jsonSql } from './json-sql.ts';
import { named, numbersSql } from './series-sql.ts';
import {
  digestCounts,
  digestOrder,
  digestState,
  digestTexts,
  hllHashes,
  hllState,
  isDigest,
  isHll,
  isMoment,
} from './state-sql.ts';

/** `body` where every argument is a state, else NULL. */
const onStates = (states: readonly Sql[], is: (state: Sql) => Sql, body: Sql): Sql =>
  states.reduce((inner, state): Sql => sql`if(${is(state)}, ${inner}, NULL)`, body);

const mergedHll: Builder = (args) => {
  const states = args.map((one) => one.sql);
  const all = commaList(states.map(hllHashes));
  return onStates(states, isHll, hllState(sql`arrayDistinct(arrayConcat(${all}))`));
};

const mergedDigest: Builder = (args) => {
  const states = args.map((one) => one.sql);
  const texts = sql`arrayConcat(${commaList(states.map(digestTexts))})`;
  const counts = sql`arrayConcat(${commaList(states.map(digestCounts))})`;
  return onStates(states, isDigest, digestState(sql`arrayReduce('sumMap', [${texts}], [${counts}])`));
};

/** The nearest rank of each percent: the smallest value that at least so many percent of the values do not exceed. */
const percentiles: Builder = (args) => {
  const state = arg(args, 0);
  const need = sql`(least(greatest(ifNull(lp, 0), 0), 100) / 100 * (1 - 1e-12) * dc[-1])`;
  const found = sql`if(isNull(lp) OR empty(dc), 'null', dp[arrayFirstIndex(rc -> rc >= ${need}, dc)].1)`;
  const sorted = sql`arraySort(sp -> ${digestOrder(sql`sp.1`)}, arrayZip(${digestTexts(state)}, ${digestCounts(state)}))`;
  const list = named(
    { dp: sorted },
    named(
      { dc: sql`arrayCumSum(arrayMap(cp -> cp.2, dp))` },
      arrayJsonSql(sql`arrayMap(lp -> ${found}, ${numbersSql(arg(args, 1))})`),
    ),
  );
  return onStates([state], isDigest, list);
};

/** How many values do not exceed the given one; in percent of all of them when `percent` is set. */
const rank =
  (percent: boolean): Builder =>
  (args) => {
    const state = arg(args, 0);
    const value = args[1];
    if (!value) return sql`NULL`;
    const text = sql`ifNull(${jsonSql(value)}, '')`;
    const below = sql`arraySum((rk, rn) -> if(${digestOrder(sql`rk`)} <= ${digestOrder(sql`rv`)}, rn, 0), dk, dn)`;
    const total = sql`arraySum(dn)`;
    const counted = percent ? sql`(100 * ${below} / ${total})` : sql`toFloat64(${below})`;
    const comparable = sql`(rv != '' AND notEmpty(dk) AND NOT arrayExists(mk -> ${isMoment(sql`mk`)} != ${isMoment(sql`rv`)}, dk))`;
    const body = named(
      { dk: digestTexts(state), dn: digestCounts(state), rv: text },
      sql`if(${comparable}, ${counted}, NULL)`,
    );
    return onStates([state], isDigest, body);
  };

/** Readers and merges of the states of `hll` and `tdigest`; NULL for what is no such state. */
export const STATE_BUILDERS: Readonly<Record<string, Builder>> = {
  hll_merge: mergedHll,
  dcount_hll: (args) => sql`if(${isHll(arg(args, 0))}, length(${hllHashes(arg(args, 0))}), NULL)`,
  tdigest_merge: mergedDigest,
  percentiles_array_tdigest: percentiles,
  rank_tdigest: rank(false),
  percentrank_tdigest: rank(true),
};
