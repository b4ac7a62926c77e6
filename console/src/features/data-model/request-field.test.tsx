// @vitest-environment jsdom
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { askModel, listModelRequests, type ModelRequest } from '@tyrian/contract';
import { afterEach, expect, it, vi } from 'vitest';
import { clearStored } from '../../lib/storage.ts';
import { renderScreen } from '../../testing/render-screen.tsx';
import { sampleAccess } from '../../testing/sample-session.ts';
import { stubCalls } from '../../testing/stub-calls.ts';
import { RequestField } from './request-field.tsx';

afterEach(() => {
  cleanup();
  clearStored();
  vi.unstubAllGlobals();
});

it('[T-data-model] a field that is missing is asked for; a refusal is shown, an approval is told on', async () => {
  const requests: ModelRequest[] = [];
  const calls = stubCalls([
    [listModelRequests, () => requests],
    [
      askModel,
      (input) => {
        const { wanted } = input as unknown as { readonly wanted: readonly object[] };
        const request = { ...wanted[0], ...{ request_id: 'r1', source: 'doors', state: 'open', reason: '' } };
        requests.unshift({
          ...request,
          ...{ asked_by: 'Ada', created: 1, decided_by: null, decided: null },
        } as ModelRequest);
        return { request_ids: ['r1'] };
      },
    ],
  ]);
  const onApproved = vi.fn();
  const shown = () =>
    renderScreen(
      <RequestField
        field="BadgeHolder"
        streams={['Authentication', 'Dns']}
        source="doors"
        onApproved={onApproved}
      />,
      { access: sampleAccess({ role: 'Security Engineer' }) },
    );
  await shown();
  fireEvent.click(await screen.findByRole('button', { name: 'Request field' }));
  const dialog = await screen.findByRole('dialog', { name: 'Request the field BadgeHolder' });
  fireEvent.change(within(dialog).getByLabelText('Description'), { target: { value: 'Who holds it' } });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Request field' }));
  await waitFor(() => expect(calls.seen.some(({ name }) => name === 'dataModel.ask')).toBe(true));
  expect(calls.seen.find(({ name }) => name === 'dataModel.ask')?.input).toMatchObject({
    source: 'doors',
    wanted: [{ stream: 'Authentication', field: 'BadgeHolder', type: 'string', description: 'Who holds it' }],
  });
  expect(await screen.findByText('Requested: a content manager decides')).toBeTruthy();
  cleanup();
  requests[0] = { ...(requests[0] as ModelRequest), state: 'refused', reason: 'Use TargetUsername' };
  await shown();
  expect(await screen.findByText('Refused: Use TargetUsername')).toBeTruthy();
  cleanup();
  requests[0] = { ...requests[0], state: 'approved' };
  await shown();
  await waitFor(() => expect(onApproved).toHaveBeenCalledTimes(1));
});
