import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, visitAs } from './visitor.ts';

/** The demo's rules have signals after a few of their minutes. */
const PATIENCE_MS = 300_000;

/** Opens the newest signal of the queue, and says that its rule needs tuning. */
async function askToTune(page: Page, comment: string): Promise<void> {
  await goTo(page, '/incident/signals?from=now-7d&to=now&view=all');
  const rows = page.getByRole('grid', { name: 'Signals' }).getByRole('row');
  await expect.poll(() => rows.count(), { timeout: 200_000 }).toBeGreaterThan(1);
  // On the score: other cells hold entities, which filter.
  await rows.nth(1).getByRole('gridcell').nth(1).click();
  await page.getByRole('button', { name: 'Needs tuning' }).click();
  const dialog = page.getByRole('dialog', { name: 'Needs tuning' });
  await dialog.getByLabel('Comment').fill(comment);
  await dialog.getByRole('button', { name: 'Send request' }).click();
  await page.getByText('The engineers of this scope have been told').waitFor();
}

describe('rules and their runs', () => {
  it(
    '[S2-32][T-RULE-TUNING] an analyst asks to tune a rule, an engineer closes the request, looks at its ledger and runs it again',
    async () => {
      const comment = `The scanner does this every night ${Date.now()}`;
      const analyst = await visitAs('Security analyst');
      await askToTune(analyst.page, comment);
      expect(analyst.complaints).toEqual([]);
      await analyst.close();

      const engineer = await visitAs('Security engineer');
      const { page } = engineer;
      await goTo(page, '/rules/health?tab=tuning');
      const request = page.getByRole('row').filter({ hasText: comment });
      await request.getByRole('button', { name: 'Resolve' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Resolution').fill('An exception for the scanner');
      await dialog.getByRole('button', { name: 'Resolve' }).click();
      await page.getByText('Request resolved').waitFor();
      await request.waitFor({ state: 'detached' });

      await goTo(page, '/jobs/signals?sort=signals.desc');
      await page.getByRole('grid', { name: 'Signal runs' }).getByRole('row').nth(1).click();
      await page.getByRole('img', { name: /^Evaluated: .* Gaps: 0\. .* Signals: [1-9]/ }).waitFor();
      await page.getByRole('button', { name: 'Run again' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Run again' }).click();
      await page.getByText(/windows? waits? to run again/).waitFor();
      expect(engineer.complaints).toEqual([]);
      await engineer.close();
    },
    PATIENCE_MS,
  );
});
