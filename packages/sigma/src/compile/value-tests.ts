import { call, constant, type Scalar } from '@tyrian/plan';
import type { MatchValue, TextRelation, TimePart } from '../detection/match-value.ts';
import type { FieldSource } from '../mapping/field-source.ts';
import { columnType, eventColumn, extMember } from './event-scan.ts';
import { elementTests, hasItem, itemTests, JOINED_COLUMNS, joinedTests } from './list-tests.ts';
import { allOf, anyOf, not, orFalse } from './logic.ts';
import { anywhereTest, patternTest, plainPattern } from './text-tests.ts';

// One value against one source of a field. Every test is true or false, never null, so that `not` means what it says.

const isNumeric = (source: FieldSource): boolean =>
  source.kind === 'column' && ['int', 'long'].includes(columnType(source.name));

/** The source as the value that it holds. */
function heldBy(source: FieldSource): Scalar {
  switch (source.kind) {
    case 'column':
      return eventColumn(source.name);
    case 'ext':
      return extMember(source.path);
    case 'raw':
      return eventColumn('Raw');
  }
}

/** The source as a text. */
export function sourceText(source: FieldSource): Scalar {
  const value = heldBy(source);
  return value.type === 'string' ? value : call('string', 'tostring', value);
}

const long = (value: number): Scalar => constant('long', String(value));

/** The whole number of a column, as a comparison with a constant reads it. */
const wholeNumber = (source: FieldSource): Scalar => {
  const value = heldBy(source);
  return value.type === 'long' ? value : call('long', 'tolong', value);
};

/** Events for which the source counts. */
function guarded(source: FieldSource, test: Scalar): Scalar {
  const guard = guardOf(source);
  return guard === null ? test : allOf([guard, test]);
}

function guardOf(source: FieldSource): Scalar | null {
  if (source.kind !== 'column' || !source.guard) return null;
  const among = numberAmong({ kind: 'column', name: 'EventID' }, source.guard.ids);
  return source.guard.negated ? not(among) : among;
}

function numberAmong(source: FieldSource, numbers: readonly number[]): Scalar {
  const [only] = numbers;
  const value = wholeNumber(source);
  if (numbers.length === 1 && only !== undefined) return call('bool', 'equal', value, long(only));
  return call('bool', 'in', value, ...numbers.map(long));
}

const DECIMAL = /^\s*[+-]?\d{1,15}\s*$/;
const HEXADECIMAL = /^\s*0x[0-9a-f]{1,12}\s*$/i;

/** The whole number that a value is or spells, as ingest reads it; null for any other. */
function wholeOf(value: MatchValue): number | null {
  if (value.kind === 'number') return Number.isSafeInteger(value.value) ? value.value : null;
  const plain = value.kind === 'text' ? plainPattern(value.parts) : null;
  if (plain === null || plain.opens || plain.closes) return null;
  return DECIMAL.test(plain.text) || HEXADECIMAL.test(plain.text) ? Number(plain.text) : null;
}

/** The text that a value is equal to without case; null when it is another kind of test. */
function equalText(value: MatchValue): string | null {
  if (value.kind === 'number') return value.text;
  if (value.kind !== 'text' || value.cased) return null;
  const plain = plainPattern(value.parts);
  return plain === null || plain.opens || plain.closes || plain.text === '' ? null : plain.text;
}

/**
 * Whether one of the values matches what a source holds: equal values as one list, the others one by one. `lists`: the
 * events of the log source may hold lists.
 */
export function anyValueTest(
  source: FieldSource,
  values: readonly MatchValue[],
  lists: boolean,
): readonly Scalar[] {
  const text = sourceText(source);
  if (source.kind === 'column' && lists && JOINED_COLUMNS.has(source.name))
    return [...anyPlainTest(source, values), ...values.flatMap((value) => joinedTests(text, value))];
  if (source.kind === 'column' && ADDRESSES.has(source.name))
    return anyPlainTest(source, values.map(unmapped));
  if (source.kind !== 'ext') return anyPlainTest(source, values);
  const { items } = source;
  if (items) return values.flatMap((value) => itemTests(text, items, value));
  const plain = anyPlainTest(source, values);
  return lists ? [...plain, ...values.flatMap((value) => elementTests(text, value))] : plain;
}

const ADDRESSES: ReadonlySet<string> = new Set(['SrcIpAddr', 'DstIpAddr', 'DvcIpAddr']);

/** An IPv4 address mapped into IPv6 is stored as IPv4. */
function unmapped(value: MatchValue): MatchValue {
  if (value.kind !== 'text') return value;
  const [first, ...rest] = value.parts;
  if (typeof first !== 'string' || !/^::ffff:\d/i.test(first)) return value;
  return { ...value, parts: [first.slice('::ffff:'.length), ...rest] };
}

function anyPlainTest(source: FieldSource, values: readonly MatchValue[]): readonly Scalar[] {
  const tests: Scalar[] = [];
  const numbers = isNumeric(source) ? values.filter((value) => wholeOf(value) !== null) : [];
  if (numbers.length > 0)
    tests.push(numberAmong(source, [...new Set(numbers.map((value) => wholeOf(value) ?? 0))]));
  const rest = values.filter((value) => !numbers.includes(value));
  const equals =
    isNumeric(source) || source.kind === 'raw' ? [] : rest.filter((value) => equalText(value) !== null);
  const texts = [...new Set(equals.map((value) => equalText(value) ?? ''))].map((text) =>
    constant('string', text),
  );
  const [only] = texts;
  if (texts.length === 1 && only) tests.push(call('bool', 'equal_ci', sourceText(source), only));
  if (texts.length > 1) tests.push(call('bool', 'in_ci', sourceText(source), ...texts));
  const networks = rest.filter((value) => value.kind === 'network');
  for (const version of [4, 6] as const) {
    const own = networks.filter((network) => network.version === version);
    if (own.length > 0) tests.push(inNetworks(source, own, version));
  }
  const together = new Set<MatchValue>([...equals, ...networks]);
  for (const value of rest) if (!together.has(value)) tests.push(...valueTests(source, value));
  return tests.map((test) => guarded(source, test));
}

/** Tests of which one has to hold; none when the source cannot hold such a value. */
function valueTests(source: FieldSource, value: MatchValue): readonly Scalar[] {
  switch (value.kind) {
    case 'text':
      return textTests(source, value.parts, value.cased);
    case 'number':
      return isNumeric(source) ? [] : textTests(source, [value.text], false);
    case 'null':
      return [isAbsent(source)];
    case 'exists':
      return [value.exists ? not(isAbsent(source)) : isAbsent(source)];
    case 'regex':
      return [call('bool', 'matches_regex', sourceText(source), constant('string', value.pattern))];
    case 'network':
      return [inNetwork(source, value.cidr, value.version)];
    case 'compare':
      return [compared(source, value.comparison, value.value)];
    case 'time':
      return [timeTest(source, value.part, value.value)];
    case 'field':
      throw new Error('A reference to a field is compiled with both fields');
  }
}

function textTests(
  source: FieldSource,
  parts: Extract<MatchValue, { kind: 'text' }>['parts'],
  cased: boolean,
): readonly Scalar[] {
  if (source.kind === 'raw') return anywhereTest(sourceText(source), parts, cased);
  const plain = plainPattern(parts);
  // A number that is like no digits at all.
  if (isNumeric(source) && plain !== null && !plain.opens && !plain.closes && plain.text !== '') return [];
  return [patternTest(sourceText(source), parts, cased)];
}

/** Whether the source holds nothing. A column of text does not tell an empty value from none. */
function isAbsent(source: FieldSource): Scalar {
  const value = heldBy(source);
  if (value.type === 'string') return call('bool', 'isempty', value);
  if (source.kind === 'ext' && source.items) return not(hasItem(sourceText(source), source.items));
  return call('bool', 'isnull', value);
}

/** Whether a field holds an empty text. Columns do not tell it from nothing, values below Ext do. */
export function emptyTests(sources: readonly FieldSource[]): readonly Scalar[] {
  const below = sources.filter((source) => source.kind === 'ext' && !source.items);
  const empty = below.map((source) =>
    allOf([call('bool', 'isempty', sourceText(source)), not(isAbsent(source))]),
  );
  return below.length === sources.length ? empty : [allAbsent(sources), ...empty];
}

/** One of some networks of a version: one test of the address, however many they are. */
function inNetworks(
  source: FieldSource,
  networks: readonly { readonly cidr: string }[],
  version: 4 | 6,
): Scalar {
  const [only, ...others] = networks;
  if (only && others.length === 0) return inNetwork(source, only.cidr, version);
  const ranges = networks.map(({ cidr }) => constant('string', cidr));
  return orFalse(call('bool', `ipv${version}_is_in_any_range`, sourceText(source), ...ranges));
}

const inNetwork = (source: FieldSource, cidr: string, version: 4 | 6): Scalar =>
  orFalse(
    call(
      'bool',
      version === 4 ? 'ipv4_is_in_range' : 'ipv6_is_in_range',
      sourceText(source),
      constant('string', cidr),
    ),
  );

const COMPARISONS = { lt: 'less', lte: 'less_or_equal', gt: 'greater', gte: 'greater_or_equal' } as const;

const compared = (source: FieldSource, comparison: keyof typeof COMPARISONS, value: number): Scalar =>
  orFalse(
    call('bool', COMPARISONS[comparison], call('real', 'toreal', heldBy(source)), constant('real', value)),
  );

function timeTest(source: FieldSource, part: TimePart, value: number): Scalar {
  const held = heldBy(source);
  const moment = held.type === 'datetime' ? held : call('datetime', 'todatetime', held);
  return call('bool', 'equal', call('long', 'tolong', partOf(part, moment)), long(value));
}

function partOf(part: TimePart, moment: Scalar): Scalar {
  switch (part) {
    case 'minute':
      return call('int', 'datetime_part', constant('string', 'minute'), moment);
    case 'hour':
      return call('int', 'hourofday', moment);
    case 'day':
      return call('int', 'dayofmonth', moment);
    case 'week':
      return call('int', 'week_of_year', moment);
    case 'month':
      return call('int', 'monthofyear', moment);
    case 'year':
      return call('int', 'getyear', moment);
  }
}

const RELATIONS: Readonly<Record<TextRelation, readonly [plain: string, cased: string]>> = {
  equals: ['equal_ci', 'equal'],
  contains: ['contains', 'contains_cs'],
  startswith: ['startswith', 'startswith_cs'],
  endswith: ['endswith', 'endswith_cs'],
};

/** Two fields of one event against each other; an absent field is like no other. */
export function fieldTests(
  left: readonly FieldSource[],
  right: readonly FieldSource[],
  value: Extract<MatchValue, { kind: 'field' }>,
): readonly Scalar[] {
  const fn = RELATIONS[value.relation][value.cased ? 1 : 0];
  const wholes = (sources: readonly FieldSource[]) => sources.filter((source) => source.kind !== 'raw');
  return wholes(left).flatMap((one) =>
    wholes(right).map((other) => {
      const needle = sourceText(other);
      const guards = [guardOf(one), guardOf(other)].flatMap((guard) => guard ?? []);
      return allOf([
        ...guards,
        call('bool', 'isnotempty', needle),
        call('bool', fn, sourceText(one), needle),
      ]);
    }),
  );
}

/** Whether no source holds anything. */
export const allAbsent = (sources: readonly FieldSource[]): Scalar =>
  allOf(
    sources
      .filter((source) => source.kind !== 'raw')
      .map((source) => {
        const guard = guardOf(source);
        return guard === null ? isAbsent(source) : anyOf([not(guard), isAbsent(source)]);
      }),
  );

/** Whether a source counts and holds anything. */
export function holdsAnything(source: FieldSource): Scalar {
  const guard = guardOf(source);
  const held = not(isAbsent(source));
  return guard === null ? held : allOf([guard, held]);
}
