import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, type Visit, visitAs } from './visitor.ts';

/** Two browsers and a queue that looks every minute take their time on a busy machine. */
const PATIENCE_MS = 300_000;

// Two people change the same thing. Whoever is second is told and chooses; nothing that anybody wrote is lost.

const NAME = `Shared work ${Date.now()}`;

async function saveWorkbook(page: Page, description: string, message: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Description' }).fill(description);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Version note (optional)').fill(message);
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}

const close = async (...visits: readonly Visit[]): Promise<void> => {
  for (const visit of visits) {
    expect(visit.complaints).toEqual([]);
    await visit.close();
  }
};

describe('two sessions at the same thing', () => {
  it(
    '[C089][C090][C095] save a workbook one after the other, and an old version comes back without its schedule',
    async () => {
      const first = await visitAs('Security engineer');
      const { page } = first;
      await goTo(page, '/workbook/new/blank?query=ProcessEvent');
      await page.getByRole('textbox', { name: /^Name/ }).fill(NAME);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
      await page.getByRole('button', { name: 'v1: show all versions' }).waitFor();

      const second = await visitAs('Security engineer');
      await second.page.goto(page.url());
      await second.page.getByRole('button', { name: 'v1: show all versions' }).waitFor();
      await saveWorkbook(second.page, 'theirs', 'what they did');
      await second.page.getByRole('button', { name: 'v2: show all versions' }).waitFor();

      await saveWorkbook(page, 'mine', 'what I did');
      const choice = page.getByRole('dialog').getByRole('alert');
      await choice.getByText('what they did').waitFor();
      expect(await choice.getByRole('button').allTextContents()).toEqual([
        'Save mine as version 3',
        'Save mine as a copy',
        'Use version 2',
      ]);
      await choice.getByRole('button', { name: 'Save mine as version 3' }).click();
      await page.getByRole('button', { name: 'v3: show all versions' }).click();
      const versions = page.getByRole('complementary', { name: 'Versions' });
      await versions.getByRole('button', { name: /^v2/ }).click();
      await versions.getByRole('button', { name: 'Restore version 2' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('no version is lost').waitFor();
      await dialog.getByRole('button', { name: 'Restore version 2' }).click();
      await page.getByRole('button', { name: 'v4: show all versions' }).waitFor();
      const description = page.getByRole('textbox', { name: 'Description' });
      await expect.poll(() => description.inputValue(), { timeout: 30_000 }).toBe('theirs');
      await close(first, second);
    },
    PATIENCE_MS,
  );

  it(
    '[C059][C070][S2-119][R-C18][R-C34] edit a case, read each other’s notes, and mention each other',
    async () => {
      const first = await visitAs('Security engineer');
      const second = await visitAs('Security analyst');
      const { page } = first;
      await goTo(page, '/incident/cases');
      await page.getByRole('button', { name: 'New case' }).first().click();
      await page.getByRole('dialog').getByRole('textbox', { name: 'Name', exact: true }).fill(NAME);
      await page.getByRole('dialog').getByRole('button', { name: 'Create case' }).click();
      await page.waitForURL((url) => url.hash.includes('/incident/cases/'));
      await second.page.goto(page.url());
      for (const { page: own } of [first, second]) {
        await own.getByRole('button', { name: 'Edit name and severity' }).click();
      }
      const theirs = second.page.getByRole('dialog');
      await theirs.getByRole('textbox', { name: 'Name' }).fill(`${NAME}, renamed`);
      await theirs.getByRole('button', { name: 'Save changes' }).click();
      await theirs.waitFor({ state: 'detached' });

      const mine = page.getByRole('dialog');
      await mine.getByRole('combobox', { name: 'Severity' }).click();
      await page.getByRole('option', { name: 'Critical' }).click();
      await mine.getByRole('button', { name: 'Save changes' }).click();
      await mine.getByText('The case was changed just now').waitFor();
      await mine.getByRole('button', { name: 'Save mine anyway' }).click();
      await mine.waitFor({ state: 'detached' });
      // Their name and my severity both stand.
      await page.getByRole('heading', { name: new RegExp(`${NAME}, renamed`) }).waitFor();
      await page.getByText('Critical', { exact: true }).first().waitFor();
      await page
        .getByRole('status')
        .getByText(/edited this case/)
        .waitFor();

      for (const { page: own } of [first, second]) {
        await own.getByRole('button', { name: 'Notes', exact: true }).last().click();
      }
      const panel = (own: Page) => own.getByRole('complementary', { name: 'Case notes' });
      const refused = (route: { abort: () => Promise<void> }) => route.abort();
      await page.route('**/cases/add_note', refused);
      await panel(page).getByLabel('Write a note').fill('Looked at the mail first.');
      await panel(page).getByRole('button', { name: /^Save/ }).click();
      await panel(page).getByRole('button', { name: 'Retry' }).waitFor();
      expect(await panel(page).getByLabel('Write a note').inputValue()).toBe('Looked at the mail first.');
      await page.unroute('**/cases/add_note', refused);
      await panel(page).getByRole('button', { name: 'Retry' }).click();
      // The colleague asks every two seconds.
      await panel(second.page).getByText('Looked at the mail first.').waitFor();

      await panel(page).getByLabel('Write a note').pressSequentially('Your turn, @Ana');
      await page.getByRole('option', { name: /^Ana/ }).waitFor();
      await page.keyboard.press('Enter');
      await panel(page).getByRole('button', { name: /^Save/ }).click();
      await second.page.getByRole('button', { name: /^Notifications, \d+ unread/ }).waitFor();
      const told = second.page.getByRole('link', { name: new RegExp(`mentioned you in .*${NAME}`) });
      await expect
        .poll(
          async () => {
            if (await told.isVisible()) return true;
            await second.page.getByRole('button', { name: /^Notifications/ }).click();
            return told.isVisible();
          },
          { timeout: 60_000, interval: 2_000 },
        )
        .toBe(true);
      await told.click();
      await second.page.waitForURL((url) => url.hash.includes('notes=open'));
      await close(first, second);
    },
    PATIENCE_MS,
  );
});
