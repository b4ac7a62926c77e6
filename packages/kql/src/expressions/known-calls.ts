import type { KqlType } from '@tyrian/catalog';
import { call, constant } from '@tyrian/plan';
import { betaCdf, betaInverse, betaPdf, welchTest } from './beta-distribution.ts';
import { GEO_CALLS } from './geo-calls.ts';
import { gunzipText, unzlibText } from './inflate.ts';
import { known } from './known-call.ts';
import { decodeDomain, decodePunycode, encodeDomain, encodePunycode } from './punycode.ts';
import type { SpecialCall } from './special-call.ts';

// Functions that the compiler computes itself, because the engine has nothing like them: their arguments must be known
// before the query runs.

const text = (name: string, compute: (value: string) => string | null): SpecialCall =>
  known({ name, parameters: ['string'], result: 'string', compute: ([value]) => compute(String(value)) });

const real = (name: string, count: number, compute: (...values: number[]) => number | null): SpecialCall =>
  known({
    name,
    parameters: Array(count).fill('real') as KqlType[],
    result: 'real',
    compute: (values) => compute(...values.map(Number)),
  });

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
  ...GEO_CALLS,
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
