// @vitest-environment jsdom
import { invokeJob, taskResult, taskState } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { stubCalls } from '../../testing/stub-calls.ts';
import { runSearch, type SearchSnapshot } from './run-search.ts';

// How many calls a search makes, from its start to its last row.

const ROWS = [[1], [2]];
const page = (rows: readonly (readonly number[])[]) => ({
  status: 'success',
  task_status: 'SUCCESS',
  execution_time: '0.0100 sec',
  source_stream: '',
  fields_list: ['x'],
  columns: [{ name: 'x', type: 'long' }],
  result: [],
  rows,
  total_count: ROWS.length,
  truncated: false,
  statistics: { rows_read: 2, bytes_read: 16, elapsed_ms: 10, engine_ms: 5 },
  range: null,
  notices: [],
  diagnostics: [],
  message: '',
});
const STATE = {
  status: 'success',
  task_stage: 'EXECUTED',
  task_state: 'SUCCESS',
  progress: { rows_read: 2, bytes_read: 16, rows_to_read: 2, share: 1, elapsed_ms: 10, rows_ready: 2 },
  message: '',
  diagnostics: [],
};

afterEach(() => vi.unstubAllGlobals());

/** The calls of one search whose invoke answers this, and what the screen shows at the end. */
async function searched(task: object): Promise<{ calls: number; last: SearchSnapshot | undefined }> {
  const { seen } = stubCalls([
    [invokeJob, () => [{ id: 't1', status: 'PENDING', ...task }]],
    [taskState, () => STATE],
    [taskResult, () => page(ROWS)],
  ]);
  const snapshots: SearchSnapshot[] = [];
  await runSearch({
    clusterId: 'c1',
    job: { job_type: 'kql', scope_id: 's1', query: 'range x from 1 to 2 step 1' },
    signal: new AbortController().signal,
    onChange: (snapshot) => snapshots.push(snapshot),
  });
  return { calls: seen.length, last: snapshots.at(-1) };
}

describe('a search', () => {
  it.each([
    ['is one call when its rows come with its id', { task_stage: 'EXECUTED', result: page(ROWS) }, 1],
    ['does not ask for its state when it has ended', { task_stage: 'EXECUTED' }, 2],
    ['is followed while it runs', { task_stage: 'EXECUTING' }, 3],
    ['is followed where its stage is not told', {}, 3],
  ])('[T-asking] %s', async (_, task, calls) => {
    const found = await searched(task);
    expect(found.last).toMatchObject({ status: 'done', rows: ROWS, total: 2 });
    expect(found.calls).toBe(calls);
  });
});
