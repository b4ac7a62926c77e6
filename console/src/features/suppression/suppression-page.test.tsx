import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  listRules,
  listSuppressedSignals,
  listSuppressionRules,
  listWorkbooks,
  previewSuppression,
  restoreSuppressedSignals,
  type SuppressionRule,
  saveSuppressionRule,
  switchSuppressionRule,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { draftOfSignal, SuppressionDialog } from './suppression-dialog.tsx';
import { SuppressionPage } from './suppression-page.tsx';

const engineer = sampleAccess({ role: 'Security Engineer' });
const rule: SuppressionRule = {
  rule_id: 'r1',
  workbook_id: 'w1',
  workbook_name: 'Tool use',
  conditions: [{ role: 'suspect', type: 'user', values: ['scanner', 'backup', 'nagios', 'probe'] }],
  reason: 'Our scanner',
  enabled: true,
  expires: null,
  created: 1_772_636_829_000,
  author: 'Ana',
  modified: 1_772_636_829_000,
  modified_by: 'Ana',
  revision: 3,
  hits_30d: 1_204,
  last_hit: 1_772_636_830_000,
};
let rules: SuppressionRule[];
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  rules = [rule];
  calls = stubCalls([
    [listSuppressionRules, () => ({ data: rules, total_count: rules.length })],
    [listSuppressedSignals, () => ({ data: [], total_count: 0 })],
    [listWorkbooks, () => ({ data: [], total_count: 0 })],
    [listRules, () => ({ data: [], total_count: 0 })],
    [previewSuppression, () => ({ suppressed: 12, signals: 40, is_cut: false, samples: [] })],
    [saveSuppressionRule, () => ({ rule_id: 'r1', revision: 4 })],
    [switchSuppressionRule, () => ({ revision: 4 })],
    [restoreSuppressedSignals, () => ({ restored: 2, left: 0 })],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('the page of suppression rules', () => {
  it('[S2-42] shows conditions, hits and expiry, and says the whole rule in a sentence', async () => {
    await renderScreen(<SuppressionPage />, { access: engineer });
    const row = await screen.findByRole('row', { name: /Tool use/ });
    expect(within(row).getByText('Suspect user = scanner, backup, nagios and 1 more')).toBeTruthy();
    expect(within(row).getByText('1,204')).toBeTruthy();
    expect(within(row).getByText('Never')).toBeTruthy();
    fireEvent.click(within(row).getByRole('button', { name: 'Show as a sentence' }));
    const dialog = await screen.findByRole('dialog');
    expect(dialog.textContent).toContain(
      'Signals of “Tool use” are suppressed when a suspect (user) is scanner or backup or nagios or probe',
    );
  });

  it('[S2-42] switches a rule, and saves a change on the revision that it shows', async () => {
    await renderScreen(<SuppressionPage />, { access: engineer });
    fireEvent.click(await screen.findByRole('switch', { name: 'Suppress signals of Tool use' }));
    await waitFor(() =>
      expect(inputs(switchSuppressionRule.name)).toMatchObject([{ rule_id: 'r1', enabled: false }]),
    );
    fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText('Would have suppressed 12 of the 40 signals of the last 30 days');
    fireEvent.change(within(dialog).getByRole('textbox', { name: /Reason/ }), {
      target: { value: 'The scanner of the network team' },
    });
    fireEvent.click(within(dialog).getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(inputs(saveSuppressionRule.name)).toMatchObject([
        { rule_id: 'r1', revision: 3, workbook_id: 'w1', reason: 'The scanner of the network team' },
      ]),
    );
  });

  it('[S2-42] asks before it puts back what a rule suppressed', async () => {
    await renderScreen(<SuppressionPage />, { access: engineer });
    fireEvent.click(await screen.findByRole('button', { name: 'Put back into the queue' }));
    const dialog = await screen.findByRole('dialog');
    expect(inputs(restoreSuppressedSignals.name)).toEqual([]);
    fireEvent.click(within(dialog).getByRole('button', { name: 'Put back into the queue' }));
    await screen.findByText('2 signals are in the queue again');
  });

  it('says what a rule is for while there is none', async () => {
    rules = [];
    await renderScreen(<SuppressionPage />, { access: engineer });
    expect(await screen.findByText('No suppression rules')).toBeTruthy();
  });
});

describe('suppressing from a signal', () => {
  it('[S2-42] fills in its detection, suspects and targets, and wants a reason', async () => {
    const draft = draftOfSignal({
      workbook_id: 'w1',
      workbook_name: 'Tool use',
      suspects: [
        { type: 'user', value: 'ana' },
        { type: 'user', value: 'ben' },
      ],
      targets: [{ type: 'host', value: 'pc-1' }],
    });
    expect(draft.conditions).toEqual([
      { role: 'suspect', type: 'user', values: ['ana', 'ben'] },
      { role: 'target', type: 'host', values: ['pc-1'] },
    ]);
    await renderScreen(<SuppressionDialog draft={draft} onClose={() => undefined} />, { access: engineer });
    const save = (await screen.findByRole('button', { name: 'Save' })) as HTMLButtonElement;
    expect(save.disabled).toBe(true);
    fireEvent.change(screen.getByRole('textbox', { name: /Reason/ }), { target: { value: 'A test' } });
    expect(save.disabled).toBe(false);
  });
});
