import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { openMailBox } from './mail-box.ts';
import { rootSession } from './make-organization.ts';
import { openEntry, rowWith as row, visitAs } from './visitor.ts';

// The main ways through administration: an organization with a person, the mail server with a real mail, what runs, the
// switches, the trail, and everything in one list.

async function open(page: Page, ending: string): Promise<void> {
  const { address } = inject('journeyServer');
  await page.goto(`${address}/#${ending}`);
}

/** Another try of a journey makes another organization. */
let tries = 0;

describe('administration', () => {
  it('[S2-20][S2-21][S2-22][S2-107] an organization gets a user, whose page shows access and activity', async () => {
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    const partners = `Journey Partners ${++tries}`;
    await openEntry(page, 'Organizations');
    await page.getByRole('button', { name: 'New organization' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill(partners);
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('heading', { name: partners }).waitFor();
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Full name').fill('Jo Journey');
    await dialog.getByLabel('Email').fill(`jo${tries}@journey.example`);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByText('It is not shown again').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row(page, 'Jo Journey').dblclick();
    await page.getByRole('link', { name: 'Access, sessions and activity' }).click();
    await page.getByRole('heading', { name: 'Jo Journey' }).waitFor();
    await page.getByRole('tab', { name: 'Access' }).click();
    await page.getByText('No access to any tenant').waitFor();
    await page.getByRole('tab', { name: 'Sessions' }).click();
    await page.getByText('Not signed in anywhere').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  describe('of the mail server', () => {
    takeTurns('the mail server');

    it('[S2-18][S2-110] the mail server is tried with a real mail, in its own words', async () => {
      const { address } = inject('journeyServer');
      const box = await openMailBox(address, (await rootSession()).SSID);
      const visit = await visitAs('Root administrator');
      const { page } = visit;
      await openEntry(page, 'Configure SMTP');
      await page.getByLabel('To', { exact: true }).fill('ops@journey.example');
      await page.getByRole('button', { name: 'Send test email' }).click();
      await page.getByText(/^The server accepted the email/).waitFor();
      expect(await box.nextTo('ops@journey.example')).toContain('Tyrian can send email');
      // A server that is not there is told as such.
      await page.getByLabel('Port').fill('1');
      await page.getByRole('button', { name: 'Send test email' }).click();
      await page.getByText(/^The server rejected the email/).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
      await box.close();
    });
  });

  it('[S2-14][S2-15][S2-16][S2-112] what runs, how it is, and from when on it counts as degraded', async () => {
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    await openEntry(page, 'Manage components');
    await row(page, 'Adapter').dblclick();
    await page.getByRole('progressbar', { name: 'CPU' }).waitFor();
    await page.getByRole('link', { name: 'Configure', exact: true }).click();
    await page.getByRole('textbox', { name: 'Name' }).fill(`Front door ${++tries}`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { name: `Front door ${tries}` }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[T-jobs] what runs by the clock is listed as jobs', async () => {
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    await openEntry(page, 'Jobs');
    await page.getByRole('checkbox', { name: 'Show checks that found nothing' }).click();
    const check = row(page, 'Check for silent sources').first();
    // The clock starts it each minute.
    await check.waitFor({ timeout: 100_000 });
    await check.click();
    const details = page.getByRole('complementary', { name: 'Job Check for silent sources' });
    await details.getByText('Schedule', { exact: true }).waitFor();
    await details.getByText('Done', { exact: true }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S2-48][S2-104] a tenant administrator sees what works for the tenant', async () => {
    const visit = await visitAs('Tenant administrator');
    const { page } = visit;
    await openEntry(page, 'Administration');
    await row(page, 'clickhouse').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Host name' }).count()).toBe(0);
    await row(page, 'Adapter').dblclick();
    await page.getByText('Events taken in per second').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  describe('of maintenance', () => {
    takeTurns('the line above every page');

    it('[S2-19][S2-113] a line of maintenance stands above every page as long as root wants it', async () => {
      const visit = await visitAs('Root administrator');
      const { page } = visit;
      const text = `Back at six, try ${++tries}`;
      await openEntry(page, 'Switchboard');
      const field = page.getByLabel('Maintenance banner: All tenants');
      await field.fill(text);
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByRole('status').filter({ hasText: text }).waitFor();
      await page.getByRole('button', { name: 'Reset to default' }).click();
      await page.getByRole('status').filter({ hasText: text }).waitFor({ state: 'detached' });
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  });

  it('[S7-38] the trail is filtered, taken away as a file, and its chain verified', async () => {
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    await open(page, '/admin/organizations/list?view=audit');
    await page.getByRole('grid', { name: 'Audit trail' }).waitFor();
    await page.getByRole('combobox', { name: 'All actions' }).click();
    await page.getByRole('option', { name: 'Sign-ins' }).click();
    await page.getByRole('gridcell', { name: 'login', exact: true }).first().waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    expect((await download).suggestedFilename()).toBe('audit-trail.csv');
    await page.getByRole('button', { name: 'Verify chain' }).click();
    await page.getByText(/^Chain intact, [\d,]+ entries$/).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S2-17][R-C35] signals and cases of all scopes stand in one list; a tenant that fails is named', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await openEntry(page, 'Signals');
    await page.getByRole('link', { name: 'Global', exact: true }).click();
    await page.getByRole('heading', { name: 'Global signals' }).waitFor();
    await page.getByRole('gridcell').first().waitFor();
    const clusters = await page.getByRole('tab').allTextContents();
    expect(clusters.length).toBeGreaterThan(2);
    await page.route('**/lc/mgmt/global/cases', async (route) => {
      const answer = await route.fetch();
      const body = await answer.json();
      body.data.tenants[0].problem = 'it does not answer right now';
      await route.fulfill({ response: answer, json: body });
    });
    const kinds = page.getByRole('radiogroup', { name: 'Show' });
    await kinds.getByText('Global cases', { exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'did not respond' }).waitFor();
    await page.getByRole('grid', { name: 'Global cases' }).waitFor();
    await visit.close();
  });
});
