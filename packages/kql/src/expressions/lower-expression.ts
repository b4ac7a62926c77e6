import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant, foldScalar, type Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundType,
  child,
  isKind,
  isTabular,
  kindOf,
  nameOf,
  type Syntax,
  spanOf,
  textOf,
  wordOf,
} from '../syntax.ts';
import { convertTo } from './convert.ts';
import { lowerBinary } from './lower-binary.ts';
import { lowerCall } from './lower-call.ts';
import { LEAST_LONG, lowerDynamic, lowerLiteral, stringOf } from './lower-literal.ts';
import { lowerBetween, lowerHasList, lowerIn } from './lower-membership.ts';

/** A scalar expression as the scalar half of the plan; constants are folded on the way. */
export function lowerExpression(node: Syntax, context: ExpressionContext, lowering: Lowering): Scalar {
  if (isKind(node, 'LiteralExpression', 'CompoundStringLiteralExpression'))
    return lowerLiteral(node, lowering);
  if (isKind(node, 'DynamicExpression')) return lowerDynamic(node, lowering);
  if (isKind(node, 'ParenthesizedExpression', 'SimpleNamedExpression', 'OrderedExpression'))
    return lowerExpression(child(node, 'Expression'), context, lowering);
  if (isKind(node, 'NameReference')) return lowerName(node, context, lowering);
  if (isKind(node, 'PathExpression')) return lowerPath(node, context, lowering);
  if (isKind(node, 'ElementExpression')) return lowerElement(node, context, lowering);
  if (isKind(node, 'PrefixUnaryExpression')) return lowerPrefix(node, context, lowering);
  if (isKind(node, 'BinaryExpression')) return lowerBinary(node, context, lowering);
  if (isKind(node, 'InExpression')) return lowerIn(node, context, lowering);
  if (isKind(node, 'HasAnyExpression', 'HasAllExpression')) return lowerHasList(node, context, lowering);
  if (isKind(node, 'BetweenExpression')) return lowerBetween(node, context, lowering);
  if (isKind(node, 'FunctionCallExpression')) return lowerCall(node, context, lowering);
  if (isKind(node, 'ToScalarExpression')) return lowerToScalar(node, context, lowering);
  lowering.refuse(messages.expression(spanOf(node), kindOf(node)));
  return constant(boundType(node) ?? 'dynamic', null);
}

function lowerName(node: Syntax, context: ExpressionContext, lowering: Lowering): Scalar {
  const name = nameOf(node);
  const column = context.columns.find((one) => one.name === name);
  if (column) return columnReference(column.id, column.type);
  const binding = context.names.get(name);
  if (binding?.kind === 'scalar') return binding.value;
  lowering.refuse(messages.unknownName(spanOf(node), name));
  return constant(boundType(node) ?? 'dynamic', null);
}

function lowerPath(node: Syntax<'PathExpression'>, context: ExpressionContext, lowering: Lowering): Scalar {
  const base = child(node, 'Expression');
  const selector = child(node, 'Selector');
  const side = isKind(base, 'NameReference') ? nameOf(base) : '';
  if (side === '$left' || side === '$right') {
    const columns = side === '$left' ? context.columns : (context.right ?? []);
    const column = columns.find((one) => one.name === nameOf(selector));
    if (column) return columnReference(column.id, column.type);
    lowering.refuse(messages.unknownName(spanOf(selector), nameOf(selector)));
    return constant('dynamic', null);
  }
  const kept = side === '' ? null : context.state?.(base, selector);
  if (kept) return kept;
  // `x.[0]` is `x[0]`.
  if (isKind(selector, 'BracketedExpression') && bracketKey(selector) === null)
    return lowerElement(node, context, lowering);
  const index = isKind(selector, 'BracketedExpression') ? child(selector, 'Expression') : null;
  if (index && boundType(index) !== 'string') return lowerElement(node, context, lowering);
  const value = lowerExpression(base, context, lowering);
  const key = isKind(selector, 'BracketedExpression') ? bracketKey(selector) : nameOf(selector);
  if (value.type !== 'dynamic' || key === null) {
    lowering.refuse(messages.expression(spanOf(node), say('aPath')));
    return constant('dynamic', null);
  }
  return call('dynamic', 'member', value, constant('string', key));
}

const bracketKey = (selector: Syntax<'BracketedExpression'>): string | null => {
  const inside = child(selector, 'Expression');
  return boundType(inside) === 'string' ? stringOf(inside) : null;
};

function lowerElement(
  node: Syntax<'PathExpression' | 'ElementExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const base = child(node, 'Expression');
  const selector = child(node, 'Selector');
  const inside = isKind(selector, 'BracketedExpression') ? child(selector, 'Expression') : selector;
  const value = convertTo(lowerExpression(base, context, lowering), 'dynamic');
  const index = lowerExpression(inside, context, lowering);
  if (index.type === 'string') return call('dynamic', 'member', value, index);
  if (index.type === 'dynamic') {
    lowering.refuse(messages.expression(spanOf(inside), say('aDynamicIndex')));
    return constant('dynamic', null);
  }
  return call('dynamic', 'element', value, convertTo(index, 'long'));
}

const lowerPrefix = (
  node: Syntax<'PrefixUnaryExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar =>
  leastLong(node) ??
  lowerUnary(
    wordOf(node, 'Operator'),
    lowerExpression(child(node, 'Expression'), context, lowering),
    boundType(node),
  );

/** `-9223372036854775808`, whose digits alone are no long; null for anything else. */
function leastLong(node: Syntax<'PrefixUnaryExpression'>): Scalar | null {
  const operand = child(node, 'Expression');
  if (wordOf(node, 'Operator') !== '-' || textOf(operand).trim() !== LEAST_LONG) return null;
  return constant('long', `-${LEAST_LONG}`);
}

/** The negative of an int is a long, which holds the negative of the least int too. */
function lowerUnary(operator: string, operand: Scalar, bound: KqlType | null): Scalar {
  const value =
    operand.type === 'dynamic' || operand.type === 'string'
      ? convertTo(operand, 'real')
      : operand.type === 'int' && bound === 'long'
        ? convertTo(operand, 'long')
        : operand;
  return operator === '-' ? foldScalar(call(value.type, 'negate', value)) : value;
}

function lowerToScalar(
  node: Syntax<'ToScalarExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const inside = child(node, 'Expression');
  const type = boundType(node);
  const stripped = isKind(inside, 'ParenthesizedExpression') ? child(inside, 'Expression') : inside;
  if (!isTabular(inside)) return lowerExpression(stripped, context, lowering);
  const table = lowering.table(stripped, { ...context, columns: [] });
  const [first] = table.columns;
  if (!first) return constant(type ?? 'dynamic', null);
  return {
    kind: 'subquery',
    type: first.type,
    plan: { kind: 'limit', input: table.node, count: 1 },
    column: first.id,
  };
}
