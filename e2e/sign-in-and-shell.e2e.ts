import { logout } from '@tyrian/contract';
import { describe, expect, inject, it } from 'vitest';
import { pressOn, tabTo, typeSignIn } from './keyboard.ts';
import { callServer } from './start-journey-server.ts';
import {
  accountOf,
  goTo,
  openVisit,
  type Role,
  SIGNALS_LINK,
  sessionOf,
  visitAs,
  visitBySigningIn,
} from './visitor.ts';

// Signing in, where each role lands, what its menu shows, and leaving.

const LANDINGS: readonly [string, Role, RegExp][] = [
  ['S2-73', 'Organization administrator', /\/admin\/organizations\/list$/],
  ['S2-75', 'Tenant administrator', /\/(admin\/tenants\/list|dashboard)/],
  ['S2-76', 'Viewer', /\/dashboard$/],
  ['S2-78', 'Security analyst', /\/home\//],
  ['S2-78', 'Security engineer', /\/home\//],
  ['S2-70', 'No access', /no-access/],
];

describe('signing in', () => {
  it('[S8-06][S2-02] a wrong password is refused, in the server’s words', async () => {
    const server = inject('journeyServer');
    const visit = await openVisit();
    const { page } = visit;
    await page.goto(`${server.address}/#/auth/login`);
    await page.getByLabel('Email').fill(accountOf(server, 'Viewer').email);
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').first().waitFor();
    expect(page.url()).toContain('#/auth/login');
    await visit.close();
  });

  for (const [id, role, landing] of LANDINGS) {
    it(`[${id}] ${role} lands where the specification says`, async () => {
      const visit = await visitBySigningIn(role);
      await visit.page.waitForURL((url) => landing.test(url.hash.split('?')[0] ?? ''));
      await visit.page.getByRole('heading').first().waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    });
  }

  it('[S4-36][S2-118] logs out, and the session is gone', async () => {
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    const ended = page.waitForResponse((answer) => answer.url().endsWith('/lc/users/logout'));
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    expect((await ended).ok()).toBe(true);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visit.close();
  });

  it('[S4-37][S8-01] a session that ends under the hands comes back to the same page after sign-in, without a mouse', async () => {
    const server = inject('journeyServer');
    const visit = await visitAs('Security analyst');
    const { page } = visit;
    await goTo(page, '/incident/signals');
    const ssid = await sessionOf(page, () => page.reload());
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    const before = page.url();
    await tabTo(page, page.getByRole('button', { name: /^(Refresh|Reload)/ }).first());
    await callServer(`${server.address}${logout.path}`, logout.method, { ssid }, ssid);
    // The page may notice by itself, before the hand does.
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    const { email, password } = accountOf(server, 'Security analyst');
    await typeSignIn(page, email, password);
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    expect(page.url()).toBe(before);
    await visit.close();
  });
});

describe('the shell', () => {
  it('[S2-114][S6-03][S6-02] the menu of an analyst has what analysts may open, and nothing dead', async () => {
    const visit = await visitAs('Security analyst');
    const menu = visit.page.getByRole('navigation', { name: 'Main menu' });
    await menu.waitFor();
    for (const name of ['Dashboards', 'Find', 'Cases', 'Signals', 'Workbooks']) {
      await tabTo(visit.page, menu.getByRole('link', { name, exact: true }));
    }
    await pressOn(visit.page, visit.page.getByRole('button', { name: 'Skip to content' }));
    expect(await visit.page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true);
    expect(await menu.getByRole('link', { name: 'Manage components' }).count()).toBe(0);
    const targets = await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    expect(targets.length).toBeGreaterThan(4);
    for (const target of targets) {
      await visit.page.goto(`${inject('journeyServer').address}/${target}`);
      await visit.page.getByRole('heading').first().waitFor();
      expect(new URL(visit.page.url()).hash).not.toMatch(/\/(404|no-access)/);
    }
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });

  it('[S4-33] changing the scope keeps the page', async () => {
    const visit = await visitAs('Security engineer');
    const { page } = visit;
    await goTo(page, '/incident/signals');
    await page.getByRole('heading', { name: 'Signals' }).waitFor();
    const before = page.url();
    await page.getByRole('button', { name: /^Scope: Headquarters/ }).click();
    await page.getByRole('menuitem').filter({ hasNotText: 'Headquarters' }).first().click();
    await page.waitForURL((url) => url.href !== before && url.hash.includes('/incident/signals'));
    await visit.close();
  });

  it('[S9-05][S2-114] is a drawer on a phone', async () => {
    const visit = await visitAs('Security analyst', { width: 390, height: 844 });
    const { page } = visit;
    await pressOn(page, page.getByRole('button', { name: 'Collapse or expand the menu' }));
    const menu = page.getByRole('navigation', { name: 'Main menu' });
    await pressOn(page, menu.getByRole('link', { name: SIGNALS_LINK }));
    await page.waitForURL((url) => url.hash.includes('/incident/signals'));
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    expect(tooWide).toBe(false);
    await visit.close();
  });
});
