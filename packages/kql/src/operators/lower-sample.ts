import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant } from '@tyrian/plan';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { rowCount } from './lower-take.ts';
import { firstRows, groupRows } from './subtables.ts';

/** `sample n`: so many rows by chance. */
export function lowerSample(
  node: Syntax<'SampleOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const count = rowCount(child(node, 'Expression'), 'sample', names, lowering);
  if (count === null) return input;
  const keys = [
    { expression: call('real', 'rand', constant('long', '0')), descending: false, nullsFirst: true },
  ];
  return firstRows({ ...input, node: { kind: 'sort', input: input.node, keys } }, count, lowering);
}

/** `sample-distinct n of Column`: so many different values. */
export function lowerSampleDistinct(
  node: Syntax<'SampleDistinctOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const of = child(node, 'OfExpression');
  const count = rowCount(child(node, 'Expression'), 'sample-distinct', names, lowering);
  const column = input.columns.find((one) => one.name === nameOf(of));
  if (count === null || !column) {
    if (!column) lowering.refuse(messages.expression(spanOf(of), say('sampleOfExpression')));
    return input;
  }
  const key = { id: lowering.newId(), expression: columnReference(column.id, column.type) };
  const table = { ...groupRows(input, [key], [], lowering), columns: [{ ...column, id: key.id }] };
  return firstRows(table, count, lowering);
}
