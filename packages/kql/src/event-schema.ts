import { type Column, EVENT_COLUMNS, type KqlType, NO_CATALOG, type TenantCatalog } from '@tyrian/catalog';
import type { KustoGlobals } from './kusto.ts';
import type { TableSource } from './table-source.ts';
import { ASIM_PARSERS } from './views/asim-parsers.ts';
import { uploadedTables, withAdded } from './views/catalog-tables.ts';
import { functionSymbols } from './views/function-symbols.ts';
import type { SavedFunction } from './views/saved-function.ts';
import { globalsOf, streamTables, WELL_KNOWN_SOURCES, widened } from './views/table-symbols.ts';

// What a query can name: the streams and the well-known tables, the typed columns, the fields seen below Ext, and the names that other
// vocabularies give the columns. One schema is built for each version of the seen fields and kept.

/** A field of the sources that has no column of its own, as it was seen in the data. */
export interface ExtField {
  readonly stream: string;
  /** Below Ext, dots between names: `a.b`. */
  readonly path: string;
  readonly type: KqlType;
}

export interface KqlSchema {
  readonly tables: ReadonlyMap<string, TableSource>;
  readonly extFields: readonly ExtField[];
  /** Other names of columns, to the column they stand for. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Paths below Ext that were seen in any stream. */
  readonly extPaths: ReadonlySet<string>;
  readonly globals: KustoGlobals;
  /** The streams and their union only: what `*` means where it can. */
  readonly streams: ReadonlyMap<string, TableSource>;
  readonly streamGlobals: KustoGlobals;
  /** What the tenant added. */
  readonly catalog: TenantCatalog;
  /** Functions that a query may name without declaring them: the parsers of ASIM and those of the tenant. */
  readonly functions: readonly SavedFunction[];
}

/** The schema of a tenant's events. Building it takes some milliseconds, its first query about 150: keep it. */
export function eventSchema(
  extFields: readonly ExtField[],
  columns: readonly Column[] = EVENT_COLUMNS,
  functions: readonly SavedFunction[] = [],
  catalog: TenantCatalog = NO_CATALOG,
): KqlSchema {
  const bare = streamTables(columns);
  const wide = (rows: Parameters<typeof widened>[1]) =>
    withAdded(
      bare.map((table) => widened(table, rows)),
      catalog,
    );
  const streams = wide('of the stream');
  const known = [...wide('of the table'), ...WELL_KNOWN_SOURCES];
  const tables = [...known, ...uploadedTables(catalog.tables, new Set(known.map(({ name }) => name)))];
  const callable = [...ASIM_PARSERS, ...functions];
  return {
    tables: new Map(tables.map((table) => [table.name, table])),
    streams: new Map(streams.map((table) => [table.name, table])),
    extFields,
    aliases: aliasesOf(columns, catalog),
    extPaths: new Set(extFields.map((field) => field.path)),
    globals: globalsOf(tables, functionSymbols(callable)),
    functions: callable,
    streamGlobals: globalsOf(streams),
    catalog,
  };
}

function aliasesOf(columns: readonly Column[], { fields }: TenantCatalog): ReadonlyMap<string, string> {
  const own = new Set([...columns, ...fields].map(({ name }) => name));
  const found = new Map<string, string>();
  // Where two columns share an alias the first vocabulary that names one wins: ECS, then OCSF, CIM and Sigma.
  for (const vocabulary of ['ecs', 'ocsf', 'cim', 'sigma'] as const)
    for (const column of columns)
      for (const alias of column.aliases[vocabulary] ?? [])
        if (!own.has(alias) && !found.has(alias)) found.set(alias, column.name);
  for (const { name, aliases } of fields)
    for (const alias of aliases) if (!own.has(alias) && !found.has(alias)) found.set(alias, name);
  return found;
}
