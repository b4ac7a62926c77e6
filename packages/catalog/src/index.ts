export { CATALOG_TEXTS, type CatalogTexts } from './catalog-texts.ts';
export { type Cardinality, type Column, type ColumnAliases, column, type KqlType } from './column.ts';
export {
  EVENT_COLUMNS,
  MAX_CLOCK_LEAD_MS as MOST_CLOCK_LEAD_MS,
  READING_COLUMN,
  RETENTION_COLUMN,
} from './event-columns.ts';
export { JSON_TIME_FIELDS, PRODUCT_FIELD_NAMES } from './product-field-names.ts';
export { ALL_EVENTS, STREAMS, type Stream, type StreamName } from './streams.ts';
export {
  type AddedField,
  type AddedStream,
  NO_CATALOG,
  type TenantCatalog,
  type UploadedTable,
} from './tenant-catalog.ts';
export { WIDENED_STREAMS } from './well-known-tables/stream-named-table.ts';
export {
  extField,
  tableMark,
  type WellKnownColumn,
  type WellKnownTable,
} from './well-known-tables/well-known-table.ts';
export { WELL_KNOWN_TABLES } from './well-known-tables/well-known-tables.ts';
