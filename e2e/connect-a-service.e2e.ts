import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goTo, rowWith as row, visitAs } from './visitor.ts';

// An administrator connects a service that has an audit log; an engineer finds its events.

const PATIENCE_MS = 180_000;

let service: Server;
let origin = '';
let isOpen = false;
const mark = `connected${Date.now()}`;

beforeAll(async () => {
  service = createServer((request, response) => {
    const isLetIn = isOpen && request.headers['x-key'] === 'journey-secret';
    response.writeHead(isLetIn ? 200 : 401, { 'content-type': 'application/json' });
    const records = [1, 2, 3].map((n) => ({ time: new Date().toISOString().slice(0, 10), n, message: mark }));
    response.end(JSON.stringify(isLetIn ? { data: { items: records } } : { error: 'who are you' }));
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => {
  service?.closeAllConnections();
  service?.close();
});

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('dialog').getByLabel(label, { exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

async function fillIn(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add connector' }).click();
  const catalogue = page.getByRole('dialog', { name: 'What can be connected' });
  await catalogue.getByLabel('Search kinds').fill('generic');
  await catalogue.getByRole('button', { name: /^HTTP API/ }).click();
  const form = page.getByRole('dialog', { name: 'Add connector: HTTP API' });
  await form.getByRole('textbox', { name: /^Name/ }).fill(name);
  await form.getByRole('textbox', { name: /^Address/ }).fill(`${origin}/audit`);
  await choose(page, 'Authentication', 'Secret in a header');
  await form.getByRole('textbox', { name: /^Header/ }).fill('X-Key');
  await form.getByLabel(/^Secret/).fill('journey-secret');
  await form.getByRole('textbox', { name: /^Path of the records/ }).fill('data.items');
  await form.getByLabel('Seconds between polls').fill('5');
  await form.getByRole('button', { name: 'Save' }).click();
}

describe('data sources', () => {
  it(
    '[S2-49][T-CONNECTORS] a service is connected: catalogue, form, validation, test, running, its events in Find, stopped',
    async () => {
      const name = `Service ${mark}`;
      const visit = await visitAs('Tenant administrator');
      const { page } = visit;
      await goTo(page, '/system/connectors');
      await fillIn(page, name);
      const panel = page.getByRole('complementary', { name: `Connector ${name}` });
      // The service does not let anybody in yet: the reason stands in red, in its own words.
      await panel.getByRole('alert').getByText('401: {"error":"who are you"}').waitFor();
      isOpen = true;
      await panel.getByRole('button', { name: 'Restart' }).click();
      await panel.getByText('Passed').waitFor();
      await panel.getByRole('button', { name: 'Test connection' }).click();
      await panel.getByText(/^3 records in/).waitFor();
      await panel.getByText(mark).first().waitFor();
      await expect
        .poll(() => panel.getByText('Events 24 h').locator('..').innerText(), { timeout: 60_000 })
        .toContain('3');
      const engineer = await visitAs('Security engineer');
      await goTo(engineer.page, `/workbook/new?from=now-7d&to=now`);
      const editor = engineer.page.getByRole('textbox', { name: 'KQL query' });
      await editor.click();
      await engineer.page.keyboard.press('ControlOrMeta+a');
      await engineer.page.keyboard.insertText(`Events | where Raw has "${mark}"`);
      await engineer.page.keyboard.press('Shift+Enter');
      await engineer.page
        .getByText(/^3 rows/)
        .first()
        .waitFor();
      // Who engineers sees it, and changes nothing.
      await goTo(engineer.page, '/system/connectors');
      await row(engineer.page, name).waitFor();
      expect(await engineer.page.getByRole('button', { name: 'Add connector' }).count()).toBe(0);
      await panel.getByRole('button', { name: 'Stop', exact: true }).click();
      await row(page, name).getByText('Stopped').waitFor();
      expect([...visit.complaints, ...engineer.complaints]).toEqual([]);
      await Promise.all([visit.close(), engineer.close()]);
    },
    PATIENCE_MS,
  );
});
