import { gunzipSync, gzipSync } from 'node:zlib';
import * as contract from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DetectionApp, detectionApp, detectionDraft } from '../detections/testing/detection-app.ts';
import type { SeedRole } from '../identity/users/testing/seed-company.ts';
import { tarEntries } from '../rules/tar-entries.ts';
import { importPack, rulesOf, runImportJob, windowsRule } from '../rules/testing/rule-imports.ts';

// Content out as a file and in again: what an archive would do, what it does, and what an archive may not do.

const T0 = Date.UTC(2026, 2, 4, 10);
const ID = (n: number) => `id: 0f06a3a5-6a09-413f-8743-e6cf35561e8${n}\n`;
const QUERY = 'ProcessEvent | where CommandLine has "tool"';
let app: DetectionApp;

beforeAll(async () => {
  app = await detectionApp(T0, ['native-psexec-use']);
  await app.store([{ time: T0, columns: { EventVendor: 'Microsoft', EventType: 'ProcessCreated' } }]);
});
afterAll(() => app?.test.close());

type Where = { readonly clusterId: string; readonly scopeId: string };
const here = (): Where => ({ clusterId: app.company.a.clusterId, scopeId: app.company.a.scope });
const there = (): Where => ({ clusterId: app.company.b.clusterId, scopeId: app.company.b.scope });

/** Sends a file as a browser does. */
async function upload(
  bytes: Uint8Array,
  fields: Readonly<Record<string, string>> = {},
  role: SeedRole = 'engineer',
  where: Where = here(),
) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ scope_id: where.scopeId, ...fields })) form.set(name, value);
  form.set('file', new Blob([new Uint8Array(bytes)]), fields.file_name ?? 'content.tar.gz');
  const request = new Request('http://local/', { method: 'POST', body: form });
  const answer = await app.test.app.inject({
    method: 'POST',
    url: contract.uploadContent.path.replace(':clusterId', where.clusterId),
    headers: {
      'content-type': request.headers.get('content-type') ?? '',
      ssid: await app.company.signIn(role),
    },
    payload: Buffer.from(await request.arrayBuffer()),
  });
  const body = answer.json() as {
    data: contract.OutputOf<typeof contract.uploadContent>;
    message: string;
    messageCode?: string;
  };
  return { http: answer.statusCode, ...body };
}

const tar = (files: Readonly<Record<string, string | Uint8Array>>): Buffer =>
  Buffer.from(
    contract.tarOf(
      Object.entries(files).map(([path, content]) => ({
        path,
        bytes: typeof content === 'string' ? Buffer.from(content) : content,
      })),
    ),
  );

async function download(input: object, role: SeedRole = 'engineer', where: Where = here()): Promise<Buffer> {
  const answer = await app.test.app.inject({
    method: 'POST',
    url: contract.downloadContent.path.replace(':clusterId', where.clusterId),
    headers: { ssid: await app.company.signIn(role) },
    payload: { scope_id: where.scopeId, ...input },
  });
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([
    200,
    expect.not.stringContaining('json'),
  ]);
  return answer.rawPayload;
}

const states = (items: readonly contract.ContentItem[]) =>
  Object.fromEntries(items.map(({ path, state }) => [path, state]));
const outcomes = (items: readonly contract.ContentItem[]) =>
  Object.fromEntries(items.map(({ path, outcome }) => [path, outcome]));
const problems = (items: readonly contract.ContentItem[]) =>
  Object.fromEntries(items.flatMap(({ path, problem }) => (problem ? [[path, problem.messageCode]] : [])));

const addWorkbook = async (name: string, part: object = {}) =>
  (
    await app.call(contract.addWorkbook, {
      properties: contract.workbookDraftSchema.parse(detectionDraft(QUERY, { name, ...part })),
    })
  ).data.ID;

/** Two workbooks of nearly one name, and a pack of two rules of which the scope changes one. */
async function makeContent(): Promise<string[]> {
  const workbooks = [
    await addWorkbook('Tools at work', { directory: 'Ours/Windows', tags: ['lab'] }),
    await addWorkbook('Tools at work!', { directory: 'Ours/Windows' }),
  ];
  await importPack(
    app,
    {
      'win/a.yml': windowsRule('First', "CommandLine|contains: 'one'", ID(1)),
      'win/b.yml': windowsRule('Second', "CommandLine|contains: 'two'").trimEnd(),
    },
    { pack: 'Hunters / 2026' },
  );
  const [first] = await rulesOf(app, { text: 'First' });
  const overlay = {
    ...{ stage: 'beta', level: 'low', schedule: { mode: 'scheduled', cron: '5 * * * *' } },
    exceptions: [{ field: 'ActorUsername', values: ['backup'], reason: 'nightly' }],
  };
  await app.call(contract.saveRuleOverlay, { rule_id: first?.rule_id, overlay, revision: 0 });
  return workbooks;
}

/** Makes a new version of a workbook. */
async function edit(ID: string): Promise<void> {
  const { data } = await app.call(contract.workbookProperties, { ID });
  const { version, ...properties } = data.properties;
  const draft = contract.workbookDraftSchema.parse({ ...properties, description: 'Changed since.' });
  await app.call(contract.editWorkbook, { ID, version, properties: draft });
}

describe('content as a file', () => {
  const made = { workbooks: [] as string[] };

  it('[C100][C101] goes to another tenant and leaves it again byte for byte, as tar, tar.gz and YAML', async () => {
    made.workbooks = await makeContent();
    const asked = { workbook_ids: made.workbooks, rule_filter: {}, settings: true } as const;
    const archive = await download(asked);
    expect([...tarEntries(gunzipSync(archive))].map(({ path }) => path)).toEqual([
      'workbooks/Ours/Windows/tools-at-work.yaml',
      'workbooks/Ours/Windows/tools-at-work-2.yaml',
      'rules/Hunters %2F 2026/win/a.yml',
      'rules/Hunters %2F 2026/win/b.yml',
      'settings/Hunters %2F 2026.yaml',
    ]);
    const text = await download({ ...asked, format: 'yaml' });
    const { data: preview } = await upload(text, { file_name: 'content.yaml' }, 'engineerOfB', there());
    expect(preview.items.map(({ kind, state }) => `${kind} ${state}`)).toEqual([
      ...['rule new', 'rule new', 'settings changed', 'workbook new', 'workbook new'],
    ]);
    expect(await rulesOf(app, {}, { role: 'engineerOfB', where: there() })).toEqual([]);
    const settings = preview.items.find(({ kind }) => kind === 'settings')?.item_id ?? '';
    const apply = {
      step: 'apply',
      file_name: 'content.yaml',
      decisions: JSON.stringify({ [settings]: 'take' }),
    };
    const done = await upload(text, apply, 'engineerOfB', there());
    expect(done.data.items.map(({ outcome }) => outcome)).toEqual([
      ...['importing', 'importing', 'importing', 'added', 'added'],
    ]);
    for (const { import_id } of done.data.imports) await runImportJob(app, there().clusterId, import_id);
    const added = done.data.items.flatMap(({ kind, existing }) =>
      kind === 'workbook' && existing ? existing.ID : [],
    );
    // By path `-2` sorts before `.yaml`.
    const again = { ...asked, workbook_ids: [...added].reverse() };
    expect((await download(again, 'engineerOfB', there())).equals(archive)).toBe(true);
    const asTar = await download({ ...again, format: 'tar' }, 'engineerOfB', there());
    expect(asTar.equals(gunzipSync(archive))).toBe(true);
    const asYaml = await download({ ...again, format: 'yaml' }, 'engineerOfB', there());
    expect(asYaml.equals(text)).toBe(true);
    const seen = await upload(archive, {}, 'engineerOfB', there());
    expect(new Set(seen.data.items.map(({ kind, state }) => `${kind} ${state}`))).toEqual(
      new Set(['workbook same', 'rule same', 'settings changed']),
    );
  });

  it('[C101] is skipped, replaced or kept beside what is there, item by item, and the report says which', async () => {
    const [one = '', two = ''] = made.workbooks;
    const archive = await download({ workbook_ids: made.workbooks, rule_filter: {} });
    await edit(one);
    await edit(two);
    await importPack(
      app,
      { 'win/a.yml': windowsRule('First', "CommandLine|contains: 'uno'", ID(1)) },
      { pack: 'Hunters / 2026' },
    );
    const { data: preview } = await upload(archive);
    expect(states(preview.items)).toEqual({
      'rules/Hunters %2F 2026/win/a.yml': 'changed',
      'rules/Hunters %2F 2026/win/b.yml': 'new',
      'workbooks/Ours/Windows/tools-at-work-2.yaml': 'changed',
      'workbooks/Ours/Windows/tools-at-work.yaml': 'changed',
    });
    // Nobody decided: what is there stays.
    const idle = await upload(archive, { step: 'apply', decisions: '{}' });
    expect(Object.values(outcomes(idle.data.items))).toEqual(['skipped', 'importing', 'skipped', 'skipped']);
    const itemOf = (path: string) => preview.items.find((item) => item.path.endsWith(path))?.item_id ?? '';
    const decisions = {
      [itemOf('tools-at-work.yaml')]: 'take',
      [itemOf('tools-at-work-2.yaml')]: 'both',
      [itemOf('a.yml')]: 'both',
      [itemOf('b.yml')]: 'skip',
    };
    const done = await upload(archive, { step: 'apply', decisions: JSON.stringify(decisions) });
    expect(outcomes(done.data.items)).toEqual({
      'rules/Hunters %2F 2026/win/a.yml': 'importing',
      'rules/Hunters %2F 2026/win/b.yml': 'skipped',
      'workbooks/Ours/Windows/tools-at-work-2.yaml': 'copied',
      'workbooks/Ours/Windows/tools-at-work.yaml': 'replaced',
    });
    const now = (await app.call(contract.workbookProperties, { ID: one })).data.properties;
    expect(now).toMatchObject({ version: 3, description: '' });
    expect((await app.call(contract.workbookProperties, { ID: two })).data.properties.version).toBe(2);
    expect(done.data.imports.map(({ pack }) => pack)).toEqual(['Hunters / 2026 (2)']);
    for (const { import_id } of done.data.imports) await runImportJob(app, here().clusterId, import_id);
    expect((await rulesOf(app, { text: 'First' })).map(({ pack }) => pack).sort()).toEqual([
      'Hunters / 2026',
      'Hunters / 2026 (2)',
    ]);
    const copies = await app.call(contract.listWorkbooks, {
      addfilters: [{ filter_key: 'name', filter_value: 'Tools at work! (2)' }],
    });
    expect(copies.data.data).toHaveLength(1);
    expect(copies.data.data[0]?.properties.enabled).toBe(false);
  });

  it('[C100][C101] keeps own rules as they are: the same is the same, what differs may stand beside them', async () => {
    const own = (word: string) => windowsRule('Ours', `CommandLine|contains: '${word}'`);
    for (const text of [own('four'), own('five')]) await app.call(contract.saveOwnRule, { text });
    const archive = await download({ rule_filter: { pack_id: contract.OWN_PACK }, settings: true });
    const files = [...tarEntries(gunzipSync(archive))];
    expect(files.map(({ path }) => path)).toEqual(['rules/Own rules/ours.yml', 'rules/Own rules/ours-2.yml']);
    expect(new Set(Object.values(states((await upload(archive)).data.items)))).toEqual(new Set(['same']));
    const other = tar({ 'rules/Own rules/ours.yml': own('six') });
    const { data } = await upload(other);
    expect(data.items).toMatchObject([{ state: 'clash', problem: { messageCode: 'packs.ownPack' } }]);
    const decisions = JSON.stringify({ [data.items[0]?.item_id ?? '']: 'both' });
    const done = await upload(other, { step: 'apply', decisions });
    expect(done.data.imports.map(({ pack }) => pack)).toEqual(['Own rules (2)']);
  });

  it('[C101] may land as updates that wait for a review', async () => {
    const changed = {
      'rules/Hunters %2F 2026/win/a.yml': windowsRule('First', "CommandLine: 'tres'", ID(1)),
    };
    const { data: preview } = await upload(tar(changed));
    const [item] = preview.items;
    const decisions = JSON.stringify({ [item?.item_id ?? '']: 'take' });
    const done = await upload(tar(changed), { step: 'apply', decisions, review: 'true' });
    for (const { import_id } of done.data.imports) await runImportJob(app, here().clusterId, import_id);
    const { data } = await app.call(contract.listContentUpdates, { kind: 'rule' });
    expect(data.data.map(({ name, of }) => [name, of])).toEqual([['First', 'Hunters / 2026']]);
  });

  it('[C100][C101] is for those who may: analysts take out, engineers bring in, and nobody what is of another tenant', async () => {
    const [one = ''] = made.workbooks;
    await download({ workbook_ids: [one] }, 'analyst');
    expect((await upload(tar({ 'x.yaml': 'x: 1' }), {}, 'analyst')).http).toBe(403);
    const taking = { workbook_ids: [one] };
    const answer = await app.call(contract.downloadContent, taking, 'engineerOfB', there());
    expect(answer.http).toBe(404);
    expect((await app.call(contract.downloadContent, {})).http).toBe(422);
  });

  it('[C101] shows a shipped detection of the same name as a clash that only a copy solves', async () => {
    await app.scheduler.round();
    const ID = 'native-psexec-use';
    const archive = await download({ workbook_ids: [ID] });
    expect(Object.values(states((await upload(archive)).data.items))).toEqual(['same']);
    const [entry] = [...tarEntries(gunzipSync(archive))];
    const text = (entry?.content().toString() ?? '').replace(/^description: .*$/m, 'description: Ours');
    const { data } = await upload(tar({ 'ours.yaml': text }));
    expect(data.items).toMatchObject([{ state: 'clash', problem: { messageCode: 'workbooks.builtIn' } }]);
    const decisions = (decision: string) => JSON.stringify({ [data.items[0]?.item_id ?? '']: decision });
    const taken = await upload(tar({ 'ours.yaml': text }), { step: 'apply', decisions: decisions('take') });
    expect(Object.values(outcomes(taken.data.items))).toEqual(['skipped']);
  });
});

const workbook = 'name: Good\nschedule: {mode: "off"}\nblocks: []\n';

function hostileArchive(): Buffer {
  const link = Buffer.from(contract.tarOf([{ path: 'link.yaml', bytes: new Uint8Array() }]));
  link.write('2', 156);
  const sum = link
    .subarray(0, 512)
    .reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  link.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const files = tar({
    'good.yaml': workbook,
    '../../etc/passwd.yaml': workbook,
    '/abs.yaml': workbook,
    'C:/windows.yaml': workbook,
    'a\\..\\b.yaml': workbook,
    'long.yaml': `# ${'x'.repeat(10 * 1024 * 1024)}\n${workbook}`,
    'bytes.yaml': new Uint8Array([0x6e, 0x3a, 0x20, 0xff, 0xfe]),
    'zero.yaml': 'name: a\0b\nblocks: []\n',
    'broken.yaml': 'blocks: [\n  oops',
    'deep.yaml': `blocks: ${'['.repeat(2_000)}`,
    'other.yaml': 'just: yaml\n',
    'rule.yml': 'title: ""\nlogsource: {product: linux}\ndetection: 7\n',
    'twice.yaml': 'name: GOOD\nblocks: []\n',
    'settings/x.yaml': 'scope_settings: {pack: Nothing, rules: []}\n',
    'settings/y.yaml': 'scope_settings: {pack: Nothing, rules: 7}\n',
    'bomb.yaml': `blocks: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'
      .split('')
      .map((name, at) => `${name}: &${name} [${`*${'abcdefgh'[at]},`.repeat(9)}]`)
      .join('\n')}\n`,
    [`${'d/'.repeat(40)}x.yaml`]: workbook,
    'notes.txt': 'no content',
  });
  return gzipSync(Buffer.concat([link.subarray(0, 512), files]));
}

describe('hostile archives', () => {
  it('[C101] are refused file by file with a reason each, and the good file among them is still offered', async () => {
    const archive = hostileArchive();
    const { http, data } = await upload(archive);
    expect(http).toBe(200);
    expect(problems(data.items)).toEqual({
      '../../etc/passwd.yaml': 'content.pathOutside',
      '/abs.yaml': 'content.pathOutside',
      'C:/windows.yaml': 'content.pathOutside',
      'a\\..\\b.yaml': 'content.pathOutside',
      [`${'d/'.repeat(40)}x.yaml`]: 'content.pathTooDeep',
      'link.yaml': 'content.link',
      'long.yaml': 'content.fileTooLong',
      'bytes.yaml': 'content.notUtf8',
      'zero.yaml': 'content.notUtf8',
      'broken.yaml': 'workbooks.notYaml',
      'deep.yaml': 'workbooks.notYaml',
      'bomb.yaml': 'workbooks.notYaml',
      'other.yaml': 'content.notContent',
      'rule.yml': 'content.ruleInvalid',
      'twice.yaml': 'content.nameTwice',
      'settings/x.yaml': 'content.settingsAlone',
      'settings/y.yaml': 'content.settingsWrong',
    });
    expect(states(data.items)).toMatchObject({ 'good.yaml': 'new', 'notes.txt': 'ignored' });
    const all = Object.fromEntries(data.items.map(({ item_id }) => [item_id, 'take']));
    const done = await upload(archive, { step: 'apply', decisions: JSON.stringify(all) });
    const taken = done.data.items.filter(({ outcome }) => outcome !== 'skipped');
    expect(taken.map(({ path, outcome }) => [path, outcome])).toEqual([['good.yaml', 'added']]);
    expect(done.data.imports).toEqual([]);
  });

  const zeros = (bytes: number) => tar({ 'a.yaml': new Uint8Array(bytes) });
  it.each([
    ['that are none', Buffer.from('PK\u0003\u0004 and nothing more'), 'content.archiveBroken'],
    ['broken in the middle', gzipSync(zeros(1000)).subarray(0, 60), 'content.archiveBroken'],
    [
      'that unpack to more than is taken',
      gzipSync(zeros(contract.CONTENT_LIMITS.unpackedBytes + 1)),
      'content.unpackedTooLarge',
    ],
    [
      'with too many files',
      gzipSync(tar(Object.fromEntries(Array.from({ length: 5_001 }, (_, n) => [`${n}.txt`, ''])))),
      'content.tooManyFiles',
    ],
    [
      'with too many workbooks',
      gzipSync(tar(Object.fromEntries(Array.from({ length: 501 }, (_, n) => [`${n}.yaml`, 'blocks: []\n'])))),
      'content.tooManyWorkbooks',
    ],
    ['without a file', Buffer.from(contract.tarOf([])), 'content.nothing'],
  ])('[C101] %s are refused as a whole', async (_, archive, code) => {
    const answer = await upload(archive);
    expect([answer.http, answer.messageCode]).toEqual([422, code]);
  });

  it('[C101] as forms that are none, or larger than is taken, are refused', async () => {
    const url = contract.uploadContent.path.replace(':clusterId', here().clusterId);
    const ssid = await app.company.signIn('engineer');
    const send = (type: string, payload: Buffer) =>
      app.test.app.inject({ method: 'POST', url, headers: { 'content-type': type, ssid }, payload });
    const form = 'multipart/form-data; boundary=x';
    expect((await send(form, Buffer.from('no form'))).statusCode).toBe(422);
    expect((await send('multipart/form-data', Buffer.from('--x--'))).statusCode).toBe(422);
    expect((await send(form, Buffer.alloc(9 * 1024 * 1024))).statusCode).toBe(413);
  });

  it('[C101] in JSON are bounded too, and a small file may come in as base64', async () => {
    const file = Buffer.from(workbook).toString('base64');
    const { data } = await app.call(contract.uploadContent, { file, file_name: 'good.yaml' });
    expect(states(data.items)).toEqual({ 'good.yaml': 'same' });
  });
});
