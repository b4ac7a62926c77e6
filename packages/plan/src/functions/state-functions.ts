import { type FunctionSignature, signature } from './function-signature.ts';

/** Readers of the states that `hll` and `tdigest` make, and merges of several states of one row. */
export const STATE_FUNCTIONS: readonly FunctionSignature[] = [
  'hll_merge(dynamic*) -> dynamic!',
  'dcount_hll(dynamic) -> long!',
  'tdigest_merge|merge_tdigest(dynamic*) -> dynamic!',
  // The percents as one array.
  'percentiles_array_tdigest(dynamic, dynamic) -> dynamic!',
  'rank_tdigest(dynamic, any) -> real!',
  'percentrank_tdigest(dynamic, any) -> real!',
].map(signature);
