import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import {
  type Connector,
  collectionStatus,
  createConnector,
  listConnectorKinds,
  listConnectors,
  setConnectorState,
  testConnector,
} from '@tyrian/contract';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { ConnectorListPage } from './connector-list-page.tsx';

const T = Date.UTC(2026, 2, 4);
const admin = sampleAccess({ role: 'Security Engineer', isTenantAdmin: true });
const engineer = sampleAccess({ role: 'Security Engineer' });

const said = (message: string) => ({ message });
const base: Connector = {
  ...{ id: 'k1', kind: 'http-poller', engine: 'http', name: 'Payroll', scope_id: 's1', source_id: 'q1' },
  ...{ state: 'running', reason: null, next_try: null, config: { url: 'https://x.example/', auth: 'none' } },
  validation: { status: 'ok', reason: null, time: T },
  ...{ secrets_set: [], revision: 1, last_event: T, events_24h: 1_234 },
  ...{ created_by: 'Ana', created: T, changed: T },
};
const kinds = [
  {
    kind: 'http-poller',
    engine: 'http',
    group: 'saas',
    name: 'HTTP API',
    words: 'rest',
    needs: '',
    config: { auth: 'none' },
  },
  { kind: 'ndjson', engine: 'push', group: 'protocols', name: 'Lines', words: 'curl', needs: '', config: {} },
] as const;
let connectors: Connector[];
let calls: ReturnType<typeof stubCalls>;

beforeEach(() => {
  connectors = [base];
  calls = stubCalls([
    [listConnectors, () => ({ data: connectors, total_count: connectors.length })],
    [listConnectorKinds, () => ({ data: kinds, total_count: kinds.length })],
    [
      createConnector,
      () => ({
        connector: { ...base, id: 'k2', engine: 'push', kind: 'ndjson', name: 'Curl' },
        token: 'tyr_once',
      }),
    ],
    [setConnectorState, () => base],
    [
      collectionStatus,
      () => ({
        sources: [{ source_id: 'q1', source_name: 'Firewall', revoked_ms: null }],
        spool: { files: 0, bytes: 0, limit_bytes: 1 },
      }),
    ],
    [
      testConnector,
      () => ({
        records: [
          {
            ...{
              raw: '{"n":1}',
              stream: 'Generic',
              source_type: 'json',
              status: 'PAD',
              parse_error: null,
              time: T,
            },
            fields: { n: 1 },
          },
        ],
        ...{ asked: 'GET https://x.example/', ms: 12 },
      }),
    ],
  ]);
});
afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

it('[T-CONNECTORS] lists connectors, says in red why a validation failed, and shows what a test gives', async () => {
  connectors = [
    {
      ...base,
      state: 'failed',
      validation: { status: 'failed', reason: said('The service said no'), time: T },
    },
  ];
  await renderScreen(<ConnectorListPage />, { access: admin, url: '/?connector=k1' });
  const panel = await screen.findByRole('complementary', { name: 'Connector Payroll' });
  expect(within(panel).getByRole('alert').textContent).toContain('The service said no');
  expect(screen.getByRole('img', { name: 'The service said no' })).toBeTruthy();
  fireEvent.click(within(panel).getByRole('button', { name: 'Test connection' }));
  expect(await within(panel).findByText('1 record in 12 ms')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Restart Payroll' }));
  await waitFor(() =>
    expect(calls.seen.find((one) => one.name === 'connectors.setState')?.input).toMatchObject({
      act: 'restart',
    }),
  );
});

it('[T-CONNECTORS] leads from the catalogue to the form and shows the token of a sender once, with its settings', async () => {
  await renderScreen(<ConnectorListPage />, { access: admin, url: '/' });
  fireEvent.click(await screen.findByRole('button', { name: 'Add connector' }));
  const catalogue = await screen.findByRole('dialog', { name: 'What can be connected' });
  fireEvent.change(within(catalogue).getByLabelText('Search kinds'), { target: { value: 'curl' } });
  expect(within(catalogue).queryByRole('button', { name: /HTTP API/ })).toBeNull();
  fireEvent.click(await within(catalogue).findByRole('button', { name: /Lines/ }));
  const form = await screen.findByRole('dialog', { name: 'Add connector: Lines' });
  fireEvent.change(within(form).getByLabelText(/^Name/), { target: { value: 'Curl' } });
  fireEvent.click(within(form).getByRole('button', { name: 'Save' }));
  const sender = await screen.findByRole('dialog', { name: 'Settings of the sender' });
  expect(within(sender).getByText('tyr_once')).toBeTruthy();
  expect(sender.textContent).toContain('Bearer tyr_once');
});

it('[uploads.sendPiece] engineers open the upload of events, also by a link that names the source', async () => {
  const opened = await renderScreen(<ConnectorListPage />, { access: engineer, url: '/' });
  fireEvent.click(await screen.findByRole('button', { name: 'Upload events' }));
  expect(await screen.findByRole('dialog', { name: 'Upload events' })).toBeTruthy();
  opened.unmount();
  await renderScreen(<ConnectorListPage />, { access: engineer, url: '/?upload=q1' });
  const source = await screen.findByRole('combobox', { name: 'Source' });
  await waitFor(() => expect(source).toHaveProperty('value', 'Firewall'));
  cleanup();
  const administrator = sampleAccess({ isTenantAdmin: true });
  await renderScreen(<ConnectorListPage />, { access: administrator, url: '/?upload=q1' });
  await screen.findByRole('button', { name: 'Add connector' });
  expect(screen.queryByRole('button', { name: 'Upload events' })).toBeNull();
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('[T-CONNECTORS] engineers see connectors and change none', async () => {
  await renderScreen(<ConnectorListPage />, { access: engineer, url: '/?connector=k1' });
  await screen.findByRole('complementary', { name: 'Connector Payroll' });
  for (const name of ['Add connector', 'Stop', 'Test connection', 'Stop Payroll'])
    expect(screen.queryByRole('button', { name })).toBeNull();
});

it('[T-CONNECTORS] an empty list tells engineers who adds connectors', async () => {
  connectors = [];
  await renderScreen(<ConnectorListPage />, { access: engineer, url: '/' });
  expect(await screen.findByText('A tenant administrator adds them.')).toBeDefined();
});
