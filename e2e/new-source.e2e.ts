import { createSource, listReparses } from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { callAs } from './make-organization.ts';
import { goTo, rowWith, scopeOf, visitAs } from './visitor.ts';

// A source sends what nothing can read; an engineer writes an extractor for these very events and has them read again.

const PATIENCE_MS = 240_000;
const LINES = 12;

const line = (at: number): string =>
  `DOOR|gate-${at % 3}|visitor${at}|${at % 2 === 0 ? 'opened' : 'refused'}`;

const definition = (name: string): string => `schema-version: 1
source-name: ${name}
source-type: door-control
streams: [Authentication]
master-filters:
  - '^DOOR'
event-details:
  first-match:
    - name: passage
      decoder: regex
      pattern: '^DOOR[|](?<door>[^|]+)[|](?<user>[^|]+)[|](?<result>[a-z]+)$'
      event-key-mapping:
        door: DvcHostname
        user: TargetUsername
      annotate:
        Stream: Authentication
fallback:
  annotate:
    Stream: Authentication
`;

/** Makes a source in the scope of the page and sends the lines through it; answers the session. */
async function send(page: Page, name: string): Promise<string> {
  const asked = page.waitForRequest((request) => Boolean(request.headers().ssid));
  await goTo(page, '/system/extraction');
  const { ssid = '' } = (await asked).headers();
  const { clusterId, scopeId } = scopeOf(page);
  const { token } = await callAs(ssid, createSource, { clusterId }, {
    scope_id: scopeId,
    source_name: name,
  } as never);
  const sent = await fetch(`${inject('journeyServer').ingestAddress}/ingest/ndjson?source=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: Array.from({ length: LINES }, (_, at) => line(at)).join('\n'),
  });
  expect(sent.status).toBe(200);
  return ssid;
}

describe('a source with an unknown format', () => {
  it(
    '[S2-38][S2-39][T-EXTRACTOR][T-REPARSE] gets an extractor, tried on its own events, and what came before is read again',
    async () => {
      const name = `doors-${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const ssid = await send(page, name);
      await goTo(page, `/system/extraction/new?source=${name}`);
      const simulation = page.getByRole('region', { name: 'Simulation' });
      await simulation.getByRole('cell', { name: 'DOOR|gate-0|visitor0|opened' }).first().waitFor();

      const editor = page.getByTestId('extractor-editor');
      await editor.click();
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.insertText(definition(name));
      await simulation.getByText(`${LINES} of ${LINES} lines are read`).waitFor();
      await simulation.getByRole('cell', { name: 'visitor7', exact: true }).waitFor();
      await simulation.getByRole('button', { name: 'Use as samples' }).click();
      await page.getByRole('button', { name: 'Save draft' }).click();
      await page.waitForURL(/extraction\/1\d{4}/);
      await page.getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('dialog').getByLabel('Version note').fill('The doors');
      await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
      await page.getByRole('switch', { name: 'Enabled', checked: true }).waitFor();

      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Re-parse' }).click();
      const dialog = page.getByRole('dialog', { name: 'Read stored events again' });
      await dialog.getByText(`About ${LINES} events`).waitFor();
      await dialog.getByRole('button', { name: 'Start re-parse' }).click();
      const runs = page.getByRole('grid', { name: 'Re-parse runs' });
      await runs
        .getByRole('row')
        .filter({ hasText: name })
        .filter({ hasText: 'Done' })
        .waitFor({ timeout: 120_000 });
      const { clusterId, scopeId } = scopeOf(page);
      const listed = await callAs(ssid, listReparses, { clusterId }, { scope_id: scopeId });
      expect(listed.data.find(({ source }) => source === name)).toMatchObject({
        ...{ total: LINES, done: LINES, changed: LINES, unparsed: 0 },
      });

      const query = `Authentication | where TargetUsername == "visitor7" | project DvcHostname, Raw`;
      await goTo(page, `/workbook/new?from=now-1h&to=now&query=${encodeURIComponent(query)}`);
      await page.getByRole('textbox', { name: 'KQL query' }).click();
      await page.keyboard.press('Shift+Enter');
      await rowWith(page, line(7)).waitFor();
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
