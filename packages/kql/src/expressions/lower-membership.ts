import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant, foldScalar, type Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, isKind, isTabular, kindOf, type Syntax, spanOf, wordOf } from '../syntax.ts';
import { commonType, convertTo } from './convert.ts';
import { compare } from './lower-binary.ts';

/** `in`, `!in`, `in~`, `!in~` over a list, a dynamic array or a table. */
export function lowerIn(
  node: Syntax<'InExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const operator = wordOf(node, 'Operator');
  const left = child(node, 'Left');
  const fold = operator.endsWith('~');
  const needle = lowering.expression(left, context);
  const list = children(child(node, 'Right'), 'Expressions');
  const found = among(needle, list, fold, context, lowering);
  return operator.startsWith('!') ? call('bool', 'not', found) : found;
}

function among(
  needle: Scalar,
  list: readonly Syntax[],
  fold: boolean,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const [only] = list;
  if (list.length === 1 && only && isTabular(only)) return inTable(needle, only, fold, context, lowering);
  const values = list.map((item) => lowering.expression(item, context));
  const arrays = values.filter((value) => value.type === 'dynamic');
  const single = values.filter((value) => value.type !== 'dynamic');
  const tests: Scalar[] = arrays.map((array) => inDynamic(needle, array, fold));
  if (single.length > 0) tests.push(inValues(needle, single, fold));
  const [first] = tests;
  return tests.length === 1 && first ? first : call('bool', 'or', ...tests);
}

function inValues(needle: Scalar, values: readonly Scalar[], fold: boolean): Scalar {
  if (fold) {
    const texts = [needle, ...values].map((value) => convertTo(value, 'string'));
    return call('bool', 'in_ci', ...texts);
  }
  const type = commonType([needle.type, ...values.map((value) => value.type)]);
  return call('bool', 'in', ...[needle, ...values].map((value) => convertTo(value, type)));
}

/** A constant array is unfolded into its elements, so that the stored column can be looked up. */
function inDynamic(needle: Scalar, array: Scalar, fold: boolean): Scalar {
  const elements = constantElements(array);
  if (elements && elements.length === 0) return constant('bool', false);
  if (elements) {
    if (fold || needle.type === 'string' || needle.type === 'dynamic') {
      const texts = [
        convertTo(needle, 'string'),
        ...elements.map((one) => constant('string', textOfJson(one))),
      ];
      return call('bool', fold ? 'in_ci' : 'in', ...texts);
    }
    const typed = elements.map((one) => convertTo(constant('dynamic', JSON.stringify(one)), needle.type));
    return call('bool', 'in', needle, ...typed);
  }
  return fold
    ? call('bool', 'in_dynamic_ci', convertTo(needle, 'string'), array)
    : call('bool', 'in_dynamic', needle, array);
}

/** The elements of a constant dynamic array; null when it is not known. */
function constantElements(array: Scalar): unknown[] | null {
  if (array.kind !== 'constant' || array.type !== 'dynamic' || typeof array.value !== 'string') return null;
  try {
    const parsed: unknown = JSON.parse(array.value);
    return Array.isArray(parsed) ? parsed : [parsed];
  } catch {
    return null;
  }
}

const textOfJson = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);

function inTable(
  needle: Scalar,
  expression: Syntax,
  fold: boolean,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const table = lowering.table(expression, { ...context, columns: [] });
  const [first] = table.columns;
  if (!first) {
    lowering.refuse(messages.columnsDiffer(spanOf(expression), say('thisTable')));
    return constant('bool', null);
  }
  const element: Scalar = { kind: 'column', type: first.type, id: first.id };
  const type = fold ? 'string' : commonType([needle.type, element.type]);
  const shape = (value: Scalar): Scalar => {
    const converted = convertTo(value, type === 'dynamic' ? 'string' : type);
    return fold ? call('string', 'tolower', converted) : converted;
  };
  const id = lowering.newId();
  const plan = { kind: 'compute', input: table.node, items: [{ id, expression: shape(element) }] } as const;
  return { kind: 'in-subquery', type: 'bool', needle: shape(needle), plan, column: id };
}

/** The values of the first column of a table as one array. */
function firstColumnAsList(expression: Syntax, context: ExpressionContext, lowering: Lowering): Scalar {
  const table = lowering.table(expression, { ...context, columns: [] });
  const [first] = table.columns;
  if (!first) {
    lowering.refuse(messages.columnsDiffer(spanOf(expression), say('thisTable')));
    return constant('dynamic', null);
  }
  const text = convertTo(columnReference(first.id, first.type), 'string');
  const id = lowering.newId();
  const item = { id, type: 'dynamic', fn: 'make_set', args: [text] } as const;
  const plan = { kind: 'aggregate', input: table.node, keys: [], items: [item] } as const;
  return { kind: 'subquery', type: 'dynamic', plan, column: id };
}

/** `has_any` and `has_all`: one `has` for each word. */
export function lowerHasList(
  node: Syntax<'HasAnyExpression' | 'HasAllExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const left = child(node, 'Left');
  const needs = isKind(node, 'HasAllExpression') ? 'and' : 'or';
  const list = children(child(node, 'Right'), 'Expressions');
  const words: Scalar[] = [];
  for (const item of list) {
    if (isTabular(item)) {
      const text = convertTo(lowering.expression(left, context), 'string');
      const fn = needs === 'or' ? 'has_any_dynamic' : 'has_all_dynamic';
      return call('bool', fn, text, firstColumnAsList(item, context, lowering));
    }
    const value = lowering.expression(item, context);
    const elements = constantElements(value);
    if (elements) words.push(...elements.map((one) => constant('string', textOfJson(one))));
    else if (value.type === 'dynamic') {
      const text = convertTo(lowering.expression(left, context), 'string');
      return call('bool', needs === 'or' ? 'has_any_dynamic' : 'has_all_dynamic', text, value);
    } else words.push(convertTo(value, 'string'));
  }
  if (words.length === 0) return constant('bool', needs === 'and');
  const texts =
    kindOf(left) === 'StarExpression'
      ? context.columns.map((column): Scalar => ({ kind: 'column', type: column.type, id: column.id }))
      : [lowering.expression(left, context)];
  const tests = words.map((word) => {
    const each = texts.map((text) => call('bool', 'has', convertTo(text, 'string'), word));
    const [only] = each;
    return each.length === 1 && only ? only : call('bool', 'or', ...each);
  });
  const [only] = tests;
  return tests.length === 1 && only ? only : call('bool', needs, ...tests);
}

/** `between (a .. b)`, both ends included; `b` may be a span after a moment. */
export function lowerBetween(
  node: Syntax<'BetweenExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const couple = child(node, 'Right');
  const value = lowering.expression(child(node, 'Left'), context);
  const from = lowering.expression(child(couple, 'First'), context);
  const end = lowering.expression(child(couple, 'Second'), context);
  const isSpan = from.type === 'datetime' && end.type === 'timespan';
  const to = isSpan ? foldScalar(call('datetime', 'add', from, end)) : end;
  const inside = call(
    'bool',
    'and',
    compare('greater_or_equal', value, from),
    compare('less_or_equal', value, to),
  );
  return wordOf(node, 'Operator').startsWith('!') ? call('bool', 'not', inside) : inside;
}
