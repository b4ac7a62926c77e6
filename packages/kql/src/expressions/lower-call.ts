import { say } from '@tyrian/diagnostics';
import {
  aggregateByName,
  constant,
  type FunctionSignature,
  type Scalar,
  scalarFunctionByName,
} from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundType, child, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { applyFunction } from './apply-function.ts';
import { lowerAggregateCall } from './lower-aggregate-call.ts';
import { isPercentileArray, lowerPercentileArray } from './percentile-call.ts';
import { REFUSED_CALLS } from './refused-calls.ts';
import { SPECIAL_CALLS } from './special-calls.ts';
import { tupleColumnsOf } from './tuple-call.ts';
import { lowerUserCall } from './user-call.ts';
import { isWindowFunction, lowerWindowCall } from './window-call.ts';

/** A call of a function: of a let, an aggregation, a window function, or one of the registry. */
export function lowerCall(
  node: Syntax<'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const name = nameOf(child(node, 'Name'));
  const binding = context.names.get(name);
  if (binding?.kind === 'function') return lowerUserCall(node, binding, context, lowering);
  const ofGraph = context.graphCall?.(node);
  if (ofGraph) return ofGraph;
  if (context.aggregates && isPercentileArray(name))
    return lowerPercentileArray(node, name, context, lowering);
  if (context.aggregates && aggregateByName(name)) return lowerAggregateCall(node, name, context, lowering);
  const special = Object.hasOwn(SPECIAL_CALLS, name) ? SPECIAL_CALLS[name] : undefined;
  if (special) return special(node, context, lowering);
  if (isWindowFunction(name)) return lowerWindowCall(node, name, context, lowering);
  const fn = scalarFunctionByName(name);
  if (!fn || aggregateOnly(fn, name)) {
    const refused = Object.hasOwn(REFUSED_CALLS, name) ? REFUSED_CALLS[name] : undefined;
    lowering.refuse(
      refused
        ? messages.functionRefused(spanOf(node), name, refused)
        : messages.scalarFunction(spanOf(node), name),
    );
    return constant(boundType(node) ?? 'dynamic', null);
  }
  if (tupleColumnsOf(node) && !context.tuple)
    lowering.refuse(messages.expression(spanOf(node), say('severalColumnsCall', { name })));
  const inside: ExpressionContext = { ...context, tuple: false };
  const args = argumentsOf(node).map((arg) => lowering.expression(arg, inside));
  return applyFunction(fn, args, node, lowering);
}

const aggregateOnly = (fn: FunctionSignature, name: string): boolean =>
  fn.name !== name && !fn.aliases.includes(name);
