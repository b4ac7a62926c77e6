import { type FunctionSignature, signature } from './function-signature.ts';

// Aggregations take their condition last: `countif(x)` is `count` with a condition, and so on; the SQL builder adds
// the combinator. `arg_max` and `arg_min` give one column for each value they carry.

export type AggregateFunction = FunctionSignature;

/** Every aggregation that a plan can call. */
export const AGGREGATES: readonly FunctionSignature[] = [
  'count(any?) -> long',
  'countif(bool) -> long',
  'dcount(any, long?) -> long',
  'dcountif(any, bool, long?) -> long',
  'count_distinct(any) -> long',
  'count_distinctif(any, bool) -> long',
  'sum(any) -> bound',
  'sumif(any, bool) -> bound',
  'avg(any) -> bound',
  'avgif(any, bool) -> bound',
  'min(any) -> first',
  'minif(any, bool) -> first',
  'max(any) -> first',
  'maxif(any, bool) -> first',
  'percentile(any, real) -> bound',
  'stdev(real) -> real',
  'stdevif(real, bool) -> real',
  'stdevp(real) -> real',
  'variance(real) -> real',
  'varianceif(real, bool) -> real',
  'variancep(real) -> real',
  'variancepif(real, bool) -> real',
  'covariance(real, real) -> real',
  'covarianceif(real, real, bool) -> real',
  'covariancep(real, real) -> real',
  'covariancepif(real, real, bool) -> real',
  'percentilew(any, long, real) -> bound',
  // States, whose form is ours.
  'hll(any, long?) -> dynamic',
  'hll_if(any, bool, long?) -> dynamic',
  'hll_merge(dynamic) -> dynamic',
  'tdigest(any, long?) -> dynamic',
  'tdigest_merge|merge_tdigest(dynamic) -> dynamic',
  'take_any|any(any) -> first',
  'take_anyif|anyif(any, bool) -> first',
  'make_list|makelist(any, long?) -> dynamic',
  'make_list_if(any, bool, long?) -> dynamic',
  'make_list_with_nulls(any) -> dynamic',
  // Of values as they are, an array as one.
  'list_of_values(any) -> dynamic',
  'make_set|makeset(any, long?) -> dynamic',
  'make_set_if(any, bool, long?) -> dynamic',
  'make_bag|make_dictionary(dynamic, long?) -> dynamic',
  'make_bag_if(dynamic, bool, long?) -> dynamic',
  'buildschema(dynamic) -> dynamic',
  'binary_all_and(long) -> long',
  'binary_all_or(long) -> long',
  'binary_all_xor(long) -> long',
  // Of values that are all the same.
  'same_value(any) -> first',
  // Numbers by which `is_marked` finds the events of a group again, as JSON: of so many events at most.
  'event_marks(guid, long) -> string',
  // The same of the events that meet each of several conditions, a list for each.
  'event_marks_each(guid, long, bool*) -> string',
  'arg_max_value(any, any) -> bound',
  'arg_min_value(any, any) -> bound',
].map(signature);

const byName = new Map<string, FunctionSignature>();
for (const one of AGGREGATES) for (const name of [one.name, ...one.aliases]) byName.set(name, one);

/** Finds an aggregation by any of its names; undefined when the plan cannot call it. */
export function aggregateByName(name: string): FunctionSignature | undefined {
  return byName.get(name);
}
