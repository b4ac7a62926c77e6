import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { pressOn, tabTo, typeInto } from './keyboard.ts';
import { SIGNALS_LINK, type Visit, visitAs } from './visitor.ts';

// Somebody who knows no KQL, in the first ten minutes: types a word, an address, a user name; finds the attack; opens its
// signal and the events of it; makes a case, works it and closes it. Once by mouse, once by keyboard alone. What the
// browser writes to its console is a failure.

takeTurns('the signals of the attack');

const editorOf = (page: Page) => page.getByRole('textbox', { name: 'KQL query' });
const resultsOf = (page: Page) => page.getByRole('grid', { name: 'Results' });
const queueOf = (page: Page) => page.getByRole('grid', { name: 'Signals' });
const flyoutOf = (page: Page) => page.getByRole('complementary', { name: 'Signal' });
const searchFor = (page: Page, words: string) =>
  page.getByRole('button', { name: `Search all events for ${words}` });
/** The attack of the demo, by what its first signal is called. */
const ATTACK = /^Encoded PowerShell by/;
const ADDRESS = '203.0.113.10';
/** On a new server the attack raises its signals within a minute. */
const RAISED = { timeout: 90_000 };

/** Does what starts the search for the words, and waits until the rows are its own, no more those of the one before. */
async function untilDone(page: Page, words: string, begins: () => Promise<void>): Promise<void> {
  const asked = page.waitForRequest((request) =>
    Boolean(request.postData()?.includes(JSON.stringify(`search "${words}"`))),
  );
  await begins();
  await asked;
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  await resultsOf(page).getByRole('row').nth(1).waitFor();
}

let visit: Visit;

async function begin(): Promise<Page> {
  visit = await visitAs('Security analyst');
  visit.page.on('console', (line) => {
    if (line.type() === 'error') visit.complaints.push(line.text());
  });
  return visit.page;
}

afterAll(() => visit?.close());

describe('the first ten minutes', () => {
  it('[R-C7][R-C6][R-C8] by mouse, and letters for what is looked for', async () => {
    const page = await begin();
    await page.getByRole('link', { name: 'Find' }).click();
    await editorOf(page).click();
    for (const words of ['mimikatz', ADDRESS, 'root']) {
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(words);
      await searchFor(page, words).click();
      if (words === 'mimikatz') await page.getByText(/^None of [\d,]+ events contains mimikatz$/).waitFor();
      else await resultsOf(page).getByRole('row').nth(1).waitFor();
      await editorOf(page).click();
    }
    await page.getByRole('link', { name: SIGNALS_LINK }).click();
    const attack = queueOf(page).getByText(ATTACK).first();
    await expect.poll(() => attack.isVisible().then((seen) => seen || takeNewRows(page)), RAISED).toBe(true);
    await attack.click();
    const flyout = flyoutOf(page);
    await flyout.getByRole('tab', { name: 'Raw events' }).click();
    await flyout
      .getByText(/powershell/i)
      .first()
      .waitFor();
    await flyout.getByRole('button', { name: 'Add to case' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(`First by mouse ${Date.now()}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Create case' }).click();
    await page.getByRole('button', { name: 'Start work' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Assign and start' }).click();
    await page.getByRole('button', { name: 'Close case' }).click();
    await page.getByRole('dialog').getByLabel('True positive').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close case' }).click();
    await page.getByRole('button', { name: 'Reopen case' }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[R-C7][R-C6][R-C8] by keyboard alone', async () => {
    const page = await begin();
    const { keyboard } = page;
    await keyboard.press('g');
    await keyboard.press('f');
    // Nobody goes to the editor: it has the focus.
    await expect.poll(() => editorOf(page).evaluate((one) => one === document.activeElement)).toBe(true);
    for (const words of ['mimikatz', ADDRESS, 'root']) {
      await keyboard.press('ControlOrMeta+a');
      await keyboard.type(words);
      await searchFor(page, words).waitFor();
      const begins = () => keyboard.press('Control+.');
      if (words !== 'mimikatz') await untilDone(page, words, begins);
      else {
        await begins();
        await page.getByText(/^None of [\d,]+ events contains mimikatz$/).waitFor();
      }
    }
    await keyboard.press('Escape');
    await keyboard.press('r');
    await keyboard.press('ArrowDown');
    await keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Details of the row' }).waitFor();
    await keyboard.press('/');
    expect(await editorOf(page).evaluate((one) => one === document.activeElement)).toBe(true);
    await keyboard.press('Escape');

    await keyboard.press('g');
    await keyboard.press('s');
    await openByKeys(page);
    const flyout = flyoutOf(page);
    await tabTo(page, flyout.getByRole('tab', { selected: true }));
    await chooseTab(page, 'Raw events');
    await flyout
      .getByText(/powershell/i)
      .first()
      .waitFor();
    await pressOn(page, flyout.getByRole('button', { name: 'Add to case' }));
    const dialog = page.getByRole('dialog');
    await typeInto(page, dialog.getByLabel('Name'), `First by keyboard ${Date.now()}`);
    await pressOn(page, dialog.getByRole('button', { name: 'Create case' }));
    await pressOn(page, page.getByRole('button', { name: 'Start work' }));
    await pressOn(page, dialog.getByRole('button', { name: 'Assign and start' }));
    await pressOn(page, page.getByRole('button', { name: 'Close case' }));
    await tabTo(page, dialog.getByRole('radio').first());
    await keyboard.press('Space');
    await chooseTruth(page);
    await pressOn(page, dialog.getByRole('button', { name: 'Close case' }));
    await page.getByRole('button', { name: 'Reopen case' }).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

/** Shows the rows that came since the queue was read; false, for no more is known of them yet. */
async function takeNewRows(page: Page): Promise<false> {
  const pill = page.getByRole('button', { name: /^(\d+|More than [\d,]+) new/ });
  if (await pill.isVisible()) await pill.click({ timeout: 1_000 }).catch(() => undefined);
  return false;
}

/** Goes down the queue to a signal of the attack and opens it. */
async function openByKeys(page: Page): Promise<void> {
  await queueOf(page).getByRole('row').nth(1).waitFor();
  const search = page.getByRole('textbox', { name: /search/i }).first();
  await typeInto(page, search, 'Encoded PowerShell');
  await expect
    .poll(() => queueOf(page).getByRole('row').nth(1).textContent(), RAISED)
    .toMatch(/Encoded PowerShell/);
  await tabTo(page, queueOf(page));
  await page.keyboard.press('Enter');
  await flyoutOf(page).waitFor();
}

async function chooseTab(page: Page, name: string): Promise<void> {
  const tab = flyoutOf(page).getByRole('tab', { name });
  for (let presses = 0; presses < 6; presses++) {
    if ((await tab.getAttribute('aria-selected')) === 'true') return;
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
  }
  throw new Error(`the arrows do not lead to the tab ${name}`);
}

async function chooseTruth(page: Page): Promise<void> {
  const truth = page.getByRole('dialog').getByLabel('True positive');
  for (let presses = 0; presses < 6 && !(await truth.isChecked()); presses++)
    await page.keyboard.press('ArrowDown');
  expect(await truth.isChecked()).toBe(true);
}
