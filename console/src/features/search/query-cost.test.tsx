import { cleanup, screen, waitFor } from '@testing-library/react';
import { estimateCost } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { IDLE_SEARCH, type SearchSnapshot } from '../../query-kit/runs/run-search.ts';
import { readSearchLink } from '../../query-kit/runs/search-link.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { useCost } from './query-panel.tsx';
import type { SearchPageState } from './use-search-page.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const QUERY = 'ProcessEvent | take 5';

function Cost({ asked, snapshot }: { asked: string; snapshot: Partial<SearchSnapshot> }) {
  const page = {
    clusterId: 'c1',
    scopeId: 's1',
    link: readSearchLink(new URLSearchParams()),
    zone: 'UTC',
    draft: QUERY,
    isRangeWrong: false,
    run: { asked: { query: asked }, snapshot: { ...IDLE_SEARCH, ...snapshot } },
  } as unknown as SearchPageState;
  return <p>{useCost(page, () => true).streams === undefined ? 'unknown' : 'known'}</p>;
}

async function askedWith(asked: string, snapshot: Partial<SearchSnapshot>, isAsked: boolean) {
  const { seen } = stubCalls([
    [estimateCost, () => ({ scan_rows: 1, scan_bytes: 1, streams: [], range: {} })],
  ]);
  await renderScreen(<Cost asked={asked} snapshot={snapshot} />, {
    access: sampleAccess({ role: 'Security Analyst' }),
  });
  if (isAsked) await waitFor(() => expect(screen.getByText('known')).toBeTruthy());
  else expect(screen.getByText('unknown')).toBeTruthy();
  return seen.length;
}

describe('what a query would read', () => {
  it('[R-C44] is not asked of a query that the server has refused, which it would refuse again', async () => {
    expect(await askedWith(QUERY, { status: 'failed', isTaken: false }, false)).toBe(0);
  });

  it('is asked of another query, and of one that failed only while it ran', async () => {
    expect(await askedWith('Other', { status: 'failed', isTaken: false }, true)).toBe(1);
    cleanup();
    expect(await askedWith(QUERY, { status: 'failed', isTaken: true }, true)).toBe(1);
  });
});
