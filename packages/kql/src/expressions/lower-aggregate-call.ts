import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import {
  aggregateByName,
  columnReference,
  constant,
  foldScalar,
  parameterFor,
  type Scalar,
} from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundType, type Syntax, spanOf } from '../syntax.ts';
import { convertTo } from './convert.ts';

/** An aggregation inside an expression: it joins the aggregations of the summarize and is read as a column. */
export function lowerAggregateCall(
  node: Syntax<'FunctionCallExpression'>,
  name: string,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const fn = aggregateByName(name);
  const inside: ExpressionContext = { names: context.names, columns: context.columns };
  // `count(x)` counts the rows, whatever x is.
  const given = name === 'count' ? [] : argumentsOf(node);
  const args = given.map((arg) => lowering.expression(arg, inside));
  if (!fn || !context.aggregates) {
    lowering.refuse(messages.aggregate(spanOf(node), name));
    return constant(boundType(node) ?? 'dynamic', null);
  }
  const converted = args.map((arg, index): Scalar => {
    const type = parameterFor(fn, index)?.type;
    if (type === undefined || type === 'any' || type === 'number' || type === 'common')
      return foldScalar(arg);
    return convertTo(arg, type);
  });
  const least = fn.parameters.filter((parameter) => !parameter.optional).length;
  if (args.length < least || args.length > fn.parameters.length)
    lowering.refuse(messages.argumentCount(spanOf(node), name));
  if (fn.name.startsWith('percentile') && converted.at(-1)?.kind !== 'constant')
    lowering.refuse(messages.mustBeConstant(spanOf(node), name, args.length));
  const kind = args[0]?.type ?? 'dynamic';
  if (fn.name === 'tdigest' && (kind === 'timespan' || kind === 'guid'))
    lowering.refuse(messages.expression(spanOf(node), say('tdigestOf', { type: kind })));
  const settled = numbersFor(fn.name, converted);
  const type = resultType(fn.result, settled, node);
  const id = lowering.newId();
  context.aggregates.push({ id, type, fn: fn.name, args: settled });
  return columnReference(id, type);
}

/** What is added up or averaged is a number; what a list limits must be a constant. */
function numbersFor(fn: string, args: readonly Scalar[]): readonly Scalar[] {
  if (!/^(sum|avg|percentile|tdigest$)/.test(fn)) return args;
  return args.map((arg, index) =>
    index === 0 && (arg.type === 'dynamic' || arg.type === 'string' || arg.type === 'bool')
      ? convertTo(arg, 'real')
      : arg,
  );
}

function resultType(rule: string, args: readonly Scalar[], node: Syntax): KqlType {
  if (rule === 'first') return args[0]?.type ?? 'dynamic';
  if (rule !== 'bound') return rule as KqlType;
  return boundType(node) ?? args[0]?.type ?? 'dynamic';
}
