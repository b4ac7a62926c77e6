import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { goTo, visitAs } from './visitor.ts';

// An analyst asks for events, narrows them from what is seen, exports them, and passes the link on.

takeTurns('the line above every page');

const CHART = 'Events | summarize count() by bin(TimeGenerated, 10m), Stream | render timechart';

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'KQL query' });

async function ask(page: Page, kql: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(kql);
  await page.keyboard.press('Shift+Enter');
  await page
    .getByText(/\d rows?/)
    .first()
    .waitFor();
}

describe('find', () => {
  it('[R-C8] what is typed on arrival replaces the suggested query, however often the page is opened', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    for (let times = 0; times < 3; times += 1) {
      await goTo(page, '/incident/cases');
      await page.getByRole('navigation').locator('a[href*="/workbook/new"]').click();
      // By then the language service has answered and the text is drawn in its colours.
      await editorOf(page).locator('.kql-table').waitFor();
      await page.keyboard.type('Dns');
      expect(await editorOf(page).innerText()).toBe('Dns');
    }
    await visit.close();
  });

  it('[S2-83][S1-03][C110][C119][C120][R-C2][R-C4] runs a query, opens a row and filters by one of its values', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/workbook/new?from=now-24h&to=now');
    await ask(page, 'ProcessEvent | project TimeGenerated, DvcHostname, ProcessName, CommandLine');
    const results = page.getByRole('grid', { name: 'Results' });
    await results.getByRole('row').nth(1).click();
    const detail = page.getByRole('complementary', { name: 'Details of the row' });
    await detail.getByText('DvcHostname').first().waitFor();
    await page.keyboard.press('Escape');

    // [R-C4] The wheel over the bars and at the end of the rows leaves the page where it is.
    const topOf = () =>
      page.evaluate(
        () => document.querySelector('[data-testid="search-status"]')?.getBoundingClientRect().top,
      );
    const top = await topOf();
    for (const target of [page.getByRole('slider', { name: 'Events over time' }), results]) {
      await target.hover();
      await page.mouse.wheel(0, 100_000);
      await page.mouse.wheel(0, 100_000);
    }
    const hasRoom = () => page.evaluate(() => document.documentElement.scrollHeight <= window.innerHeight);
    expect(await hasRoom()).toBe(true);
    expect(await topOf()).toBe(top);

    // [R-C2] A chart of a part of the result says so.
    await page.goto(
      `${page.url().split('?')[0]}?from=now-24h&to=now&limit=20&query=${encodeURIComponent(CHART)}`,
    );
    await page.getByText('Incomplete chart: only the first 20 rows are drawn').waitFor();
    await goTo(page, '/workbook/new?from=now-24h&to=now');
    await ask(page, 'ProcessEvent | project TimeGenerated, DvcHostname, ProcessName, CommandLine');

    // The server goes away and comes back: it is said, and nothing typed is lost.
    await page.context().setOffline(true);
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+End');
    await page.keyboard.insertText(' | take 7');
    await page.keyboard.press('Shift+Enter');
    const isAway = page.getByRole('status').filter({ hasText: 'The server is not responding' });
    await isAway.waitFor();
    const failure = page.getByRole('alert').filter({ hasText: 'The search failed' });
    await failure.getByText('The server did not respond').waitFor();
    await page.context().setOffline(false);
    await isAway.waitFor({ state: 'detached' });
    expect(await page.locator('.cm-content').first().textContent()).toContain('| take 7');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('7 rows').first().waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[R-C12] on a phone the calendar stands within the screen, and can be scrolled to its end', async () => {
    const visit = await visitAs('Security analyst', { width: 390, height: 844 });
    const { page } = visit;
    await goTo(page, '/workbook/new?from=now-3d&to=now');
    await page.getByRole('button', { name: /Last 3 days/ }).click();
    const apply = page.getByRole('button', { name: 'Apply range' });
    await apply.waitFor();
    const panel = await page.getByRole('dialog', { name: 'Time range' }).boundingBox();
    expect(panel?.x).toBeGreaterThanOrEqual(0);
    expect((panel?.x ?? 0) + (panel?.width ?? 0)).toBeLessThanOrEqual(390);
    expect((panel?.y ?? 0) + (panel?.height ?? 0)).toBeLessThanOrEqual(844);
    await apply.click();
    await apply.waitFor({ state: 'hidden' });
    await visit.close();
  });

  it('[S1-03] the link carries query, range and columns to a colleague', async () => {
    const first = await visitAs('Security analyst');
    await goTo(first.page, '/workbook/new?from=now-6h&to=now');
    await ask(first.page, 'Events | summarize Events = count() by Stream | sort by Events desc');
    const link = first.page.url();
    expect(decodeURIComponent(link)).toContain('summarize');
    const second = await visitAs('Security engineer');
    await second.page.goto(link);
    await second.page.getByRole('grid', { name: 'Results' }).getByText('ProcessEvent').waitFor();
    await first.close();
    await second.close();
  });

  it('[S1-03] says where the mistake is', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/workbook/new');
    await editorOf(page).click();
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.insertText('ProcessEvent | whre ProcessId > 1');
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('list', { name: 'Problems' }).or(page.getByLabel('Problems')).first().waitFor();
    await visit.close();
  });

  it('[S1-03] exports all rows as CSV', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/workbook/new?from=now-24h&to=now');
    await ask(page, 'Events | summarize Events = count() by Stream | sort by Stream asc');
    await page.getByRole('button', { name: 'Export all rows' }).click();
    const waiting = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV, times in UTC' }).click();
    const file = await (await waiting).path();
    const lines = (await readFile(file, 'utf8'))
      .replace(/^\uFEFF/, '')
      .trim()
      .split('\r\n');
    expect(lines[0]).toBe('Stream,Events');
    expect(lines.length).toBeGreaterThan(5);
    await visit.close();
  });
});
