import type { Lowering, Table } from '../lowering.ts';

/** A table without columns, in place of what was refused. */
export const emptyTable = (lowering: Lowering): Table => ({
  node: { kind: 'values', columns: [], rows: [], ordinal: lowering.newId() },
  columns: [],
});
