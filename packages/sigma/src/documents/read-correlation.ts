import {
  BOUNDS,
  type Bound,
  CORRELATION_TYPES,
  type CorrelationType,
  type SigmaCorrelation,
} from '../sigma-document.ts';
import { faults, refuse } from '../sigma-faults.ts';
import { entryOf, type YamlMap } from '../yaml/yaml-value.ts';
import { mapAt, readHead, scalarAt, textAt, textsAt } from './read-head.ts';
import { readReferences } from './read-rule.ts';

// A correlation of rules (correlation rules specification 2.1).

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
};
/** No rule looks back further. */
const LONGEST_SPAN_MS = 90 * 86_400_000;
const MOST_RULES = 100;
const DEFAULT_PERCENTILE = 50;

const NEEDS_FIELD: ReadonlySet<CorrelationType> = new Set([
  'value_count',
  'value_sum',
  'value_avg',
  'value_percentile',
]);
const TEMPORAL: ReadonlySet<CorrelationType> = new Set(['temporal', 'temporal_ordered']);

function readTimespan(map: YamlMap): number {
  const { text, span } = scalarAt(map, 'timespan');
  const [, count = '', unit = ''] = /^\s*(\d{1,9})\s*([smhdw])\s*$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (!(ms > 0)) return refuse(faults.value(span, text, 'a time such as 5m: a number and s, m, h, d or w'));
  if (ms > LONGEST_SPAN_MS) return refuse(faults.value(span, text, 'at most 90 days'));
  return ms;
}

type Condition = Pick<SigmaCorrelation, 'bounds' | 'field' | 'percentile'>;

function readBounds(map: YamlMap, type: CorrelationType): Condition {
  const entry = entryOf(map, 'condition');
  if (!entry && TEMPORAL.has(type)) return { bounds: [], field: null, percentile: null };
  if (entry?.value.kind === 'scalar' && TEMPORAL.has(type))
    refuse(faults.correlation(entry.value.span, 'A condition over the names of the rules of a correlation'));
  const condition = mapAt(map, 'condition');
  const bounds: { bound: Bound; value: number }[] = [];
  for (const { key, keySpan, value } of condition.entries) {
    if (key === 'field' || key === 'percentile') continue;
    const bound = BOUNDS.find((one) => one === key);
    if (!bound) return refuse(faults.notOneOf(keySpan, 'bound', key, BOUNDS));
    const number = value.kind === 'scalar' ? Number(value.text) : Number.NaN;
    if (!Number.isFinite(number)) refuse(faults.wrongType(value.span, key, 'a number'));
    bounds.push({ bound, value: number });
  }
  if (bounds.length === 0) refuse(faults.missing(condition.span, 'condition: gt, gte, lt, lte, eq or neq'));
  const field = textAt(condition, 'field') ?? null;
  if (field === null && NEEDS_FIELD.has(type)) refuse(faults.missing(condition.span, 'condition: field'));
  const percentile = type === 'value_percentile' ? readPercentile(condition) : null;
  return { bounds, field, percentile };
}

function readPercentile(condition: YamlMap): number {
  const entry = entryOf(condition, 'percentile');
  if (!entry) return DEFAULT_PERCENTILE;
  const value = entry.value.kind === 'scalar' ? Number(entry.value.text) : Number.NaN;
  if (!(value >= 0 && value <= 100))
    refuse(faults.wrongType(entry.value.span, 'percentile', 'a number from 0 to 100'));
  return value;
}

function readAliases(map: YamlMap): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const entry = entryOf(map, 'aliases');
  if (!entry) return new Map();
  return new Map(
    mapAt(map, 'aliases').entries.map(({ key, value }) => {
      if (value.kind !== 'map') return refuse(faults.wrongType(value.span, key, 'a map of rules to fields'));
      return [key, new Map(value.entries.map((one) => [one.key, scalarAt(value, one.key).text]))];
    }),
  );
}

/** A correlation. Throws SigmaFailure. */
export function readCorrelation(document: YamlMap): SigmaCorrelation {
  const head = readHead(document);
  const map = mapAt(document, 'correlation');
  const named = scalarAt(map, 'type');
  const type = CORRELATION_TYPES.find((one) => one === named.text);
  if (!type)
    return refuse(faults.notOneOf(named.span, 'type of a correlation', named.text, CORRELATION_TYPES));
  const rules = readReferences(map);
  if (rules.length === 0) refuse(faults.missing(map.span, 'rules'));
  if (rules.length > MOST_RULES)
    refuse(faults.correlation(named.span, `More than ${MOST_RULES} rules in a correlation`));
  const generate = entryOf(map, 'generate') ?? entryOf(document, 'generate');
  return {
    ...head,
    kind: 'correlation',
    type,
    rules,
    groupBy: textsAt(map, 'group-by'),
    timespanMs: readTimespan(map),
    ...readBounds(map, type),
    aliases: readAliases(map),
    generate: generate?.value.kind === 'scalar' && generate.value.value === true,
    typeSpan: named.span,
  };
}
