import { expect, it } from 'vitest';
import { goTo, visitAs } from './visitor.ts';

// A browser that stays open while a new version is installed: the files of its screens are gone.

it('keeps the page and what is typed, offers once to load anew, and leads where the user wanted to go', async () => {
  const visit = await visitAs('Security analyst');
  const { page } = visit;
  await goTo(page, '/incident/cases');
  await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'New case' }).first().click();
  const field = page.getByRole('dialog').getByRole('textbox').first();
  await field.fill('Typed, and not to be lost');

  await page.route('**/assets/**', (route) => route.fulfill({ status: 404, body: '' }));
  const wanted = page.url().replace('/incident/cases', '/workbook');
  for (const path of ['/workbook', '/incident/signals', '/workbook']) {
    await page.evaluate((to) => {
      window.location.hash = window.location.hash.replace(/(#\/[^/]+\/[^/]+).*/, `$1${to}`);
    }, path);
    await page.waitForFunction(() => window.location.hash.endsWith('/incident/cases'));
  }
  const offer = page.getByText('This page could not be loaded');
  await offer.waitFor();
  expect(await offer.count()).toBe(1);
  expect(await field.inputValue()).toBe('Typed, and not to be lost');

  await page.unroute('**/assets/**');
  await page.getByRole('button', { name: 'Reload the page' }).click();
  await page.getByRole('heading', { name: 'Workbooks', level: 1 }).waitFor();
  expect(page.url()).toBe(wanted);
  await visit.close();
});
