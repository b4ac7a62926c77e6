import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { closeBrowser, goTo, visitAs } from './visitor.ts';

afterAll(closeBrowser);

// An analyst writes KQL: completion knows the data, a slip is mended by key, the query under the cursor runs.

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'KQL query' });

async function write(page: Page, kql: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(kql);
}

const written = async (page: Page): Promise<string> =>
  (await page.locator('.cm-line').allTextContents()).join('\n');

describe('writing KQL', () => {
  it('[S2-83][S1-03] completes a field seen only in the data, mends a slip, lays out, runs one query of two', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/workbook/new?from=now-24h&to=now');
    await write(page, 'Events | where Ext');
    await page.keyboard.type('.');
    const options = page.locator('.cm-tooltip-autocomplete li');
    await options.first().waitFor();
    await page.keyboard.press('Escape');

    await write(page, 'ProcessEvent | whre DvcHostname != ""|take 5');
    await page.getByRole('button', { name: 'Write where' }).waitFor();
    await page.keyboard.press('Control+.');
    await expect.poll(() => written(page)).toContain('| where DvcHostname');
    await page.keyboard.press('Shift+Alt+f');
    await expect.poll(async () => (await written(page)).split('\n').length).toBe(3);

    await write(page, 'ProcessEvent | take 7\n\nEvents | summarize Streams = dcount(Stream)');
    await page.locator('.kql-active-statement').first().waitFor();
    expect(await page.locator('.kql-active-statement').count()).toBe(1);
    await page.keyboard.press('ControlOrMeta+Home');
    await page.keyboard.press('Shift+Enter');
    await page.getByText('7 rows').first().waitFor();
    expect(await written(page)).toContain('dcount(Stream)');
    await page.getByRole('button', { name: 'Show plan' }).click();
    await page.getByRole('tab', { name: 'Scoped plan' }).click();
    await page.getByText('"boundary"').first().waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
