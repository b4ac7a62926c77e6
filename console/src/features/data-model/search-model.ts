import type { Column, ColumnAliases, Stream } from '@tyrian/catalog';
import type { ModelField } from '@tyrian/contract';

// A search in the data model looks at names, descriptions, types and the names of other vocabularies.

/** The names of a column in another vocabulary, as text. */
export function aliasText(column: Column, vocabulary: keyof ColumnAliases): string {
  return (column.aliases[vocabulary] ?? []).join(', ');
}

export function matchesColumn(column: Column, query: string): boolean {
  const names = [column.name, column.type, column.description, ...Object.values(column.aliases).flat()];
  return contains(names, query);
}

export const matchesField = (field: ModelField, query: string): boolean =>
  contains([field.name, field.stream, field.type, field.description, ...field.aliases], query);

export function matchesStream(stream: Stream, query: string): boolean {
  return contains([stream.name, stream.description], query);
}

function contains(texts: readonly string[], query: string): boolean {
  const wanted = query.trim().toLowerCase();
  return wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted));
}
