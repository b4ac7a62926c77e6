import { say } from '@tyrian/diagnostics';
import {
  aggregateByName,
  constant,
  type FunctionSignature,
  type Scalar,
  scalarFunctionByName,
} from '@tyrian/plan';
import type { Lowering, Place } from '../lowering.ts';
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
export function lowerCall(node: Syntax<'FunctionCallExpression'>, place: Place, lowering: Lowering): Scalar {
  const name = nameOf(child(node, 'Name'));
  const binding = place.names.get(name);
  if (binding?.kind === 'function') return lowerUserCall(node, binding, place, lowering);
  const ofGraph = place.graphCall?.(node);
  if (ofGraph) return ofGraph;
  if (place.aggregates && isPercentileArray(name)) return lowerPercentileArray(node, name, place, lowering);
  if (place.aggregates && aggregateByName(name)) return lowerAggregateCall(node, name, place, lowering);
  const special = Object.hasOwn(SPECIAL_CALLS, name) ? SPECIAL_CALLS[name] : undefined;
  if (special) return special(node, place, lowering);
  if (isWindowFunction(name)) return lowerWindowCall(node, name, place, lowering);
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
  if (tupleColumnsOf(node) && !place.tuple)
    lowering.refuse(messages.expression(spanOf(node), say('severalColumnsCall', { name })));
  const inside: Place = { ...place, tuple: false };
  const args = argumentsOf(node).map((arg) => lowering.expression(arg, inside));
  return applyFunction(fn, args, node, lowering);
}

const aggregateOnly = (fn: FunctionSignature, name: string): boolean =>
  fn.name !== name && !fn.aliases.includes(name);
