import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { closeBrowser, goTo, openVisit, visitAs } from './visitor.ts';

afterAll(closeBrowser);

// axe-core finds nothing serious or critical on the pages where analysts spend their day, in both themes.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Serious and critical findings as `rule: element`. */
async function findingsOn(page: Page): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return violations
    .filter((finding) => finding.impact === 'serious' || finding.impact === 'critical')
    .flatMap((finding) => finding.nodes.map((node) => `${finding.id}: ${node.html.slice(0, 160)}`));
}

const PAGES: readonly [string, (page: Page) => Promise<void>][] = [
  ['/incident/signals?from=now-24h&to=now', (page) => page.getByText('Top suspects').waitFor()],
  ['/incident/cases', (page) => page.getByRole('heading', { name: 'Cases' }).waitFor()],
  ['/workbook/new', (page) => page.getByRole('textbox', { name: 'KQL query' }).waitFor()],
  ['/change-password', (page) => page.getByRole('heading', { name: 'Sessions' }).waitFor()],
  ['/workbook', (page) => page.getByRole('grid').getByRole('row').nth(1).waitFor()],
];

describe('pages that everybody can use', () => {
  it('the sign-in page', async () => {
    const visit = await openVisit();
    await visit.page.goto(`${inject('journeyServer').address}/#/auth/login`);
    await visit.page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await findingsOn(visit.page)).toEqual([]);
    await visit.page.getByRole('link', { name: 'Forgot password?' }).click();
    await visit.page.getByRole('button', { name: 'Send the link' }).waitFor();
    expect(await findingsOn(visit.page)).toEqual([]);
    await visit.close();
  });

  it.each(['dark', 'light'])('the pages of an analyst, %s', async (theme) => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    if (theme === 'light') {
      await page.getByRole('button', { name: 'User menu' }).click();
      await page.getByRole('menuitem', { name: 'Light theme' }).click();
    }
    for (const [ending, isThere] of PAGES) {
      await goTo(page, ending);
      await isThere(page);
      // A page that is still fading in has pale text; a real fault stays.
      await expect
        .poll(() => findingsOn(page), { timeout: 15_000, interval: 500, message: ending })
        .toEqual([]);
    }
    await visit.close();
  });
});
