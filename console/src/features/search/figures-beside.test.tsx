import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { estimateCost, invokeJob, listFields, listSearchHistory } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { IDLE_SEARCH } from '../../query-kit/runs/run-search.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { HistoryList } from './history-list.tsx';
import { useCost } from './query-panel.tsx';
import { StackFieldSelect } from './stack-field-select.tsx';
import { type SearchPageState, useSearchPage } from './use-search-page.ts';

const access = sampleAccess({ role: 'Security Analyst' });
const range = { from: 0, to: 1 };
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

describe('what a query would read', () => {
  let page: SearchPageState;
  let estimate: ReturnType<typeof useCost>['estimate'];

  it('[R-C10] is shown of the text that stands there, and neither of another one nor of one that has run', async () => {
    const { seen } = stubCalls([
      [estimateCost, ({ query }) => ({ scan_rows: String(query).length, scan_bytes: 1, streams: [], range })],
      [invokeJob, () => new Refusal(503, 'failed', 'busy')],
    ]);
    function Probe({ status }: { readonly status: 'idle' | 'done' }) {
      const found = useSearchPage();
      page = found;
      const snapshot = { ...IDLE_SEARCH, status };
      const asked = { job_type: 'kql', scope_id: 's1', query: 'Dns | take 5' } as const;
      estimate = useCost(
        { ...found, run: { snapshot, asked: status === 'idle' ? null : asked } },
        () => true,
      ).estimate;
      return null;
    }
    const view = await renderScreen(<Probe status="idle" />, { access });
    await waitFor(() => expect(estimate?.scan_rows).toBe('Events'.length));
    act(() => page.setDraft('Dns | take 5'));
    expect(estimate).toBeUndefined();
    await waitFor(() => expect(estimate?.scan_rows).toBe('Dns | take 5'.length));
    view.unmount();
    await renderScreen(<Probe status="done" />, { access });
    await waitFor(() => expect(estimate?.scan_rows).toBe('Events'.length));
    act(() => page.setDraft('Dns | take 5'));
    const before = seen.length;
    await waitFor(() => expect(seen.slice(before).map(({ input }) => input.query)).toEqual(['Dns | take 5']));
    expect(estimate).toBeUndefined();
  });
});

describe('recent searches', () => {
  it('[R-C15] say their range, and how often they ran', async () => {
    const started = Date.UTC(2026, 10, 22, 9, 30);
    const entry = { query_timezone: 'UTC', status: 'done', rows: 7, elapsed_ms: 12 };
    stubCalls([
      [
        listSearchHistory,
        () => [
          { ...entry, id: 'a', query: 'Dns', started, from: started - 86_400_000, to: started, times: 6 },
          {
            ...entry,
            id: 'b',
            query: 'Events',
            started,
            from: Date.UTC(2026, 10, 1, 8, 0, 0, 123),
            to: Date.UTC(2026, 10, 1, 9, 15),
            times: 1,
          },
        ],
      ],
    ]);
    await renderScreen(<HistoryList onTake={vi.fn()} onRun={vi.fn()} />, { access });
    const facts = async (query: string) => (await screen.findByText(query)).parentElement?.textContent ?? '';
    expect(await facts('Dns')).toMatch(/Last 24 hours · 6 times · .* · 7 rows/);
    expect(await facts('Events')).toContain('2026-11-01 08:00 – 2026-11-01 09:15');
    expect(await facts('Events')).not.toContain('times');
  });
});

describe('the field that bars are stacked by', () => {
  it('[R-C15] is any with data, or one that the query makes', async () => {
    const field = {
      kind: 'column',
      path: null,
      example: null,
      recommended: false,
      description: '',
      aliases: [],
    };
    stubCalls([
      [
        listFields,
        () => [
          { ...field, name: 'DnsQuery', type: 'string', streams: ['Dns'] },
          { ...field, name: 'Url', type: 'string', streams: [] },
        ],
      ],
    ]);
    const chosen = vi.fn();
    function Probe() {
      const page = useSearchPage();
      const columns = [{ name: 'Odd', type: 'long' as const }];
      const run = { snapshot: { ...IDLE_SEARCH, columns }, asked: null };
      return <StackFieldSelect page={{ ...page, run }} streams={[]} value="Stream" onChange={chosen} />;
    }
    await renderScreen(<Probe />, { access });
    fireEvent.click(screen.getByRole('combobox', { name: 'Stack by' }));
    await screen.findByRole('option', { name: 'DnsQuery' });
    expect(screen.queryByRole('option', { name: 'Url' })).toBeNull();
    fireEvent.click(screen.getByRole('option', { name: 'Odd' }));
    expect(chosen).toHaveBeenCalledWith('Odd');
  });
});
