import { describe, expect, it } from 'vitest';
import { sendSeenEvent, untilSignalShows } from './raise-signal.ts';
import { goTo, visitAs } from './visitor.ts';

/** Rules that run every minute take their time on a busy machine. */
const PATIENCE_MS = 300_000;

const WORD = `canary${Date.now()}`;

describe('a detection of one’s own', () => {
  it(
    '[C083][C043][R-C18] is written, saved as streamed, and raises a signal from an event that comes in',
    async () => {
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

      await sendSeenEvent(page, WORD);
      const row = await untilSignalShows(page, `Watch for ${WORD}`);
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
