import { createSource } from '@tyrian/contract';
import { describe, expect, inject, it } from 'vitest';
import { callServer } from './start-journey-server.ts';
import { goTo, scopeOf, visitAs } from './visitor.ts';

/** Rules that run every minute take their time on a busy machine. */
const PATIENCE_MS = 300_000;

const WORD = `canary${Date.now()}`;

describe('a detection of one’s own', () => {
  it(
    '[C083][C043][R-C18] is written, saved as streamed, and raises a signal from an event that comes in',
    async () => {
      const { address, ingestAddress } = inject('journeyServer');
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      await goTo(
        page,
        `/workbook/new/blank?query=${encodeURIComponent(`Events | where Message has "${WORD}"`)}`,
      );
      await page.getByRole('textbox', { name: /^Name/ }).fill(`Watch for ${WORD}`);
      await page.getByRole('button', { name: 'Add block' }).last().click();
      await page.getByRole('menuitem', { name: 'Signal' }).click();
      await page.getByRole('button', { name: 'Add suspect' }).click();
      // Nothing that is half filled in can be saved.
      await page.getByText('Choose the field with its value, or remove the row').waitFor();
      expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
      await page.getByRole('combobox', { name: 'Field with its value' }).fill('DvcHostname');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Schedule' }).click();
      await page.getByRole('radio', { name: 'Streamed' }).check();
      await page.getByRole('button', { name: 'Apply schedule' }).click();
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'v1: show all versions' }).waitFor();

      const { clusterId, scopeId } = scopeOf(page);
      const asked = page.waitForRequest((request) => Boolean(request.headers().ssid));
      await goTo(page, '/incident/signals?from=now-1h&to=now');
      const { ssid } = (await asked).headers();
      const { token } = await callServer<{ token: string }>(
        address + createSource.path.replace(':clusterId', clusterId),
        createSource.method,
        { scope_id: scopeId, source_name: WORD },
        ssid,
      );
      const sent = await fetch(`${ingestAddress}/services/collector/raw`, {
        method: 'POST',
        headers: { authorization: `Splunk ${token}` },
        body: `<13>1 ${new Date().toISOString()} canary-host app 1 - - seen ${WORD} here\n`,
      });
      expect(await sent.json()).toEqual({ text: 'Success', code: 0 });
      // Rules run every minute. The queue says that there is something new and shows it when it is told to.
      const row = page.getByRole('grid', { name: 'Signals' }).getByText(`Watch for ${WORD}`);
      const pill = page.getByRole('status').getByRole('button', { name: /new/ });
      await expect
        .poll(
          async () => {
            if (await pill.isVisible()) await pill.click();
            return row.isVisible();
          },
          { timeout: 200_000, interval: 2_000 },
        )
        .toBe(true);
      await row.click();
      const flyout = page.getByRole('complementary', { name: 'Signal' });
      await flyout.getByText('canary-host').first().waitFor();

      await flyout.getByRole('button', { name: 'Tags' }).click();
      await page.getByLabel('New tag').fill(WORD);
      await page.keyboard.press('Enter');
      await page.getByRole('checkbox', { name: WORD }).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
