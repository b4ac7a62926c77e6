import { cleanup, fireEvent, screen } from '@testing-library/react';
import { explainZeroRows } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import type { SearchPageState } from './use-search-page.ts';
import { ZeroRows } from './zero-rows.tsx';

afterEach(cleanup);

async function show(text: string, answer: object) {
  const step = { text, span: { start: 0, end: text.length }, rows: 0 };
  const none = { message: '', emptied_by: 0, newest_event: null, searched: null, table: '', instead: null };
  stubCalls([[explainZeroRows, () => ({ ...none, steps: [step], ...answer })]]);
  const submit = vi.fn();
  const asked = { job_type: 'kql', scope_id: 's1', query: text, from: 0, to: 1, query_timezone: 'UTC' };
  const page = { clusterId: 'c1', zone: 'UTC', run: { asked }, submit } as unknown as SearchPageState;
  await renderScreen(<ZeroRows page={page} />, { access: sampleAccess() });
  return submit;
}

describe('a search that found nothing', () => {
  it('[R-C6] says how many events do not contain the word', async () => {
    await show('search "mimikatz"', { reason: 'not-found', searched: 378_169 });
    await screen.findByText('None of 378,169 events contains mimikatz');
  });

  it('[R-C6] says that no source fills a table, and shows the stream that holds such events', async () => {
    const instead = { stream: 'NetworkSession', events: 1200 };
    const answer = { reason: 'stream-empty', table: 'CommonSecurityLog', instead };
    const submit = await show('CommonSecurityLog', answer);
    await screen.findByText('No source in this scope sends data to CommonSecurityLog');
    screen.getByText('NetworkSession holds 1,200 events of this kind in the time range');
    fireEvent.click(screen.getByRole('button', { name: 'Show NetworkSession' }));
    expect(submit).toHaveBeenCalledWith('NetworkSession');
  });
});
