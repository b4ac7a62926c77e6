import type { ColumnId, StoreScan } from '@tyrian/plan';
import { name, parameter, sql, textParameter } from '../sql.ts';
import { plainValue, type SqlValue } from '../sql-value.ts';
import { openRelation, type Relation } from './relation.ts';
import { inScopes } from './split-scan.ts';

/**
 * The rows of an uploaded table within its boundary. Throws on one without: a fault of ours. A row that has fewer cells
 * than the table has columns gives empty text for the others.
 */
export function splitStoreScan({ boundary, columns, store, uploads }: StoreScan): Relation {
  if (!boundary) throw new Error('A scan is not tied to a tenant');
  const values = new Map<ColumnId, SqlValue>(
    columns.map(({ id, cell }) => [
      id,
      plainValue('string', sql`${name('Cells')}[${parameter('UInt32', cell)}]`, false),
    ]),
  );
  const relation = openRelation({ kind: 'table', name: name(boundary.database, 'eventstore_rows') }, values);
  return {
    ...relation,
    where: [
      inScopes(boundary.scopes),
      sql`(${name('Store')} = ${textParameter(store)})`,
      sql`(${name('Upload')} IN ${parameter('Array(String)', [...uploads])})`,
    ],
  };
}
