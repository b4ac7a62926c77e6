import {
  ALL_EVENTS,
  type Column,
  EVENT_COLUMNS,
  type KqlType,
  STREAMS,
  WELL_KNOWN_TABLES,
} from '@tyrian/catalog';
import { type KustoGlobals, kusto } from '../kusto.ts';
import type { TableSource } from '../table-source.ts';
import { viewText, WIDENED_COLUMNS, widenedText } from './view-text.ts';

// The tables of a query as the language service and the lowering know them: streams, their union, and the views.

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

/** The streams and their union, with the typed columns alone. */
export function streamTables(columns: readonly Column[] = EVENT_COLUMNS): TableSource[] {
  const typed = columns.map(({ name, type }) => ({ name, type }));
  return [
    ...STREAMS.map(({ name }): TableSource => ({ name, stream: name, columns: typed })),
    { name: ALL_EVENTS, stream: null, columns: typed },
  ];
}

/**
 * A stream with the columns that the well-known table of its name has beside. Under its name stand all the rows of that
 * table; where all streams are united, those of the stream.
 */
export function widened(table: TableSource, rows: 'of the stream' | 'of the table'): TableSource {
  const extra = WIDENED_COLUMNS.get(table.name);
  if (!extra) return table;
  return { ...table, columns: [...table.columns, ...extra], view: widenedText(table.name, rows) };
}

export const WELL_KNOWN_SOURCES: readonly TableSource[] = WELL_KNOWN_TABLES.map((table) => ({
  name: table.name,
  stream: null,
  columns: table.columns.map(({ name, type }) => ({ name, type })),
  get view() {
    return viewText(table);
  },
}));

const made = new WeakMap<TableSource, object>();

function symbolOf(table: TableSource): object {
  const known = made.get(table);
  if (known) return known;
  const { Symbols } = kusto;
  const columns = table.columns.map(
    ({ name, type }) =>
      new Symbols.ColumnSymbol(name, Symbols.ScalarTypes[TYPE_SYMBOLS[type]], null, null, null, null),
  );
  const symbol = new Symbols.TableSymbol.$ctor4(table.name, columns);
  made.set(table, symbol);
  return symbol;
}

/** What the language service knows: these tables and nothing else. Symbols of a table are made once. */
export function globalsOf(tables: Iterable<TableSource>, functions: readonly object[] = []): KustoGlobals {
  const { Symbols, GlobalState } = kusto;
  const symbols = [...tables].map(symbolOf);
  const database = new Symbols.DatabaseSymbol.ctor('events', [...symbols, ...functions]);
  // Without a cache of its own each parse would build the grammar and the tables of functions anew.
  return GlobalState.Default.WithDatabase(database).WithCache();
}
