import type { KqlType } from '@tyrian/catalog';
import { call, constant, type FunctionSignature, foldScalar, parameterFor, type Scalar } from '@tyrian/plan';
import type { Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundType, type Syntax, spanOf } from '../syntax.ts';
import { checkPatternOf } from './check-regex.ts';
import { commonType, convertTo } from './convert.ts';

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
  checkPatternOf(fn.name, converted, node, lowering);
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
