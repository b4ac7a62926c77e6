// @vitest-environment jsdom
import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import {
  type Eventstore,
  listEventstores,
  previewEventstore,
  readEventstore,
  removeEventstore,
  uploadEventstore,
} from '@tyrian/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { EventstoresPage } from './eventstores-page.tsx';

const upload = {
  ...({ upload_id: 'u1', mode: 'create', file: 'assets.csv', rows_done: 2, rows_total: 2 } as const),
  ...{ message: null, author: 'Ana', created: 1_772_636_829_000 },
};
const assets: Eventstore = {
  ...{ store_id: 's1', name: 'Assets', description: 'Who owns what', file: 'assets.csv', format: 'csv' },
  ...{ author: 'Ana', created: 1_772_636_829_000, changed_by: 'Ana', changed: 1_772_636_829_000 },
  ...{ rows: 2, size_bytes: 2048, revision: 2, used_by: 1, upload: { ...upload, state: 'done' } },
  columns: [{ name: 'Ip', type: 'string' }],
};
const broken: Eventstore = {
  ...assets,
  ...{ store_id: 's2', name: 'Broken', used_by: 0 },
  upload: { ...upload, state: 'failed', message: 'Row 2 has 1 values' },
};
const preview = {
  ...{ format: 'csv', rows: 3, sheet: null, samples: [['10.0.0.1', '5']] },
  columns: ['Ip', 'Rank'].map((source, at) => ({
    ...{ name: source, source, type: at === 0 ? 'string' : 'long', filled: 3 },
    fits: { long: 2, real: 2, bool: 0, datetime: 0, timespan: 0, guid: 0, dynamic: 0 },
  })),
};
let calls: ReturnType<typeof stubCalls>;

beforeEach(async () => {
  calls = stubCalls([
    [listEventstores, () => ({ data: [assets, broken], total_count: 2 })],
    [readEventstore, () => ({ store: assets, samples: [['10.0.0.1']], named_by: [] })],
    [previewEventstore, () => preview],
    [uploadEventstore, () => ({ store_id: 's3', upload_id: 'u3', state: 'done', rows: 3 })],
    [removeEventstore, () => ({ store_id: 's1' })],
  ]);
  await renderScreen(<EventstoresPage />, { access: sampleAccess({ role: 'Security Engineer' }) });
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

it('[S2-30][T-eventstores] lists tables with their state, and asks with figures before one that is used is deleted', async () => {
  const row = (await screen.findByText('Assets')).closest('[role="row"]') as HTMLElement;
  expect(await screen.findByText('Upload failed')).toBeTruthy();
  fireEvent.click(within(row).getByRole('button', { name: 'Delete table' }));
  expect(await screen.findByText(/1 workbook, rule or function names it and will fail/)).toBeTruthy();
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete table' }));
  await vi.waitFor(() =>
    expect(calls.seen.find(({ name }) => name === removeEventstore.name)?.input).toMatchObject({
      ...{ store_id: 's1', confirm_used: true },
    }),
  );
});

it('[S2-30][T-eventstores] a file that is dropped shows its columns, and how many values do not fit', async () => {
  fireEvent.click((await screen.findAllByRole('button', { name: 'Upload' }))[0] as HTMLElement);
  const zone = await screen.findByRole('region', { name: 'File to upload' });
  const file = new File(['Ip,Rank\n10.0.0.1,5\n'], 'my assets.csv');
  fireEvent.drop(zone, { dataTransfer: { files: [file] } });
  expect(await screen.findByText('3 rows, 2 columns')).toBeTruthy();
  expect(screen.getByText('1 of 3 do not fit and are read as null')).toBeTruthy();
  const [name] = screen.getAllByRole('textbox', { name: /^Name/ });
  expect((name as HTMLInputElement).value).toBe('my_assets');
});
