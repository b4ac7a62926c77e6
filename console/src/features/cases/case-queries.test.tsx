import { cleanup, screen } from '@testing-library/react';
import { listCases, listScopeUsers } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { useCase, useCaseList, useScopeUsers } from './case-queries.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

function Cases() {
  const { rows } = useCaseList({});
  return <p>{rows?.length ?? 'none'} shown</p>;
}
function Users() {
  return <p>{useScopeUsers().length} shown</p>;
}

/** So many rows as there are, at most as many as a page has. */
function server(total: number) {
  const page = ({ pagesize }: Record<string, unknown>) => ({
    data: Array.from({ length: Math.min(total, Number(pagesize)) }, (_, at) => ({ case_id: `k${at}` })),
    total_count: total,
  });
  return stubCalls([
    [listCases, page],
    [listScopeUsers, page],
  ]);
}
const access = sampleAccess({ role: 'Security Analyst' });

describe('first pages', () => {
  it.each([
    ['cases', Cases, 200],
    ['users', Users, 10],
  ])('[S9-02] %s: the first page, then all at the full count', async (_, List, first) => {
    const { seen } = server(first + 7);
    await renderScreen(<List />, { access });
    await screen.findByText(`${first + 7} shown`);
    const pages = seen.map(({ input }) => [input.pageno, input.pagesize]);
    expect(pages).toEqual([
      [1, first],
      [1, first + 7],
    ]);
  });

  it.each([
    ['cases', Cases, 200],
    ['users', Users, 10],
  ])('[S9-02] %s: one page where the count does not exceed it', async (_, List, first) => {
    const { seen } = server(first);
    await renderScreen(<List />, { access });
    await screen.findByText(`${first} shown`);
    expect(seen).toHaveLength(1);
  });
});

function OneCase() {
  return <p>{useCase('k1').info.isError ? 'missing' : 'awaited'}</p>;
}

describe('a link to a case that is not there', () => {
  it('[R-C44] asks once and asks for nothing of it, now or later', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const { seen } = stubCalls([]);
    await renderScreen(<OneCase />, { access });
    await screen.findByText('missing');
    await vi.advanceTimersByTimeAsync(60_000);
    vi.useRealTimers();
    expect(seen.map(({ url }) => url)).toEqual(['/c1/api/cases/info']);
  });
});
