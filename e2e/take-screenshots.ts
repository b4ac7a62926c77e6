// `npm run screenshots`: pictures of the main screens, in dark and light, wide and narrow, for the README and for looking.
// Against a running server: --url, --email and --password of a security engineer of the demo, --out FOLDER, --all for
// every theme and width (without it only the pictures of the README).
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { accessDetails, addCaseNote, createCase, listCases, listSignals, login } from '@tyrian/contract';
import { chromium, type Page } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './find-browser.ts';
import { callServer, startJourneyServer } from './start-journey-server.ts';

const README_FOLDER = fileURLToPath(new URL('../docs/screenshots', import.meta.url));

const FIND =
  'ProcessEvent\n| where CommandLine has_any ("powershell", "cmd", "rundll32")\n' +
  '| project TimeGenerated, DvcHostname, ActorUsername, ProcessName, CommandLine';

const SCREENS: readonly { name: string; ending: string; prepare?: (page: Page) => Promise<void> }[] = [
  { name: 'home', ending: '/home/s/c' },
  {
    name: 'find',
    ending: `/workbook/new?from=now-24h&to=now&query=${encodeURIComponent(FIND)}`,
    prepare: async (page) => {
      await page.getByRole('textbox', { name: 'KQL query' }).click();
      await page.keyboard.press('Shift+Enter');
      await page
        .getByText(/\d rows?/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'signals',
    ending: '/incident/signals?from=now-24h&to=now',
    prepare: async (page) => {
      const row = page.getByRole('grid', { name: 'Signals' }).getByRole('row').nth(1);
      // On the score: other cells hold entities, which filter.
      if ((page.viewportSize()?.width ?? 0) > 1000) await row.getByRole('gridcell').nth(1).click();
    },
  },
  { name: 'cases', ending: '/incident/cases' },
  {
    name: 'case',
    ending: '/incident/cases',
    prepare: async (page) => {
      await page.getByRole('grid').getByRole('row').nth(1).click({ timeout: 5_000 });
    },
  },
  { name: 'workbooks', ending: '/workbook' },
  {
    name: 'workbook',
    ending: '/workbook',
    prepare: async (page) => {
      await page.getByRole('grid').getByRole('row').nth(1).click();
    },
  },
  { name: 'dashboard', ending: '/dashboard' },
  { name: 'settings', ending: '/settings' },
];

interface Target {
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

interface Listed<T> {
  readonly data: readonly T[];
  readonly total_count: number;
}

/** A case with the worst signals in it, when there is none to show yet; waits until the demo has raised some. */
async function ensureCase({ url, email, password }: Target): Promise<void> {
  const { SSID } = await callServer<{ SSID: string }>(url + login.path, 'POST', { emailId: email, password });
  const { access } = await callServer<{
    access: { clusterId: string; scope_access: { scope_id: string }[] }[];
  }>(url + accessDetails.path, 'GET', undefined, SSID);
  const clusterId = access[0]?.clusterId ?? '';
  const scope_id = access[0]?.scope_access[0]?.scope_id ?? '';
  const call = <T>(path: string, body: object) =>
    callServer<T>(url + path.replace(':clusterId', clusterId), 'POST', { scope_id, ...body }, SSID);
  if ((await call<Listed<unknown>>(listCases.path, {})).total_count > 0) return;
  const range = { start: Date.now() - 24 * 3_600_000, end: Date.now() };
  for (let wait = 0; wait < 60; wait++) {
    const signals = await call<Listed<{ signal_id: string; score: number }>>(listSignals.path, {
      ...range,
      pagesize: 200,
    });
    if (signals.total_count >= 40 || wait === 59) {
      const worst = [...signals.data].sort((a, b) => b.score - a.score).slice(0, 9);
      const made = await call<{ case_id: string }>(createCase.path, {
        case_name: 'Phishing, credential theft and lateral movement',
        severity: 'Critical',
        signal_ids: worst.map((signal) => signal.signal_id),
      });
      await call(addCaseNote.path, {
        case_id: made.case_id,
        notes: 'Isolated the first host.',
        tag_list: [],
      });
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  }
}

async function takeAll(target: Target, out: string, all: boolean): Promise<void> {
  mkdirSync(out, { recursive: true });
  await ensureCase(target);
  const found = await findBrowser();
  const browser = await chromium.launch({
    executablePath: found.executablePath,
    args: BROWSER_FLAGS,
    env: { ...(process.env as Record<string, string>), ...found.env },
  });
  const forms = all
    ? (['dark', 'light'] as const).flatMap((theme) => [
        { theme, width: 1440, height: 900 },
        { theme, width: 390, height: 844 },
      ])
    : [{ theme: 'dark' as const, width: 1440, height: 900 }];
  for (const { theme, width, height } of forms) {
    const page = await browser.newPage({
      viewport: { width, height },
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
    });
    const file = (name: string) => path.join(out, `${name}-${theme}-${width}.png`);
    await page.goto(`${target.url}/#/auth/login`);
    await page.getByLabel('Email').waitFor();
    await page.screenshot({ path: file('sign-in') });
    await page.getByLabel('Email').fill(target.email);
    await page.getByLabel('Password', { exact: true }).fill(target.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL((url) => !url.hash.startsWith('#/auth/login'));
    // The start page is still being found, and another way there would break that off.
    await page.waitForTimeout(2_000);
    if (theme === 'light') {
      await page.getByRole('button', { name: 'User menu' }).click();
      // The choice is kept for the user: the second width finds it made.
      await page.getByRole('menuitem', { name: / theme$/ }).waitFor();
      const light = page.getByRole('menuitem', { name: 'Light theme' });
      if ((await light.count()) > 0) await light.click();
      await page.keyboard.press('Escape');
    }
    const [, clusterId, scopeId] = new URL(page.url()).hash.split('/');
    for (const screen of SCREENS) {
      const ending = screen.ending.replace('/home/s/c', `/home/${scopeId}/${clusterId}`);
      await page.goto(`${target.url}/#/${clusterId}/${scopeId}${ending}`);
      await page.waitForTimeout(1_500);
      await screen
        .prepare?.(page)
        .catch((error: Error) => console.log(`${screen.name}: ${error.message.split('\n')[0]}`));
      await page.waitForTimeout(2_000);
      await page.screenshot({ path: file(screen.name) });
    }
    await page.close();
  }
  await browser.close();
}

const { values } = parseArgs({
  options: {
    url: { type: 'string' },
    email: { type: 'string' },
    password: { type: 'string' },
    out: { type: 'string', default: README_FOLDER },
    all: { type: 'boolean', default: false },
  },
});

if (values.url && values.email && values.password) {
  await takeAll({ url: values.url, email: values.email, password: values.password }, values.out, values.all);
} else {
  const { server, stop } = await startJourneyServer();
  const engineer = server.accounts.find((account) => account.role === 'Security engineer');
  try {
    if (engineer) await takeAll({ url: server.address, ...engineer }, values.out, values.all);
  } finally {
    await stop();
  }
}
