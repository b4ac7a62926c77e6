import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { makeOrganization, rootSession } from './make-organization.ts';
import { findExamples, ROLES, tourAs } from './page-tour.ts';
import { goTo, openVisit, signInAs, visitAs } from './visitor.ts';

// axe-core finds nothing serious or critical on the pages where analysts spend their day, in both themes.

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe-core looks at; only colours differ from one theme to the other. */
const EVERYTHING: RunOptions = { resultTypes: ['violations'] };
const COLOURS: RunOptions = { ...EVERYTHING, runOnly: ['color-contrast'] };

/** Serious and critical findings as `rule: element`. */
async function findingsOn(page: Page, options = EVERYTHING): Promise<readonly string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(
    (asked) =>
      (window as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }).axe.run(asked),
    options,
  );
  return violations
    .filter((finding) => finding.impact === 'serious' || finding.impact === 'critical')
    .flatMap((finding) => finding.nodes.map((node) => `${finding.id}: ${node.html.slice(0, 160)}`));
}

/** Many pages are read element by element, which takes its time on a busy machine. */
const PATIENCE_MS = 900_000;

type Step = readonly [ending: string, isThere: (page: Page) => Promise<void>];

const firstRow = (page: Page) => page.getByRole('grid').first().getByRole('row').nth(1);

const FOUND = `/workbook/new?from=now-24h&to=now&query=${encodeURIComponent('ProcessEvent | take 20')}`;

const PAGES: readonly Step[] = [
  ['/dashboard', (page) => page.getByRole('heading', { name: 'Events over time by stream' }).waitFor()],
  ['/incident/signals?from=now-24h&to=now', (page) => page.getByText('Top suspects').waitFor()],
  [
    '/incident/cases',
    async (page) => {
      await page.getByRole('heading', { name: 'Cases' }).waitFor();
      await page.getByRole('button', { name: 'Severity' }).first().click();
      await page.getByRole('menuitemcheckbox', { name: 'High' }).waitFor();
    },
  ],
  ['/workbook/new', (page) => page.getByRole('textbox', { name: 'KQL query' }).waitFor()],
  [
    FOUND,
    async (page) => {
      await firstRow(page).getByRole('gridcell').first().click();
      await page.getByRole('complementary', { name: 'Details of the row' }).waitFor();
    },
  ],
  [
    `${FOUND}&panel=history`,
    async (page) => {
      await page.getByRole('complementary', { name: 'Queries' }).waitFor();
      await page.getByRole('button', { name: 'Show plan' }).click();
      await page.getByRole('dialog').getByRole('tab', { name: 'SQL' }).waitFor();
    },
  ],
  ['/system/streamfieldaddition', (page) => firstRow(page).waitFor()],
  ['/change-password', (page) => page.getByRole('heading', { name: 'Sessions' }).waitFor()],
  ['/workbook', (page) => firstRow(page).waitFor()],
  [
    '/workbook',
    async (page) => {
      await firstRow(page).click();
      await page.getByRole('button', { name: /show all versions/ }).click();
    },
  ],
];

/** Addresses of what is administered; the last ones stand without the ids of a scope. */
const ADMINISTRATION: readonly Step[] = [
  ['/admin/clusters', (page) => firstRow(page).waitFor()],
  [
    '/admin/clusters',
    async (page) => {
      await firstRow(page).dblclick();
      await page.getByRole('tab', { name: 'Retention' }).waitFor();
    },
  ],
  ['/admin/components', (page) => firstRow(page).waitFor()],
  ['/admin/smtp', (page) => page.getByRole('button', { name: 'Send test email' }).waitFor()],
  ['/admin/switchboard', (page) => page.getByText('All tenants').first().waitFor()],
  ['!/admin/jobs', (page) => page.getByRole('heading', { name: 'Jobs' }).waitFor()],
  ['!/admin/organizations/list?view=audit', (page) => firstRow(page).waitFor()],
  [
    '!/admin/organizations/list',
    async (page) => {
      await page.getByRole('row').filter({ hasText: 'Halden' }).first().dblclick();
      await page.getByRole('tab', { name: 'Sign-in' }).click();
      await page.getByText('Assertion consumer service').first().waitFor();
    },
  ],
  [
    '!/admin/tenants/list',
    async (page) => {
      await page.getByRole('row').filter({ hasText: 'Halden' }).first().dblclick();
      await page.getByRole('button', { name: 'Add user' }).click();
      await page.getByRole('dialog').getByLabel('User').waitFor();
    },
  ],
];

/** Pages with tables that are wider than a phone. */
const NARROW: readonly Step[] = [
  ['/admin/switchboard', (page) => page.getByText('All tenants').first().waitFor()],
  [
    '/admin/clusters',
    async (page) => {
      await firstRow(page).dblclick();
      await page.getByRole('tab', { name: 'Retention' }).click();
      await page.getByRole('table', { name: 'Event retention' }).waitFor();
    },
  ],
];

/** What opens over a page, and the button that opens it. */
const OPENERS: readonly (readonly [ending: string, button: string])[] = [
  ['/incident/cases', 'New case'],
  ['/incident/cases', 'Saved filters'],
  ['/incident/cases', 'Severity'],
  ['/incident/cases', 'User menu'],
  ['/incident/cases', 'Choose columns'],
  ['/incident/signals', 'Notifications'],
  ['/incident/signals', 'Time range'],
  ['/incident/signals', 'Keyboard shortcuts'],
  ['/incident/signals', 'Scope'],
];

/** Shows the page in a theme, as the user's setting does. */
const paint = (page: Page, theme: 'dark' | 'light') =>
  page.evaluate((name) => document.documentElement.setAttribute('data-mantine-color-scheme', name), theme);

/** Both themes, one after the other: loading the pages is what takes the time. */
async function expectNothingOn(page: Page, steps: readonly Step[]): Promise<void> {
  for (const [ending, isThere] of steps) {
    if (ending.startsWith('!')) await page.goto(`${inject('journeyServer').address}/#${ending.slice(1)}`);
    else await goTo(page, ending);
    await isThere(page);
    for (const theme of ['dark', 'light'] as const) {
      await paint(page, theme);
      // A page that is still fading in has pale text; a real fault stays.
      const options = theme === 'dark' ? EVERYTHING : COLOURS;
      await expect
        .poll(() => findingsOn(page, options), {
          timeout: 15_000,
          interval: 500,
          message: `${ending}, ${theme}`,
        })
        .toEqual([]);
    }
    await paint(page, 'dark');
    await page.keyboard.press('Escape');
  }
}

// First: other files of journeys take turns with it, and do not wait when it is done early.
describe('the log of the browser', () => {
  takeTurns('what stands in lists of administration and workbooks');

  it(
    '[R-C44] holds no error, no warning and no refused call when every role has opened every page, tab, menu and dialog',
    async () => {
      const examples = await findExamples();
      const opened = new Set<string>();
      const waiting = [...ROLES];
      const logs: string[] = [];
      const walk = async () => {
        for (let role = waiting.shift(); role; role = waiting.shift()) {
          logs.push(...(await tourAs(role, examples, opened)));
        }
      };
      await Promise.all([walk(), walk(), walk()]);
      expect(logs).toEqual([]);
    },
    PATIENCE_MS,
  );
});

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

  it(
    'the pages of an analyst',
    async () => {
      // Somebody whose theme no other journey changes meanwhile.
      const { email, password } = await makeOrganization('Themes Ltd', await rootSession());
      const visit = await openVisit();
      await signInAs(visit.page, inject('journeyServer').address, email, password);
      await expectNothingOn(visit.page, PAGES);
      await visit.close();
    },
    PATIENCE_MS,
  );

  it(
    'the pages of administration',
    async () => {
      const visit = await visitAs('Root administrator');
      await expectNothingOn(visit.page, ADMINISTRATION);
      await visit.close();
    },
    PATIENCE_MS,
  );

  it('tables that are wider than a phone', async () => {
    const visit = await visitAs('Root administrator', { width: 390, height: 844 });
    await expectNothingOn(visit.page, NARROW);
    await visit.close();
  });

  it('dialogs and menus give the focus back to the button that opened them', async () => {
    const { page, close } = await visitAs('Security analyst');
    let shown = '';
    const opened = page.locator('[role=dialog]:visible, [role=menu]:visible').first();
    for (const [ending, name] of OPENERS) {
      if (ending !== shown) await goTo(page, ending);
      shown = ending;
      const button = page.getByRole('button', { name, exact: false }).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await opened.waitFor();
      // What has just opened takes no key yet.
      const isClosed = async () => {
        if (await opened.isVisible()) await page.keyboard.press('Escape');
        return opened.isHidden();
      };
      await expect.poll(isClosed, { timeout: 30_000, interval: 300, message: name }).toBe(true);
      await expect
        .poll(() => button.evaluate((element) => element === document.activeElement), { message: name })
        .toBe(true);
    }
    await close();
  });
});
