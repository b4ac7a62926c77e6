import type { Choice } from './seeded-choice.ts';

// Expressions and tables that are well typed, over the events of odd-events.ts: columns, literals, nulls and functions
// put together at random.

export type ValueType =
  | 'string'
  | 'long'
  | 'int'
  | 'real'
  | 'bool'
  | 'datetime'
  | 'timespan'
  | 'dynamic'
  | 'guid';

/** Names that an expression may read, by type. */
export type Fields = Readonly<Record<ValueType, readonly string[]>>;

/** What the generated columns of the stored events are. */
const STORED: Fields = {
  string: ['DvcHostname', 'ActorUsername', 'CommandLine', 'Raw', 'SrcIpAddr', 'Stream'],
  long: ['SrcBytes', 'DstBytes'],
  int: ['EventID', 'DstPortNumber'],
  real: ['todouble(EventID)'],
  bool: ['tobool(Ext.mixed)'],
  datetime: ['TimeGenerated'],
  timespan: ['(TimeGenerated - datetime(2026-01-01))'],
  dynamic: ['Ext', 'Ext.s', 'Ext.n', 'Ext.list', 'Ext.mixed', 'Ext.absent'],
  guid: ['EventUid'],
};

const TEXTS = [
  '""',
  '"alpha"',
  '"Alpha"',
  '"a"',
  '"STRASSE"',
  '"é"',
  '"日本"',
  '"."',
  '"1"',
  '" "',
  '@"\\"',
  '"%"',
  '"cmd"',
];

/** `{type}` is an expression of that type, `{text}` and `{count}` are literals. */
const TEMPLATES: Readonly<Record<ValueType, readonly string[]>> = {
  string: [
    '{text}',
    'tolower({string})',
    'toupper({string})',
    'strcat({string}, {text}, {string})',
    'substring({string}, {count}, {count})',
    'replace_string({string}, {text}, {text})',
    'trim(@"\\s+", {string})',
    'extract("([a-z]+)", 1, {string})',
    'extract("(a).*(b)?", 2, {string})',
    'tostring({long})',
    'tostring({dynamic})',
    'tostring({bool})',
    'tostring({datetime})',
    'tostring({timespan})',
    'iff({bool}, {string}, {string})',
    'case({bool}, {string}, {bool}, {string}, {text})',
    'coalesce({string}, {text})',
    'tostring(split({string}, {text})[0])',
    'strrep({text}, {count})',
    'reverse({string})',
    'url_encode({string})',
    'base64_encode_tostring({string})',
    'hash_sha256({string})',
    'format_datetime({datetime}, "yyyy-MM-dd HH:mm")',
    'strcat_array({dynamic}, {text})',
  ],
  long: [
    '{count}',
    'long(null)',
    'strlen({string})',
    '({long} + {count})',
    '({int} - {int})',
    '({int} * {count})',
    '({long} / {int})',
    '({long} % {int})',
    'tolong({string})',
    'tolong({dynamic})',
    'iff({bool}, {long}, {long})',
    'coalesce({long}, {long})',
    'array_length({dynamic})',
    'datetime_diff("minute", {datetime}, {datetime})',
    'countof({string}, "a")',
    'indexof({string}, {text})',
    'binary_and({int}, {int})',
    'bin({long}, 10)',
    'abs({int})',
    'sign({int})',
    'min_of({long}, {int})',
    'max_of({long}, {int})',
    'dayofyear({datetime})',
    'hourofday({datetime})',
  ],
  int: ['toint({string})', 'int(null)', 'toint({count})', 'iff({bool}, {int}, {int})', 'toint({dynamic})'],
  real: [
    '1.5',
    'real(null)',
    'todouble({string})',
    'todouble({long})',
    '({int} / 2.0)',
    '({real} + {real})',
    '({real} * {int})',
    'round({real}, 2)',
    'floor({real}, 1)',
    'iff({bool}, {real}, {real})',
    'todouble({dynamic})',
    'exp2({count})',
  ],
  bool: [
    'true',
    'bool(null)',
    '({string} == {string})',
    '({string} != {text})',
    '({string} =~ {string})',
    '({string} has {text})',
    '({string} !contains {text})',
    '({string} contains {string})',
    '({string} startswith {text})',
    '({string} endswith_cs {text})',
    '({string} hasprefix {text})',
    '({string} in ({text}, {text}))',
    '({string} !in~ ({text}, {text}))',
    '({string} has_any ({text}, {text}))',
    '({string} matches regex "[a-c]+.[0-9]?")',
    '({long} < {long})',
    '({long} == {int})',
    '({int} != {count})',
    '({long} >= {real})',
    '({int} in ({count}, {count}))',
    '({long} between ({count} .. {long}))',
    '({datetime} > {datetime})',
    '({datetime} between ({datetime} .. {timespan}))',
    '({timespan} <= {timespan})',
    '({guid} == {guid})',
    '({dynamic} == {count})',
    '({dynamic} == {text})',
    '(tostring({dynamic}) == {string})',
    'isnull({long})',
    'isnotnull({dynamic})',
    'isempty({string})',
    'isnotempty({string})',
    'tobool({string})',
    'tobool({dynamic})',
    'not({bool})',
    '({bool} and {bool})',
    '({bool} or {bool})',
    'iff({bool}, {bool}, {bool})',
    'ipv4_is_in_range({string}, "10.0.0.0/8")',
    'set_has_element({dynamic}, {count})',
  ],
  datetime: [
    'datetime(2026-01-01T02:03:04.567Z)',
    'datetime(null)',
    '({datetime} + {timespan})',
    'bin({datetime}, 1h)',
    'startofday({datetime})',
    'endofmonth({datetime})',
    'todatetime({string})',
    'iff({bool}, {datetime}, {datetime})',
    'unixtime_seconds_todatetime({count})',
  ],
  timespan: [
    '1h',
    '2.5d',
    'time(null)',
    '({datetime} - {datetime})',
    '({count} * 1m)',
    'totimespan({string})',
    'bin({timespan}, 10m)',
    'iff({bool}, {timespan}, {timespan})',
  ],
  dynamic: [
    'dynamic([1, "a", null])',
    'dynamic({"k": [1]})',
    'dynamic(null)',
    'parse_json({string})',
    'split({string}, {text})',
    'pack_array({long}, {string})',
    'bag_pack("k", {long}, "s", {string})',
    'array_concat({dynamic}, {dynamic})',
    'array_slice({dynamic}, 0, 1)',
    'set_union({dynamic}, {dynamic})',
    'bag_keys({dynamic})',
    'iff({bool}, {dynamic}, {dynamic})',
    '{dynamic}[0]',
    '{dynamic}.k',
    'extract_all("([a-z])", {string})',
  ],
  guid: ['guid(null)', 'toguid({string})', 'guid(74be27de-1e4e-49d9-b579-fe0b331d3642)'],
};

/** An expression of a type; `depth` bounds how far functions are nested. */
export function expression(choice: Choice, type: ValueType, depth: number, fields: Fields = STORED): string {
  const names = fields[type];
  const takesName = names.length > 0 && (depth <= 0 || choice.once(3));
  if (takesName) return choice.of(names);
  const fitting = TEMPLATES[type].filter((one) => depth > 0 || !/\{(?!text|count|"k")/.test(one));
  return choice.of(fitting).replace(/\{(\w+)\}/g, (_, hole: string) => {
    if (hole === 'text') return choice.of(TEXTS);
    if (hole === 'count') return String(choice.below(9));
    return expression(choice, hole as ValueType, depth - 1, fields);
  });
}

/** A condition that may be true, false or null. */
export const predicate = (choice: Choice, fields: Fields = STORED): string =>
  expression(choice, 'bool', 2, fields);

const KEYS: readonly ValueType[] = ['string', 'long', 'int', 'bool', 'datetime', 'guid', 'timespan', 'real'];

/** An expression that rows can be grouped, joined and sorted by. */
export const keyExpression = (choice: Choice): string => expression(choice, choice.of(KEYS), 1);

/** A table of events with some steps that change neither names nor which rows there are by chance. */
export function table(choice: Choice): string {
  const source = choice.of([
    'Events',
    'Events',
    'Dns',
    '(union Dns, WebSession)',
    '(union withsource = origin Dns, ProcessEvent)',
  ]);
  const steps = Array.from({ length: choice.below(3) }, (_, index) =>
    choice.of([
      () => `| where ${predicate(choice)}`,
      () => `| extend e${index} = ${expression(choice, choice.of(KEYS), 2)}`,
      () => `| extend d${index} = ${expression(choice, 'dynamic', 2)}`,
      () => `| where isnotempty(CommandLine) or ${predicate(choice)}`,
      () => `| mv-expand m${index} = Ext.list`,
    ])(),
  );
  return [source, ...steps].join(' ');
}
