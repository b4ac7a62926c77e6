import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, visitAs } from './visitor.ts';

// An engineer uploads a table, asks for it together with events, and deletes it.

const PATIENCE_MS = 120_000;

async function chooseFile(page: Page, name: string, text: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  const chooser = page.waitForEvent('filechooser');
  await dialog.getByRole('button', { name: /^Choose / }).click();
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
}

describe('a table of the tenant', () => {
  it(
    '[S2-30][S2-96][C105][T-eventstores] is uploaded, joined with events in Find, added to and deleted',
    async () => {
      const name = `Streams${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      await goTo(page, '/system/eventstores');
      await page.getByRole('button', { name: 'Upload' }).first().click();
      await chooseFile(page, `${name}.csv`, 'Stream,Owner,Rank\nProcessEvent,ana,1\nDns,ben,2\n');
      const dialog = page.getByRole('dialog', { name: 'Upload a table' });
      await dialog.getByText('2 rows, 3 columns').waitFor();
      expect(await dialog.getByRole('textbox', { name: /^Name/ }).first().inputValue()).toBe(name);
      await dialog.getByRole('button', { name: 'Create table' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('grid', { name: 'Eventstores' }).getByRole('row').filter({ hasText: name });
      await row.getByText('Ready').waitFor();

      const query = `ProcessEvent | take 100 | join kind=inner ${name} on Stream | summarize n = count() by Owner`;
      await goTo(page, `/workbook/new?${new URLSearchParams({ query, from: 'now-24h', to: 'now' })}`);
      await page.getByRole('textbox', { name: 'KQL query' }).click();
      await page.keyboard.press('Shift+Enter');
      const results = page.getByRole('grid', { name: 'Results' });
      await results.getByText('ana').waitFor();

      await goTo(page, '/system/eventstores');
      await row.getByRole('button', { name: 'Append rows' }).click();
      await chooseFile(page, 'more.csv', 'Owner,Stream\neve,Syslog\n');
      await page.getByRole('dialog').getByRole('button', { name: 'Append rows' }).click();
      await row.getByText('more.csv').waitFor();
      await row.click();
      const panel = page.getByRole('complementary', { name: 'Uploaded table' });
      await panel.getByRole('cell', { name: 'eve', exact: true }).waitFor();
      await page.keyboard.press('Escape');

      await row.getByRole('button', { name: 'Delete table' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete table' }).click();
      await row.waitFor({ state: 'detached' });
      await visit.close();
    },
    PATIENCE_MS,
  );
});
