import { type BenchTarget, called } from './bench-server.ts';

/** Rows that a search gives at most. */
export const MAX_ROWS = 1000;
const PAGE = 2000;

interface Invoked {
  readonly data: readonly { id: string; task_stage: string; result?: { rows: unknown[] } }[];
}

/** One search as the console makes it, newest first; answers how many rows came. */
export async function askFind(
  target: BenchTarget,
  query: string,
  range: { readonly from: number; readonly to: number },
): Promise<number> {
  const asked = { job_type: 'kql', scope_id: target.scope, query, ...range };
  const job = { ...asked, row_limit: MAX_ROWS, page_rows: PAGE };
  const invoked = await called<Invoked>(target, 'job/invoke', job);
  const { id = '', task_stage, result } = invoked.data[0] ?? {};
  if (result) return result.rows.length;
  while (task_stage !== 'EXECUTED') {
    const way = `dispatcher/task/state/${id}?wait_ms=5000&rows_seen=1`;
    const state = await called<{ task_stage: string; message: string }>(target, way);
    if (state.task_stage === 'FAILURE') throw new Error(`${query}: ${state.message}`);
    if (state.task_stage === 'EXECUTED') break;
  }
  const way = `dispatcher/task/result/${id}?pagesize=${PAGE}&form=rows`;
  return (await called<{ rows: unknown[] }>(target, way)).rows.length;
}
