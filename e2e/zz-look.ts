import { mkdirSync, readFileSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { BROWSER_FLAGS, findBrowser } from './find-browser.ts';
import { startJourneyServer } from './start-journey-server.ts';

const out = '/tmp/look-samples';
mkdirSync(out, { recursive: true });
const { server, stop } = await startJourneyServer();
console.log(server.address);
const found = await findBrowser();
const browser = await chromium.launch({ executablePath: found.executablePath, args: BROWSER_FLAGS, env: { ...(process.env as Record<string, string>), ...found.env } });
const signIn = async (role: string, width: number, height: number): Promise<Page> => {
  const account = server.accounts.find((one) => one.role === role);
  const page = await browser.newPage({ viewport: { width, height }, reducedMotion: 'reduce', timezoneId: 'UTC' });
  page.on('console', (message) => message.type() === 'error' && console.log('console', message.text().slice(0, 300)));
  page.on('pageerror', (error) => console.log('pageerror', error.message));
  await page.goto(`${server.address}/#/auth/login`);
  await page.getByLabel('Email').fill(account?.email ?? '');
  await page.getByLabel('Password', { exact: true }).fill(account?.password ?? '');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.hash.startsWith('#/auth/login'));
  await page.waitForTimeout(3000);
  return page;
};
const at = (page: Page) => { const [, c, s] = new URL(page.url()).hash.split('/'); return `${server.address}/#/${c}/${s}`; };
const shot = async (page: Page, name: string) => { await page.waitForTimeout(1500); await page.screenshot({ path: `${out}/${name}.png` }); console.log('shot', name); };
const step = async (name: string, work: () => Promise<void>) => { try { await work(); } catch (error) { console.log('FAILED', name, (error as Error).message.slice(0, 600)); } };
try {
  const page = await signIn('Security engineer', 1440, 900);
  const base = at(page);
  await step('import', async () => {
    await page.goto(`${base}/rules`);
    await page.getByRole('button', { name: 'Import rules' }).first().click();
    const dialog = page.getByRole('dialog', { name: 'Import rules' });
    await dialog.locator('input[webkitdirectory]').setInputFiles('/tmp/look-rules');
    await dialog.getByRole('button', { name: 'Import', exact: true }).click();
    await dialog.getByText('is imported').waitFor({ timeout: 120000 });
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await shot(page, 'list-dark-1440');
  });
  let rule = '';
  await step('rule', async () => {
    await page.goto(`${base}/rules?samples=failed`);
    await page.getByRole('grid', { name: 'Rules' }).getByText('Misses its sample').click();
    await page.getByRole('region', { name: 'Samples' }).scrollIntoViewIfNeeded();
    rule = page.url();
    await shot(page, 'rule-dark-1440');
    await page.getByRole('button', { name: 'Add sample' }).click();
    await page.getByLabel('Events').fill('sshd[7]: hello');
    await shot(page, 'dialog-dark-1440');
    await page.keyboard.press('Escape');
  });
  await step('workbook', async () => {
    await page.goto(`${base}/workbook/view/native-psexec-use`);
    await page.waitForTimeout(2500);
    await page.getByRole('region', { name: 'Samples' }).scrollIntoViewIfNeeded();
    await shot(page, 'workbook-dark-1440');
    await page.getByRole('button', { name: 'Run samples' }).click();
    await page.getByText('Passed').first().waitFor();
    await page.evaluate(() => document.querySelector('section[aria-label=Samples]')?.scrollIntoView());
    await shot(page, 'workbook-run-dark-1440');
  });
  await step('light', async () => {
    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Light theme' }).click();
    await page.goto(`${base}/rules`);
    await shot(page, 'list-light-1440');
    await page.goto(rule);
    await page.waitForTimeout(1500);
    await page.getByRole('region', { name: 'Samples' }).scrollIntoViewIfNeeded();
    await shot(page, 'rule-light-1440');
  });
  const phone = await signIn('Security engineer', 390, 844);
  await step('phone', async () => {
    await phone.goto(rule);
    await phone.waitForTimeout(2000);
    await phone.evaluate(() => document.querySelector('section[aria-label=Samples]')?.scrollIntoView());
    await shot(phone, 'rule-light-390');
    await phone.goto(`${base}/workbook/view/native-psexec-use`);
    await phone.waitForTimeout(2500);
    await phone.evaluate(() => document.querySelector('section[aria-label=Samples]')?.scrollIntoView());
    await shot(phone, 'workbook-light-390');
  });
  const admin = await signIn('Tenant administrator', 1440, 900);
  await step('policy', async () => {
    const [, clusterId] = new URL(base).hash.split('/');
    await admin.goto(`${server.address}/#/admin/tenants/${clusterId}`);
    await admin.waitForTimeout(2000);
    await admin.getByRole('tab', { name: 'Rules' }).click();
    await shot(admin, 'policy-dark-1440');
    await admin.getByLabel('Only rules with passing samples may be set to PROD').press('Space');
    await shot(admin, 'policy-on-dark-1440');
  });
  await step('refused', async () => {
    await page.goto(`${base}/rules?samples=failed`);
    await page.waitForTimeout(1500);
    await page.getByRole('textbox', { name: 'Stage' }).click();
    await page.getByRole('option', { name: 'PROD' }).click();
    await page.getByRole('button', { name: 'Switch on', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Switch on' }).click();
    await shot(page, 'refused-light-1440');
  });
} finally {
  await browser.close();
  await stop();
}
