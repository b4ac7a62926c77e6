import type { Lowering, Names, Table } from '../lowering.ts';
import { boundColumns, type Syntax } from '../syntax.ts';
import { groupRows } from './subtables.ts';

/** `count`: one row with the number of rows. */
export function lowerCount(node: Syntax, input: Table, _names: Names, lowering: Lowering): Table {
  const id = lowering.newId();
  const items = [{ id, type: 'long', fn: 'count', args: [] }] as const;
  return {
    ...groupRows(input, [], items, lowering),
    columns: [{ name: boundColumns(node)[0]?.name ?? 'Count', id, type: 'long' }],
  };
}
