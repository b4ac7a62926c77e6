import { createCase } from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { chooseEntry, pressOn } from './keyboard.ts';
import { callAs } from './make-organization.ts';
import { forgetVisitors, goTo, scopeOf, sessionOf, visitAs } from './visitor.ts';

// Another cluster or scope, chosen with the keyboard on every kind of page: where one lands, and that nothing of the
// former scope is left in the address or on the screen.

afterAll(forgetVisitors);

const PATIENCE_MS = 240_000;
const ending = (page: Page) => new URL(page.url()).hash.replace(/^#\/[^/]+\/[^/]+/, '');

async function choose(page: Page, what: 'Tenant' | 'Scope'): Promise<void> {
  const button = page.getByRole('button', { name: new RegExp(`^${what}: `) });
  const here = (await button.getAttribute('aria-label'))?.replace(`${what}: `, '') ?? '';
  await pressOn(page, button);
  const others = page.getByRole('menuitem').filter({ hasNot: page.getByText(here, { exact: true }) });
  await chooseEntry(page, others.first());
}

/** Chooses another scope and waits until the page has loaded anew there; answers the scope that was left. */
async function move(page: Page, what: 'Tenant' | 'Scope') {
  const before = scopeOf(page);
  await page.evaluate(() => document.documentElement.setAttribute('data-before', ''));
  await choose(page, what);
  await page.waitForFunction(
    (left) =>
      !document.documentElement.hasAttribute('data-before') &&
      !window.location.hash.includes(left) &&
      window.location.hash.length > '#/'.length,
    what === 'Tenant' ? before.clusterId : before.scopeId,
  );
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  return before;
}

/** Whether anything of the scope left is in the address; a scope stays a scope of its own cluster. */
function expectNothingOf(page: Page, left: { clusterId: string; scopeId: string }, what: 'Tenant' | 'Scope') {
  expect(page.url()).not.toContain(left.scopeId);
  if (what === 'Tenant') expect(page.url()).not.toContain(left.clusterId);
}

const KINDS: readonly [kind: string, from: string, to: string][] = [
  ['a list with filters', '/incident/cases?status=all&handler=someone', '/incident/cases?status=all'],
  [
    'the queue of signals',
    '/incident/signals?view=all&from=now-7d&to=now&entity=%2Bsuspect%7Cuser%7Cann&signal=gone',
    '/incident/signals?view=all&from=now-7d&to=now',
  ],
  ['a workbook', '/workbook/edit/native-aws-trail-stopped', '/workbook'],
  ['a list of administration', '/system/token?q=edge', '/system/token?q=edge'],
  ['a view of all scopes', '/admin/global/signals?q=login', '/admin/global/signals?q=login'],
  ['a dashboard', '/dashboard', '/dashboard'],
];

describe.each(['Scope', 'Tenant'] as const)('another %s', (what) => {
  it(
    `[S4-33][S2-80] leads to the equivalent page of every kind (${what})`,
    async () => {
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      for (const [kind, from, to] of KINDS) {
        await goTo(page, from);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        const left = await move(page, what);
        const [path, query = ''] = to.split('?');
        expect([kind, ending(page).split('?')[0]]).toEqual([kind, path]);
        for (const part of query.split('&'))
          expect([kind, ending(page)]).toEqual([kind, expect.stringContaining(part)]);
        expect([kind, ending(page)]).toEqual([
          kind,
          expect.not.stringMatching(/handler|entity|signal=|native-aws/),
        ]);
        expectNothingOf(page, left, what);
      }
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );

  it(
    `[S4-33] leaves a case and its notes, and takes the text of a search along (${what})`,
    async () => {
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const scope = scopeOf(page);
      const name = `Only here ${Date.now()}`;
      const { case_id } = await callAs(
        await sessionOf(page, () => page.reload()),
        createCase,
        { clusterId: scope.clusterId },
        {
          scope_id: scope.scopeId,
          case_name: name,
        },
      );
      await goTo(page, `/incident/cases/${case_id}`);
      await page.getByRole('heading', { name: new RegExp(name), level: 1 }).waitFor();
      const left = await move(page, what);
      await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
      expect(ending(page)).toBe('/incident/cases');
      expectNothingOf(page, left, what);
      expect(page.url()).not.toContain(case_id);
      expect(await page.getByText(name).count()).toBe(0);

      await goTo(
        page,
        `/workbook/new?${new URLSearchParams({ query: 'ProcessEvent | take 3', from: 'now-24h', to: 'now', row: '1' })}`,
      );
      await page.getByRole('textbox', { name: 'KQL query' }).waitFor();
      const former = await move(page, what);
      await expect
        .poll(async () => (await page.locator('.cm-line').allTextContents()).join('\n'))
        .toBe('ProcessEvent | take 3');
      expect(ending(page)).toMatch(/^\/workbook\/new\?/);
      expect(ending(page)).not.toContain('row=');
      expectNothingOf(page, former, what);
      await visit.close();
    },
    PATIENCE_MS,
  );

  it(
    `[S4-33] asks before unsaved changes of a workbook are left, and stays for whoever stays (${what})`,
    async () => {
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      await goTo(page, '/workbook/new/blank?query=ProcessEvent');
      await page.getByRole('textbox', { name: /^Name/ }).fill('Not saved yet');
      const before = page.url();
      const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
      await choose(page, what);
      await pressOn(page, dialog.getByRole('button', { name: 'Stay' }));
      await dialog.waitFor({ state: 'detached' });
      expect(page.url()).toBe(before);
      expect(await page.getByRole('textbox', { name: /^Name/ }).inputValue()).toBe('Not saved yet');

      await page.evaluate(() => document.documentElement.setAttribute('data-before', ''));
      const left = scopeOf(page);
      await choose(page, what);
      await pressOn(page, dialog.getByRole('button', { name: 'Leave' }));
      await page.waitForFunction(() => !document.documentElement.hasAttribute('data-before'));
      await page.getByRole('heading', { name: 'Workbooks', level: 1 }).waitFor();
      expectNothingOf(page, left, what);
      await visit.close();
    },
    PATIENCE_MS,
  );
});

describe('another cluster on pages of the platform', () => {
  it(
    '[S4-33][S2-115] keeps pages that belong to no tenant, and those of one object of the platform',
    async () => {
      const visit = await visitAs('Root administrator');
      const { page } = visit;
      const { address } = inject('journeyServer');
      for (const path of [
        '/admin/clusters',
        '/admin/smtp',
        '/admin/switchboard',
        '/admin/components?q=api',
      ]) {
        await page.goto(`${address}/#${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await page.waitForURL((url) => url.hash.split('/').length > path.split('/').length);
        const left = scopeOf(page);
        await page.evaluate(() => document.documentElement.setAttribute('data-before', ''));
        await choose(page, 'Tenant');
        await page.waitForFunction(() => !document.documentElement.hasAttribute('data-before'));
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        expect(page.url()).toMatch(new RegExp(`${path.replace('?', '\\?')}$`));
        expect(page.url()).not.toContain(left.clusterId);
      }
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
