import { describe, expect, inject, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { goTo, visitAs } from './visitor.ts';

takeTurns('the signals of the attack');

const CASE_NAME = `Phishing at headquarters ${Date.now()}`;

// The main job, as an analyst does it: a signal of the demo's attack becomes a case, is worked, and closed.

describe('from a signal to a closed case', () => {
  it('[R-C16][S1-04][S1-12][S4-01][S4-03][S4-05][S4-07][S2-119][C059][C060][C069][C070] works a phishing signal until it is closed', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/incident/signals?from=now-24h&to=now');
    const queue = page.getByRole('grid', { name: 'Signals' });
    const name = queue.getByText(/^Encoded PowerShell by/).first();
    await name.waitFor({ timeout: 90_000 });
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const look = (row: string) =>
      queue
        .locator(row)
        .first()
        .evaluate((element) => {
          const { backgroundImage, boxShadow } = getComputedStyle(element);
          return { backgroundImage, boxShadow };
        });
    // The row that the keys act on looks unlike the others.
    const [active, other] = [
      await look('[role="row"][data-active]'),
      await look('[role="row"][id]:not([data-active])'),
    ];
    expect(active.backgroundImage).not.toBe(other.backgroundImage);
    expect(active.boxShadow).not.toBe(other.boxShadow);
    await name.click();
    const flyout = page.getByRole('complementary', { name: 'Signal' });
    await flyout.getByRole('tab', { name: 'Raw events' }).click();
    await flyout
      .getByText(/powershell/i)
      .first()
      .waitFor();

    await flyout.getByRole('button', { name: 'Add to case' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(CASE_NAME);
    await dialog.getByRole('button', { name: 'Create case' }).click();
    await page.waitForURL((url) => url.hash.includes('/incident/cases/'));
    await page.getByText(CASE_NAME).first().waitFor();

    await page.getByRole('button', { name: 'Start work' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Assign and start' }).click();
    await page.getByRole('button', { name: 'Put on hold' }).waitFor();

    await page.getByRole('button', { name: 'Notes', exact: true }).click();
    const notes = page.getByRole('complementary', { name: 'Case notes' });
    const input = notes.getByLabel('Write a note');
    const save = notes.getByRole('button', { name: /^Save/ });
    expect(await save.isDisabled()).toBe(true);
    await input.fill('  Seen by <me>, see https://example.org/runbook  ');
    await save.click();
    await notes.getByRole('button', { name: 'Saved' }).waitFor();
    const written = notes.getByRole('listitem').filter({ hasText: 'Seen by <me>' });
    await written.getByRole('button', { name: 'hxxps://example[.]org/runbook' }).click();
    const link = page.getByRole('dialog').getByRole('link', { name: 'Open in a new tab' });
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('href')).toBe('https://example.org/runbook');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await notes.getByRole('button', { name: 'Save', exact: true }).waitFor();

    await page.getByRole('button', { name: 'Put on hold' }).click();
    await notes
      .getByText(/on hold/i)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Start work' }).click();
    await page.getByRole('button', { name: 'Put on hold' }).waitFor();
    await page.getByRole('button', { name: 'Close case' }).click();
    await page.getByRole('dialog').getByLabel('True positive').check();
    await page.getByRole('dialog').getByRole('button', { name: 'Close case' }).click();
    await page.getByRole('button', { name: 'Reopen case' }).waitFor();
    await page.getByText('(True positive)').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S2-35][S5-06] a closed case leaves the list of open work and can be found again', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/incident/cases?status=CLOSED');
    await page.getByRole('row').filter({ hasText: CASE_NAME }).first().waitFor();
    await goTo(page, '/incident/cases');
    await page.getByRole('heading', { name: 'Cases' }).waitFor();
    await page.getByRole('row').filter({ hasText: CASE_NAME }).first().waitFor({ state: 'detached' });
    await page.locator('[role=grid]:not([aria-busy=true])').first().waitFor();
    expect(await page.getByRole('row').filter({ hasText: CASE_NAME }).count()).toBe(0);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});

describe('who may see it', () => {
  it('[S5-07][S8-08][S2-10] a viewer who opens the cases by address is told that there is no access', async () => {
    const visit = await visitAs('Viewer');
    const { page } = visit;
    await goTo(page, '/incident/cases');
    await page.waitForURL((url) => url.hash.includes('no-access'));
    await page.getByText('You have no rights to access this page.').first().waitFor();
    await visit.close();
  });

  it('[S2-69] somebody who is not signed in is sent to the sign-in page', async () => {
    const { openVisit } = await import('./visitor.ts');
    const visit = await openVisit();
    await visit.page.goto(`${inject('journeyServer').address}/#/some/where/incident/cases`);
    await visit.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(visit.page.url()).toContain('#/auth/login');
    await visit.close();
  });
});
