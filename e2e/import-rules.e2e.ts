import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { sendSeenEvent, untilSignalShows } from './raise-signal.ts';
import { goTo, visitAs } from './visitor.ts';

/** Rules that run every minute take their time on a busy machine. */
const PATIENCE_MS = 600_000;

/** Of one attempt: another begins anew. */
let WORD = '';

const rule = (title: string, detection: string): string =>
  `title: ${title}
author: A Researcher
license: DRL 1.1
level: critical
tags: [attack.execution, attack.t1059]
logsource: {product: linux}
detection:
  seen:
    ${detection}
  condition: seen
`;

/** A folder of rules: one that runs, one that misses a field, one that is no rule. */
function folderOfRules(): string {
  const folder = path.join(mkdtempSync(path.join(os.tmpdir(), 'tyrian-rules-')), `hunt-${WORD}`);
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'runs.yml'), rule(`Seen ${WORD}`, `- '${WORD}'`));
  writeFileSync(path.join(folder, 'field.yml'), rule(`Blind ${WORD}`, "NoSuchField: 'x'"));
  writeFileSync(path.join(folder, 'broken.yml'), 'title: "');
  return folder;
}

async function chooseFolder(page: Page, folder: string): Promise<Locator> {
  await goTo(page, '/rules');
  await page.getByRole('button', { name: 'Import rules' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Import rules' });
  await dialog.locator('input[webkitdirectory]').setInputFiles(folder);
  await dialog.getByText('3 files').waitFor();
  return dialog;
}

async function importFolder(page: Page, folder: string): Promise<void> {
  const dialog = await chooseFolder(page, folder);
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText(`hunt-${WORD} is imported`).waitFor({ timeout: 120_000 });
  const verdicts = dialog.getByRole('list', { name: 'Verdict' });
  expect(await verdicts.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Runs\s*1/),
    expect.stringMatching(/Missing field\s*1/),
    expect.stringMatching(/Invalid\s*1/),
  ]);
  await dialog.getByText('3 new').waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
}

async function switchOnWithException(page: Page): Promise<void> {
  await goTo(page, `/rules?q=${WORD}&verdict=runs`);
  await page.getByRole('grid', { name: 'Rules' }).getByText(`Seen ${WORD}`).click();
  await page.getByText('By A Researcher. License: DRL 1.1').waitFor();
  await page.getByRole('button', { name: 'Add exception' }).click();
  await page.getByLabel('Values').first().fill('nobody');
  await page.keyboard.press('Enter');
  await page.getByLabel('Stage').first().click();
  await page.getByRole('option', { name: 'Prod' }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('where not(tostring(ActorUsername) =~ "nobody")').waitFor();
  await page.getByRole('switch', { name: `Switch Seen ${WORD}` }).press('Space');
  await page.getByText('Rules switched on: 1').waitFor();
}

/** Two events beside the rule: one that it has to match, one that it must not. */
async function addSamples(page: Page): Promise<void> {
  const section = page.getByRole('region', { name: 'Samples' });
  for (const [name, expected, event] of [
    ['Seen', 'Matches', `sshd[7]: ${WORD} was seen`],
    ['Another word', 'Does not match', 'sshd[7]: nothing was seen'],
  ] as const) {
    await section.getByRole('button', { name: 'Add sample' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add sample' });
    await dialog.getByLabel('Sample').fill(name);
    await dialog.getByRole('combobox', { name: 'Expected' }).click();
    await page.getByRole('option', { name: expected, exact: true }).click();
    await dialog.getByLabel('Events').fill(event);
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await section.getByRole('button', { name, exact: true }).waitFor();
  }
  await section.getByText('Passed').waitFor();
  await section.getByText('Did not match, as expected').waitFor();
}

/** What the rule would have raised, before it is switched on. */
async function previewRule(page: Page): Promise<void> {
  await goTo(page, `/rules?q=${WORD}&verdict=runs`);
  await page.getByRole('grid', { name: 'Rules' }).getByText(`Seen ${WORD}`).click();
  const section = page.getByRole('region', { name: 'Preview' });
  await section.getByRole('button', { name: 'Start preview' }).click();
  await page.waitForURL(/\/rules\/previews\/\w+/);
  await page.getByText('The rule would have raised nothing in this range.').waitFor({ timeout: 120_000 });
}

/** Suppresses signals like the one that is shown, for a host that it names. */
async function suppressSignal(page: Page, signal: Locator): Promise<void> {
  await signal.click();
  const flyout = page.getByRole('complementary', { name: 'Signal' });
  await flyout.getByRole('button', { name: 'Suppress' }).click();
  const dialog = page.getByRole('dialog', { name: 'Suppress signals' });
  await dialog.getByLabel('Reason').fill('Our canary');
  await dialog.getByText('Would have suppressed').waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Suppression rule saved').waitFor();
}

/** Waits until the rule of suppression has a hit, and looks at what it suppressed. */
async function untilHitShows(page: Page): Promise<void> {
  const hit = page.getByRole('row').filter({ hasText: `Seen ${WORD}` });
  const isThere = async () => {
    await goTo(page, '/system/signalsuppression?tab=signals');
    // Rules run every minute.
    return hit
      .first()
      .waitFor({ timeout: 5_000 })
      .then(() => true)
      .catch(() => false);
  };
  await expect.poll(isThere, { timeout: 200_000, interval: 1_000 }).toBe(true);
}

/** The pack comes again with a better rule; the update is compared and taken. */
async function updatePack(page: Page, folder: string): Promise<void> {
  writeFileSync(path.join(folder, 'runs.yml'), rule(`Seen ${WORD}`, `- 'seen ${WORD}'`));
  const dialog = await chooseFolder(page, folder);
  await dialog.getByLabel('Review first').check();
  await dialog.getByRole('button', { name: 'Import', exact: true }).click();
  await dialog.getByText(`hunt-${WORD} waits for a review`).waitFor({ timeout: 120_000 });
  await dialog.getByRole('link', { name: /Review the changes/ }).click();
  const updates = page.getByRole('grid', { name: 'Content updates' });
  await updates.getByRole('button', { name: `Seen ${WORD}` }).click();
  const update = page.getByRole('dialog', { name: `Seen ${WORD}` });
  await update.getByText('Your exceptions, threshold, level, stage and schedule stay.').waitFor();
  await update.getByRole('cell', { name: `- 'seen ${WORD}'` }).waitFor();
  await update.getByRole('button', { name: 'Take' }).click();
  await page.getByText('Updates taken: 1').waitFor();
}

describe('rules of others', () => {
  it(
    '[T-rules][T-RULE-PREVIEW] are imported from a folder, judged, previewed, staged with an exception, raise a signal, are suppressed and updated',
    async () => {
      WORD = `canary${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const folder = folderOfRules();
      await importFolder(page, folder);
      await page.getByRole('textbox', { name: 'Search rules' }).fill(`Blind ${WORD}`);
      // The list follows the typing after a moment.
      await page.getByText('All matching rules: 1').waitFor();
      await page.getByRole('grid', { name: 'Rules' }).getByText(`Blind ${WORD}`).click();
      await page.getByText('NoSuchField: no event has Ext.NoSuchField').waitFor();
      await previewRule(page);
      await switchOnWithException(page);
      await addSamples(page);
      const sendAgain = await sendSeenEvent(page, WORD);
      await suppressSignal(page, await untilSignalShows(page, `Seen ${WORD}`));
      await sendAgain();
      await untilHitShows(page);
      await updatePack(page, folder);
      await goTo(page, `/rules?q=${WORD}&verdict=runs`);
      await page.getByRole('grid', { name: 'Rules' }).getByText(`Seen ${WORD}`).click();
      // The update is there, and what the scope has changed.
      await page.getByText(`seen ${WORD}`).first().waitFor();
      await page.getByText('where not(tostring(ActorUsername) =~ "nobody")').waitFor();
      expect(await page.getByRole('switch', { name: `Switch Seen ${WORD}` }).isChecked()).toBe(true);
      expect(await page.getByLabel('Stage').first().inputValue()).toBe('Prod');
      expect(visit.complaints).toEqual([]);
      await visit.close();
      rmSync(path.dirname(folder), { recursive: true, force: true });
    },
    PATIENCE_MS,
  );
});
