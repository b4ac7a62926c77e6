import { call, columnReference, constant, type Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, kindOf, type Syntax, spanOf } from '../syntax.ts';
import { convertTo } from './convert.ts';

// Percentiles of several percents at once. Each is an aggregation of its own; the forms `_array` put them into one array.

/** Aggregations that give the percentiles of several percents as an array. */
export const isPercentileArray = (name: string): boolean =>
  name === 'percentiles_array' || name === 'percentilesw_array';

/** One aggregation for each percent of `percentiles(value, 5, 50)`, `percentilesw(value, weight, dynamic([5]))` and so on. */
export function percentileItems(
  node: Syntax<'FunctionCallExpression'>,
  name: string,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar[] {
  const weighted = name.startsWith('percentilesw');
  const inside: ExpressionContext = { names: context.names, columns: context.columns };
  const args = argumentsOf(node).map((arg) => lowering.expression(arg, inside));
  const [value, weight] = args;
  const levels = args.slice(weighted ? 2 : 1).flatMap((level) => percents(level));
  if (
    !value ||
    !context.aggregates ||
    levels.length === 0 ||
    levels.some((level) => level.kind !== 'constant')
  ) {
    lowering.refuse(messages.mustBeConstant(spanOf(node), name, weighted ? 3 : 2));
    return [];
  }
  const type =
    value.type === 'int' || value.type === 'long'
      ? 'long'
      : value.type === 'dynamic' || value.type === 'string' || value.type === 'bool'
        ? 'real'
        : value.type;
  const fn = weighted ? 'percentilew' : 'percentile';
  const shared =
    weighted && weight ? [convertTo(value, type), convertTo(weight, 'long')] : [convertTo(value, type)];
  return levels.map((level) => {
    const id = lowering.newId();
    context.aggregates?.push({ id, type, fn, args: [...shared, level] });
    return columnReference(id, type);
  });
}

/** `percentiles_array(…)` and `percentilesw_array(…)`. */
export function lowerPercentileArray(
  node: Syntax<'FunctionCallExpression'>,
  name: string,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  return call('dynamic', 'pack_array', ...percentileItems(node, name, context, lowering));
}

function percents(level: Scalar): Scalar[] {
  const counted = countedUp(level);
  if (counted) return counted.map((one) => constant('real', one));
  if (level.kind !== 'constant' || level.type !== 'dynamic') return [convertTo(level, 'real')];
  const list: unknown = JSON.parse(String(level.value));
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'number')) return [];
  return list.map((one) => constant('real', Number(one)));
}

/** `range(0, 100, 25)` of known numbers; null for anything else. */
function countedUp(level: Scalar): number[] | null {
  if (level.kind !== 'call' || level.fn !== 'array_range') return null;
  const known = level.args.map((arg) => (arg.kind === 'constant' ? Number(arg.value) : Number.NaN));
  const [from, to, step = 1] = known;
  if (from === undefined || to === undefined || !known.every(Number.isFinite) || step <= 0) return null;
  const count = Math.floor((to - from) / step) + 1;
  return count > 0 && count <= 1000 ? Array.from({ length: count }, (_, index) => from + index * step) : null;
}

/** `percentile_tdigest(state, 50)` is an array of one value; with `typeof(long)` it is that value. */
export function lowerPercentileTdigest(
  node: Syntax<'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
  typeOf: (literal: Syntax) => Scalar['type'] | null,
): Scalar {
  const args = argumentsOf(node);
  const last = args.at(-1);
  const typed = last && kindOf(last) === 'TypeOfLiteralExpression' ? last : null;
  const [state, percent, ...more] = (typed ? args.slice(0, -1) : args).map((arg) =>
    lowering.expression(arg, context),
  );
  if (!state || !percent || more.length > 0) {
    lowering.refuse(messages.argumentCount(spanOf(node), 'percentile_tdigest'));
    return constant('dynamic', null);
  }
  const list = call('dynamic', 'percentiles_array_tdigest', state, call('dynamic', 'pack_array', percent));
  const type = typed ? typeOf(typed) : null;
  return type ? convertTo(call('dynamic', 'element', list, constant('long', '0')), type) : list;
}

/** `percentiles_array_tdigest(state, 5, 50)` or with an array of percents. */
export function lowerPercentilesTdigest(
  node: Syntax<'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const [state, ...levels] = argumentsOf(node).map((arg) => lowering.expression(arg, context));
  const [first] = levels;
  if (!state || !first) {
    lowering.refuse(messages.argumentCount(spanOf(node), 'percentiles_array_tdigest'));
    return constant('dynamic', null);
  }
  const list =
    first.type === 'dynamic' && levels.length === 1 ? first : call('dynamic', 'pack_array', ...levels);
  return call('dynamic', 'percentiles_array_tdigest', state, list);
}
