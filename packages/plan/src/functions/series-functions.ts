import { type FunctionSignature, signature } from './function-signature.ts';

const EACH = ['abs', 'acos', 'asin', 'atan', 'ceiling', 'cos', 'exp', 'floor', 'log', 'sign', 'sin', 'tan'];

const PAIRS = [
  'add',
  'subtract',
  'multiply',
  'divide',
  'pow',
  'equals',
  'not_equals',
  'greater',
  'greater_equals',
  'less',
  'less_equals',
];

/** Series: dynamic arrays of numbers. Those that give several columns give them as one array, in the binder's order. */
export const SERIES_FUNCTIONS: readonly FunctionSignature[] = [
  ...EACH.map((name) => `series_${name}(dynamic) -> dynamic!`),
  ...PAIRS.map((name) => `series_${name}(any, any) -> dynamic!`),
  'series_sum(dynamic) -> real!',
  'series_product(dynamic) -> real!',
  'series_magnitude(dynamic) -> real!',
  'series_dot_product(any, any) -> real!',
  'series_cosine_similarity(dynamic, dynamic, real?, real?) -> real!',
  'series_pearson_correlation(dynamic, dynamic) -> real!',
  'series_fill_const(dynamic, any?, any?) -> dynamic!',
  'series_fill_forward(dynamic, any?) -> dynamic!',
  'series_fill_backward(dynamic, any?) -> dynamic!',
  'series_fill_linear(dynamic, any?, bool?, any?) -> dynamic!',
  'series_fir(dynamic, dynamic, bool?, bool?) -> dynamic!',
  'series_iir(dynamic, dynamic, dynamic) -> dynamic!',
  'series_stats(dynamic, bool=?) -> dynamic!',
  'series_stats_dynamic(dynamic, bool=?) -> dynamic!',
  'series_fit_line(dynamic) -> dynamic!',
  'series_fit_line_dynamic(dynamic) -> dynamic!',
  'series_fit_2lines(dynamic) -> dynamic!',
  'series_fit_2lines_dynamic(dynamic) -> dynamic!',
  'series_fit_poly(dynamic, dynamic?, long=?) -> dynamic!',
  'series_fft(dynamic, dynamic?) -> dynamic!',
  'series_ifft(dynamic, dynamic?) -> dynamic!',
  'series_outliers(dynamic, string=?, real?, real?, real?, long?) -> dynamic!',
  'series_periods_detect(dynamic, real, real, long) -> dynamic!',
  'series_periods_validate(dynamic, real, real*) -> dynamic!',
  'series_seasonal(dynamic, long?, long?) -> dynamic!',
  'series_decompose(dynamic, long?, string=?, long?, real?) -> dynamic!',
  'series_decompose_forecast(dynamic, long, long?, string=?, real?) -> dynamic!',
  'series_decompose_anomalies(dynamic, real?, long?, string=?, long?, string=?, real?) -> dynamic!',
].map(signature);
