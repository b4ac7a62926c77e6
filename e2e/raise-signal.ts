import { createSource } from '@tyrian/contract';
import type { Locator, Page } from 'playwright-core';
import { expect, inject } from 'vitest';
import { callServer } from './start-journey-server.ts';
import { goTo, scopeOf, sessionOf } from './visitor.ts';

/**
 * Opens the signals of the last hour, makes a source in the scope of the page, and sends through it an event whose text
 * says `seen WORD here`. Answers what sends another such event.
 */
export async function sendSeenEvent(page: Page, word: string): Promise<() => Promise<void>> {
  const { address, ingestAddress } = inject('journeyServer');
  const { clusterId, scopeId } = scopeOf(page);
  const ssid = await sessionOf(page, () => goTo(page, '/incident/signals?from=now-1h&to=now'));
  const { token } = await callServer<{ token: string }>(
    address + createSource.path.replace(':clusterId', clusterId),
    createSource.method,
    { scope_id: scopeId, source_name: word },
    ssid,
  );
  const send = async () => {
    const sent = await fetch(`${ingestAddress}/services/collector/raw`, {
      method: 'POST',
      headers: { authorization: `Splunk ${token}` },
      body: `<13>1 ${new Date().toISOString()} canary-host app 1 - - seen ${word} here\n`,
    });
    expect(await sent.json()).toEqual({ text: 'Success', code: 0 });
  };
  await send();
  return send;
}

/** How many looks at the queue pass before it is asked for anew. */
const LOOKS_BETWEEN_REFRESHES = 5;

/**
 * Waits on the page of signals until one with this name is listed; the queue shows new ones when it is told to, and is
 * refreshed now and then as a reader would who waits for one.
 */
export async function untilSignalShows(page: Page, name: string): Promise<Locator> {
  const row = page.getByRole('grid', { name: 'Signals' }).getByText(name);
  const pill = page.getByRole('status').getByRole('button', { name: /new/ });
  const refresh = page.getByRole('button', { name: /^Refresh/ }).first();
  let looks = 0;
  const isThere = async () => {
    looks += 1;
    if (await pill.isVisible()) await pill.click();
    else if (looks % LOOKS_BETWEEN_REFRESHES === 0) await refresh.click();
    return row.isVisible();
  };
  // Rules run every minute.
  await expect.poll(isThere, { timeout: 200_000, interval: 2_000 }).toBe(true);
  return row;
}
