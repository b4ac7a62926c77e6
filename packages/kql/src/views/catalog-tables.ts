import {
  type AddedField,
  ALL_EVENTS,
  STREAMS,
  type TenantCatalog,
  type UploadedTable,
} from '@tyrian/catalog';
import type { SourceField, TableSource } from '../table-source.ts';

// The tables of a query with what its tenant added: streams of its own, columns over fields below Ext, uploaded tables.

/** The bare streams, their union and the streams of the tenant, each with the columns that were added to it. */
export function withAdded(bare: readonly TableSource[], catalog: TenantCatalog): TableSource[] {
  const union = bare.find(({ name }) => name === ALL_EVENTS);
  const known = new Set(bare.map(({ name }) => name));
  const own = catalog.streams
    .filter(({ name }) => !known.has(name))
    .map(({ name }): TableSource => ({ name, stream: name, columns: union?.columns ?? [] }));
  return [...bare, ...own].map((table) => withFields(table, catalog.fields));
}

function withFields(table: TableSource, added: readonly AddedField[]): TableSource {
  const taken = new Set(table.columns.map(({ name }) => name));
  const fields = new Map<string, SourceField>();
  for (const { stream, name, type, aliases } of added) {
    if (taken.has(name) || (table.name !== ALL_EVENTS && stream !== table.stream)) continue;
    // In the union of all streams a name means the same in each: one name has one type.
    const paths = new Set([...(fields.get(name)?.paths ?? [name]), ...aliases]);
    fields.set(name, { name, type, paths: [...paths] });
  }
  if (fields.size === 0) return table;
  const columns = [...fields.values()].map(({ name, type }) => ({ name, type }));
  return { ...table, columns: [...table.columns, ...columns], fields: [...fields.values()] };
}

/** Uploaded tables whose names are not taken by what every tenant has. */
export const uploadedTables = (
  uploads: readonly UploadedTable[],
  taken: ReadonlySet<string>,
): readonly TableSource[] => uploads.filter(({ name }) => !taken.has(name)).map(uploadSource);

export const uploadSource = (upload: UploadedTable): TableSource => ({
  name: upload.name,
  stream: null,
  columns: upload.columns,
  upload,
});

const BUILT_IN = new Set<string>([ALL_EVENTS, ...STREAMS.map(({ name }) => name)]);

/** KQL over the bare streams that every tenant has, for the rows of a stream. */
export const streamText = (name: string): string =>
  BUILT_IN.has(name) ? name : `${ALL_EVENTS} | where Stream == ${JSON.stringify(name)}`;
