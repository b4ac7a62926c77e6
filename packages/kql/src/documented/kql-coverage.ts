import { inEnglish } from '@tyrian/diagnostics';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';
import { type KustoFunction, type KustoParameter, kusto, kustoEnumName, kustoItems } from '../kusto.ts';
import { REFUSED_PLUGINS } from '../plugins/refused-plugins.ts';
import type { QueryReach } from '../views/named-scopes.ts';
import {
  AGGREGATE_SAMPLES,
  CALL_SAMPLES,
  GRAPH_ONLY,
  OPERATOR_SAMPLES,
  SAMPLE_ROWS,
  TABLE_SAMPLES,
  WINDOW_SAMPLES,
} from './call-samples.ts';
import { DEVIATIONS } from './deviations.ts';

// What of the documented language compiles, worked out by compiling one call of every documented name. A name that does
// not compile says why and what to do instead, in the words that a user sees.

export interface CoverageLine {
  readonly name: string;
  readonly kind: 'operator' | 'function' | 'aggregation' | 'plug-in';
  readonly status: 'exact' | 'deviation' | 'refused';
  /** The deviation, or why it is refused; '' when it is exact. */
  readonly remark: string;
  /** A whole query that uses it; runs without stored events. */
  readonly sample: string;
}

const schema = eventSchema([]);
const now = new Date('2024-01-01T00:00:00Z');
/** The places that samples name. */
export const SAMPLE_REACH: QueryReach = { tenant: ['Samples'], scopes: [{ id: 's1', name: 's1' }] };

/** Every documented name of the language, in order. */
export function kqlCoverage(): readonly CoverageLine[] {
  const { Default } = kusto.GlobalState;
  const shown = (list: readonly KustoFunction[]): KustoFunction[] =>
    [...list]
      .filter((one) => !one.IsHidden && !one.IsObsolete && !GRAPH_ONLY.has(one.Name))
      .sort((one, other) => (one.Name < other.Name ? -1 : 1));
  return [
    ...Object.entries(OPERATOR_SAMPLES).map(([name, sample]) => lineOf('operator', name, sample)),
    ...shown(Default.Functions).map((one) => lineOf('function', one.Name, functionSample(one))),
    ...shown(Default.Aggregates).map((one) => lineOf('aggregation', one.Name, aggregateSample(one))),
    ...shown(Default.PlugIns).map((one) =>
      lineOf('plug-in', one.Name, PLUGIN_SAMPLES[one.Name] ?? `${SAMPLE_ROWS} | evaluate ${callOf(one)}`),
    ),
  ];
}

const PLUGIN_SAMPLES: Readonly<Record<string, string>> = {
  activity_counts_metrics: `${SAMPLE_ROWS} | evaluate activity_counts_metrics(s, t, datetime(2024-01-01), datetime(2024-01-05), 1d)`,
  activity_engagement: `${SAMPLE_ROWS} | evaluate activity_engagement(s, t, datetime(2024-01-01), datetime(2024-01-05), 1d, 2d)`,
  activity_metrics: `${SAMPLE_ROWS} | evaluate activity_metrics(s, t, datetime(2024-01-01), datetime(2024-01-05), 1d)`,
  new_activity_metrics: `${SAMPLE_ROWS} | evaluate new_activity_metrics(s, t, datetime(2024-01-01), datetime(2024-01-05), 1d)`,
  dcount_intersect: `${SAMPLE_ROWS} | summarize a = hll(c), b = hll(s) | evaluate dcount_intersect(a, b)`,
  preview: `${SAMPLE_ROWS} | evaluate preview(1)`,
  rolling_percentile: `${SAMPLE_ROWS} | evaluate rolling_percentile(c, 50, t, 1d, 3)`,
  rows_near: `${SAMPLE_ROWS} | sort by t asc | evaluate rows_near(c == 1, 1)`,
  sliding_window_counts: `${SAMPLE_ROWS} | evaluate sliding_window_counts(s, t, datetime(2024-01-01), datetime(2024-01-05), 2d, 1d)`,
  bag_unpack: `${SAMPLE_ROWS} | project d | evaluate bag_unpack(d)`,
  ipv4_lookup: `datatable(ip: string)["10.0.0.1"] | evaluate ipv4_lookup((datatable(net: string, n: string)["10.0.0.0/8", "a"]), ip, net)`,
  ipv6_lookup: `datatable(ip: string)["fe80::1"] | evaluate ipv6_lookup((datatable(net: string, n: string)["fe80::/10", "a"]), ip, net)`,
  narrow: `${SAMPLE_ROWS} | project c, s | evaluate narrow()`,
  pivot: `${SAMPLE_ROWS} | project c, s | evaluate pivot(s, sum(c))`,
};

function lineOf(kind: CoverageLine['kind'], name: string, sample: string): CoverageLine {
  const result = compileKql(sample, {
    schema,
    now,
    unknownColumns: 'error',
    several: true,
    reach: SAMPLE_REACH,
  });
  const error = result.diagnostics.find((one) => one.severity === 'error');
  if (!error) {
    const remark = DEVIATIONS[name] ?? '';
    return { name, kind, status: remark === '' ? 'exact' : 'deviation', remark, sample };
  }
  // Plug-ins take columns of their own kind; that one is not known is told from its name alone.
  if (kind === 'plug-in' && !error.message.includes(name)) return refusedPlugin(name, sample);
  const hint = error.hint ? `. ${error.hint}` : '';
  return { name, kind, status: 'refused', remark: `${error.message}${hint}`, sample };
}

function refusedPlugin(name: string, sample: string): CoverageLine {
  const refusal = REFUSED_PLUGINS[name];
  const remark = refusal
    ? `The plugin ${name} is refused: ${inEnglish(refusal.why)}. ${inEnglish(refusal.wayOut)}`
    : `The plugin ${name} is not supported. Rewrite this step with operators`;
  return { name, kind: 'plug-in', status: 'refused', remark, sample };
}

function functionSample(fn: KustoFunction): string {
  const table = TABLE_SAMPLES[fn.Name];
  if (table) return table;
  const window = WINDOW_SAMPLES[fn.Name];
  if (window) return `${SAMPLE_ROWS} | sort by c asc | extend x = ${window}`;
  const call = CALL_SAMPLES[fn.Name] ?? callOf(fn);
  return `${SAMPLE_ROWS} | extend x = ${call}`;
}

function aggregateSample(fn: KustoFunction): string {
  const call =
    AGGREGATE_SAMPLES[fn.Name] ?? callOf(fn, { number: 'c', real: 'r', scalar: 'c', bool: 'c > 1' });
  const states = / \((h|q)\)/.test(` ${call.replace('(', ' (')}`);
  const rows = states ? `${SAMPLE_ROWS} | summarize h = hll(c), q = tdigest(c) by s` : SAMPLE_ROWS;
  return `${rows} | summarize x = ${call}`.replace('x = percentiles(', 'percentiles(');
}

interface Fillers {
  readonly number: string;
  readonly real: string;
  readonly scalar: string;
  readonly bool: string;
}

const PLAIN: Fillers = { number: '1', real: '1.5', scalar: '1', bool: 'true' };

/** A call with a value for every parameter that it must have. */
function callOf(fn: KustoFunction, fillers: Fillers = PLAIN): string {
  const forms = kustoItems(fn.Signatures).filter((one) => !one.IsHidden);
  const least = forms[0];
  const args = kustoItems(least?.Parameters)
    .filter((one) => one.MinOccurring > 0)
    .flatMap((one) => Array.from({ length: one.MinOccurring }, () => sampleOf(one, fillers)));
  return `${fn.Name}(${args.join(', ')})`;
}

const BY_TYPE: Readonly<Record<string, string>> = {
  string: '"a"',
  datetime: 'datetime(2024-01-01)',
  timespan: '1h',
  bool: 'true',
  dynamic: 'dynamic([1, 2, 3])',
  guid: 'guid(74be27de-1e4e-49d9-b579-fe0b331d3642)',
};

function sampleOf(parameter: KustoParameter, fillers: Fillers): string {
  const kind = kustoEnumName(kusto.Symbols.ParameterTypeKind, parameter.TypeKind);
  if (/polygon|geojson|shape/i.test(parameter.Name))
    return 'dynamic({"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]})';
  if (/line|path/i.test(parameter.Name) && kind !== 'Declared')
    return 'dynamic({"type":"LineString","coordinates":[[0,0],[1,1]]})';
  const declared = kustoItems(parameter.DeclaredTypes)[0]?.Name ?? '';
  switch (kind) {
    case 'Declared':
      if (declared === 'bool') return fillers.bool;
      if (declared === 'real') return fillers.real;
      return BY_TYPE[declared] ?? fillers.number;
    case 'StringOrDynamic':
    case 'StringOrArray':
      return '"a"';
    case 'DynamicArray':
    case 'IntegerOrDynamic':
      return BY_TYPE.dynamic ?? '';
    case 'DynamicBag':
      return 'dynamic({"a": 1})';
    case 'RealOrDecimal':
      return fillers.real;
    case 'Integer':
    case 'Number':
    case 'Summable':
    case 'NumberOrBool':
    case 'Orderable':
      return fillers.number;
    default:
      return fillers.scalar;
  }
}
