import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { draftRule, type RuleDraft } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../../testing/stub-calls.ts';
import { DraftRuleDialog } from './draft-rule-dialog.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const UID = '00000000-0000-4000-8000-000000000001';
const EVENTS = [{ uid: UID, time: 1_000 }];

const condition = (name: string, value: string, is_on: boolean, others: number) => {
  return { path: [name], operator: 'contains' as const, values: [value], is_on, sigma_field: name, others };
};

const DRAFT: RuleDraft = {
  state: 'drafted',
  range: { from: 0, to: 86_400_000 },
  events: 1,
  streams: ['ProcessEvent'],
  compared: { events: 1234, all: true },
  conditions: [condition('CommandLine', 'MiniDump', true, 2), condition('ProcessName', 'rundll32', true, 90)],
  sigma: {
    text: 'title: Drafted\n',
    samples: 'samples:\n',
    kql: 'ProcessEvent\n| where true',
    log_source: { category: 'process_creation', product: 'windows', service: null },
    others: 2,
  },
  no_sigma: null,
  kql: { text: 'ProcessEvent | where 1 == 1', others: 2, matches_all: true },
};

async function show(answer: (input: Record<string, unknown>) => unknown) {
  const calls = stubCalls([[draftRule, answer]]);
  await renderScreen(<DraftRuleDialog events={EVENTS} onClose={vi.fn()} />, {
    access: sampleAccess({ role: 'Security Engineer' }),
  });
  return calls;
}

describe('the draft of a rule', () => {
  it('[T-draft] says what it finds, and is verified again without a condition that is left out', async () => {
    const { seen } = await show((input) =>
      input.conditions
        ? {
            ...DRAFT,
            conditions: input.conditions,
            sigma: { ...DRAFT.sigma, others: 90, text: 'title: Wider\n' },
          }
        : DRAFT,
    );
    await screen.findByText('Matches the selected event');
    expect(screen.getByText('and 2 other events of the day.')).toBeTruthy();
    expect(screen.getByText(/1,234/)).toBeTruthy();
    const link = screen.getByRole('link', { name: /Open them in Find/ });
    expect(decodeURIComponent(link.getAttribute('href') ?? '')).toContain(`guid(${UID})`);
    expect(document.querySelector('pre')?.textContent).toBe('title: Drafted\nsamples:\n');
    fireEvent.click(screen.getByRole('checkbox', { name: 'Add the event as a sample' }));
    expect(document.querySelector('pre')?.textContent).toBe('title: Drafted\n');
    fireEvent.click(screen.getByRole('checkbox', { name: /MiniDump/ }));
    await screen.findByText('and 90 other events of the day.');
    expect(seen[1]?.input).toMatchObject({
      conditions: [
        { path: ['CommandLine'], is_on: false },
        { path: ['ProcessName'], is_on: true },
      ],
    });
    // One condition stays.
    await waitFor(() =>
      expect(screen.getByRole('checkbox', { name: /rundll32/ })).toHaveProperty('disabled', true),
    );
  });

  it('[T-draft] says what to do where events share nothing, where Sigma has no word, and when it failed', async () => {
    const none = {
      ...DRAFT,
      state: 'nothing-shared',
      streams: ['Dns', 'FileEvent'],
      conditions: [],
      sigma: null,
    };
    await show(() => ({ ...none, kql: null }));
    await screen.findByText(/several kinds: Dns, FileEvent/);
    cleanup();
    await show(() => ({ ...DRAFT, sigma: null, no_sigma: 'no-log-source' }));
    await screen.findByText('ProcessEvent | where 1 == 1');
    fireEvent.click(screen.getByRole('tab', { name: 'Sigma' }));
    await screen.findByText(/No Sigma log source is known/);
    cleanup();
    await show(() => new Refusal(422, 'failed', 'The selected events lie more than a day apart'));
    await screen.findByText('The selected events lie more than a day apart');
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy();
  });
});
