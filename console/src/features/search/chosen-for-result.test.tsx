import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { invokeJob, searchHistogram, taskResult, taskState } from '@tyrian/contract';
import { useMemo } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import type { ResultRow } from '../../query-kit/results/result-value.ts';
import { RowDetail } from '../../query-kit/results/row-detail.tsx';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { ResultPanel, useRowOrder, useShownColumns } from './result-panel.tsx';
import { type SearchPageState, useSearchPage } from './use-search-page.ts';

// What is chosen for a result: columns, order, number of rows. A stand-in of the engine holds 3,000 events and 2 groups.

const EVENTS = Array.from({ length: 3000 }, (_, n): ResultRow => [n, `host${n % 7}`, 'PAD']);
const GROUPS: readonly ResultRow[] = [
  ['host1', 1479, 6],
  ['host2', 12, 3],
];
const RESULTS = {
  events: {
    columns: [
      ['EventID', 'long'],
      ['DvcHostname', 'string'],
      ['ParseStatus', 'string'],
    ],
    rows: EVENTS,
  },
  groups: {
    columns: [
      ['DvcHostname', 'string'],
      ['Runs', 'long'],
      ['Hosts', 'long'],
    ],
    rows: GROUPS,
  },
} as const;

const SHARD_AWAY = { code: 'shards-missing', message: 'as the server says it', values: { shards: '2' } };

let page: SearchPageState;
let jobs: Record<string, unknown>[] = [];

function engine() {
  jobs = [];
  return stubCalls([
    [
      invokeJob,
      (input) => {
        jobs.push(input);
        return [{ id: `t${jobs.length - 1}`, status: 'PENDING' }];
      },
    ],
    [
      taskState,
      () => ({
        status: 'success',
        task_stage: 'EXECUTED',
        task_state: 'SUCCESS',
        progress: { rows_read: 1, bytes_read: 1, rows_to_read: 1, share: 1, elapsed_ms: 5, rows_ready: 1 },
        message: '',
        diagnostics: [],
      }),
    ],
    [taskResult, () => answerTo(jobs.at(-1) ?? {})],
    [
      searchHistogram,
      () => ({
        applicable: true,
        range: { from: 0, to: 1 },
        bucket_ms: 1,
        times: [],
        series: [],
        total: 3000,
        stack_by: 'Stream',
        counts_rows: true,
      }),
    ],
  ]);
}

function answerTo(job: Record<string, unknown>) {
  const { columns, rows } = String(job.query).includes('summarize') ? RESULTS.groups : RESULTS.events;
  const sort = job.sort as { column: string; descending: boolean } | undefined;
  const at = columns.findIndex(([name]) => name === sort?.column);
  const way = sort?.descending ? -1 : 1;
  const sorted = sort ? [...rows].sort((a, b) => way * (Number(a[at]) - Number(b[at]))) : rows;
  const limit = Number(job.row_limit ?? 1000);
  const shown = sorted.slice(0, limit);
  return {
    status: 'success',
    task_status: 'SUCCESS',
    execution_time: '',
    source_stream: '',
    fields_list: [],
    columns: columns.map(([name, type]) => ({ name, type })),
    result: [],
    rows: shown,
    total_count: shown.length,
    truncated: rows.length > limit,
    statistics: { rows_read: 3000, bytes_read: 1, elapsed_ms: 5, engine_ms: 5 },
    range: null,
    notices: String(job.query).includes('away') ? [SHARD_AWAY] : [],
    diagnostics: [],
    message: '',
  };
}

function Probe() {
  page = useSearchPage();
  const columns = useShownColumns(page.run.snapshot, page.chosen);
  const order = useRowOrder(page.run.snapshot, columns, page);
  const menu = useMemo(() => vi.fn(), []);
  return <ResultPanel page={page} columns={columns} order={order} onMenu={menu} />;
}

const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
const firstRow = () => within(screen.getByTestId('result-grid')).getAllByRole('row')[1]?.textContent;
const status = () => screen.getByTestId('search-status').textContent ?? '';
const isDone = () => waitFor(() => expect(page.run.snapshot.status).toBe('done'));

async function run(query: string) {
  act(() => page.submit(query));
  await waitFor(() => expect(page.run.asked?.query).toBe(query));
  await isDone();
}

async function openFind(rest = '') {
  const view = await renderScreen(<Probe />, {
    access: sampleAccess({ role: 'Security Analyst' }),
    url: `/?query=Events&from=now-1h&to=now${rest}`,
  });
  await isDone();
  return view;
}

beforeEach(() => void engine());
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

describe('chosen columns', () => {
  it('[R-C1] belong to a result: a query with other columns shows its own', async () => {
    await openFind();
    act(() => page.choose(['DvcHostname']));
    expect(heads()).toEqual(['DvcHostname']);
    await run('Events | where EventID > 5');
    expect(heads()).toEqual(['DvcHostname']);
    await run('Events | summarize Runs = count(), Hosts = dcount(EventID) by DvcHostname');
    expect(heads()).toEqual(['DvcHostname', 'Runs', 'Hosts']);
    expect(page.chosen).toEqual([]);
  });

  it('[R-C1] of a link that another tool wrote hold where the result has all of them', async () => {
    await openFind('&columns=EventID,DvcHostname');
    expect(heads()).toEqual(['EventID', 'DvcHostname']);
    await run('Events | summarize Runs = count() by DvcHostname');
    expect(heads()).toEqual(['DvcHostname', 'Runs', 'Hosts']);
  });
});

describe('the order of a result', () => {
  const sortBy = (name: string) =>
    fireEvent.click(within(screen.getByRole('columnheader', { name: new RegExp(name) })).getByText(name));

  it('[R-C3] is asked of the engine where rows are missing, said, and gone with the next query', async () => {
    const { router } = await openFind();
    await waitFor(() => expect(status()).toContain('First 1,000 of 3,000'));
    sortBy('EventID');
    await waitFor(() => expect(jobs).toHaveLength(2));
    expect(jobs[1]).toMatchObject({ sort: { column: 'EventID', descending: true }, from: jobs[0]?.from });
    await isDone();
    expect(firstRow()).toContain('2999');
    expect(screen.getByText('Sorted by EventID')).toBeTruthy();
    await run('Events | where EventID > 5');
    expect(jobs[2]).not.toHaveProperty('sort');
    expect(router.state.location.search).not.toContain('sort');
    expect(screen.queryByText('Sorted by EventID')).toBeNull();
  });

  it('[R-C3] changes at once where all rows are there, and comes back to that of the query', async () => {
    await openFind();
    await run('Events | summarize Runs = count() by DvcHostname');
    sortBy('Runs');
    sortBy('Runs');
    await waitFor(() => expect(firstRow()).toContain('12'));
    fireEvent.click(screen.getByRole('button', { name: 'Clear sorting' }));
    await waitFor(() => expect(firstRow()).toContain('1479'));
    expect(jobs).toHaveLength(2);
  });

  it('[R-C3] stays when a value of the result is left out', async () => {
    await openFind('&sort=EventID');
    expect(jobs[0]).toMatchObject({ sort: { column: 'EventID', descending: false } });
    const column = { name: 'DvcHostname', type: 'string', reference: 'DvcHostname' };
    act(() => page.filter({ column, value: 'host1' }, false, 'result'));
    await waitFor(() => expect(jobs).toHaveLength(2));
    expect(jobs[1]).toMatchObject({
      query: 'Events\n| where DvcHostname != "host1"',
      sort: { column: 'EventID' },
    });
  });
});

describe('the number of rows', () => {
  it('[R-C9] stands in the link, can be taken back, and does not stick to the next query', async () => {
    const { router } = await openFind();
    expect(jobs[0]).not.toHaveProperty('row_limit');
    fireEvent.click(screen.getByRole('button', { name: 'Show more rows' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Up to 10,000 rows' }));
    await waitFor(() => expect(jobs).toHaveLength(2));
    expect(jobs[1]).toMatchObject({ row_limit: 10_000, from: jobs[0]?.from, to: jobs[0]?.to });
    expect(router.state.location.search).toContain('limit=10000');
    await waitFor(() => expect(status()).toContain('3,000 rows'));
    fireEvent.click(screen.getByRole('button', { name: 'Up to 10,000 rows' }));
    fireEvent.click(await screen.findByRole('menuitem', { name: 'Default number of rows' }));
    await waitFor(() => expect(status()).toContain('First 1,000 of 3,000'));
    act(() => page.show({ limit: 10_000 }));
    await waitFor(() => expect(jobs).toHaveLength(4));
    await run('Events | where EventID > 5');
    expect(jobs[4]).not.toHaveProperty('row_limit');
    expect(router.state.location.search).not.toContain('limit');
  });
});

describe('the keys of a result', () => {
  it('[R-C15] open no row of a result that goes, and leave the query alone that comes', async () => {
    const { router } = await openFind();
    const grid = screen.getByTestId('result-grid');
    fireEvent.keyDown(document.body, { key: 'j' });
    // Before the page has followed the new link.
    act(() => {
      page.submit('Events | where EventID > 5');
      fireEvent.keyDown(grid, { key: 'Enter' });
    });
    await waitFor(() => expect(jobs).toHaveLength(2));
    await isDone();
    expect(jobs[1]).toMatchObject({ query: 'Events | where EventID > 5' });
    expect(page.link).toMatchObject({ query: 'Events | where EventID > 5', row: null });
    expect(router.state.location.search).not.toContain('row=');
  });

  it('[R-C15] j and k go through the rows, from the page as well, and the opened row follows', async () => {
    await openFind();
    const grid = screen.getByTestId('result-grid');
    const current = () => grid.getAttribute('aria-activedescendant');
    fireEvent.keyDown(document.body, { key: 'j' });
    expect(document.activeElement).toBe(grid);
    expect(current()).toBe('cell-1-0');
    fireEvent.keyDown(grid, { key: 'j' });
    fireEvent.keyDown(grid, { key: 'k' });
    fireEvent.keyDown(grid, { key: 'j' });
    expect(current()).toBe('cell-2-0');
    fireEvent.keyDown(grid, { key: 'Enter' });
    expect(page.link.row).toBe(2);
    fireEvent.keyDown(grid, { key: 'j' });
    expect(page.link.row).toBe(3);
  });

  it('[R-C15] the first click on a value opens its row, and the keys go on from there', async () => {
    await openFind();
    fireEvent.click(screen.getByText('host3', { selector: '#cell-3-1 *' }));
    expect(page.link.row).toBe(3);
    fireEvent.keyDown(screen.getByTestId('result-grid'), { key: 'j' });
    expect(page.link.row).toBe(4);
  });
});

describe('the values of an opened row', () => {
  it('[R-C15] a click on one opens its menu, unless it marks text', async () => {
    const onMenu = vi.fn();
    const columns = [{ name: 'DvcHostname', type: 'string' as const }];
    const access = sampleAccess({ role: 'Security Analyst' });
    await renderScreen(<RowDetail columns={columns} row={['host3']} zone="UTC" onMenu={onMenu} />, {
      access,
    });
    const value = screen.getByText('host3');
    fireEvent.click(value, { clientX: 5, clientY: 6 });
    expect(onMenu).toHaveBeenCalledWith(
      expect.objectContaining({ value: 'host3' }),
      expect.objectContaining({ x: 5, y: 6 }),
    );
    window.getSelection()?.selectAllChildren(value);
    fireEvent.click(value);
    fireEvent.click(screen.getByText('DvcHostname'));
    expect(onMenu).toHaveBeenCalledTimes(1);
  });
});

describe('coded values', () => {
  it('[R-C14] have their words beside them', async () => {
    await openFind();
    const cell = document.querySelector('#cell-0-2');
    expect(cell?.textContent).toContain('PADParsed');
  });
});

describe('an answer without a shard', () => {
  it('[T-machines] says that it is a part, and of what, and a whole one does not', async () => {
    await openFind();
    const said = 'events are missing because shard 2 of the event store does not answer';
    expect(screen.queryByText(said, { exact: false })).toBeNull();
    await run('Events | where Raw contains "away"');
    expect(screen.getByText(said, { exact: false }).textContent).toMatch(/^Only a part of the answer/);
  });
});
