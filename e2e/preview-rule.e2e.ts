import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { leaveRuleOff } from './rule-left-off.ts';
import { goTo, visitAs } from './visitor.ts';

const PATIENCE_MS = 240_000;

const ruleText = (title: string): string => `title: ${title}
status: test
level: high
logsource: {product: windows, category: process_creation}
detection:
  selection:
    CommandLine|contains: 'powershell'
  condition: selection
`;

/** Waits for the end; a demo that was made in this very minute lies before the next one, and is looked at again then. */
async function untilFound(page: Page): Promise<void> {
  const nothing = page.getByText('The rule would have raised nothing in this range.');
  const isThere = async () => {
    if (await nothing.isVisible()) await page.getByRole('button', { name: 'Run again' }).click();
    return page.getByRole('table', { name: 'Signals' }).isVisible();
  };
  await expect.poll(isThere, { timeout: 150_000, interval: 3_000 }).toBe(true);
  await page.getByText('Done', { exact: true }).waitFor();
}

describe('a rule before it is switched on', () => {
  it(
    '[T-RULE-PREVIEW][T-RETRO-HUNT] shows what it would have raised, with its events, and a retro-hunt is stopped',
    async () => {
      const title = `PowerShell ${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const ruleId = await leaveRuleOff(page, '/rules', ruleText(title));
      await goTo(page, `/rules/${ruleId}`);
      const section = page.getByRole('region', { name: 'Preview' });
      await section.getByRole('button', { name: 'Start preview' }).click();
      await page.waitForURL(/\/rules\/previews\/\w+/);
      const found = page.getByRole('region', { name: 'What it would have raised' });
      await untilFound(page);
      await found.getByRole('img').waitFor();
      expect(await found.getByRole('img').getAttribute('aria-label')).toMatch(/: [1-9]/);
      await page.getByRole('table', { name: 'Signals' }).getByText(title).first().waitFor();
      await page.getByRole('region', { name: 'Top entities' }).getByRole('listitem').first().waitFor();
      await page.getByRole('button', { name: 'Show sample events' }).click();
      const events = page.getByRole('table', { name: 'Sample events' });
      await events
        .getByText(/powershell/i)
        .first()
        .waitFor();
      const inFind = page.getByRole('link', { name: 'Open these events in Find' });
      expect(await inFind.getAttribute('href')).toContain('EventUid');
      // Nothing was raised, and the rule is still off.
      await found.getByRole('link', { name: 'Open the rule' }).click();
      await page.getByRole('switch', { name: `Switch ${title}`, checked: false }).waitFor();
      await section.getByRole('listitem').filter({ hasText: 'Done' }).waitFor();

      await goTo(page, `/rules?q=${encodeURIComponent(title)}`);
      await page.getByRole('grid', { name: 'Rules' }).getByText(title).waitFor();
      await page.getByRole('grid', { name: 'Rules' }).getByRole('checkbox').last().check();
      await page.getByRole('button', { name: 'Retro-hunt' }).click();
      const dialog = page.getByRole('dialog', { name: 'Retro-hunt with 1 rule' });
      await dialog.getByRole('button', { name: /^Time range/ }).click();
      await page.getByRole('button', { name: 'Last 90 days' }).click();
      await dialog.getByRole('button', { name: 'Start retro-hunt' }).click();
      // It waits while the first one is still measured, or has ninety days before it.
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('It was stopped. What was found up to then is shown.').waitFor();
      await page.getByRole('link', { name: 'Previews and retro-hunts' }).click();
      const list = page.getByRole('grid', { name: 'Previews and retro-hunts' });
      await list.getByRole('row').filter({ hasText: title }).filter({ hasText: 'Stopped' }).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
