import { oneOf, say } from '@tyrian/diagnostics';
import { call, constant, foldScalar, type Scalar, scalarFunctionByName } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundType, children, isKind, kindOf, type Syntax, spanOf, textOf } from '../syntax.ts';
import { applyFunction } from './apply-function.ts';
import { COLUMN_CALLS } from './column-calls.ts';
import { commonType, convertTo, isNumeric } from './convert.ts';
import { datetimeTicks } from './datetime-text.ts';
import { isTimeZone, KNOWN_CALLS } from './known-calls.ts';
import { lowerPercentilesTdigest, lowerPercentileTdigest } from './percentile-call.ts';
import type { SpecialCall } from './special-call.ts';
import { parseUserAgent } from './user-agent-call.ts';

// Functions that the compiler settles itself: those that depend on the moment of the query, on the columns at hand,
// or that are other expressions in disguise.

const TICKS_TO_YEAR_1 = '-621355968000000000';

const lowered = (
  node: Syntax<'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar[] => argumentsOf(node).map((arg) => lowering.expression(arg, context));

const nowConstant = (lowering: Lowering): Scalar =>
  constant('datetime', (BigInt(lowering.now.getTime()) * 10_000n).toString());

const now: SpecialCall = (node, context, lowering) => {
  const [offset] = lowered(node, context, lowering);
  const moment = nowConstant(lowering);
  return offset ? foldScalar(call('datetime', 'add', moment, convertTo(offset, 'timespan'))) : moment;
};

const ago: SpecialCall = (node, context, lowering) => {
  const [span] = lowered(node, context, lowering);
  if (!span) return wrongCount(node, 'ago', lowering);
  return foldScalar(call('datetime', 'subtract', nowConstant(lowering), convertTo(span, 'timespan')));
};

function wrongCount(node: Syntax, name: string, lowering: Lowering): Scalar {
  lowering.refuse(messages.argumentCount(spanOf(node), name));
  return constant(boundType(node) ?? 'dynamic', null);
}

/** `bin`, `floor`, `bin_at`: one function for each type, with the fixed point said out loud. */
const bin: SpecialCall = (node, context, lowering) => {
  const [value, size, fixed] = lowered(node, context, lowering);
  if (!value || !size) return wrongCount(node, 'bin', lowering);
  const type = boundType(node) ?? value.type;
  switch (type) {
    case 'datetime':
      return binned(
        'bin_datetime',
        value,
        convertTo(size, 'timespan'),
        fixed ?? constant('datetime', TICKS_TO_YEAR_1),
      );
    case 'timespan':
      return binned('bin_timespan', value, convertTo(size, 'timespan'), fixed ?? constant('timespan', '0'));
    case 'int':
    case 'long':
      return convertTo(
        binned(
          'bin_long',
          convertTo(value, 'long'),
          convertTo(size, 'long'),
          convertTo(fixed ?? constant('long', '0'), 'long'),
        ),
        type,
      );
    default:
      return binned(
        'bin_real',
        convertTo(value, 'real'),
        convertTo(size, 'real'),
        convertTo(fixed ?? constant('real', 0), 'real'),
      );
  }
};

function binned(fn: string, value: Scalar, size: Scalar, fixed: Scalar): Scalar {
  const type = scalarFunctionByName(fn)?.result as Scalar['type'];
  return call(type, fn, convertTo(value, type), size, convertTo(fixed, type));
}

const choose: SpecialCall = (node, context, lowering) => {
  const args = lowered(node, context, lowering);
  if (args.length < 3 || args.length % 2 === 0) return wrongCount(node, 'case', lowering);
  const results = args.filter((_, index) => index % 2 === 1 || index === args.length - 1);
  const type = boundType(node) ?? commonType(results.map((one) => one.type));
  const last = args.at(-1) ?? constant(type, null);
  let chain = convertTo(last, type);
  for (let index = args.length - 3; index >= 0; index -= 2) {
    const [test, value] = [args[index], args[index + 1]];
    if (test && value) chain = call(type, 'iff', convertTo(test, 'bool'), convertTo(value, type), chain);
  }
  return chain;
};

const ingestionTime: SpecialCall = (_, context) => {
  const column = context.columns.find((one) => one.name === 'IngestedTime' && one.type === 'datetime');
  return column ? { kind: 'column', type: 'datetime', id: column.id } : constant('datetime', null);
};

/** `extract(regex, group, text, typeof(long))` and its kin: the text, converted to the type that stands last. */
const typedCall =
  (name: string): SpecialCall =>
  (node, context, lowering) => {
    const args = argumentsOf(node);
    const last = args.at(-1);
    const typed = last && kindOf(last) === 'TypeOfLiteralExpression' ? last : null;
    const fn = scalarFunctionByName(name);
    if (!fn) return wrongCount(node, name, lowering);
    const used = (typed ? args.slice(0, -1) : args).map((arg) => lowering.expression(arg, context));
    const text = applyFunction(fn, used, node, lowering);
    const type = typed ? typeOfLiteral(typed) : null;
    return type ? convertTo(text, type) : text;
  };

/** The type inside `typeof(...)`. */
export function typeOfLiteral(node: Syntax): Scalar['type'] | null {
  const [only] = isKind(node, 'TypeOfLiteralExpression') ? children(node, 'Types') : [];
  const name = (only ? textOf(only) : textOf(node).replace(/^typeof\s*\(|\)$/g, '')).trim().toLowerCase();
  const aliases: Readonly<Record<string, Scalar['type']>> = {
    double: 'real',
    boolean: 'bool',
    date: 'datetime',
    time: 'timespan',
    uuid: 'guid',
  };
  const known = [
    'bool',
    'int',
    'long',
    'real',
    'decimal',
    'string',
    'datetime',
    'timespan',
    'guid',
    'dynamic',
  ];
  if (known.includes(name)) return name as Scalar['type'];
  return Object.hasOwn(aliases, name) ? (aliases[name] ?? null) : null;
}

/** `todatetime("2024-01-01")` of a literal is a literal. */
const literalConversion: SpecialCall = (node, context, lowering) => {
  const [value] = lowered(node, context, lowering);
  if (!value) return wrongCount(node, 'todatetime', lowering);
  const known =
    value.kind === 'constant' && value.type === 'string' ? datetimeTicks(String(value.value)) : undefined;
  return known === undefined ? convertTo(value, 'datetime') : constant('datetime', known);
};

/** `range(1, 5)` as a value: a dynamic array. */
const rangeArray: SpecialCall = (node, context, lowering) => {
  const [from, to, step] = lowered(node, context, lowering);
  if (!from || !to) return wrongCount(node, 'range', lowering);
  const type = commonType([from.type, to.type, ...(step && isNumeric(from.type) ? [step.type] : [])]);
  const isTime = type === 'datetime' || type === 'timespan';
  const known = isTime || type === 'long' ? type : type === 'int' ? 'long' : 'real';
  const size = step ? [convertTo(step, known === 'datetime' ? 'timespan' : known)] : [];
  return call('dynamic', 'array_range', convertTo(from, known), convertTo(to, known), ...size);
};

/** `extract_all(regex, groups, text)`: the groups stand last in the registry, because they may be missing. */
const extractAll: SpecialCall = (node, context, lowering) => {
  const [regex, second, third] = lowered(node, context, lowering);
  const fn = scalarFunctionByName('extract_all');
  if (!fn || !regex || !second) return wrongCount(node, 'extract_all', lowering);
  if (regex.kind === 'constant' && groupsOf(String(regex.value)) === 0)
    lowering.refuse(messages.badArgument(spanOf(node), 'extract_all', say('noGroup')));
  return applyFunction(fn, third ? [regex, third, second] : [regex, second], node, lowering);
};

/** A zone that is not known is refused here, where the span is known. */
const inZone =
  (name: string): SpecialCall =>
  (node, context, lowering) => {
    const args = lowered(node, context, lowering);
    const fn = scalarFunctionByName(name);
    const zone = args[1];
    if (!fn || !zone) return wrongCount(node, name, lowering);
    if (zone.kind === 'constant' && !isTimeZone(String(zone.value)))
      lowering.refuse(
        messages.badArgument(spanOf(node), name, say('noTimeZone', { name: String(zone.value) })),
      );
    return applyFunction(fn, args, node, lowering);
  };

/** `make_datetime("2024-01-01")` and `make_timespan("01:00")` read a text; with more arguments they take parts. */
const made =
  (name: string, type: 'datetime' | 'timespan'): SpecialCall =>
  (node, context, lowering) => {
    const args = lowered(node, context, lowering);
    const [only] = args;
    const fn = scalarFunctionByName(name);
    if (!fn || !only) return wrongCount(node, name, lowering);
    return args.length === 1 ? convertTo(only, type) : applyFunction(fn, args, node, lowering);
  };

/** What a format may not hold: letters that stand for no part, and signs that its documentation does not name. */
const UNKNOWN_IN_FORMAT: Readonly<Record<string, RegExp>> = {
  format_datetime: /[^dfFhHmMsyt\s/:,._[\]-]|(?<!t)(?:tt)*t(?!t)/,
  format_timespan: /[^dfFhHms\s/:,._[\]-]/,
};

/** What a format may hold. */
const FORMAT_PARTS: Readonly<Record<string, readonly string[]>> = {
  format_datetime: ['yyyy', 'MM', 'dd', 'HH', 'mm', 'ss', 'fff', 'tt'],
  format_timespan: ['d', 'HH', 'mm', 'ss', 'fff'],
};

/** A format with letters that stand for nothing known is refused, not printed as it is. */
const inFormat =
  (name: string): SpecialCall =>
  (node, context, lowering) => {
    const args = lowered(node, context, lowering);
    const fn = scalarFunctionByName(name);
    const format = args[1];
    if (!fn || !format) return wrongCount(node, name, lowering);
    const [unknown] =
      format.kind === 'constant' ? (UNKNOWN_IN_FORMAT[name]?.exec(String(format.value)) ?? []) : [];
    if (unknown) {
      const parts = oneOf(FORMAT_PARTS[name] ?? []);
      const why = say('noPartOfFormat', { part: unknown, parts });
      lowering.refuse(messages.badArgument(spanOf(node), name, why));
    }
    return applyFunction(fn, args, node, lowering);
  };

/** A rewrite that names a group which its pattern does not have is refused; the engine would stop the query. */
const rewritten: SpecialCall = (node, context, lowering) => {
  const args = lowered(node, context, lowering);
  const fn = scalarFunctionByName('replace_regex');
  const [, pattern, rewrite] = args;
  if (!fn || !pattern || !rewrite) return wrongCount(node, 'replace_regex', lowering);
  if (pattern.kind === 'constant' && rewrite.kind === 'constant') {
    const most = groupsOf(String(pattern.value));
    const named = [...String(rewrite.value).matchAll(/\\(?:(\d)|.)/gs)].map(([, digit]) =>
      Number(digit ?? 0),
    );
    const missing = named.find((group) => group > most);
    if (missing !== undefined) {
      const why =
        most === 0 ? say('groupOfNone', { group: missing }) : say('groupTooHigh', { group: missing, most });
      lowering.refuse(messages.badArgument(spanOf(node), 'replace_regex', why));
    }
  }
  return applyFunction(fn, args, node, lowering);
};

/** The groups that a pattern captures; never fewer than it has. */
const groupsOf = (pattern: string): number =>
  (pattern.replace(/\\[^Q]/g, '').match(/\((?!\?)|\(\?P?<(?![=!])/g) ?? []).length;

/** Bags and arrays cannot be repeated, single values can. */
const repeated: SpecialCall = (node, context, lowering) => {
  const args = lowered(node, context, lowering);
  const fn = scalarFunctionByName('repeat');
  if (!fn || args.length !== 2) return wrongCount(node, 'repeat', lowering);
  if (args[0]?.type === 'dynamic')
    lowering.refuse(messages.badArgument(spanOf(node), 'repeat', say('dynamicNotRepeated')));
  return applyFunction(fn, args, node, lowering);
};

/** Each call of the query gives values of its own, though it is written like another. */
const random =
  (name: string, type: 'guid' | 'real'): SpecialCall =>
  (node, context, lowering) => {
    const own = constant('long', String(lowering.newId()));
    const args = lowered(node, context, lowering).map((arg) => convertTo(arg, 'long'));
    return call(boundType(node) ?? type, name, own, ...args);
  };

/** The functions by name. */
export const SPECIAL_CALLS: Readonly<Record<string, SpecialCall>> = {
  now,
  ago,
  bin,
  floor: bin,
  bin_at: bin,
  case: choose,
  range: rangeArray,
  ...COLUMN_CALLS,
  ...KNOWN_CALLS,
  make_datetime: made('make_datetime', 'datetime'),
  parse_user_agent: parseUserAgent,
  make_timespan: made('make_timespan', 'timespan'),
  extract_all: extractAll,
  extractall: extractAll,
  datetime_utc_to_local: inZone('datetime_utc_to_local'),
  datetime_local_to_utc: inZone('datetime_local_to_utc'),
  ingestion_time: ingestionTime,
  extract: typedCall('extract'),
  extract_json: typedCall('extract_json'),
  extractjson: typedCall('extract_json'),
  todatetime: literalConversion,
  format_datetime: inFormat('format_datetime'),
  format_timespan: inFormat('format_timespan'),
  replace_regex: rewritten,
  replace: rewritten,
  repeat: repeated,
  new_guid: random('new_guid', 'guid'),
  rand: random('rand', 'real'),
  percentile_tdigest: (node, context, lowering) =>
    lowerPercentileTdigest(node, context, lowering, typeOfLiteral),
  percentiles_array_tdigest: lowerPercentilesTdigest,
};
