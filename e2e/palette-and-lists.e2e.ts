import { describe, expect, inject, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { makeOrganization, rootSession } from './make-organization.ts';
import { goTo, openVisit, signInAs, visitAs } from './visitor.ts';

// What every page shares: the palette, the sheet of shortcuts, filters that are kept, lists as the user likes them.

describe('the command palette', () => {
  it('opens by Ctrl+K everywhere, finds a page, a case by part of its name, and the events of a word', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    const palette = page.getByRole('combobox', { name: 'Search and commands' });
    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('workb');
    await page
      .getByRole('option', { name: /^Workbooks/ })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Workbooks', level: 1 }).waitFor();

    await page.keyboard.press('Control+k');
    await palette.waitFor();
    await page.keyboard.type('password');
    const workbook = page.getByRole('group', { name: 'Workbooks' }).getByRole('option').first();
    await workbook.waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: /^Search (Ctrl|⌘) K$/ }).click();
    await palette.waitFor();
    await page.keyboard.type('mimikatz');
    await page.getByRole('option', { name: /events of the last 24 hours for “mimikatz”/ }).click();
    await page.waitForURL((url) => url.hash.includes('query=search'));
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('changes the theme for good: another browser of the same user shows it too', async () => {
    const visit = await visitAs('Viewer');
    const { page } = visit;
    const saved = page.waitForResponse(
      (answer) => answer.url().endsWith('/lc/users/preferences') && answer.request().method() === 'PUT',
    );
    await page.keyboard.press('Control+k');
    await page.keyboard.type('light');
    await page.keyboard.press('Enter');
    expect((await saved).ok()).toBe(true);
    await page.waitForSelector('[data-mantine-color-scheme="light"]', { state: 'attached' });
    const other = await visitAs('Viewer');
    await other.page.waitForSelector('[data-mantine-color-scheme="light"]', { state: 'attached' });
    const back = other.page.waitForResponse(
      (answer) => answer.url().endsWith('/lc/users/preferences') && answer.request().method() === 'PUT',
    );
    await other.page.keyboard.press('Control+k');
    await other.page.keyboard.type('dark');
    await other.page.keyboard.press('Enter');
    await back;
    await other.close();
    await visit.close();
  });
});

describe('shortcuts', () => {
  it('are told by the sheet, lead to pages, and can be switched off', async () => {
    // Somebody whom no other journey knows: without shortcuts it would lead nowhere.
    const { email, password } = await makeOrganization('Shortcuts Ltd', await rootSession());
    const visit = await openVisit();
    const { page } = visit;
    await signInAs(page, inject('journeyServer').address, email, password);
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await page.keyboard.press('?');
    await sheet.getByText('Search and commands').waitFor();
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.keyboard.press('?');
    await sheet.waitFor();
    await sheet.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.keyboard.press('?');
    expect(await sheet.count()).toBe(0);
    expect(page.url()).toContain('/incident/cases');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('keyboard');
    await page.keyboard.press('Enter');
    await sheet.getByRole('switch').focus();
    await page.keyboard.press('Space');
    await visit.close();
  });
});

describe('lists', () => {
  it('keep filters by name, apply them again, and forget them', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await goTo(page, '/incident/cases?severity=High&sort=risk_score.desc');
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Saved filters' }).click();
    await page.getByLabel('Name for these filters').fill('High by risk');
    const saved = page.waitForResponse((answer) => answer.request().method() !== 'GET' && answer.ok());
    await page.keyboard.press('Enter');
    await saved;
    await page.getByLabel('Name for these filters').waitFor({ state: 'detached' });

    const again = await visitAs('Security engineer');
    await goTo(again.page, '/incident/cases');
    await again.page.getByRole('button', { name: 'Saved filters' }).click();
    await again.page.getByRole('button', { name: 'High by risk', exact: true }).click();
    await again.page.waitForURL(
      (url) => url.hash.includes('severity=High') && url.hash.includes('risk_score'),
    );
    await again.page.getByRole('button', { name: 'Saved filters' }).click();
    await again.page.getByRole('button', { name: 'Delete High by risk' }).click();
    await again.page.getByText('“High by risk” deleted').waitFor();
    expect(again.complaints).toEqual([]);
    await again.close();
    await visit.close();
  });

  it('show the columns, the order and the height of rows that the user chooses', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await goTo(page, '/workbook');
    const grid = page.getByRole('grid', { name: 'Workbooks' });
    await grid.getByRole('row').nth(2).waitFor();
    const heads = () => grid.getByRole('columnheader').locator('[title]').allInnerTexts();
    const before = await heads();
    const [first = '', second = ''] = before;
    await page.getByRole('button', { name: 'Choose columns' }).click();
    await page.getByRole('button', { name: `Move ${first} down` }).click();
    await expect.poll(async () => (await heads()).slice(0, 2)).toEqual([second, first]);
    await page.getByText('Compact', { exact: true }).click();
    const height = () =>
      grid
        .getByRole('row')
        .nth(2)
        .evaluate((row) => row.getBoundingClientRect().height);
    await expect.poll(height).toBe(28);
    await page.getByRole('button', { name: 'Reset the layout' }).click();
    await expect.poll(heads).toEqual(before);
    await page.getByText('Normal', { exact: true }).click();
    await visit.close();
  });
});

describe('tokens', () => {
  takeTurns('what stands in lists of administration and workbooks');

  it('[S2-51][S2-102] are made on their page, shown once, and deleted', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await page
      .getByRole('navigation', { name: 'Main menu' })
      .getByRole('link', { name: 'Manage tokens' })
      .click();
    await page.getByRole('heading', { name: 'Manage tokens', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'New token' }).first().click();
    await page.getByRole('textbox', { name: 'Application' }).fill('Nightly report');
    await page.getByRole('checkbox', { name: 'Read cases' }).check();
    await page.getByRole('button', { name: 'Create token' }).click();
    await page.getByText(/^tyr_api_[\w-]{20,}$/).waitFor();
    // [R-C41] Nothing but a copy, or a yes, takes the only view of the token away.
    await page.keyboard.press('Escape');
    await page.getByText('The token was not copied').waitFor();
    await page.getByRole('button', { name: 'Back to the token' }).click();
    await page.getByText('Token: <token>').waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Close', exact: true }).last().click();
    const row = page.getByRole('row').filter({ hasText: 'Nightly report' });
    await row.waitFor();
    await row.getByRole('button', { name: 'Delete the token of Nightly report' }).click();
    await page.getByRole('button', { name: 'Delete token' }).click();
    await row.waitFor({ state: 'detached' });
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
