import { call, columnReference, constant, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Table } from '../lowering.ts';
import { PlanSteps } from './plan-steps.ts';
import type { PluginCall } from './plugin-call.ts';

/** `evaluate narrow()`: a row for each cell, with the number of its row from 0, its column and its text. */
export function lowerNarrow({ input, lowering }: PluginCall): Table {
  const steps = new PlanSteps(input.node, lowering);
  const [row] = steps.window({ fn: 'row_number', type: 'long', args: [constant('long', '0')] });
  const texts = input.columns.map(({ id, type }) => convertTo(columnReference(id, type), 'string'));
  const { element, index } = steps.expand(call('dynamic', 'pack_array', ...texts));
  const names = constant('dynamic', JSON.stringify(input.columns.map((column) => column.name)));
  const column = steps.compute(convertTo(call('dynamic', 'element', names, index), 'string'));
  const value = steps.compute(convertTo(element, 'string'));
  const named = (scalar: Scalar | undefined, name: string) =>
    scalar?.kind === 'column' ? [{ name, id: scalar.id, type: scalar.type }] : [];
  return {
    node: steps.node,
    columns: [...named(row, 'Row'), ...named(column, 'Column'), ...named(value, 'Value')],
  };
}
