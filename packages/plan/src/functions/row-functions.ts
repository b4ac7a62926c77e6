import { type FunctionSignature, signature } from './function-signature.ts';

/** What operators need of the engine that no function of the language says. */
export const ROW_FUNCTIONS: readonly FunctionSignature[] = [
  // A number that no other row of the query has.
  'row_id() -> long',
  // Positions, values, count, default: the array of `count` values, the default where no position says otherwise.
  'series_values(dynamic, dynamic, long, dynamic) -> dynamic',
  // First value, step, count: the array of the axis.
  'series_axis(any, any, long) -> dynamic',
].map(signature);
