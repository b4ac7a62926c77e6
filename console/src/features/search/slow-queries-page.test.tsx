import { act, screen, waitFor } from '@testing-library/react';
import { listSlowQueries, say } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { SlowQueriesPage } from './slow-queries-page.tsx';

const access = sampleAccess({ role: 'Security Engineer' });
const SECONDS = /in (\d+) s/;

const secondsLeft = (): number =>
  Number(SECONDS.exec(screen.getByRole('button', { name: 'Refresh' }).textContent ?? '')?.[1] ?? Number.NaN);

describe('Slow Queries', () => {
  afterEach(() => vi.useRealTimers());

  it('[S2-101] counts down to its next call, also after one that failed', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    let answer: unknown = { queries: [] };
    const { seen } = stubCalls([[listSlowQueries, () => answer]]);
    await renderScreen(<SlowQueriesPage />, { access });
    await waitFor(() => expect(seen).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(secondsLeft()).toBeGreaterThan(5);
    expect(secondsLeft()).toBeLessThan(12);
    answer = Refusal.of(503, say('search.serverStopping'));
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(seen).toHaveLength(2);
    expect(secondsLeft()).toBeGreaterThan(8);
    await act(() => vi.advanceTimersByTimeAsync(5_000));
    expect(seen).toHaveLength(2);
    expect(secondsLeft()).toBeGreaterThan(3);
  });
});
