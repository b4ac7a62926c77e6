import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  addWorkbook,
  checkWorkbook,
  cloneWorkbook,
  deleteWorkbook,
  importWorkbook,
  setWorkbookVisibility,
  type Workbook,
  type WorkbookDraft,
  workbookSchema,
} from '@tyrian/contract';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { Refusal, stubCalls } from '../../testing/stub-calls.ts';
import { undoLast } from '../../ui/undo-toast.tsx';
import { useUndoKey } from '../../ui/use-undo-key.ts';
import { useSwitchDetections } from '../detections/public.ts';
import { CloneButton } from './clone-dialog.tsx';
import { DeleteWorkbookDialog } from './delete-workbook-dialog.tsx';
import { ImportWorkbookButton } from './import-workbook-button.tsx';
import { SaveSearchButton } from './save-search-button.tsx';
import { SaveWorkbookDialog } from './save-workbook-dialog.tsx';
import type { WorkbookEditor } from './use-workbook-editor.ts';
import { newDraft } from './workbook-draft.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const workbook = (properties: Partial<Workbook['properties']>): Workbook =>
  workbookSchema.parse({
    ID: 'w1',
    ConfType: 'WorkBooks',
    properties: {
      name: 'DCSync',
      schedule: { mode: 'streamed' },
      author: 'Tyrian',
      author_id: 'tyrian',
      native: false,
      enabled: true,
      locked: false,
      locked_by: null,
      version: 1,
      streams: [],
      detection: true,
      severity: 'High',
      score: 8,
      confidence: 'High',
      tactic: 'Credential Access',
      technique: 'T1003',
      sub_technique: '',
      signals_30d: 0,
      last_signal: null,
      created: 1,
      updated: 1,
      rule_state: 'ok',
      editable: true,
      cloned_from: null,
      replaced_original: false,
      sample_state: 'none',
      original: null,
      blocks: [],
      ...properties,
    },
  });

const as = { access: sampleAccess({ role: 'Security Engineer' }) };

describe('a clone', () => {
  it('[R-C29] asks for its name, its folder, and what becomes of the original and its schedule', async () => {
    const { seen } = stubCalls([[cloneWorkbook, () => ({ ID: 'w2', version: 1 })]]);
    await renderScreen(<CloneButton workbook={workbook({ native: true, editable: false })} />, as);
    fireEvent.click(screen.getByRole('button', { name: 'Clone to edit' }));
    expect(
      (await screen.findByRole<HTMLInputElement>('checkbox', { name: 'Disable the original' })).checked,
    ).toBe(true);
    fireEvent.click(screen.getByRole('checkbox', { name: 'Disable the original' }));
    expect(screen.getByText('The clone and the original will both run')).toBeTruthy();
    fireEvent.click(screen.getByRole('checkbox', { name: /Keep the schedule/ }));
    fireEvent.click(await screen.findByRole('button', { name: 'Clone workbook' }));
    await waitFor(() => expect(seen.some((call) => call.name === cloneWorkbook.name)).toBe(true));
    expect(seen.find((call) => call.name === cloneWorkbook.name)?.input).toMatchObject({
      name: 'DCSync - custom',
      directory: '',
      disable_original: false,
      retain_schedule: false,
    });
  });

  it('[R-C29] that is deleted offers to switch its original on, and says what became of it', async () => {
    const original = { ID: 'native-dcsync', name: 'DCSync by a non-DC account', enabled: false };
    const { seen } = stubCalls([[deleteWorkbook, () => ({ ID: 'w1', enabled: original })]]);
    const onDeleted = vi.fn();
    const mine = workbook({ cloned_from: 'native-dcsync', replaced_original: true, original });
    await renderScreen(
      <DeleteWorkbookDialog workbook={mine} onClose={() => undefined} onDeleted={onDeleted} />,
      as,
    );
    screen.getByRole('checkbox', { name: 'Switch the original back on: DCSync by a non-DC account' });
    fireEvent.click(screen.getByRole('button', { name: 'Delete workbook' }));
    await screen.findByText('DCSync by a non-DC account is switched on again');
    expect(seen[0]?.input).toMatchObject({ ID: 'w1', enable_original: true });
    expect(onDeleted).toHaveBeenCalled();
  });
});

function SwitchButton() {
  const change = useSwitchDetections();
  useUndoKey(undoLast);
  return (
    <button type="button" onClick={() => void change([{ ID: 'w1', name: 'DCSync' }], false)}>
      off
    </button>
  );
}

it('[R-C31] a detection that was switched off is on again with z, and covers the time in between', async () => {
  const { seen } = stubCalls([[setWorkbookVisibility, ({ ID, enabled }) => ({ ID, enabled })]]);
  const before = Date.now();
  await renderScreen(<SwitchButton />, as);
  fireEvent.click(screen.getByRole('button', { name: 'off' }));
  await screen.findByText('DCSync is switched off');
  fireEvent.keyDown(document.body, { key: 'z' });
  await waitFor(() => expect(seen).toHaveLength(2));
  expect(seen[0]?.input).toMatchObject({ enabled: false });
  expect(seen[1]?.input).toMatchObject({ ID: 'w1', enabled: true });
  expect(seen[1]?.input.backfill_from).toBeGreaterThanOrEqual(before);
  fireEvent.keyDown(document.body, { key: 'z' });
  expect(seen).toHaveLength(2);
});

describe('a search saved as a workbook', () => {
  it('[R-C31] keeps the range of the search, begins in Dev, and is not sent while a signal names nobody', async () => {
    const { seen } = stubCalls([
      [addWorkbook, () => ({ ID: 'w1', version: 1 })],
      [checkWorkbook, () => ({ ok: true, problems: [], streams: [], columns: [] })],
    ]);
    const range = { from: 'now-7d', to: 'now' };
    await renderScreen(<SaveSearchButton query="ProcessEvent" range={range} disabled={false} />, as);
    fireEvent.click(screen.getByRole('button', { name: 'Save as workbook' }));
    const dialog = within(await screen.findByRole('dialog'));
    fireEvent.change(dialog.getByLabelText(/^Name/), { target: { value: 'Mine' } });
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: 'Save workbook' });
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Raise signals from its rows' }));
    expect(save.disabled).toBe(true);
    expect(dialog.getByText('Add at least one suspect or target')).toBeTruthy();
    fireEvent.click(dialog.getByRole('checkbox', { name: 'Raise signals from its rows' }));
    fireEvent.click(save);
    await waitFor(() => expect(seen.some((call) => call.name === addWorkbook.name)).toBe(true));
    expect(seen.find((call) => call.name === addWorkbook.name)?.input).toMatchObject({
      properties: {
        name: 'Mine',
        stage: 'dev',
        blocks: [{ body: { query: 'ProcessEvent', duration: '7d' } }],
      },
    });
  });
});

describe('an import', () => {
  const choose = async (answers: (input: Record<string, unknown>) => unknown) => {
    const { seen } = stubCalls([[importWorkbook, answers]]);
    const view = await renderScreen(<ImportWorkbookButton />, as);
    const field = view.container.ownerDocument.querySelector<HTMLInputElement>('input[type=file]');
    if (!field) throw new Error('there is no field for a file');
    const file = new File(['name: Mine\n'], 'mine.yaml', { type: 'application/yaml' });
    fireEvent.change(field, { target: { files: [file] } });
    return { seen };
  };

  it('[R-C32] asks what to do when the name is taken', async () => {
    const namesake = { code: 'same-name', ID: 'w9', name: 'Mine', version: 3, editable: true };
    const { seen } = await choose(({ as: request }) =>
      request === 'new' ? new Refusal(409, 'failed', 'exists', namesake) : { ID: 'w9', version: 4 },
    );
    await screen.findByText('Mine already exists');
    fireEvent.click(screen.getByRole('button', { name: 'Save as version 4' }));
    await screen.findByText('mine.yaml imported');
    expect(seen.at(-1)?.input).toMatchObject({ as: 'version', ID: 'w9', version: 3, file: 'name: Mine\n' });
  });

  it('[R-C32] says what is wrong with a file, and where', async () => {
    const problems = [{ path: '', line: 7, message: 'Unexpected end' }];
    await choose(() => new Refusal(422, 'failed', 'x', { code: 'not-yaml', problems }));
    await screen.findByText('mine.yaml was not imported');
    expect(screen.getByText('The file is not valid YAML.')).toBeTruthy();
    expect(screen.getByText('Line 7:')).toBeTruthy();
  });
});

/** The dialog over a rule that counts; it remembers what is set. */
function SaveCounting() {
  const [draft, setDraft] = useState<WorkbookDraft>({
    ...newDraft('ProcessEvent | summarize count() by DvcHostname'),
    name: 'Counts',
    schedule: { mode: 'streamed', cron: null, timezone: 'UTC', lookback_minutes: 0 },
  });
  const counts: WorkbookEditor['problems'][number] = {
    block_id: 'q',
    field: 'schedule.lookback_minutes',
    severity: 'warning',
    code: 'WB103',
    message: 'counts',
    span: null,
    suggested: 15,
  };
  const editor: WorkbookEditor = {
    clusterId: 'c1',
    scopeId: 's1',
    mode: 'new',
    workbook: null,
    draft,
    isDirty: true,
    fixed: null,
    hasGaps: false,
    columns: [],
    streams: [],
    newerVersion: null,
    problems: [counts],
    setDraft: (change) => setDraft(change),
    adopt: () => undefined,
    onSaved: () => undefined,
  };
  return <SaveWorkbookDialog editor={editor} onClose={() => undefined} />;
}

it('[R-C28] saving a rule that counts without look-back asks, and sets what is suggested', async () => {
  const { seen } = stubCalls([[addWorkbook, () => ({ ID: 'w1', version: 1 })]]);
  await renderScreen(<SaveCounting />, as);
  await screen.findByRole('button', { name: 'Save without look-back' });
  fireEvent.click(screen.getByRole('button', { name: 'Look back 15 minutes' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(seen).toHaveLength(1));
  expect(seen[0]?.input).toMatchObject({ properties: { schedule: { lookback_minutes: 15 } } });
});
