import { call, columnReference, constant, type Scalar } from '@tyrian/plan';
import type { NamedColumn } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, boundType, child, isKind, kindOf, nameOf, spanOf } from '../syntax.ts';
import type { SpecialCall } from './special-call.ts';

// Functions that depend on which columns are at hand, not only on their values.

const reference = (column: NamedColumn): Scalar => columnReference(column.id, column.type);

const columnIfExists: SpecialCall = (node, context, lowering) => {
  const [name, fallback] = argumentsOf(node);
  if (!name || !fallback) {
    lowering.refuse(messages.argumentCount(spanOf(node), 'column_ifexists'));
    return constant(boundType(node) ?? 'dynamic', null);
  }
  const text = lowering.expression(name, context);
  if (text.kind !== 'constant') {
    lowering.refuse(messages.mustBeConstant(spanOf(name), 'column_ifexists', 1));
    return constant('dynamic', null);
  }
  const column = context.columns.find((one) => one.name === text.value);
  return column ? reference(column) : lowering.expression(fallback, context);
};

const columnExists: SpecialCall = (node, context, lowering) => {
  const [name] = argumentsOf(node);
  const text = name ? lowering.expression(name, context) : constant('string', '');
  if (text.kind !== 'constant') lowering.refuse(messages.mustBeConstant(spanOf(node), 'iscolumnexists', 1));
  return constant('bool', text.kind === 'constant' && context.columns.some((one) => one.name === text.value));
};

/** `pack_all(true)` leaves out what is null or empty. */
const packAll: SpecialCall = (node, context, lowering) => {
  const [filled] = argumentsOf(node);
  const only = filled ? lowering.expression(filled, context) : constant('bool', false);
  if (only.kind !== 'constant') lowering.refuse(messages.mustBeConstant(spanOf(node), 'pack_all', 1));
  const pairs = context.columns.flatMap((column): Scalar[] => [
    constant('string', column.name),
    reference(column),
  ]);
  const fn = only.kind === 'constant' && only.value === true ? 'bag_pack_filled' : 'bag_pack';
  return call('dynamic', fn, ...pairs);
};

const packColumns: SpecialCall = (node, context, lowering) => {
  const pairs = argumentsOf(node).flatMap((arg): Scalar[] => {
    const named = isKind(arg, 'SimpleNamedExpression') ? child(arg, 'Name') : arg;
    return [constant('string', nameOf(named)), lowering.expression(arg, context)];
  });
  return call('dynamic', 'bag_pack', ...pairs);
};

const columnNames: SpecialCall = (node, context, lowering) => {
  const [table] = argumentsOf(node);
  const columns = table ? lowering.table(table, { ...context, columns: [] }).columns : [];
  return constant('dynamic', JSON.stringify(columns.map((column) => column.name)));
};

const dataSize: SpecialCall = (node, context, lowering) => {
  const values = argumentsOf(node).flatMap((arg): Scalar[] =>
    kindOf(arg) === 'StarExpression' ? context.columns.map(reference) : [lowering.expression(arg, context)],
  );
  return call('long', 'estimate_data_size', ...values);
};

/** The functions by name. */
export const COLUMN_CALLS: Readonly<Record<string, SpecialCall>> = {
  column_ifexists: columnIfExists,
  columnifexists: columnIfExists,
  iscolumnexists: columnExists,
  pack_all: packAll,
  bag_pack_columns: packColumns,
  column_names_of: columnNames,
  estimate_data_size: dataSize,
};
