import { describe, expect, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { openEntry, rowWith as row, visitAs } from './visitor.ts';

// A tenant from connecting to its first user.

takeTurns('what stands in lists of administration and workbooks');

/** Another try of a journey makes another tenant. */
let tries = 0;
let tenant = '';

describe('a tenant', () => {
  it('[S1-10][S2-12][S2-13][S2-23][S2-24][S2-111] root connects a tenant, sets it up and accepts its agreement', async () => {
    tenant = `Journey Freight ${++tries}`;
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    await openEntry(page, 'Mission control');
    await page.getByRole('button', { name: 'Connect tenant' }).click();
    await page.getByLabel('Tenant name').fill(tenant);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByRole('heading', { name: tenant }).waitFor();
    await page.getByText('Connected, not set up').waitFor();
    const setUp = page.getByRole('region', { name: 'Set up the tenant' });
    await setUp.getByLabel('Primary organization').click();
    await page.getByRole('option').filter({ hasText: 'Halden' }).click();
    await setUp.getByRole('button', { name: 'Set up tenant' }).click();
    await page.getByText('Agreement not accepted').waitFor();
    await page.getByRole('button', { name: 'Accept agreement' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Audit trail' }).click();
    for (const action of ['cluster.eula', 'cluster.setup', 'cluster.connect']) {
      await page.getByText(action).first().waitFor();
    }
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S2-25][S2-106] its users, scopes and organizations are administered on one page', async () => {
    const visit = await visitAs('Root administrator');
    const { page } = visit;
    await openEntry(page, 'Tenants');
    await row(page, tenant).dblclick();
    await page.getByRole('heading', { name: tenant }).waitFor();
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User').fill('analyst');
    await page.getByRole('option').first().click();
    await dialog.getByRole('button', { name: 'Give access' }).click();
    const roles = page.getByRole('complementary', { name: /^Roles of/ });
    await roles.getByLabel('Main').click();
    await page.getByRole('option', { name: 'Viewer' }).click();
    await roles.getByRole('button', { name: 'Save roles' }).click();
    await page.getByRole('gridcell', { name: 'Viewer' }).waitFor();
    await page.getByRole('tab', { name: 'Scopes' }).click();
    await page.getByLabel('New scope').fill('Annex');
    await page.getByRole('button', { name: 'Add scope' }).click();
    await page.getByLabel('Name of Annex').waitFor();
    await page.getByRole('switch', { name: 'Annex is enabled' }).click({ force: true });
    await page.getByRole('button', { name: 'Delete Annex' }).click();
    await page.getByLabel('Type Annex to confirm').fill('Annex');
    await page.getByRole('button', { name: 'Delete scope' }).click();
    await page.getByLabel('Name of Annex').waitFor({ state: 'detached' });
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
