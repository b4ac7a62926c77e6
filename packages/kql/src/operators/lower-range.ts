import { foldScalar, type KqlType } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { ExpressionContext, Lowering, Table } from '../lowering.ts';
import { boundColumns, child, nameOf, type Syntax } from '../syntax.ts';

/** `range x from a to b step c`. */
export function lowerRange(
  node: Syntax<'RangeOperator'>,
  context: ExpressionContext,
  lowering: Lowering,
): Table {
  const bound = boundColumns(node)[0];
  const type: KqlType = bound?.type ?? 'long';
  const value = (property: 'From' | 'To' | 'Step', as: KqlType) => {
    const lowered = lowering.expression(child(node, property), { names: context.names, columns: [] });
    return foldScalar(convertTo(lowered, as));
  };
  const id = lowering.newId();
  return {
    node: {
      kind: 'range',
      column: { id, type },
      from: value('From', type),
      to: value('To', type),
      step: value('Step', type === 'datetime' ? 'timespan' : type),
    },
    columns: [{ name: bound?.name ?? nameOf(child(node, 'Name')), id, type }],
  };
}
