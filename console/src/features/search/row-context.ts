import type { ResultColumn } from '@tyrian/contract';
import type { ResultRow } from '../../query-kit/results/result-value.ts';

/** When and where a row happened; null when it has no event time. */
export function rowContext(
  columns: readonly ResultColumn[],
  row: ResultRow | undefined,
): { readonly time: number; readonly host: string | null } | null {
  if (!row) return null;
  const read = (name: string) => row[columns.findIndex((column) => column.name === name)];
  const time = Date.parse(String(read('TimeGenerated') ?? ''));
  const host = read('DvcHostname');
  if (Number.isNaN(time)) return null;
  return { time, host: typeof host === 'string' && host !== '' ? host : null };
}
