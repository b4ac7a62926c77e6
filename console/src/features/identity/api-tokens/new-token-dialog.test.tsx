import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { CAPABILITIES, type Capability, capabilityOf, createApiToken } from '@tyrian/contract';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clearStored } from '../../../lib/storage.ts';
import { renderScreen } from '../../../testing/render-screen.tsx';
import { sampleAccess } from '../../../testing/sample-session.ts';
import { stubCalls } from '../../../testing/stub-calls.ts';
import { NewTokenDialog } from './new-token-dialog.tsx';
import { exampleCall } from './token-example.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  clearStored();
});

const SENDERS = 'https://siem.example:8088';

/** The dialog after a token with the capability was made. */
async function make(capability: string, capabilities: Capability[]) {
  stubCalls([[createApiToken, () => ({ token: 'tyr_1', item: { capabilities }, address: SENDERS })]]);
  const onClose = vi.fn();
  await renderScreen(<NewTokenDialog onClose={onClose} />, {
    access: sampleAccess({ role: 'Security Engineer' }),
  });
  fireEvent.change(await screen.findByLabelText('Application'), { target: { value: 'fluent-bit' } });
  fireEvent.click(screen.getByRole('checkbox', { name: capability }));
  fireEvent.click(screen.getByRole('button', { name: 'Create token' }));
  await screen.findByText('tyr_1');
  return onClose;
}
const pressEscape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' });

describe('a token that was made', () => {
  it('[R-C41] of a sender names the header, the address and a command that sends an event', async () => {
    await make('Send events', ['ingest']);
    expect(screen.getByText('Authorization: Splunk <token>')).toBeTruthy();
    expect(screen.getByText(`${SENDERS}/services/collector/event`)).toBeTruthy();
    const command = screen.getByText(/^curl/).textContent ?? '';
    expect(command).toContain(`curl '${SENDERS}/services/collector/event'`);
    expect(command).toContain("-H 'Authorization: Splunk tyr_1'");
  });

  it('[R-C41] of any other program names the header Token and a call that it may make', async () => {
    await make('Read cases', ['cases.read']);
    expect(screen.getByText('Token: <token>')).toBeTruthy();
    expect(screen.getByText(/^curl/).textContent).toContain(`'${SENDERS}/c1/api/cases/list'`);
  });

  it('[R-C41] does not go by Esc or Done before it was copied, unless the user says so', async () => {
    const onClose = await make('Read cases', ['cases.read']);
    pressEscape();
    fireEvent.click(await screen.findByRole('button', { name: 'Back to the token' }));
    await waitFor(() => expect(screen.queryByText(/was not copied/)).toBeNull());
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    await screen.findByText(/was not copied/);
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByText('tyr_1')).toBeTruthy();
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' }).at(-1) as HTMLElement);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('closes at once after it was copied', async () => {
    vi.stubGlobal('navigator', { ...navigator, clipboard: { writeText: async () => undefined } });
    const onClose = await make('Read cases', ['cases.read']);
    fireEvent.click(screen.getByRole('button', { name: 'Copy the token' }));
    await screen.findByText('Copied to clipboard');
    // The dialog learns of the copy a moment after the toast tells of it.
    await act(async () => undefined);
    fireEvent.click(screen.getByRole('button', { name: 'Done' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it.each(CAPABILITIES.filter((one) => one !== 'ingest'))(
    '%s: the example is allowed and well formed',
    (one) => {
      const facts = { token: 't', address: SENDERS, capabilities: [one], clusterId: 'c1', scopeId: 's1' };
      const { endpoint, body } = exampleCall(facts);
      expect(capabilityOf(endpoint.name)).toBe(one);
      expect(endpoint.input.safeParse(body).error).toBeUndefined();
    },
  );
});
