import { say } from '@tyrian/diagnostics';
import { columnReference, constant, type PlanNode } from '@tyrian/plan';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { countsEmptyTables, lowerSubquery, operatorsOf } from './lower-subquery.ts';
import { united } from './subtables.ts';

/** `partition by Column (subquery)`: the subquery on the rows of each value. Hints have no effect. */
export function lowerPartition(
  node: Syntax<'PartitionOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const by = child(node, 'ByExpression');
  const operand = child(node, 'Operand');
  const subquery = isKind(operand, 'PartitionSubquery') ? child(operand, 'Subquery') : null;
  const column = input.columns.find((one) => one.name === nameOf(by));
  if (!subquery || !column) {
    const form = isKind(operand, 'PartitionQuery') ? say('partitionOwnTable') : 'partition by';
    lowering.refuse(messages.operator(spanOf(operand), form));
    return input;
  }
  if (input.subtables) {
    lowering.refuse(messages.operator(spanOf(node), say('insideSubquery', { name: 'partition' })));
    return input;
  }
  const operators = operatorsOf(subquery);
  const keep = countsEmptyTables(operators) ? lowering.newId() : null;
  const marked: PlanNode =
    keep === null
      ? input.node
      : { kind: 'compute', input: input.node, items: [{ id: keep, expression: constant('bool', true) }] };
  const tables: Table = {
    ...input,
    node: marked,
    subtables: {
      keys: [columnReference(column.id, column.type)],
      shared: [],
      ...(keep === null ? {} : { alive: columnReference(keep, 'bool') }),
    },
  };
  const result = lowerSubquery(operators, tables, names, lowering);
  return { node: united(result), columns: result.columns };
}
