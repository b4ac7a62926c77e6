import { cleanup, screen } from '@testing-library/react';
import { caseListStats } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { caseSelection, readCaseListState } from './case-list-state.ts';
import { CaseStrip } from './case-list-strip.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

/** Answers as the server does: without closed cases there is no time to respond. */
function stats(input: Record<string, unknown>) {
  const isOpenOnly = JSON.stringify(input.addfilters).includes('"status"');
  return {
    total: isOpenOnly ? 1 : 3,
    severity: { Critical: 0, High: 1, Medium: 0, Low: 0, None: 0 },
    status: {
      open_unassigned: 1,
      open_assigned: 0,
      in_progress: 0,
      on_hold: 0,
      closed: isOpenOnly ? 0 : 2,
    },
    top_handlers: [],
    oldest: null,
    mtta: null,
    mttr: isOpenOnly ? null : 195,
    open_age: 60,
  };
}

describe('the figures above the cases', () => {
  it('[R-C22] count closed cases and their time to respond, also while only open ones are listed', async () => {
    stubCalls([[caseListStats, stats]]);
    const state = readCaseListState(new URLSearchParams());
    await renderScreen(<CaseStrip selection={caseSelection(state)} state={state} onChange={vi.fn()} />, {
      access: sampleAccess({ role: 'Security Analyst' }),
    });
    expect(await screen.findByText('3 min 15 s')).toBeTruthy();
    expect(screen.getByText('Closed').closest('button, li, div')?.textContent).toContain('2');
  });
});
