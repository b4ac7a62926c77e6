import { LOG_SOURCES } from './log-sources.ts';
import { fieldTables } from './resolve-field.ts';
import type { LogSourceMapping } from './source-condition.ts';

// Names that mappings know, for those who write rules.

/** The fields that the tables of a mapping name, as they are written there. */
export const fieldNamesOf = (mapping: LogSourceMapping): readonly string[] => [
  ...new Set(
    mapping.tables.flatMap((id) => {
      const table = fieldTables.get(id);
      return table ? [...Object.keys(table.sure), ...Object.keys(table.also)] : [];
    }),
  ),
];

/** Products, categories and services that some mapping asks for, each with the others that stand beside it. */
export const KNOWN_SOURCES: readonly Pick<LogSourceMapping, 'product' | 'category' | 'service'>[] =
  LOG_SOURCES.map(({ product, category, service }) => ({
    ...(product === undefined ? {} : { product }),
    ...(category === undefined ? {} : { category }),
    ...(service === undefined ? {} : { service }),
  }));
