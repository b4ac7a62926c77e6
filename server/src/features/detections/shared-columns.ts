import { columnReference, rewriteScalar, type Scalar, type ScanColumn } from '@tyrian/plan';

// Columns of the event table in a plan that is made of many rules: each once, whatever number it has in a rule.

/** The columns of a plan that many rules share, by what they are. */
export type SharedColumns = Map<string, ScanColumn>;

/** A column under the one id that it has for all. */
function shared(columns: SharedColumns, column: Pick<ScanColumn, 'source' | 'type'>): ScanColumn {
  const name = JSON.stringify([column.source, column.type]);
  const known = columns.get(name) ?? { ...column, id: columns.size };
  columns.set(name, known);
  return known;
}

/** A column of every event. */
export function stored(columns: SharedColumns, name: 'Stream' | 'Scope' | 'EventUid'): Scalar {
  const type = name === 'EventUid' ? 'guid' : 'string';
  return columnReference(shared(columns, { source: { kind: 'column', name }, type }).id, type);
}

/** An expression over columns of one scan as one over shared columns. */
export function overShared(scalar: Scalar, own: readonly ScanColumn[], columns: SharedColumns): Scalar {
  const ids = new Map(own.map((column) => [column.id, shared(columns, column).id]));
  return rewriteScalar(scalar, (part) =>
    part.kind === 'column' ? { ...part, id: ids.get(part.id) ?? part.id } : part,
  );
}
