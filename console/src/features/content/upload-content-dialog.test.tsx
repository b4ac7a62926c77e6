import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { ContentItem } from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { UploadContentDialog } from './upload-content-dialog.tsx';

const engineer = sampleAccess({ role: 'Security Engineer' });
const item = (part: Partial<ContentItem>): ContentItem => ({
  ...{ item_id: 'i1', path: 'workbooks/a.yaml', kind: 'workbook', state: 'new', name: 'Tool use', pack: '' },
  ...{ count: 1, verdict: null, existing: null, problem: null, outcome: null },
  ...part,
});
const ITEMS = [
  item({}),
  item({ item_id: 'i2', path: 'workbooks/b.yaml', state: 'changed', name: 'PsExec' }),
  item({
    ...{ item_id: 'i3', path: '../x.yaml', kind: 'unknown', state: 'invalid', name: '' },
    problem: { message: 'The path leads out of the archive', messageCode: 'content.pathOutside', line: null },
  }),
];
/** Forms as they were sent. */
let forms: FormData[];

beforeEach(() => {
  forms = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    const form = init.body as FormData;
    forms.push(form);
    const step = form.get('step');
    const items =
      step === 'preview'
        ? ITEMS
        : ITEMS.map((one) => ({ ...one, outcome: one.item_id === 'i2' ? 'replaced' : 'skipped' }));
    const body = { status: 'success', message: 'success', data: { step, items, imports: [] } };
    return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } });
  });
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const open = () =>
  renderScreen(<UploadContentDialog file={new File(['x'], 'content.tar.gz')} onClose={() => undefined} />, {
    access: engineer,
  });
const decisions = (form: FormData | undefined) => JSON.parse(String(form?.get('decisions')));

describe('content that comes in', () => {
  it('[C101] is shown with its reasons first; what is there stays unless somebody replaces it', async () => {
    await open();
    await screen.findByText('New: 1 · Different: 1 · Invalid: 1');
    expect(screen.getByText('The path leads out of the archive')).toBeTruthy();
    expect(forms[0]?.get('step')).toBe('preview');
    expect((forms[0]?.get('file') as File | undefined)?.name).toBe('content.tar.gz');
    const row = screen.getByRole('row', { name: /PsExec/ });
    fireEvent.click(within(row).getByLabelText('Decision for PsExec', { selector: 'input' }));
    fireEvent.click(await screen.findByRole('option', { name: 'Replace' }));
    fireEvent.click(screen.getByRole('button', { name: 'Import (2)' }));
    await screen.findByText('Replaced: 1 · Skipped: 2');
    expect(decisions(forms[1])).toEqual({ i1: 'take', i2: 'take', i3: 'skip' });
    expect(forms[1]?.get('step')).toBe('apply');
  });

  it('[C101] says why a file is refused as a whole', async () => {
    vi.stubGlobal('fetch', async () => {
      const body = {
        ...{ status: 'failed', message: 'x', data: null, code: 'bad-input' },
        ...{ messageCode: 'content.archiveBroken', messageValues: {} },
      };
      return new Response(JSON.stringify(body), {
        status: 422,
        headers: { 'content-type': 'application/json' },
      });
    });
    await open();
    await screen.findByRole('alert');
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Import/ })).toBeNull());
  });
});
