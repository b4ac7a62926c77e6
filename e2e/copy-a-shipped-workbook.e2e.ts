import { describe, expect, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { goTo, visitAs } from './visitor.ts';

// A shipped detection is read-only; whoever wants it otherwise works on a copy.

takeTurns('what stands in lists of administration and workbooks');

describe('a copy of a shipped workbook', () => {
  it('[S1-05][S4-09][C083][C086] opens as the copy, is saved as its second version, and is deleted', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await goTo(page, '/workbook/edit/native-aws-trail-stopped');
    await page.getByRole('button', { name: 'Clone to edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Clone workbook' }).click();
    await page.waitForURL((url) => !url.hash.includes('native-'));
    await page.getByRole('button', { name: 'Save', exact: true }).waitFor();
    expect(await page.getByLabel('Name').first().inputValue()).toBe(
      'AWS CloudTrail or GuardDuty disabled - custom',
    );
    expect(await page.getByText('Unsaved changes').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Description' }).fill('With our own exceptions');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'v2: show all versions' }).waitFor();
    await page.getByRole('button', { name: 'More actions', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete workbook' }).click();
    const deleting = page.getByRole('dialog');
    // Otherwise nothing would watch for it any more.
    expect(await deleting.getByRole('checkbox').isChecked()).toBe(true);
    await deleting.getByRole('button', { name: 'Delete workbook' }).click();
    await page.waitForURL((url) => /\/workbook(\?|$)/.test(url.hash));
    await page.getByText('AWS CloudTrail or GuardDuty disabled is switched on again').waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
