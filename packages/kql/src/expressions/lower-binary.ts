import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import { call, constant, foldScalar, type Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundType, child, isKind, kindOf, type Syntax, spanOf, wordOf } from '../syntax.ts';
import { checkPatternOf } from './check-regex.ts';
import { commonType, convertTo, isNumeric } from './convert.ts';
import { datetimeTicks } from './datetime-text.ts';

const COMPARISONS: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'not_equal',
  '<>': 'not_equal',
  '<': 'less',
  '<=': 'less_or_equal',
  '>': 'greater',
  '>=': 'greater_or_equal',
};

const ARITHMETIC: Readonly<Record<string, string>> = {
  '+': 'add',
  '-': 'subtract',
  '*': 'multiply',
  '/': 'divide',
  '%': 'modulo',
};

const SEARCHES: Readonly<Record<string, string>> = {
  '=~': 'equal_ci',
  '!~': 'equal_ci',
  'matches regex': 'matches_regex',
  notcontains: 'contains',
  notcontainscs: 'contains_cs',
  contains: 'contains',
  contains_cs: 'contains_cs',
  containscs: 'contains_cs',
  startswith: 'startswith',
  startswith_cs: 'startswith_cs',
  endswith: 'endswith',
  endswith_cs: 'endswith_cs',
  has: 'has',
  has_cs: 'has_cs',
  hasprefix: 'hasprefix',
  hasprefix_cs: 'hasprefix_cs',
  hassuffix: 'hassuffix',
  hassuffix_cs: 'hassuffix_cs',
  ':': 'has',
};

/** An operator between two expressions. */
export function lowerBinary(
  node: Syntax<'BinaryExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const left = child(node, 'Left');
  const right = child(node, 'Right');
  const operator = wordOf(node, 'Operator').replace(/\s+/g, ' ');
  if (operator === 'and' || operator === 'or') return lowerLogic(operator, node, context, lowering);
  const search = SEARCHES[operator.replace(/^!(?!~)/, '')];
  if (search && kindOf(left) === 'StarExpression')
    return anyColumn(search, operator, right, context, lowering);
  const one = lowering.expression(left, context);
  const two = lowering.expression(right, context);
  if (search) {
    const needle = convertTo(two, 'string');
    checkPatternOf(search, [one, needle], right, lowering);
    const found = call('bool', search, searchable(one, search), needle);
    return operator.startsWith('!') || operator.startsWith('not') ? call('bool', 'not', found) : found;
  }
  const comparison = COMPARISONS[operator];
  if (comparison) return compare(comparison, one, two);
  const arithmetic = ARITHMETIC[operator];
  if (arithmetic) {
    if (one.type === 'dynamic' && two.type === 'dynamic') {
      lowering.refuse(messages.untypedSides(spanOf(node), operator));
      return constant('dynamic', null);
    }
    const result = calculate(arithmetic, one, two, boundType(node));
    if (result.type === 'long') tellFraction(one, two, node, lowering);
    return result;
  }
  lowering.refuse(messages.expression(spanOf(node), say('theOperator', { name: operator })));
  return constant('bool', null);
}

/** Long chains of `and` and `or` become one flat call, however the parser nested them. */
function lowerLogic(
  operator: 'and' | 'or',
  node: Syntax,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const parts: Scalar[] = [];
  const pending: Syntax[] = [node];
  while (pending.length > 0) {
    const next = pending.pop();
    if (!next) break;
    if (isKind(next, 'BinaryExpression') && wordOf(next, 'Operator') === operator)
      pending.push(child(next, 'Right'), child(next, 'Left'));
    else parts.push(convertTo(lowering.expression(next, context), 'bool'));
  }
  return call('bool', operator, ...parts);
}

function searchable(value: Scalar, search: string): Scalar {
  // `has` and `contains` look into arrays and bags through their text.
  return search === 'equal_ci' || value.type === 'string'
    ? convertTo(value, 'string')
    : convertTo(value, 'string');
}

/** `* has "x"`: any column of text holds it. */
function anyColumn(
  search: string,
  operator: string,
  right: Syntax,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const needle = convertTo(lowering.expression(right, context), 'string');
  checkPatternOf(search, [needle, needle], right, lowering);
  const found = context.columns.map((column) => {
    const value: Scalar = { kind: 'column', type: column.type, id: column.id };
    return call('bool', search, convertTo(value, 'string'), needle);
  });
  const anyHas = found.length === 0 ? constant('bool', false) : call('bool', 'or', ...found);
  return operator.startsWith('!') ? call('bool', 'not', anyHas) : anyHas;
}

/** A comparison in the type that both sides have in common. */
export function compare(fn: string, first: Scalar, second: Scalar): Scalar {
  const [left, right] = [momentBeside(first, second), momentBeside(second, first)];
  const type =
    left.type === 'dynamic' && right.type === 'dynamic' ? 'string' : commonType([left.type, right.type]);
  return foldScalar(call('bool', fn, convertTo(left, type), convertTo(right, type)));
}

/** A text that is compared with a moment, as the moment that it spells. */
function momentBeside(value: Scalar, other: Scalar): Scalar {
  if (other.type !== 'datetime' || value.type !== 'string' || value.kind !== 'constant') return value;
  const ticks = datetimeTicks(String(value.value));
  return ticks === undefined ? value : constant('datetime', ticks);
}

/** Arithmetic in the type of its result; `bound` is what the language service says of it. */
function calculate(fn: string, left: Scalar, right: Scalar, bound: KqlType | null): Scalar {
  const isTime = (value: Scalar): boolean => value.type === 'datetime' || value.type === 'timespan';
  if (isTime(left) || isTime(right)) return foldScalar(timeArithmetic(fn, left, right));
  const guess = commonType([left.type, right.type]);
  const fallback = guess === 'int' ? 'long' : isNumeric(guess) ? guess : 'real';
  const type = bound && isNumeric(bound) ? bound : fallback;
  return foldScalar(call(type, fn, convertTo(left, type), convertTo(right, type)));
}

/** The language makes a whole number of a dynamic one beside a whole number, which hides what it loses. */
function tellFraction(left: Scalar, right: Scalar, node: Syntax, lowering: Lowering): void {
  const value = [left, right].find((one) => one.type === 'dynamic');
  if (!value || (left.type === 'dynamic' && right.type === 'dynamic')) return;
  const known = value.kind === 'constant' ? Number(value.value) : null;
  if (known !== null && !(Math.abs(known % 1) > 0)) return;
  lowering.refuse(messages.fractionLost(spanOf(node), known !== null));
}

function timeArithmetic(fn: string, left: Scalar, right: Scalar): Scalar {
  const asTime = (value: Scalar): Scalar =>
    value.type === 'dynamic' || value.type === 'string' ? convertTo(value, 'timespan') : value;
  if (fn === 'add' || fn === 'subtract') {
    const [one, two] = [asTime(left), asTime(right)];
    const moments = [one, two].filter((value) => value.type === 'datetime').length;
    return call(moments === 1 ? 'datetime' : 'timespan', fn, one, two);
  }
  if (fn === 'divide' && left.type === 'timespan' && right.type === 'timespan')
    return call('real', fn, left, right);
  if (fn === 'modulo') return call('timespan', fn, moduloSide(left), asTime(right));
  const number = (value: Scalar): Scalar => (value.type === 'timespan' ? value : convertTo(value, 'real'));
  return call('timespan', fn, number(left), number(right));
}

/** A moment is counted from the year 1, as Kusto does. */
function moduloSide(value: Scalar): Scalar {
  return value.type === 'datetime' ? convertTo(value, 'long') : value;
}
