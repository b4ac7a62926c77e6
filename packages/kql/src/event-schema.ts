import { ALL_EVENTS, type Column, EVENT_COLUMNS, type KqlType, STREAMS } from '@tyrian/catalog';
import { type KustoGlobals, kusto } from './kusto.ts';
import type { TableSource } from './lowering.ts';

// What a query can name: the streams as tables, the typed columns, the fields seen below Ext, and the names that other
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
}

/** The schema of a tenant's events. Building it takes some milliseconds, its first query about 150: keep it. */
export function eventSchema(
  extFields: readonly ExtField[],
  columns: readonly Column[] = EVENT_COLUMNS,
): KqlSchema {
  const typed = columns.map(({ name, type }) => ({ name, type }));
  const tables = new Map<string, TableSource>();
  for (const stream of STREAMS)
    tables.set(stream.name, { name: stream.name, stream: stream.name, columns: typed });
  tables.set(ALL_EVENTS, { name: ALL_EVENTS, stream: null, columns: typed });
  return {
    tables,
    extFields,
    aliases: aliasesOf(columns),
    extPaths: new Set(extFields.map((field) => field.path)),
    globals: globalsFor([...tables.values()]),
  };
}

function aliasesOf(columns: readonly Column[]): ReadonlyMap<string, string> {
  const own = new Set(columns.map((column) => column.name));
  const found = new Map<string, string>();
  // Where two columns share an alias the first vocabulary that names one wins: ECS, then OCSF, CIM and Sigma.
  for (const vocabulary of ['ecs', 'ocsf', 'cim', 'sigma'] as const)
    for (const column of columns)
      for (const alias of column.aliases[vocabulary] ?? [])
        if (!own.has(alias) && !found.has(alias)) found.set(alias, column.name);
  return found;
}

const TYPE_SYMBOLS: Readonly<Record<KqlType, string>> = {
  bool: 'Bool',
  int: 'Int',
  long: 'Long',
  real: 'Real',
  decimal: 'Decimal',
  string: 'String',
  datetime: 'DateTime',
  timespan: 'TimeSpan',
  guid: 'Guid',
  dynamic: 'Dynamic',
};

function globalsFor(tables: readonly TableSource[]): KustoGlobals {
  const { Symbols, GlobalState } = kusto;
  const symbols = tables.map((table) => {
    const columns = table.columns.map(
      ({ name, type }) =>
        new Symbols.ColumnSymbol(name, Symbols.ScalarTypes[TYPE_SYMBOLS[type]], null, null, null, null),
    );
    return new Symbols.TableSymbol.$ctor4(table.name, columns);
  });
  return GlobalState.Default.WithDatabase(new Symbols.DatabaseSymbol.ctor('events', symbols));
}
