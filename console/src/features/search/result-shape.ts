import type { ResultColumn } from '@tyrian/contract';
import { shownColumn } from '../../query-kit/results/result-value.ts';
import type { SearchLink } from '../../query-kit/runs/search-link.ts';

// Columns are chosen for results of one shape. A query that gives other columns shows its own.

/** A short name for these columns: equal for results that have the same ones. */
export function shapeOf(columns: readonly ResultColumn[]): string {
  let hash = 2166136261;
  for (const char of columns.map(({ name }) => name).join('\n'))
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16777619);
  return (hash >>> 0).toString(36);
}

const NONE: readonly string[] = [];

/** The chosen columns of the link, where they were chosen for such a result; else none. */
export function chosenColumns(
  { columns, shape }: Pick<SearchLink, 'columns' | 'shape'>,
  result: readonly ResultColumn[],
): readonly string[] {
  if (columns.length === 0 || result.length === 0) return columns;
  const fits =
    shape === '' ? columns.every((name) => shownColumn(result, name) !== null) : shape === shapeOf(result);
  return fits ? columns : NONE;
}
