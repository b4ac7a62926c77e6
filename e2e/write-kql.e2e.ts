import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, type Visit, visitAs } from './visitor.ts';

// An analyst writes KQL: completion knows the data, a slip is mended by key, the query under the cursor runs, what was
// asked is found again and kept. Once in dark, once in light.

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'KQL query' });
const optionsOf = (page: Page) => page.locator('.cm-tooltip-autocomplete li');

async function write(page: Page, kql: string): Promise<void> {
  await editorOf(page).click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(kql);
}

const written = async (page: Page): Promise<string> =>
  (await page.locator('.cm-line').allTextContents()).join('\n');

/** A name that no earlier try of the journey took. */
const newName = (start: string): string => `${start}${Date.now().toString(36)}`;

/** Find as an analyst sees it, in a theme. */
async function openFind(theme: 'dark' | 'light'): Promise<Visit> {
  const visit = await visitAs('Security analyst');
  const { page } = visit;
  const themeNow = () => page.locator('html').getAttribute('data-mantine-color-scheme');
  // The theme goes with the user, from one browser to the next.
  if ((await themeNow()) !== theme) {
    await goTo(page, '/incident/cases');
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: theme === 'light' ? 'Light theme' : 'Dark theme' }).click();
    await expect.poll(themeNow).toBe(theme);
  }
  await goTo(page, '/workbook/new?from=now-24h&to=now');
  await editorOf(page).waitFor();
  return visit;
}

describe.each(['dark', 'light'] as const)('writing KQL, %s', (theme) => {
  it('[S2-83][S1-03] completes a field seen only in the data and a value, mends a slip, lays out, runs one of two', async () => {
    const visit = await openFind(theme);
    const { page } = visit;
    // On a new server the fields of the data are not all known in the first minute.
    const found = page.getByText(/^Ext\.\w/).first();
    while (!(await found.isVisible())) {
      await page.reload();
      await found.waitFor({ timeout: 5_000 }).catch(() => undefined);
    }
    await write(page, 'Events | where Ext');
    await page.keyboard.type('.');
    await optionsOf(page).first().waitFor();
    await page.keyboard.press('Escape');

    await write(page, 'Authentication | where EventResult == ');
    await page.keyboard.type('"');
    await optionsOf(page).filter({ hasText: 'Failure' }).waitFor();
    await page.keyboard.type('Fail');
    await expect.poll(() => optionsOf(page).first().textContent()).toContain('Failure');
    await page.keyboard.press('Enter');
    await expect.poll(() => written(page)).toBe('Authentication | where EventResult == "Failure"');

    await write(page, 'ProcessEvent | whre DvcHostname != ""|take 5');
    await page.getByRole('button', { name: 'Replace with where' }).waitFor();
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
    await page.getByRole('tab', { name: 'Bound query' }).click();
    await page.getByText('| take 7').first().waitFor();
    await page.getByRole('tab', { name: 'Scoped plan' }).click();
    await page.getByText('"boundary"').first().waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});

describe('queries of a text, and those of before', () => {
  it('[S2-83][S1-03] runs all queries of a text side by side and draws what render asks for', async () => {
    const visit = await openFind('dark');
    const { page } = visit;
    await write(
      page,
      [
        '// Streams',
        'Events | summarize Count = count() by Stream',
        '',
        '// Over time',
        'Events | summarize count() by bin(TimeGenerated, 1h) | render timechart with (title="All events")',
        '',
        '// Figures',
        'Events | summarize Hosts = dcount(DvcHostname) | render card',
      ].join('\n'),
    );
    await page.keyboard.press('Control+Shift+Enter');
    await page.getByRole('tab', { name: /Streams/ }).waitFor();
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await page.getByRole('tab', { name: /Over time/ }).click();
    await page.getByTestId('result-chart').locator('canvas').first().waitFor();
    await page.getByRole('tab', { name: /Figures/ }).click();
    await page.getByTestId('result-card').getByText('Hosts').waitFor();
    expect(page.url()).toContain('tab=2');
    await page.reload();
    await page.getByTestId('result-card').getByText('Hosts').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S2-83] finds a query in the history, saves it, and opens it by its link', async () => {
    const visit = await openFind('dark');
    const { page } = visit;
    const column = newName('Resolvers');
    const name = `By host ${column}`;
    const kql = `Dns | summarize ${column} = count() by DvcHostname`;
    await write(page, kql);
    await page.keyboard.press('Shift+Enter');
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    await write(page, 'print 1');
    await page.keyboard.press('Alt+h');
    const library = page.getByRole('complementary', { name: 'Queries' });
    await library.getByRole('textbox', { name: 'Search recent searches' }).fill(column.toLowerCase());
    const entry = library.getByRole('button', { name: new RegExp(column) }).first();
    await entry.waitFor();
    await library.getByRole('textbox', { name: 'Search recent searches' }).press('ArrowDown');
    await page.keyboard.press('Enter');
    await expect.poll(() => written(page)).toBe(kql);

    await page.keyboard.press('ControlOrMeta+s');
    const dialog = page.getByRole('dialog', { name: 'Save query' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await page.getByRole('banner').or(page.locator('header')).getByText(name).first().waitFor();
    const saved = /saved=(\w+)/.exec(page.url())?.[1] ?? '';
    expect(saved).not.toBe('');

    await goTo(page, '/home');
    await goTo(page, `/workbook/new?saved=${saved}`);
    await page.getByRole('grid', { name: 'Results' }).waitFor();
    expect(await written(page)).toBe(kql);

    await page.getByRole('button', { name: 'Saved queries (Alt+O)' }).click();
    const own = library.getByRole('button', { name: new RegExp(name) });
    await own.focus();
    await page.keyboard.press('Delete');
    await page.getByText(`Deleted: ${name}`).waitFor();
    await own.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await own.waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});

describe('snippets and functions', () => {
  it('[S2-83] puts a snippet in by completion and goes through its places with Tab', async () => {
    const visit = await openFind('dark');
    const { page } = visit;
    await write(page, 'Dns | ');
    await page.keyboard.type('lately');
    await optionsOf(page).filter({ hasText: 'lately' }).first().waitFor();
    // A list that has just opened takes no key yet, and Tab moves nothing then.
    await expect
      .poll(async () => {
        if ((await written(page)) === 'Dns | lately') await page.keyboard.press('Tab');
        return written(page);
      })
      .toBe('Dns | where TimeGenerated > ago(1h)');
    await page.keyboard.type('2d');
    await page.keyboard.press('Tab');
    await expect.poll(() => written(page)).toBe('Dns | where TimeGenerated > ago(2d)');
    await visit.close();
  });

  it('[S2-83] saves a function that queries then name', async () => {
    const name = newName('onHost');
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await goTo(page, '/workbook/new?from=now-24h&to=now&panel=functions');
    await write(page, 'Events | where DvcHostname =~ host');
    const library = page.getByRole('complementary', { name: 'Queries' });
    await library.getByRole('button', { name: 'New function from the query' }).click();
    const dialog = page.getByRole('dialog', { name: 'New function from the query' });
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('textbox', { name: 'Parameters' }).fill('host: string');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    await library.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
    await write(page, '');
    await page.keyboard.type(name.slice(0, -1));
    await optionsOf(page).filter({ hasText: name }).first().waitFor();
    await write(page, `${name}("nobody") | count`);
    await page.keyboard.press('Shift+Enter');
    await page.getByText('1 row').first().waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
