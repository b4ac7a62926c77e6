import { appendFileSync } from 'node:fs';
import {
  type BrowserContext,
  chromium,
  type Page,
  type Browser as PlaywrightBrowser,
  type Request,
} from 'playwright-core';
import { inject, onTestFailed } from 'vitest';
import { BROWSER_FLAGS, findBrowser } from './find-browser.ts';
import type { JourneyServer } from './start-journey-server.ts';

// Somebody with a browser. Visitors at the same time share no storage. Who has signed in with a role comes back signed
// in, as people do who open a new tab: most of a run would go to signing in. The browser ends with its process.

export interface Visit {
  readonly page: Page;
  /** What the page complained about: uncaught errors and failed calls of the server (5xx). */
  readonly complaints: string[];
  /** All that the browser's log of the visit holds: errors and warnings, and calls that were refused. */
  readonly log: string[];
  close(): Promise<void>;
}

export type Role =
  | 'Root administrator'
  | 'Root viewer'
  | 'Organization administrator'
  | 'Content manager'
  | 'Tenant administrator'
  | 'Security engineer'
  | 'Security analyst'
  | 'Viewer'
  | 'No access';

let browser: PlaywrightBrowser | undefined;

/** The one browser of the worker. */
async function theBrowser(): Promise<PlaywrightBrowser> {
  if (!browser) {
    const { executablePath, env } = await findBrowser();
    browser = await chromium.launch({
      executablePath,
      args: BROWSER_FLAGS,
      env: { ...(process.env as Record<string, string>), ...env },
    });
  }
  return browser;
}

/** The menu's link to the queue; it also tells how many signals are new, e.g. `Signals, 7 new`. */
export const SIGNALS_LINK = /^Signals(, |$)/;

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
}

/** A browser of somebody new: nothing stored, nobody signed in. */
export async function openVisit(options: VisitOptions = {}): Promise<Visit> {
  const context = await newContext();
  return openPage(context, options, () => context.close());
}

async function newContext(): Promise<BrowserContext> {
  const context = await (await theBrowser()).newContext({
    locale: 'en-US',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    acceptDownloads: true,
  });
  // The file dialog belongs to the desktop and nobody drives it here; without it an export is an ordinary download.
  await context.addInitScript('delete window.showSaveFilePicker');
  return context;
}

/** Session ids, passwords and tokens of a request; the end of the run looks for them in the server's log. */
function writeDownSecrets(request: Request): void {
  const texts = [request.headers().ssid ?? ''];
  const body = request.postData() ?? '';
  for (const [, , value] of body.matchAll(/"([\w-]*(?:password|token|otp|secret)[\w-]*)":"([^"\\]+)"/gi)) {
    texts.push(value ?? '');
  }
  const secrets = texts.filter((text) => text.length >= 8);
  if (secrets.length > 0) appendFileSync(inject('journeyServer').secretsFile, `${secrets.join('\n')}\n`);
}

async function openPage(
  context: BrowserContext,
  options: VisitOptions,
  leave: (page: Page) => Promise<void>,
): Promise<Visit> {
  const page = await context.newPage();
  await page.setViewportSize({ width: options.width ?? 1440, height: options.height ?? 900 });
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('request', (request) => writeDownSecrets(request));
  page.on('pageerror', (error) => complaints.push(String(error)));
  const log: string[] = [];
  page.on('pageerror', (error) => log.push(String(error)));
  page.on('console', (message) => {
    const type = message.type();
    // A refused call is logged by its address below.
    const isTold = /^Failed to load resource/.test(message.text());
    if ((type === 'error' || type === 'warning') && !isTold) log.push(`${type}: ${message.text()}`);
  });
  page.on('response', (answer) => {
    const said = `${answer.status()} ${answer.request().method()} ${answer.url()}`;
    if (answer.status() >= 500) complaints.push(said);
    if (answer.status() >= 400) log.push(said);
  });
  let isOpen = true;
  onTestFailed(async () => {
    if (isOpen) process.stderr.write(await whatIsSeen(page, complaints));
    // Nobody comes back in a browser that a failure has closed.
    for (const [role, kept] of signedIn) if (kept === context) signedIn.delete(role);
    await context.close();
  });
  const close = async () => {
    isOpen = false;
    await leave(page);
  };
  return { page, complaints, log, close };
}

/** Where a failed journey stood: the address, what the page complained about, and the words on the page. */
async function whatIsSeen(page: Page, complaints: readonly string[]): Promise<string> {
  const text = await page.evaluate(() => document.body.innerText).catch(String);
  const words = text.replace(/\s*\n\s*/g, ' | ').slice(0, 8000);
  return `${page.url()}\n${complaints.join('\n')}\n${words}\n`;
}

/** Types email and password into the sign-in page and waits until the page where the user lands stands. */
export async function signInAs(page: Page, address: string, email: string, password: string): Promise<void> {
  await page.goto(`${address}/#/auth/login`);
  await submitSignIn(page, email, password);
}

/**
 * The same on a sign-in page that is open already. A page that is still to be reloaded, or still on its way from
 * `#/` to where the role lands, would undo a later `goto`.
 */
export async function submitSignIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.evaluate(() => document.documentElement.setAttribute('data-before-sign-in', ''));
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForFunction(
    () =>
      !document.documentElement.hasAttribute('data-before-sign-in') &&
      window.location.hash.length > '#/'.length &&
      !window.location.hash.startsWith('#/auth/login'),
  );
  await page.getByRole('heading').first().waitFor();
  await acceptAgreements(page);
}

/** At the first sign-in of an account: accepts what stands before everything else, and waits for the page behind. */
async function acceptAgreements(page: Page): Promise<void> {
  const due = () => /\/privacy\/(eula|policy)$/.exec(page.url())?.[1];
  for (let shown = due(); shown; shown = due()) {
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForFunction((before) => !window.location.hash.endsWith(`/privacy/${before}`), shown);
    await page.getByRole('heading').first().waitFor();
  }
}

export function accountOf(server: JourneyServer, role: Role) {
  if (role === 'Root administrator') return server.root;
  const account = server.accounts.find((candidate) => candidate.role === role);
  if (!account)
    throw new Error(`the demo has no ${role}: ${server.accounts.map((one) => one.role).join(', ')}`);
  return account;
}

/** Browsers that a role has signed in with and nobody uses now. */
const signedIn = new Map<Role, BrowserContext>();

/** Where a role lands when it signs in, as the beginning of the address. */
const homes = new Map<Role, string>();
const placeOf = (page: Page) => Object.values(scopeOf(page)).join('/');

/** A visit that is signed in with a role of the demo, at the page where the role lands. */
export async function visitAs(role: Role, options: VisitOptions = {}): Promise<Visit> {
  const server = inject('journeyServer');
  const { email, password } = accountOf(server, role);
  const visit = await openAs(role, options);
  if (!visit.isKnown) {
    await signInAs(visit.page, server.address, email, password);
    homes.set(role, placeOf(visit.page));
    return visit;
  }
  await land(visit.page, server.address);
  if (placeOf(visit.page) === homes.get(role)) return visit;
  // An earlier journey has left its browser in another scope.
  await visit.page.context().close();
  return visitAs(role, options);
}

async function openAs(role: Role, options: VisitOptions): Promise<Visit & { readonly isKnown: boolean }> {
  const known = signedIn.get(role);
  // Taken: whoever comes with the same role meanwhile has another browser, and so has the next one after a failure.
  signedIn.delete(role);
  const context = known ?? (await newContext());
  const visit = await openPage(context, options, async (page) => {
    const isSignedOut = page.url().includes('#/auth/');
    if (isSignedOut || signedIn.has(role)) return context.close();
    await page.close();
    signedIn.set(role, context);
  });
  return { ...visit, isKnown: known !== undefined };
}

/** Who comes next signs in anew: after journeys that leave browsers in another scope, or with other settings. */
export async function forgetVisitors(): Promise<void> {
  const contexts = [...signedIn.values()];
  signedIn.clear();
  await Promise.all(contexts.map((context) => context.close()));
}

/** A visit that signs in now, with a browser of somebody new. */
export async function visitBySigningIn(role: Role): Promise<Visit> {
  await signedIn.get(role)?.close();
  signedIn.delete(role);
  return visitAs(role);
}

/** Opens the console and waits for the page where the role lands. */
async function land(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/`);
  await page.waitForFunction(() => window.location.hash.length > '#/'.length);
  await page.getByRole('heading').first().waitFor();
}

/** Cluster and scope in the address of the page. */
export function scopeOf(page: Page): { clusterId: string; scopeId: string } {
  const [, clusterId = '', scopeId = ''] = new URL(page.url()).hash.split('/');
  return { clusterId, scopeId };
}

/** Goes to a path ending in the scope of the page. */
export async function goTo(page: Page, ending: string): Promise<void> {
  const { clusterId, scopeId } = scopeOf(page);
  await page.goto(`${inject('journeyServer').address}/#/${clusterId}/${scopeId}${ending}`);
}

/** The session id of the page, from the first call that it makes because of `act`. */
export async function sessionOf(page: Page, act: () => Promise<unknown>): Promise<string> {
  const asked = page.waitForRequest((request) => Boolean(request.headers().ssid));
  await act();
  return (await asked).headers().ssid ?? '';
}

/** Opens an entry of the left menu. */
export async function openEntry(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { level: 1 }).first().waitFor();
}

/** The first row of a list that holds the text. */
export const rowWith = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text }).first();
