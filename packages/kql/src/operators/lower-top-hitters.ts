import { type AggregateItem, columnReference, type PlanNode, type Scalar } from '@tyrian/plan';
import { convertTo, isNumeric } from '../expressions/convert.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { boundColumns, child, optionalChild, type Syntax } from '../syntax.ts';
import { rowCount } from './lower-take.ts';
import { firstRows, groupRows } from './subtables.ts';

/** `top-hitters n of X by Y`: the values that are met most, or whose sum is largest. Counted exactly. */
export function lowerTopHitters(
  node: Syntax<'TopHittersOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const of = child(node, 'OfExpression');
  const by = optionalChild(node, 'ByClause');
  const summed = by ? child(by, 'Expression') : null;
  const count = rowCount(child(node, 'Expression'), 'top-hitters', names, lowering);
  if (count === null) return input;
  const context = { names, columns: input.columns };
  const bound = boundColumns(node);
  const key = { id: lowering.newId(), expression: lowering.expression(of, context) };
  const value: Scalar | null = summed ? number(lowering.expression(summed, context)) : null;
  const item: AggregateItem = value
    ? { id: lowering.newId(), type: value.type === 'int' ? 'long' : value.type, fn: 'sum', args: [value] }
    : { id: lowering.newId(), type: 'long', fn: 'count', args: [] };
  const grouped = groupRows(input, [key], [item], lowering);
  const weight = columnReference(item.id, item.type);
  const shown = convertTo(weight, bound[1]?.type ?? item.type);
  const shownId = lowering.newId();
  const sorted: PlanNode = {
    kind: 'sort',
    input: { kind: 'compute', input: grouped.node, items: [{ id: shownId, expression: shown }] },
    keys: [{ expression: weight, descending: true, nullsFirst: false }],
  };
  const columns = [
    { name: bound[0]?.name ?? 'Column1', id: key.id, type: key.expression.type },
    { name: bound[1]?.name ?? 'approximate_count', id: shownId, type: shown.type },
  ];
  return firstRows({ ...grouped, node: sorted, columns }, count, lowering);
}

const number = (value: Scalar): Scalar =>
  isNumeric(value.type) || value.type === 'timespan' ? value : convertTo(value, 'real');
