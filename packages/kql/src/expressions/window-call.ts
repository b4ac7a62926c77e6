import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import { columnReference, constant, type Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundType, type Syntax, spanOf } from '../syntax.ts';
import { convertTo } from './convert.ts';
import { readsUnordered } from './row-order.ts';

const WINDOW_FUNCTIONS = [
  'row_number',
  'row_cumsum',
  'row_rank_dense',
  'row_rank_min',
  'row_window_session',
  'prev',
  'next',
];

export const isWindowFunction = (name: string): boolean => WINDOW_FUNCTIONS.includes(name);

/** A function over the rows in their order: it joins the window of its operator and is read as a column. */
export function lowerWindowCall(
  node: Syntax<'FunctionCallExpression'>,
  name: string,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  const type: KqlType = boundType(node) ?? 'long';
  if (!context.windows) {
    lowering.refuse(messages.expression(spanOf(node), `${name}()`));
    return constant(type, null);
  }
  const inside: ExpressionContext = {
    names: context.names,
    columns: context.columns,
    windows: context.windows,
  };
  const args = argumentsOf(node).map((arg) => lowering.expression(arg, inside));
  if (readsUnordered(node, (table) => !context.names.has(table) && lowering.tables.has(table)))
    lowering.refuse(messages.noOrder(spanOf(node), name));
  const offset = args[1];
  if ((name === 'prev' || name === 'next') && offset?.kind === 'constant' && Number(offset.value) < 1)
    lowering.refuse(messages.badArgument(spanOf(node), name, say('offsetTooSmall')));
  const id = lowering.newId();
  const { converted, result } = settle(name, args, type);
  context.windows.push({ id, type: result, fn: name, args: converted });
  return columnReference(id, result);
}

function settle(
  name: string,
  args: readonly Scalar[],
  type: KqlType,
): { converted: readonly Scalar[]; result: KqlType } {
  const [first, second, third] = args;
  if (name === 'row_number') {
    const start = convertTo(first ?? constant('long', '1'), 'long');
    return { converted: second ? [start, convertTo(second, 'bool')] : [start], result: 'long' };
  }
  if (name === 'row_cumsum') {
    const value = first ?? constant('long', '0');
    const summed = value.type === 'int' || value.type === 'dynamic' ? convertTo(value, type) : value;
    return { converted: second ? [summed, convertTo(second, 'bool')] : [summed], result: summed.type };
  }
  if (name === 'row_window_session') {
    const types: readonly KqlType[] = ['datetime', 'timespan', 'timespan', 'bool'];
    const converted = args.map((arg, index) => convertTo(arg, types[index] ?? 'bool'));
    return { converted, result: 'datetime' };
  }
  if (name.startsWith('row_rank_')) {
    const term = first ?? constant('long', null);
    return { converted: second ? [term, convertTo(second, 'bool')] : [term], result: 'long' };
  }
  const value = first ?? constant(type, null);
  const offset = convertTo(second ?? constant('long', '1'), 'long');
  return {
    converted: third ? [value, offset, convertTo(third, value.type)] : [value, offset],
    result: value.type,
  };
}
