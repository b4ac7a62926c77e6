import type { KqlType } from '@tyrian/catalog';
import {
  aggregateByName,
  call,
  constant,
  type FunctionSignature,
  foldScalar,
  parameterFor,
  type Scalar,
  scalarFunctionByName,
} from '@tyrian/plan';
import type { Lowering, Place } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundType, child, children, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { commonType, convertTo } from './convert.ts';
import { lowerAggregateCall } from './lower-aggregate-call.ts';
import { lowerExpression } from './lower-expression.ts';
import { SPECIAL_CALLS } from './special-calls.ts';
import { lowerUserCall } from './user-call.ts';
import { isWindowFunction, lowerWindowCall } from './window-call.ts';

/** The arguments of a call as syntax. */
export function argumentsOf(node: Syntax): Syntax[] {
  const list = child(node, 'ArgumentList');
  return list ? children(list, 'Expressions') : [];
}

/** A call of a function: of a let, an aggregation, a window function, or one of the registry. */
export function lowerCall(node: Syntax, place: Place, lowering: Lowering): Scalar {
  const name = nameOf(child(node, 'Name'));
  const binding = place.names.get(name);
  if (binding?.kind === 'function') return lowerUserCall(node, binding, place, lowering);
  if (place.aggregates && aggregateByName(name)) return lowerAggregateCall(node, name, place, lowering);
  const special = SPECIAL_CALLS[name];
  if (special) return special(node, place, lowering);
  if (isWindowFunction(name)) return lowerWindowCall(node, name, place, lowering);
  const fn = scalarFunctionByName(name);
  if (!fn || aggregateOnly(fn, name)) {
    lowering.refuse(messages.scalarFunction(spanOf(node), name));
    return constant(boundType(node) ?? 'dynamic', null);
  }
  const args = argumentsOf(node).map((arg) => lowerExpression(arg, place, lowering));
  return applyFunction(fn, args, node, lowering);
}

const aggregateOnly = (fn: FunctionSignature, name: string): boolean =>
  fn.name !== name && !fn.aliases.includes(name);

/** Calls a function of the registry with arguments converted to its parameters. */
export function applyFunction(
  fn: FunctionSignature,
  args: readonly Scalar[],
  node: Syntax,
  lowering: Lowering,
): Scalar {
  const least = fn.parameters.filter((parameter) => !parameter.optional && !parameter.repeated).length;
  const parameters = args.map((_, index) => parameterFor(fn, index));
  if (args.length < least || parameters.includes(undefined)) {
    lowering.refuse(messages.argumentCount(spanOf(node), fn.name));
    return constant(boundType(node) ?? 'dynamic', null);
  }
  const shared = args.filter((_, index) => parameters[index]?.type === 'common').map((arg) => arg.type);
  const common = shared.length > 0 ? sharedType(shared, node) : 'dynamic';
  const converted = args.map((arg, index): Scalar => {
    const parameter = parameters[index];
    if (!parameter || parameter.type === 'any') return foldScalar(arg);
    if (parameter.type === 'common') return convertTo(arg, common);
    if (parameter.type === 'number')
      return arg.type === 'dynamic' || arg.type === 'string' ? convertTo(arg, 'real') : foldScalar(arg);
    return convertTo(arg, parameter.type);
  });
  converted.forEach((arg, index) => {
    if (parameters[index]?.constant && arg.kind !== 'constant')
      lowering.refuse(messages.mustBeConstant(spanOf(node), fn.name, index + 1));
  });
  const type = resultType(fn, converted, common, node);
  return foldScalar(call(type, fn.name, ...converted));
}

/** The branches of iff and the like: what the binder says, when it says something. */
function sharedType(types: readonly KqlType[], node: Syntax): KqlType {
  const bound = boundType(node);
  if (bound && bound !== 'bool') return bound;
  return commonType(types);
}

function resultType(fn: FunctionSignature, args: readonly Scalar[], common: KqlType, node: Syntax): KqlType {
  switch (fn.result) {
    case 'common':
      return common;
    case 'first':
      return args[0]?.type ?? 'dynamic';
    case 'bound':
      return boundType(node) ?? args[0]?.type ?? 'dynamic';
    default:
      return fn.result;
  }
}
