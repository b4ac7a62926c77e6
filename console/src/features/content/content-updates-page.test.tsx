import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type ContentUpdate,
  decideContentUpdates,
  listContentUpdates,
  readContentUpdate,
  type ShippedPolicy,
  saveUpdatePolicy,
} from '@tyrian/contract';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { ContentUpdatesPage } from './content-updates-page.tsx';
import { UpdatesButton } from './updates-button.tsx';

const engineer = sampleAccess({ role: 'Security Engineer' });
const rule: ContentUpdate = {
  ...{
    update_id: 'rule:sigma-1',
    kind: 'rule',
    change: 'changed',
    ID: 'sigma-1',
    name: 'Tool use',
    of: 'Hunters',
  },
  ...{
    from_version: 3,
    to_version: 4,
    parts: ['text', 'query'],
    customised: true,
    enabled: true,
    state: 'open',
  },
  offered: 1_772_636_829_000,
};
const shipped: ContentUpdate = {
  ...rule,
  ...{
    update_id: 'workbook:native-x',
    kind: 'workbook',
    ID: 'native-x',
    name: 'PsExec',
    of: '',
    offered: null,
  },
  customised: false,
};
let updates: ContentUpdate[];
let policy: ShippedPolicy;
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  updates = [shipped, rule];
  policy = 'review';
  calls = stubCalls([
    [listContentUpdates, () => ({ data: updates, total_count: updates.length, policy })],
    [
      readContentUpdate,
      () => ({
        ...rule,
        text: { before: 'title: One\nlevel: low\n', after: 'title: One\nlevel: high\n' },
        query: { before: 'Events | take 1', after: 'Events | take 2' },
        own: null,
      }),
    ],
    [decideContentUpdates, () => ({ done: 1, failed: [] })],
    [saveUpdatePolicy, () => ({ shipped: 'at-once' as const })],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

const inputs = (name: string) => calls.seen.filter((one) => one.name === name).map(({ input }) => input);

describe('the page of content updates', () => {
  it('[C099] lists what is newer, and compares one side by side before it is taken', async () => {
    await renderScreen(<ContentUpdatesPage />, { access: engineer });
    const row = await screen.findByRole('row', { name: /Tool use/ });
    expect(within(row).getByText('v3 → v4')).toBeTruthy();
    expect(within(row).getByText('Settings stay')).toBeTruthy();
    fireEvent.click(within(row).getByRole('button', { name: 'Tool use' }));
    const dialog = await screen.findByRole('dialog');
    await within(dialog).findByText(/Your exceptions, threshold, level, stage and schedule stay/);
    expect(within(dialog).getByText('level: low')).toBeTruthy();
    expect(within(dialog).getByText('level: high')).toBeTruthy();
    fireEvent.click(within(dialog).getByLabelText('Query'));
    await within(dialog).findByText('Events | take 2');
    fireEvent.click(within(dialog).getByRole('button', { name: 'Take' }));
    await waitFor(() =>
      expect(inputs('content.decideUpdates')).toMatchObject([{ update_ids: ['rule:sigma-1'], take: true }]),
    );
  });

  it('[C099] decides about all that are open after a question, and lets built-in ones update at once', async () => {
    await renderScreen(<ContentUpdatesPage />, { access: engineer });
    await screen.findByText('All updates: 2');
    fireEvent.click(screen.getByRole('button', { name: 'Decline' }));
    const question = await screen.findByRole('dialog');
    fireEvent.click(within(question).getByRole('button', { name: 'Decline' }));
    await waitFor(() => expect(inputs('content.decideUpdates')).toHaveLength(1));
    expect(inputs('content.decideUpdates')[0]).not.toHaveProperty('update_ids');
    expect(inputs('content.decideUpdates')[0]).toMatchObject({ take: false });
  });

  it('[C099] lets analysts look and decide nothing; says so when everything is up to date', async () => {
    await renderScreen(<ContentUpdatesPage />, { access: sampleAccess({ role: 'Security Analyst' }) });
    await screen.findByRole('row', { name: /Tool use/ });
    expect(screen.queryByRole('button', { name: 'Take' })).toBeNull();
    expect(screen.queryByLabelText('Newer built-in detections')).toBeNull();
    cleanup();
    updates = [];
    await renderScreen(<ContentUpdatesPage />, { access: engineer });
    await screen.findByText('Everything is up to date');
  });

  it('[C099] is reached from the lists by a button that says how many there are', async () => {
    await renderScreen(<UpdatesButton kind="rule" />, { access: engineer });
    const button = await screen.findByRole('link', { name: '2 updates' });
    expect(button.getAttribute('href')).toMatch(/\/updates\?kind=rule$/);
  });
});
