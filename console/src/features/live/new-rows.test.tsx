import { useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import {
  type CaseChange,
  caseGraph,
  caseHistory,
  caseInfo,
  listCases,
  listSignals,
  liveNews,
  type OutputOf,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { callQuery } from '../../lib/use-call.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { CaseNewsLine } from './case-news-line.tsx';
import { NewCasesPill } from './new-cases-pill.tsx';
import { NewSignalsPill } from './new-signals-pill.tsx';
import { forgetNews, readNews, takeNews } from './news-store.ts';
import { useLive } from './use-live.ts';
import { useMenuNews } from './use-menu-news.ts';

type News = OutputOf<typeof liveNews>;
const access = sampleAccess({ role: 'Security Analyst' });
const OF = 'u1 c1 s1';
const QUIET: News = {
  cursor: '7',
  unread: 0,
  newest: null,
  signal_ids: [],
  case_changes: [],
  has_more: false,
};
const hear = (news: Partial<News>) => act(() => takeNews(OF, { ...QUIET, ...news }, 'u1'));
let events = 0;
const change = (case_id: string, more: Partial<CaseChange> = {}): CaseChange => ({
  event_id: ++events,
  case_id,
  case_key: 'CASE-1',
  act: 'status',
  to: 'CLOSED',
  actor: { user_id: 'u2', name: 'Bo' },
  time: 2000,
  ...more,
});

let calls: ReturnType<typeof stubCalls>;
let listed: string[];
let answer: News;
beforeEach(() => {
  forgetNews();
  listed = ['s3', 's2', 's1'];
  answer = QUIET;
  calls = stubCalls([
    [liveNews, () => answer],
    [
      listSignals,
      () => ({ data: listed.map((signal_id) => ({ signal_id })), total_count: 3, view_counts: {} }),
    ],
    [listCases, () => ({ data: [{ case_id: 'k9' }, { case_id: 'k1' }], total_count: 2 })],
    [caseInfo, () => ({})],
    [caseHistory, () => ({})],
    [caseGraph, () => ({})],
  ]);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  clearStored();
});
const asked = (name: string) => calls.seen.filter((one) => one.name === name);

describe('the queue', () => {
  const pill = async (onLoad = vi.fn(), rows: readonly string[] = ['old']) => {
    await renderScreen(
      <NewSignalsPill
        selection={{ scope_id: 's1', start: 1, end: 2 }}
        rows={rows.map((signal_id) => ({ signal_id })) as never}
        isOpenEnded
        onLoad={onLoad}
      />,
      { access },
    );
    return onLoad;
  };

  it('[R-C18] says how many signals are new, and reads them on a click or by `n` alone', async () => {
    const onLoad = await pill();
    expect(screen.queryByRole('button')).toBeNull();
    hear({ signal_ids: ['s2', 's1'] });
    expect((await screen.findByRole('button')).textContent).toContain('2 new');
    hear({ signal_ids: ['s3', 's2'] });
    await waitFor(() => expect(screen.getByRole('button').textContent).toContain('3 new'));
    expect(onLoad).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button'));
    expect(onLoad).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('button')).toBeNull();
    hear({ signal_ids: ['s3'] });
    expect(screen.queryByRole('button')).toBeNull();
    listed = ['s4'];
    hear({ signal_ids: ['s4'] });
    await screen.findByRole('button');
    fireEvent.keyDown(document.body, { key: 'n' });
    expect(onLoad).toHaveBeenCalledTimes(2);
    fireEvent.keyDown(document.body, { key: 'n' });
    expect(onLoad).toHaveBeenCalledTimes(2);
  });

  it('[R-C18] shows what comes into an empty queue at once, and nothing that its filters hide', async () => {
    const onLoad = await pill(vi.fn(), []);
    hear({ signal_ids: ['hidden'] });
    await waitFor(() => expect(asked(listSignals.name)).toHaveLength(1));
    expect(onLoad).not.toHaveBeenCalled();
    hear({ signal_ids: ['s1'] });
    await waitFor(() => expect(onLoad).toHaveBeenCalledTimes(1));
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('[R-C18] counts what the filters of the queue would show, up to now, and asks only when there is news', async () => {
    await pill();
    hear({});
    expect(asked(listSignals.name)).toHaveLength(0);
    listed = ['s1'];
    hear({ signal_ids: ['s9', 's1', 'old'] });
    expect((await screen.findByRole('button')).textContent).toContain('1 new');
    const [{ input } = { input: {} }] = asked(listSignals.name);
    expect(input).toMatchObject({ scope_id: 's1', start: 1, sort: 'created', order: 'desc' });
    expect(input).not.toHaveProperty('end');
  });

  it('[R-C18] a flood is not counted out', async () => {
    listed = Array.from({ length: 200 }, (_, index) => `f${index}`);
    await pill();
    hear({ signal_ids: listed, has_more: true });
    expect((await screen.findByRole('button')).textContent).toContain('More than 200 new');
  });
});

describe('the case list', () => {
  it('[R-C18] tells cases that others made from rows that others changed; own acts are no news', async () => {
    const onLoad = vi.fn();
    const rows = [{ case_id: 'k1', updated: 1000 }] as never;
    await renderScreen(<NewCasesPill selection={{}} rows={rows} onLoad={onLoad} />, { access });
    hear({ case_changes: [change('k9', { act: 'create', actor: { user_id: 'u1', name: 'Ada' } })] });
    hear({ case_changes: [change('k1', { time: 900 })] });
    expect(screen.queryByRole('button')).toBeNull();
    hear({ case_changes: [change('k9', { act: 'create' }), change('k8', { act: 'create' }), change('k1')] });
    expect((await screen.findByText(/1 new, 1 changed/)).tagName).toBe('BUTTON');
    fireEvent.click(screen.getByRole('button'));
    expect(onLoad).toHaveBeenCalledTimes(1);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('an open case', () => {
  function Page() {
    useQuery(callQuery(caseInfo, { scope_id: 's1', case_id: 'k1' }, { params: { clusterId: 'c1' } }));
    useQuery(callQuery(caseGraph, { scope_id: 's1', case_id: 'k1' }, { params: { clusterId: 'c1' } }));
    return <CaseNewsLine caseId="k1" updated={1500} />;
  }

  it('[R-C18] says what others did; its state follows, its evidence stays until it is asked for', async () => {
    await renderScreen(<Page />, { access });
    await waitFor(() => expect(asked(caseGraph.name)).toHaveLength(1));
    hear({ case_changes: [change('k2'), change('k1', { time: 1400 })] });
    expect(screen.queryByText(/Bo/)).toBeNull();
    hear({ case_changes: [change('k1')] });
    expect(screen.getByText('Bo changed the status to Closed')).toBeTruthy();
    await waitFor(() => expect(asked(caseInfo.name)).toHaveLength(2));
    hear({ case_changes: [change('k1', { act: 'signals.add', to: null })] });
    expect(screen.getByText('Bo added signals and 1 more change')).toBeTruthy();
    expect(asked(caseGraph.name)).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'Show new evidence' }));
    await waitFor(() => expect(asked(caseGraph.name)).toHaveLength(2));
    expect(screen.queryByText(/Bo/)).toBeNull();
  });
});

describe('asking what is new', () => {
  function Shell() {
    useLive();
    const news = useMenuNews();
    return <p>{`signals ${news.signals}, cases ${news.cases}`}</p>;
  }
  const hide = (hidden: boolean) => {
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    });
    window.dispatchEvent(new Event('visibilitychange'));
  };
  afterEach(() => hide(false));

  it('[R-C18] goes on from the last answer, moves the menu, and rests while the tab is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await renderScreen(<Shell />, { access });
    await waitFor(() => expect(asked(liveNews.name)).toHaveLength(1));
    expect(asked(liveNews.name)[0]?.input).toEqual({ clusterId: 'c1', scope_id: 's1' });
    answer = { ...QUIET, cursor: '9', signal_ids: ['s1', 's2'], case_changes: [change('k1'), change('k1')] };
    await act(() => vi.advanceTimersByTimeAsync(5_100));
    expect(asked(liveNews.name)[1]?.input).toMatchObject({ since: '7' });
    await screen.findByText('signals 2, cases 1');
    act(() => hide(true));
    const before = asked(liveNews.name).length;
    await act(() => vi.advanceTimersByTimeAsync(60_000));
    expect(asked(liveNews.name)).toHaveLength(before);
    act(() => hide(false));
    await waitFor(() => expect(asked(liveNews.name)).toHaveLength(before + 1));
    expect(readNews().cursor).toBe('9');
  });
});
