import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  addCaseNote,
  type Case,
  type CaseNote,
  caseInfo,
  listCaseNotes,
  listCases,
  listScopeUsers,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { CaseNotesPanel } from './case-notes-panel.tsx';
import { chooseNotesCase } from './notes-panel-store.ts';

const access = sampleAccess({ role: 'Security Analyst' });
const sample = (case_id: string, case_name: string, status: Case['status']): Case => ({
  case_id,
  case_key: `CASE-${case_id.slice(1)}`,
  case_name,
  status,
  severity: 'High',
  handler: null,
  created: 1_772_636_829_000,
  created_by: 'Ada',
  updated: 0,
  closed: null,
  signal_count: 0,
  artifact_count: 0,
  notes_count: 0,
  risk_score: 0,
  tta_seconds: null,
  ttr_seconds: null,
  on_hold_seconds: 0,
  resolution: null,
  tags: [],
  revision: 1,
  scope_id: 's1',
});
const CASES = [
  sample('k1', 'Phishing in finance', 'OPEN'),
  sample('k2', 'Web shell', 'ON-HOLD'),
  sample('k3', 'Beaconing', 'IN-PROGRESS'),
];
const CLOSED = sample('k4', 'Old phishing', 'CLOSED');
const note = (note_id: string, notes: string, kind: CaseNote['kind'] = 'user', author = 'Ada'): CaseNote => ({
  note_id,
  notes,
  author,
  cnam_time: 1_772_636_829_000 + Number(note_id.slice(1)),
  tag_list: [],
  kind,
});

let notes: CaseNote[];
let saving: () => unknown;
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  notes = [note('n1', 'first')];
  saving = () => note('n2', 'x');
  chooseNotesCase(null);
  calls = stubCalls([
    [listCases, () => ({ data: CASES, total_count: CASES.length })],
    [caseInfo, ({ case_id }) => [...CASES, CLOSED].find((one) => one.case_id === case_id)],
    [listCaseNotes, () => [{ k1: notes, k4: notes }]],
    [addCaseNote, () => saving()],
    [
      listScopeUsers,
      () => ({ data: [{ user_id: 'bo', name: 'Bo', email_id: 'bo@example.org' }], total_count: 1 }),
    ],
  ]);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  clearStored();
});

const panel = async (current?: Case) => {
  await renderScreen(<CaseNotesPanel mode={current ? 'non-drawer' : 'drawer'} current={current} />, {
    access,
  });
};
const onCase = async () => {
  await panel(CASES[0]);
  await screen.findByText('first');
};
const input = () => screen.getByLabelText<HTMLTextAreaElement>('Write a note');
const write = (text: string) => fireEvent.change(input(), { target: { value: text } });
const button = (name: string) => screen.getByRole('button', { name });
const asked = (name: string) => calls.seen.filter((one) => one.name === name);

describe('the notes of a case', () => {
  it('[S2-119] says NO CASE SELECTED until one is chosen', async () => {
    await panel();
    expect(screen.getByText('NO CASE SELECTED')).toBeTruthy();
    expect(asked('cases.listNotes')).toHaveLength(0);
  });

  it('[S4-02][S5-06] offers open work, and the case at hand when it is closed; finds by a part of the name', async () => {
    await panel(CLOSED);
    fireEvent.click(screen.getByLabelText('Choose a case'));
    const shown = async () => (await screen.findAllByRole('option')).map((one) => one.textContent);
    await waitFor(async () => expect(await shown()).toHaveLength(4));
    fireEvent.change(screen.getByLabelText('Choose a case'), { target: { value: 'PHISH' } });
    await waitFor(async () =>
      expect(await shown()).toEqual([
        expect.stringContaining('Phishing in finance'),
        expect.stringContaining('Old phishing'),
      ]),
    );
    const statuses = asked('cases.list')[0]?.input.addfilters as { filter_value: string[] }[];
    expect([...(statuses[0]?.filter_value ?? [])].sort()).toEqual(['IN-PROGRESS', 'ON-HOLD', 'OPEN']);
  });

  it('[R-C34] shows who is mentioned', async () => {
    notes = [note('n1', 'first'), note('n3', 'please look, @Bo'), note('n4', 'mail bot@bo')];
    await onCase();
    await waitFor(() =>
      expect([...document.querySelectorAll('mark')].map((one) => one.textContent)).toEqual(['@Bo']),
    );
  });

  it('[S5-02][S5-04] saves only what is not blank, and clears what is', async () => {
    await onCase();
    expect(button('Save').hasAttribute('disabled')).toBe(true);
    write('  \n ');
    expect(input().value).toBe('');
    write('seen');
    expect(button('Save').hasAttribute('disabled')).toBe(false);
  });

  it('[S5-03][S3-12] sends the text trimmed and escaped', async () => {
    await onCase();
    write('  <b>"A" & \'B\'</b>  ');
    fireEvent.click(button('Save'));
    await waitFor(() => expect(asked('cases.addNote')).toHaveLength(1));
    expect(asked('cases.addNote')[0]?.input).toEqual({
      scope_id: 's1',
      case_id: 'k1',
      notes: '&lt;b&gt;&quot;A&quot; &amp; &#39;B&#39;&lt;/b&gt;',
      author: 'Ada',
      tag_list: [],
    });
  });

  it('[S4-04][S4-05][S9-03] shows Saved with a check mark for 5 seconds after success, then Save', async () => {
    await onCase();
    write('seen');
    vi.useFakeTimers({ shouldAdvanceTime: true });
    fireEvent.click(button('Save'));
    const saved = await screen.findByRole('button', { name: 'Saved' });
    expect(saved.querySelector('.tabler-icon-check')).toBeTruthy();
    expect(input().value).toBe('');
    await act(() => vi.advanceTimersByTimeAsync(4500));
    expect(screen.queryByRole('button', { name: 'Saved' })).toBeTruthy();
    await act(() => vi.advanceTimersByTimeAsync(600));
    expect(button('Save').querySelector('.tabler-icon-check')).toBeNull();
  });

  it('[S4-06][S8-09] shows Retry after a failure, and keeps the text', async () => {
    saving = () => new Refusal(503, 'error', 'down');
    await onCase();
    write('seen');
    fireEvent.click(button('Save'));
    await screen.findByRole('button', { name: 'Retry' });
    expect(input().value).toBe('seen');
    saving = () => note('n2', 'seen');
    fireEvent.click(button('Retry'));
    await screen.findByRole('button', { name: 'Saved' });
  });

  it('[S4-07] shows who put the case on hold as the author of the system note', async () => {
    notes = [
      note('n1', 'first'),
      note('n2', 'The case was placed on hold', 'system', 'System'),
      note('n3', 'Grace', 'system', 'System'),
    ];
    await onCase();
    const entry = screen.getByText('The case was placed on hold').closest('li');
    expect(within(entry as HTMLElement).getByText('Grace')).toBeTruthy();
    expect(within(screen.getByRole('list')).getAllByRole('listitem')).toHaveLength(2);
  });

  it('[S5-05][R-C25] opens addresses in a new tab after a look, and never runs markup', async () => {
    notes = [note('n1', 'first'), note('n2', '&lt;img src=x&gt; https://example.org/a?b=1&amp;c=2.')];
    await onCase();
    fireEvent.click(await screen.findByRole('button', { name: 'hxxps://example[.]org/a?b=1&c=2' }));
    const link = within(await screen.findByRole('dialog')).getByRole('link');
    expect(link.getAttribute('href')).toBe('https://example.org/a?b=1&c=2');
    expect(link.getAttribute('target')).toBe('_blank');
    expect(link.getAttribute('rel')).toContain('noopener');
    expect(document.querySelector('img')).toBeNull();
    expect(screen.getByText(/<img src=x>/)).toBeTruthy();
  });

  it('[S4-08][S9-03] reads the notes every 2 seconds, but not while the tab is hidden', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    await onCase();
    const before = asked('cases.listNotes').length;
    await act(() => vi.advanceTimersByTimeAsync(4100));
    expect(asked('cases.listNotes').length).toBe(before + 2);
    const hidden = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    await act(async () => {
      document.dispatchEvent(new Event('visibilitychange'));
      await vi.advanceTimersByTimeAsync(6000);
    });
    expect(asked('cases.listNotes').length).toBe(before + 2);
    hidden.mockRestore();
  });
});
