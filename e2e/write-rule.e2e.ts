import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo, visitAs } from './visitor.ts';

const PATIENCE_MS = 240_000;

/** The editor with a text in place of what it holds. */
async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByTestId('sigma-editor');
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  // As pasted: what is typed is indented and closed by the editor.
  await page.keyboard.insertText(text);
}

async function save(page: Page, comment: string, version: number): Promise<void> {
  await page.keyboard.press('ControlOrMeta+s');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Comment').fill(comment);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText(`Saved as version ${version}`).first().waitFor();
  await dialog.waitFor({ state: 'hidden' });
}

const ruleText = (title: string, detection: string): string => `title: ${title}
status: test
level: high
logsource:
    product: windows
    category: process_creation
detection:
    selection:
        ${detection}
    condition: selection
`;

describe('a rule of our own', () => {
  it(
    '[T-own-rules] is written with a mistake that is shown in place, mended, saved, compared and reverted',
    async () => {
      const title = `Whoami ${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      await goTo(page, '/rules');
      await page.getByRole('link', { name: 'New rule' }).click();
      await page.getByTestId('sigma-editor').waitFor();
      await write(page, ruleText(title, "Image|endwith: '\\whoami.exe'"));
      const side = page.getByRole('complementary', { name: 'What the rule does' });
      await side.getByText('The modifier "endwith" is unknown').waitFor();
      // The place is underlined, and the linter has its say beside.
      await page.locator('.cm-lintRange-error').first().waitFor();
      await side.getByText('The rule has no id: give it a new UUID').waitFor();
      // What does not compile is not saved.
      await page.keyboard.press('ControlOrMeta+s');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog').getByText('The rule does not compile and was not saved').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await write(page, ruleText(title, "Image|endswith: '\\whoami.exe'"));
      await side.getByRole('status').getByText('Runs').waitFor();
      await side.getByText('ProcessName').first().waitFor();
      await page.getByTestId('sigma-editor').click();
      await save(page, 'First', 1);
      await page.waitForURL(/\/rules\/sigma-.*\/edit/);
      await write(page, ruleText(title, "Image|endswith: '\\whoami.exe'\n        User|contains: 'svc'"));
      await page.getByText('Not saved').waitFor();
      await save(page, 'Only service accounts', 2);
      await page.getByRole('button', { name: 'Versions (2)' }).click();
      const panel = page.getByRole('complementary', { name: 'Versions' });
      await panel.getByRole('button', { name: /v1.*First/s }).click();
      await panel.locator('[data-kind=added]').getByText("User|contains: 'svc'").waitFor();
      await panel.getByRole('button', { name: 'Revert to version 1' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revert to version 1' }).click();
      await page.getByText('Version 1 is back, as version 3').first().waitFor();
      await panel.getByRole('button', { name: /v3.*Back to version 1/s }).waitFor();
      expect(await page.getByTestId('sigma-editor').innerText()).not.toContain('svc');
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );

  it(
    '[T-draft] is drafted from events that are selected in Find, opened in the editor and saved',
    async () => {
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const query = encodeURIComponent('ProcessEvent | where CommandLine contains "comsvcs.dll"');
      await goTo(page, `/workbook/new?from=now-7d&to=now&query=${query}`);
      const results = page.getByRole('grid', { name: 'Results' });
      await results.getByRole('checkbox', { name: 'Select row 1', exact: true }).check();
      // The space bar does the same for the row under the cursor.
      await results.focus();
      await page.keyboard.press('Space');
      await page.getByRole('toolbar', { name: 'Selected events' }).waitFor({ state: 'hidden' });
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Draft a rule (1)' }).click();
      const dialog = page.getByRole('dialog', { name: 'Draft a rule from one event' });
      await dialog.getByText('Matches the selected event').waitFor();
      await dialog.getByRole('tab', { name: 'KQL' }).click();
      await dialog.locator('pre').getByText('ProcessEvent').waitFor();
      await dialog.getByRole('tab', { name: 'Sigma' }).click();
      // Another condition is verified with the rest.
      await dialog.getByRole('checkbox', { name: 'ParentProcessName ends with \\powershell.exe' }).check();
      await dialog.locator('pre:has-text("ParentImage|endswith")').waitFor();
      await dialog.getByText('Matches the selected event').waitFor();
      await dialog.getByRole('button', { name: 'Open in the editor' }).click();
      await page.getByTestId('sigma-editor').getByText('Draft From One ProcessEvent Event').first().waitFor();
      const side = page.getByRole('complementary', { name: 'What the rule does' });
      await side.getByRole('status').getByText('Runs').waitFor();
      await page.getByTestId('sigma-editor').click();
      await save(page, 'Drafted', 1);
      await page.waitForURL(/\/rules\/sigma-.*\/edit/);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
