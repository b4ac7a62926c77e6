import { EVENT_COLUMNS } from './event-columns.ts';
import { ALL_EVENTS, STREAMS } from './streams.ts';
import { WELL_KNOWN_TABLES } from './well-known-tables/well-known-tables.ts';

// What columns, streams and well-known tables are, in a line for people. The English stands where each is defined; the
// other languages in packages/catalog/locales/catalog.<locale>.json, by the same names.

/** Descriptions by name. */
export interface CatalogTexts {
  readonly columns: Readonly<Record<string, string>>;
  readonly streams: Readonly<Record<string, string>>;
  readonly tables: Readonly<Record<string, string>>;
}

interface Described {
  readonly name: string;
  readonly description: string;
}

const byName = (described: readonly Described[]): Readonly<Record<string, string>> =>
  Object.fromEntries(described.map(({ name, description }) => [name, description]));

/** The English descriptions; a file of another language has the same names. */
export const CATALOG_TEXTS: CatalogTexts = {
  columns: byName(EVENT_COLUMNS),
  streams: { ...byName(STREAMS), [ALL_EVENTS]: 'All events of all streams' },
  tables: byName(WELL_KNOWN_TABLES),
};
