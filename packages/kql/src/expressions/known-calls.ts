import type { KqlType } from '@tyrian/catalog';
import { type Constant, call, constant, type Scalar } from '@tyrian/plan';
import { messages } from '../messages.ts';
import { argumentsOf, spanOf } from '../syntax.ts';
import { betaCdf, betaInverse, betaPdf, welchTest } from './beta-distribution.ts';
import { convertTo } from './convert.ts';
import { gunzipText, unzlibText } from './inflate.ts';
import { decodeDomain, decodePunycode, encodeDomain, encodePunycode } from './punycode.ts';
import type { SpecialCall } from './special-call.ts';

// Functions that the compiler computes itself, because the engine has nothing like them: their arguments must be known
// before the query runs.

type Known = readonly (string | number)[];

/** A function of constants: the types of its arguments, of its result, and how it is computed; null gives null. */
function known(
  name: string,
  parameters: readonly KqlType[],
  result: KqlType,
  compute: (values: Known) => string | number | null,
): SpecialCall {
  return (node, place, lowering) => {
    const given = argumentsOf(node).map((arg) => lowering.expression(arg, place));
    if (given.length !== parameters.length) {
      lowering.refuse(messages.argumentCount(spanOf(node), name));
      return constant(result, null);
    }
    const args = given.map((arg, index): Scalar => convertTo(arg, parameters[index] ?? 'string'));
    const unknown = args.findIndex((arg) => arg.kind !== 'constant');
    if (unknown >= 0) lowering.refuse(messages.mustBeConstant(spanOf(node), name, unknown + 1));
    const values = args.map((arg) => (arg as Constant).value);
    const missing = unknown >= 0 || values.some((value) => value === null || value === undefined);
    const value = missing ? null : compute(values as Known);
    return constant(result, value === null && result === 'string' ? '' : finite(value));
  };
}

const finite = (value: string | number | null): string | number | null =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;

const text = (name: string, compute: (value: string) => string | null): SpecialCall =>
  known(name, ['string'], 'string', ([value]) => compute(String(value)));

const real = (name: string, count: number, compute: (...values: number[]) => number | null): SpecialCall =>
  known(name, Array(count).fill('real') as KqlType[], 'real', (values) => compute(...values.map(Number)));

/** Whether the engine and Kusto both know a zone of this name. */
export function isTimeZone(name: string): boolean {
  try {
    return /^[A-Za-z]/.test(name) && new Intl.DateTimeFormat('en', { timeZone: name }) !== null;
  } catch {
    return false;
  }
}

const timeZones: SpecialCall = () => constant('dynamic', JSON.stringify(Intl.supportedValuesOf('timeZone')));

/** The functions by name. */
export const KNOWN_CALLS: Readonly<Record<string, SpecialCall>> = {
  current_cluster_endpoint: () => constant('string', 'tyrian'),
  current_database: () => call('string', 'current_database'),
  datetime_list_timezones: timeZones,
  punycode_from_string: text('punycode_from_string', encodePunycode),
  punycode_to_string: text('punycode_to_string', decodePunycode),
  punycode_domain_from_string: text('punycode_domain_from_string', encodeDomain),
  punycode_domain_to_string: text('punycode_domain_to_string', decodeDomain),
  gzip_decompress_from_base64_string: text('gzip_decompress_from_base64_string', gunzipText),
  zlib_decompress_from_base64_string: text('zlib_decompress_from_base64_string', unzlibText),
  beta_cdf: real('beta_cdf', 3, betaCdf),
  beta_inv: real('beta_inv', 3, betaInverse),
  beta_pdf: real('beta_pdf', 3, betaPdf),
  welch_test: real('welch_test', 6, welchTest),
};
