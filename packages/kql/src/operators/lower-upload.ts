import type { UploadedTable } from '@tyrian/catalog';
import { columnReference, type StoreColumn } from '@tyrian/plan';
import type { Lowering, NamedColumn, Table } from '../lowering.ts';
import { textAs } from './added-columns.ts';

/** The rows of an uploaded table: each cell is text, read as the type of its column. */
export function lowerUpload(upload: UploadedTable, lowering: Lowering): Table {
  const cells = upload.columns.map(
    (_, index): StoreColumn => ({ id: lowering.newId(), type: 'string', cell: index + 1 }),
  );
  const items = cells.map(({ id }, index) => ({
    id: lowering.newId(),
    expression: textAs(columnReference(id, 'string'), upload.columns[index]?.type ?? 'string'),
  }));
  const columns = upload.columns.map(
    ({ name, type }, index): NamedColumn => ({ name, type, id: items[index]?.id ?? 0 }),
  );
  const { id: store, uploads, scope } = upload;
  const scan = { kind: 'store-scan', store, uploads, columns: cells, scope } as const;
  return { node: { kind: 'compute', input: scan, items }, columns };
}
