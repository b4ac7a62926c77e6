import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { leaveRuleOff } from './rule-left-off.ts';
import { visitAs } from './visitor.ts';

const PATIENCE_MS = 240_000;

/** A rule of a technique that nothing else here has a rule for. */
const ruleText = (title: string): string => `title: ${title}
level: low
tags: [attack.t1200]
logsource: {product: linux}
detection:
  seen: ['${title}']
  condition: seen
`;

/** Saves what the page shows as a layer, under a name of its own; answers the file. */
async function exportAs(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Layers' }).click();
  const dialog = page.getByRole('dialog', { name: 'Layers' });
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Export as layer' }).click(),
  ]);
  const layer = JSON.parse(readFileSync(await download.path(), 'utf8'));
  expect(layer).toMatchObject({ domain: 'enterprise-attack', versions: { layer: '4.5' } });
  const file = path.join(os.tmpdir(), `${name}.json`);
  writeFileSync(file, JSON.stringify({ ...layer, name }));
  return file;
}

describe('the page of ATT&CK', () => {
  it(
    '[S2-59] shows a technique with its rules, gives its layer away and takes it back, and is compared with a group',
    async () => {
      const name = `Ours ${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      await leaveRuleOff(page, '/mitre_attack', ruleText(name));
      await page.getByText(/of 2\d\d techniques watched/).waitFor();
      await page.getByRole('textbox', { name: 'Search techniques and rules' }).fill('T1059');
      await page.getByRole('button', { name: /^T1059 Command and Scripting Interpreter/ }).click();
      const panel = page.getByRole('complementary', { name: 'Technique' });
      await panel.getByText('T1059 Command and Scripting Interpreter').waitFor();
      await panel.getByRole('list').first().waitFor();
      expect(page.url()).toContain('technique=T1059');
      await panel.getByRole('tab', { name: 'About' }).click();
      await panel.getByText('T1059.001 PowerShell').click();
      await panel.getByText('Sub-technique of').waitFor();
      await panel.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('button', { name: 'Clear filters' }).click();

      const file = await exportAs(page, name);
      const dialog = page.getByRole('dialog', { name: 'Layers' });
      await dialog.locator('input[type=file]').setInputFiles(file);
      // Other journeys switch rules and send events meanwhile; attack-layers.test.ts holds that a layer comes back equal.
      await page.getByText(new RegExp(`(Nothing differs from|Since) ${name}`)).waitFor();

      await page.getByRole('combobox', { name: 'Compare with' }).fill('Cozy Bear');
      await page.getByRole('option', { name: /^APT29 \(G0016\)/ }).click();
      await page.getByText(/APT29: \d+ of \d+ techniques watched/).waitFor();
      expect(page.url()).toContain('against=actor%3AG0016');

      await page.getByText('What would cover more').first().click();
      const gap = page.getByRole('article').filter({ hasText: name });
      await gap.getByText(/Techniques that would be watched: \d+/).waitFor();
      await gap.getByRole('button', { name: 'T1200 Hardware Additions' }).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
