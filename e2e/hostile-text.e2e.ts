import {
  addCaseNote,
  addWorkbook,
  createApiToken,
  createCase,
  createSource,
  login,
  type UserAccess,
} from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { callAs } from './make-organization.ts';
import { callServer } from './start-journey-server.ts';
import { accountOf, openVisit, signInAs } from './visitor.ts';

// Everything that a user or an event can bring as text is shown as text: no script of it runs, and no element of it
// stands on a page. One text carries the usual ways in at once.

const HOSTILE = `"><img src=x onerror="window.hostile='img'"><svg onload="window.hostile='svg'"></svg><script>window.hostile='script'</script>`;
const MARKDOWN = [
  HOSTILE,
  '[press me](javascript:window.hostile=1)',
  '![picture](javascript:window.hostile=1)',
  '<a href="javascript:window.hostile=1">press me too</a>',
  '[data](data:text/html;base64,PHNjcmlwdD53aW5kb3cuaG9zdGlsZT0xPC9zY3JpcHQ+)',
  '<iframe srcdoc="<script>parent.hostile=1</script>"></iframe>',
].join('\n\n');

/** What of it came to life; nothing, when all is well. */
const livingParts = (page: Page): Promise<readonly string[]> =>
  page.evaluate(() => {
    const ran = (window as unknown as { hostile?: string }).hostile;
    const made = document.querySelectorAll(
      'img[src="x"], svg[onload], iframe, a[href^="javascript"], a[href^="data"], main script',
    );
    return [...(ran === undefined ? [] : [`ran: ${ran}`]), ...[...made].map((one) => one.outerHTML)];
  });

interface Planted {
  readonly caseId: string;
  readonly workbookId: string;
  readonly word: string;
}

/** A case with a note, a workbook, a token and an event, all with the text in every field that takes it. */
async function plant(session: UserAccess, scope: { clusterId: string; scopeId: string }): Promise<Planted> {
  const { clusterId, scopeId: scope_id } = scope;
  const call: typeof callAs = (ssid, endpoint, params, input) =>
    callAs(ssid, endpoint, { clusterId, ...params }, input);
  const as = session.SSID;
  const word = `hostile${Date.now()}`;
  const { case_id } = await call(
    as,
    createCase,
    {},
    {
      scope_id,
      case_name: HOSTILE,
      severity: 'Low',
      signal_ids: [],
      include_similar: false,
      tags: [HOSTILE.slice(0, 50)],
    },
  );
  await call(as, addCaseNote, {}, { scope_id, case_id, notes: MARKDOWN, tag_list: [] });
  const query = `Events | where SourceName == "${word}" | summarize Events = count() by Message | render piechart`;
  const { ID } = await call(
    as,
    addWorkbook,
    {},
    {
      scope_id,
      commit_message: HOSTILE,
      properties: {
        name: HOSTILE,
        directory: '',
        description: HOSTILE,
        stage: 'prod',
        schedule: { mode: 'off', cron: null, timezone: 'UTC', lookback_minutes: 0 },
        tags: [HOSTILE.slice(0, 50)],
        blocks: [
          { block_id: 'words', type: 'text', collapsed: false, body: { markdown: MARKDOWN } },
          { block_id: 'query', type: 'kql', collapsed: false, body: { query, duration: '1h' } },
        ],
      },
    },
  );
  await call(
    as,
    createApiToken,
    {},
    {
      scope_id,
      app_name: `${word} ${HOSTILE}`.slice(0, 80),
      description: HOSTILE,
      capabilities: ['search'],
      days: 1,
    },
  );
  const { token } = await call(as, createSource, {}, { scope_id, source_name: word });
  const sent = await fetch(`${inject('journeyServer').ingestAddress}/services/collector/event`, {
    method: 'POST',
    headers: { authorization: `Splunk ${token}` },
    body: JSON.stringify({
      source: word,
      host: HOSTILE,
      event: { message: HOSTILE, user: HOSTILE, [HOSTILE]: HOSTILE, src_ip: HOSTILE },
    }),
  });
  expect(await sent.json()).toEqual({ text: 'Success', code: 0 });
  return { caseId: case_id, workbookId: ID, word };
}

describe('text that is an attack', () => {
  it('is shown as text: names, notes, Markdown, fields of events, labels of charts', async () => {
    const server = inject('journeyServer');
    const { email, password } = accountOf(server, 'Security engineer');
    const session = await callServer<UserAccess>(`${server.address}${login.path}`, login.method, {
      emailId: email,
      password,
    });
    const entry = session.access.find((one) => one.scope_access.length > 0);
    const scope = { clusterId: entry?.clusterId ?? '', scopeId: entry?.scope_access[0]?.scope_id ?? '' };
    const { caseId, workbookId, word } = await plant(session, scope);

    const visit = await openVisit();
    const { page } = visit;
    await signInAs(page, server.address, email, password);
    const open = (ending: string) =>
      page.goto(`${server.address}/#/${scope.clusterId}/${scope.scopeId}${ending}`);
    const isShown = async (where: string) => {
      await page.getByText(HOSTILE.slice(0, 20)).first().waitFor();
      expect(await livingParts(page), where).toEqual([]);
    };
    await open('/incident/cases');
    await isShown('the list of cases');
    await open(`/incident/cases/${caseId}`);
    await isShown('a case');
    await page.getByRole('button', { name: 'Notes', exact: true }).last().click();
    await page.getByText('press me too').waitFor();
    await isShown('notes');
    await open('/workbook');
    await isShown('the list of workbooks');
    await open(`/workbook/edit/${workbookId}`);
    await page.getByText('press me too').first().waitFor();
    await isShown('a workbook');
    const find = async (query: string) =>
      open(`/workbook/new?query=${encodeURIComponent(query)}&from=now-1h&to=now&run=1`);
    await find(`Events | where SourceName == "${word}"`);
    await page.getByRole('grid', { name: 'Results' }).getByRole('row').nth(1).click();
    await page.getByRole('complementary', { name: 'Details of the row' }).waitFor();
    await isShown('the details of an event');
    for (const chart of ['piechart', 'barchart', 'treemap', 'card']) {
      await find(
        `Events | where SourceName == "${word}" | summarize Events = count() by Message | render ${chart} with (title="${HOSTILE.replaceAll('"', "'").slice(0, 60)}")`,
      );
      const drawing = page.getByTestId('result-chart').locator('canvas').first();
      await drawing
        .or(page.getByText('Events', { exact: true }))
        .first()
        .waitFor();
      // The label under the pointer is written by the library of charts.
      if (chart !== 'card') await drawing.hover();
      expect(await livingParts(page), chart).toEqual([]);
    }
    await open('/system/token');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await livingParts(page), 'tokens').toEqual([]);
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
