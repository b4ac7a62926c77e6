import { createSource, listReparses } from '@tyrian/contract';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { callAs } from './make-organization.ts';
import { openEntry, rowWith, scopeOf, sessionOf, visitAs } from './visitor.ts';

// A source sends what nothing can read. An engineer sees it on Collection status, writes an extractor for these very events,
// has them read again, finds them by column, and is told when the sender stops.

const PATIENCE_MS = 600_000;
/** A silence is looked for once a minute, by the minute that was chosen; the rest is for a slow machine. */
const SILENCE_MS = 240_000;
const LINES = 12;

/** No extractor of another journey knows the mark. */
const line = (mark: string, at: number): string =>
  `${mark}|gate-${at % 3}|visitor${at}|${at % 2 === 0 ? 'opened' : 'refused'}`;

const definition = (name: string): string => `schema-version: 1
source-name: ${name}
source-type: door-control
streams: [Authentication]
master-filters:
  - '^${name}'
event-details:
  first-match:
    - name: passage
      decoder: regex
      pattern: '^${name}[|](?<door>[^|]+)[|](?<user>[^|]+)[|](?<result>[a-z]+)$'
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
  const ssid = await sessionOf(page, () => openEntry(page, 'Collection status'));
  const { clusterId, scopeId } = scopeOf(page);
  const { token } = await callAs(ssid, createSource, { clusterId }, {
    scope_id: scopeId,
    source_name: name,
  } as never);
  const sent = await fetch(`${inject('journeyServer').ingestAddress}/ingest/ndjson?source=${name}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: Array.from({ length: LINES }, (_, at) => line(name, at)).join('\n'),
  });
  expect(sent.status).toBe(200);
  return ssid;
}

const panelOf = (page: Page, name: string): Locator =>
  page.getByRole('complementary', { name: 'Source', exact: true }).filter({ hasText: name });

/** On Collection status: all of the source is unread and belongs to no log format; from there to its extractor. */
async function seeUnread(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Search sources' }).fill(name);
  const row = rowWith(page, name);
  await row.getByText('100%', { exact: true }).waitFor({ timeout: 90_000 });
  await row.click();
  const panel = panelOf(page, name);
  await panel.getByRole('button', { name: 'Show them' }).click();
  await panel.getByText('NLF', { exact: true }).first().waitFor();
  await panel.getByText(line(name, 0), { exact: true }).waitFor();
  await panel.getByRole('link', { name: 'Make an extractor for these' }).click();
}

/** The definition, tried on the unread events, kept as draft and published. */
async function writeExtractor(page: Page, name: string): Promise<void> {
  const simulation = page.getByRole('region', { name: 'Simulation' });
  await simulation
    .getByRole('cell', { name: line(name, 0) })
    .first()
    .waitFor();
  await page.getByTestId('extractor-editor').click();
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
}

/** What came before is read again with the extractor. */
async function readAgain(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Re-parse' }).click();
  const dialog = page.getByRole('dialog', { name: 'Read stored events again' });
  await dialog.getByText(`About ${LINES} events`).waitFor();
  await dialog.getByRole('button', { name: 'Start re-parse' }).click();
  await page
    .getByRole('grid', { name: 'Re-parse runs' })
    .getByRole('row')
    .filter({ hasText: name })
    .filter({ hasText: 'Done' })
    .waitFor({ timeout: 120_000 });
}

/** From the source on Collection status to its events in Find, and by a column to one of them. */
async function findByColumn(page: Page, name: string): Promise<void> {
  const panel = await openSource(page, name);
  // What it was before it was read again counts no more.
  await panel.getByText('Authentication', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Show events' }).click();
  const editor = page.getByRole('textbox', { name: 'KQL query' });
  await editor.click();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.insertText(
    `Authentication | where TargetUsername == "visitor7" and SourceName == "${name}" | project DvcHostname, Raw`,
  );
  await page.keyboard.press('Shift+Enter');
  await rowWith(page, line(name, 7)).waitFor();
}

async function openSource(page: Page, name: string): Promise<Locator> {
  await openEntry(page, 'Collection status');
  await page.getByRole('textbox', { name: 'Search sources' }).fill(name);
  await rowWith(page, name).click();
  return panelOf(page, name);
}

/** A minute without an event is a silence of this source: the bell tells of it and leads back to it. */
async function hearOfSilence(page: Page, name: string): Promise<void> {
  const panel = await openSource(page, name);
  await panel.getByRole('combobox', { name: 'Silent after' }).click();
  await page.getByRole('option', { name: '1 min', exact: true }).click();
  await panel.getByText('1 min · set').waitFor();
  const told = page.getByRole('link', { name: new RegExp(`Source stopped sending: ${name}`) });
  await page.getByRole('button', { name: /^Notifications/ }).click();
  await told.waitFor({ timeout: SILENCE_MS });
  await told.click();
  await panelOf(page, name).getByText('Silent since').waitFor();
}

describe('a source with an unknown format', () => {
  it(
    '[S2-37][S2-38][S2-39][T-EXTRACTOR][T-REPARSE][T-SILENCE] is seen as unread, gets an extractor, is found by column, and is missed when it stops',
    async () => {
      const name = `doors-${Date.now()}`;
      const visit = await visitAs('Security engineer');
      const { page } = visit;
      const ssid = await send(page, name);
      await seeUnread(page, name);
      await writeExtractor(page, name);
      await readAgain(page, name);
      const { clusterId, scopeId } = scopeOf(page);
      const listed = await callAs(ssid, listReparses, { clusterId }, { scope_id: scopeId });
      expect(listed.data.find(({ source }) => source === name)).toMatchObject({
        ...{ total: LINES, done: LINES, changed: LINES, unparsed: 0 },
      });
      await findByColumn(page, name);
      await hearOfSilence(page, name);
      expect(visit.complaints).toEqual([]);
      await visit.close();
    },
    PATIENCE_MS,
  );
});
