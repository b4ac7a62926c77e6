import type { ResultColumn } from '@tyrian/contract';
import { RESULT_MEMORY } from '../../platform/clickhouse/result-memory.ts';
import type { QueryStats, ResultRow } from './run-pieces.ts';

interface Answer {
  readonly batches: AsyncIterable<readonly ResultRow[]>;
  stats(): QueryStats;
}

/** All rows, as long as there is room for them. */
export async function collectRows({ batches, stats }: Answer, clusterId: string): Promise<ResultRow[]> {
  const held = RESULT_MEMORY.hold(clusterId);
  const rows: ResultRow[] = [];
  try {
    for await (const batch of batches) {
      held.set(stats().receivedBytes);
      for (const row of batch) rows.push(row);
    }
    return rows;
  } finally {
    held.release();
  }
}

/** A whole answer; `truncated` when there was more than is wanted. */
export async function collectResult<Diagnostics>(
  answer: Answer & { readonly columns: readonly ResultColumn[]; readonly diagnostics: Diagnostics },
  { clusterId, maxRows }: { readonly clusterId: string; readonly maxRows?: number },
) {
  const rows = await collectRows(answer, clusterId);
  const truncated = maxRows !== undefined && rows.length > maxRows;
  return {
    columns: answer.columns.map(({ name, type }) => ({ name, type })),
    rows: truncated ? rows.slice(0, maxRows) : rows,
    truncated,
    stats: answer.stats(),
    diagnostics: answer.diagnostics,
  };
}
