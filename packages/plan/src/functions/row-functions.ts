import { type FunctionSignature, signature } from './function-signature.ts';

/** What operators need of the engine that no function of the language says. */
export const ROW_FUNCTIONS: readonly FunctionSignature[] = [
  // A number that no other row of the query has.
  'row_id() -> long',
  // Bins, values, first bin, count, default: the array of `count` values, the default where no bin says otherwise.
  'series_values(dynamic, dynamic, long, long, dynamic) -> dynamic',
  // First value, step, count: the array of the axis.
  'series_axis(any, any, long) -> dynamic',
  // Distance, step: the whole steps in the distance, rounded down.
  'series_bin(any, any) -> long',
  // Start, bin, step: where the bin begins.
  'series_at(any, long, any) -> first',
  // Text, cutting expression, expression that marks keys, pair delimiter, escapes, groups of keys, groups in quotes.
  'key_values(string, string=, string=, string=, string=, long=, long=) -> dynamic',
].map(signature);
