import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';

// Workbooks that come back as files, and clones that stand down for their original.

const T0 = Date.UTC(2026, 2, 4, 10);
const QUERY = 'ProcessEvent\n| where ProcessName endswith \'tool.exe\' // "quoted", näh\n| extend a = 1';
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, ['native-dcsync', 'native-kerberoasting']);
  await app.scheduler.round();
});
afterAll(() => app?.test.close());

const add = async (draft: object) =>
  (await app.call(contract.addWorkbook, { properties: draft, commit_message: '' })).data.ID;
const read = async (ID: string) => (await app.call(contract.workbookProperties, { ID })).data.properties;
const fileOf = async (ID: string) => (await app.call(contract.downloadWorkbook, { ID })).text;
const put = (
  file: string,
  more: object = {},
  as: 'engineer' | 'analyst' | 'viewer' = 'engineer',
  where = {},
) => app.call(contract.importWorkbook, { file, file_name: 'tool-use.yaml', ...more }, as, where);

describe('a file that was downloaded', () => {
  it('[R-C32] comes back whole, in another scope too, and does not run before it is switched on', async () => {
    const schedule = {
      mode: 'scheduled',
      cron: '*/15 * * * *',
      timezone: 'Europe/Paris',
      lookback_minutes: 20,
    };
    const draft = detectionDraft(QUERY, {
      name: 'Travels',
      directory: 'Lab',
      tags: ['x'],
      schedule,
    } as never);
    const ID = await add(draft);
    const file = await fileOf(ID);
    await app.call(contract.deleteWorkbook, { ID });
    const made = await put(file);
    expect(made.http, made.text).toBe(200);
    const { blocks, name, directory, tags, ...rest } = await read(made.data.ID);
    expect({ name, directory, tags }).toEqual({ name: 'Travels', directory: 'Lab', tags: ['x'] });
    expect(blocks[0]?.body).toMatchObject({ query: QUERY });
    expect(rest).toMatchObject({
      schedule,
      enabled: false,
      rule_state: 'off',
      technique: 'T1059',
      version: 1,
    });
  });

  it('[R-C32] of a shipped detection is one of its own beside it', async () => {
    const file = await fileOf('native-dcsync');
    const clash = await put(file);
    expect(clash.http).toBe(409);
    expect(clash.body.data).toMatchObject({ code: 'same-name', ID: 'native-dcsync', editable: false });
    const copy = await put(file, { as: 'copy' });
    expect(await read(copy.data.ID)).toMatchObject({ name: 'DCSync by a non-DC account (2)', native: false });
    const refused = await put(file, { as: 'version', ID: 'native-dcsync', version: 1 });
    expect(refused.http).toBe(409);
  });

  it('[R-C32] of a name that is taken becomes a copy or a new version, as is asked, never either unasked', async () => {
    const ID = await add(detectionDraft(QUERY, { name: 'Taken' }));
    const file = (await fileOf(ID)).replace('score: 7', 'score: 9');
    const clash = await put(file.replace('name: Taken', 'name: TAKEN'));
    expect([clash.http, clash.body.data]).toEqual([
      409,
      { code: 'same-name', ID, name: 'Taken', version: 1, editable: true },
    ]);
    expect((await put(file, { as: 'version', ID, version: 1 })).data).toEqual({ ID, version: 2 });
    expect(await read(ID)).toMatchObject({ score: 9, version: 2 });
    expect((await put(file, { as: 'version', ID, version: 1 })).http).toBe(409);
    expect((await put(file, { as: 'version', ID, version: 2 }, 'analyst')).http).toBe(403);
    const copy = await put(file, { as: 'copy' }, 'analyst');
    expect(await read(copy.data.ID)).toMatchObject({ name: 'Taken (2)', author: 'analyst of Harbour' });
    const { data } = await app.call(contract.workbookVersionList, { ID });
    expect(data[0]?.commit_message).toBe('Imported from tool-use.yaml');
    // [R-C39]
    expect(data[0]).toMatchObject({
      messageCode: 'workbooks.importedFrom',
      messageValues: { name: 'tool-use.yaml' },
    });
    expect((await put(file, {}, 'viewer')).http).toBe(403);
    expect((await put(file, { as: 'version' })).http).toBe(422);
  });

  it.each([
    ['text', 'just some text', 'not-a-workbook', ''],
    ['a list', '- a\n- b', 'not-a-workbook', ''],
    ['no YAML', 'name: x\nblocks: [\n  oops', 'not-yaml', ''],
    ['no name', 'blocks: []', 'not-a-workbook', 'name'],
    ['an unknown field', 'name: x\nblocs: []', 'not-a-workbook', ''],
    ['an unknown block', 'name: x\nblocks: [{block_id: a, type: python}]', 'not-a-workbook', 'blocks.0.type'],
    [
      'aliases of aliases',
      `a: &a [${'x,'.repeat(200)}]\nb: &b [${'*a,'.repeat(90)}]\nc: [${'*b,'.repeat(90)}]`,
      'not-yaml',
      '',
    ],
    ['a deep nest', `name: x\nblocks: ${'['.repeat(3000)}${']'.repeat(3000)}`, '', ''],
  ])(
    '[R-C32] that holds %s is refused with its path, and nothing is saved',
    async (_what, file, code, path) => {
      const before = (await app.call(contract.listWorkbooks, {})).data.total_count;
      const { http, body } = await put(file);
      expect(http, JSON.stringify(body)).toBe(422);
      const details = body.data as unknown as {
        code?: string;
        problems?: { path: string; message: string }[];
      };
      if (code !== '') {
        expect(details.code).toBe(code);
        expect(details.problems?.[0]).toMatchObject({ path });
        expect(details.problems?.[0]?.message).not.toBe('');
      }
      expect((await app.call(contract.listWorkbooks, {})).data.total_count).toBe(before);
    },
  );

  it('[R-C32] with a query that does not compile is refused as a draft would be', async () => {
    const file = (await fileOf('native-dcsync'))
      .replace('DCSync by a non-DC account', 'Own')
      .replace('EventID == 4662', 'Nothing == 4662');
    const { http, body } = await put(file);
    expect(http).toBe(422);
    expect((body.data as unknown as { problems: unknown[] }).problems[0]).toMatchObject({
      block_id: 'query',
      field: 'query',
      severity: 'error',
    });
  });
});

describe('a clone', () => {
  const ORIGINAL = 'native-kerberoasting';
  const clone = async (more: object = {}) =>
    (await app.call(contract.cloneWorkbook, { ID: ORIGINAL, name: 'Ours', ...more })).data.ID;
  const isOn = async () => (await read(ORIGINAL)).enabled;

  it('[R-C29] replaces its original as it is asked to, and stands down again', async () => {
    const ID = await clone({ directory: 'Own', retain_schedule: false });
    expect(await read(ID)).toMatchObject({
      directory: 'Own',
      schedule: { mode: 'off' },
      cloned_from: ORIGINAL,
      replaced_original: true,
      original: { ID: ORIGINAL, name: 'Kerberoasting (RC4 service ticket)', enabled: false },
    });
    expect(await isOn()).toBe(false);
    const gone = await app.call(contract.deleteWorkbook, { ID, enable_original: true });
    expect(gone.data.enabled).toEqual({ ID: ORIGINAL, name: 'Kerberoasting (RC4 service ticket)' });
    expect(await isOn()).toBe(true);
  });

  it('[R-C39] says by a code what it is a copy of', async () => {
    const ID = await clone();
    const { data } = await app.call(contract.workbookVersionList, { ID });
    expect(data[0]).toMatchObject({
      commit_message: 'Copy of Kerberoasting (RC4 service ticket), version 1',
      messageCode: 'workbooks.copyOf',
      messageValues: { name: 'Kerberoasting (RC4 service ticket)', version: 1 },
    });
    await app.call(contract.deleteWorkbook, { ID, enable_original: false });
  });

  it('[R-C29] leaves its original as it is unless asked, and never switches on what it did not switch off', async () => {
    const kept = await clone();
    await app.call(contract.deleteWorkbook, { ID: kept });
    expect(await isOn()).toBe(false);
    const beside = await clone({ disable_original: false });
    expect(await read(beside)).toMatchObject({ replaced_original: false });
    const gone = await app.call(contract.deleteWorkbook, { ID: beside, enable_original: true });
    expect(gone.data.enabled).toBe(null);
    expect(await isOn()).toBe(false);
  });
});

describe('a rule that counts', () => {
  const streamed = { mode: 'streamed', cron: null, timezone: 'UTC', lookback_minutes: 0 } as const;
  const quarters = { ...streamed, mode: 'scheduled', cron: '*/15 * * * *' } as const;
  const COUNTS = 'ProcessEvent | summarize N = count() by ActorUsername, DvcHostname';
  const suggestedFor = async (query: string, schedule: object) => {
    const properties = detectionDraft(query, { schedule } as never);
    const { data } = await app.call(contract.checkWorkbook, { properties });
    expect(data.ok).toBe(true);
    const told = data.problems.filter((each) => each.code === 'WB103');
    return told.map((each) => [each.severity, each.suggested]);
  };

  it.each([
    [COUNTS, streamed, 10],
    [
      'ProcessEvent | summarize N = count() by ActorUsername, DvcHostname, bin(TimeGenerated, 5m)',
      streamed,
      10,
    ],
    [
      'ProcessEvent | summarize N = count() by ActorUsername, DvcHostname, bin(TimeGenerated, 1h)',
      streamed,
      70,
    ],
    [COUNTS, quarters, 15],
  ])('[R-C28] is told how far to look back: %s', async (query, schedule, minutes) => {
    expect(await suggestedFor(query, schedule)).toEqual([['warning', minutes]]);
  });

  it.each([
    ['looks back', COUNTS, { ...streamed, lookback_minutes: 1 }],
    ['is off', COUNTS, { ...streamed, mode: 'off' }],
    ['does not count', 'ProcessEvent | where ProcessName has "x"', streamed],
  ])('[R-C28] is told nothing of a look-back, which others are, where it %s', async (_, query, schedule) => {
    expect(await suggestedFor(COUNTS, streamed)).toHaveLength(1);
    expect(await suggestedFor(query, schedule)).toEqual([]);
  });
});
