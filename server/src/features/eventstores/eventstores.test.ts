import {
  changeEventstore,
  downloadEventstore,
  type InputOf,
  invokeJob,
  listEventstores,
  readEventstore,
  removeEventstore,
  saveBucket,
  taskResult,
  taskState,
  uploadEventstore,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { createJobRunner } from '../../platform/jobs/job-runner.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from '../search/testing/insert-events.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const ASSETS = 'Ip,Owner,Criticality\n10.0.0.1,ana,5\n10.0.0.2,"ben, jr",3\n';

let server: TestApp;
let company: Company;
const sessions: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  for (const role of ['engineer', 'analyst', 'engineerOfB'] as const)
    sessions[role] = await company.signIn(role);
  await insertEvents(server.platform.eventStore, company.a.clusterId, 6, (n) => ({
    Scope: company.a.scope,
    Stream: 'NetworkSession',
    TimeGenerated: NOW - n * 60_000,
    SrcIpAddr: `10.0.0.${n % 3}`,
    DstIpAddr: '192.0.2.1',
  }));
});
afterAll(() => server?.close());

const at = (role: SeedRole, tenant: 'a' | 'b' = 'a') => ({
  ssid: sessions[role] ?? '',
  params: { clusterId: company[tenant].clusterId },
});

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const upload = (
  input: Partial<InputOf<typeof uploadEventstore>> & { readonly text: string },
  role: SeedRole = 'engineer',
  tenant: 'a' | 'b' = 'a',
) => {
  const { text, ...rest } = input;
  const file = { file: base64(text), file_name: 'assets.csv' };
  return server.call(uploadEventstore, {
    ...at(role, tenant),
    input: { scope_id: company[tenant].scope, ...file, ...rest },
  });
};

/** The rows of a query, or the answer that refuses it. */
async function ask(query: string, role: SeedRole = 'engineer', tenant: 'a' | 'b' = 'a'): Promise<unknown> {
  const asked = { scope_id: company[tenant].scope, query, from: 'now-24h', to: 'now' };
  const input = { job_type: 'kql', ...asked } as InputOf<typeof invokeJob>;
  const started = await server.call(invokeJob, { ...at(role, tenant), input });
  const taskid = started.data?.[0]?.id;
  if (!taskid) return started.text;
  const params = { clusterId: company[tenant].clusterId, taskid };
  for (;;) {
    const { body } = await server.call(taskState, { ...at(role, tenant), params });
    if (body.task_stage === 'FAILURE') return body;
    if (body.task_stage === 'EXECUTED') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const form = { form: 'rows', pagesize: 100 } as const;
  const { body } = await server.call(taskResult, { ...at(role, tenant), params, input: form });
  return 'rows' in body ? body.rows : body;
}

/** Runs the job that stores uploads until none waits. */
async function runUpload(): Promise<void> {
  const { postgres, log } = server.platform;
  const jobs = server.composed.jobs.filter(({ kind }) => kind === 'eventstore-upload');
  const runner = createJobRunner({ postgres, log, jobs, options: { pollMs: 100, heartbeatMs: 100 } });
  await runner.start();
  const list = () =>
    server.call(listEventstores, { ...at('engineer'), input: { scope_id: company.a.scope } });
  const open = async () => (await list()).data.data.filter(({ upload: one }) => one?.state !== 'done').length;
  await expect.poll(open, { timeout: 60_000, interval: 100 }).toBe(0);
  await runner.stop();
}

describe('eventstores', () => {
  it('[C105] a CSV that is uploaded is a table of KQL at once: joined, asked in, typed', async () => {
    const made = await upload({ text: ASSETS, name: 'Assets', description: 'Who owns what' });
    expect(made.http, made.text).toBe(200);
    expect(made.data).toMatchObject({ state: 'done', rows: 2 });
    expect(await ask('Assets | where Criticality > 4 | project Ip, Owner, Criticality')).toEqual([
      ['10.0.0.1', 'ana', 5],
    ]);
    expect(
      await ask(
        'NetworkSession | join kind=inner (Assets) on $left.SrcIpAddr == $right.Ip | summarize n = count() by Owner | sort by Owner asc',
      ),
    ).toEqual([
      ['ana', 2],
      ['ben, jr', 2],
    ]);
    expect(await ask('NetworkSession | where SrcIpAddr in ((Assets | project Ip)) | count')).toEqual([[4]]);
    const { data } = await server.call(listEventstores, {
      ...at('engineer'),
      input: { scope_id: company.a.scope },
    });
    expect(data).toMatchObject({
      total_count: 1,
      data: [{ name: 'Assets', rows: 2, file: 'assets.csv', format: 'csv', upload: { state: 'done' } }],
    });
  });

  it('[T-eventstores][S1-01] it does not exist for another tenant, nor in another scope, not by any way of naming it', async () => {
    await upload({ text: 'Word\nzqcanary\n', name: 'Hidden', scope_id: company.a.otherScope });
    await upload({ text: 'Word\nzqcanary\n', name: 'HiddenOfB' }, 'engineerOfB', 'b');
    const { data } = await server.call(listEventstores, {
      ...at('engineer'),
      input: { scope_id: company.a.otherScope },
    });
    const [hidden] = data.data;
    for (const query of [
      'Hidden',
      'HiddenOfB | take 1',
      'table("Hidden")',
      'union Hid*',
      'Events | where SourceName in (Hidden | project Word)',
      'workspace("Operations").HiddenOfB',
      "['eventstore_rows'] | take 10",
      `database("tenant_${company.b.clusterId}").eventstore_rows`,
      'search "zqcan*"',
      'union * | take 100',
    ])
      expect(JSON.stringify(await ask(query, 'analyst')), query).not.toContain('zqcanary');
    const input = { scope_id: company.a.scope, store_id: hidden?.store_id ?? '' };
    for (const endpoint of [readEventstore, downloadEventstore, removeEventstore])
      expect((await server.call(endpoint, { ...at('engineer'), input })).http, endpoint.name).toBe(404);
    const more = { text: 'Word\nx\n', mode: 'append', store_id: hidden?.store_id ?? '' } as const;
    expect((await upload(more)).http).toBe(404);
  });

  it('[T-eventstores] rows are replaced and added to, and columns take other types, without a loss', async () => {
    const { data } = await upload({ text: 'Name;Since\nvpn;2026-01-02\n', name: 'Hosts' });
    const { store_id } = data;
    const more = await upload({ text: 'since,name\nnever,web\n', mode: 'append', store_id });
    expect(more.data).toMatchObject({ state: 'done', rows: 1 });
    expect(await ask('Hosts | project Name, Since | sort by Name asc')).toEqual([
      ['vpn', '2026-01-02T00:00:00.0000000Z'],
      ['web', null],
    ]);
    const types = [{ name: 'Since', type: 'string' }] as const;
    const scope = { scope_id: company.a.scope, store_id };
    const changed = await server.call(changeEventstore, {
      ...at('engineer'),
      input: { ...scope, revision: 3, description: 'VPN', types: [...types] },
    });
    expect(changed.http, changed.text).toBe(200);
    expect(await ask('Hosts | where Name == "web" | project Since')).toEqual([['never']]);
    const file = await server.call(downloadEventstore, { ...at('engineer'), input: scope });
    expect(file.text).toBe('Name,Since\r\nvpn,2026-01-02\r\nweb,never\r\n');
    const read = await server.call(readEventstore, { ...at('engineer'), input: scope });
    expect(read.data).toMatchObject({
      samples: [
        ['vpn', '2026-01-02'],
        ['web', 'never'],
      ],
      named_by: [],
    });
    await upload({ text: '[{"Name":"db","Tags":["a"]}]', mode: 'replace', store_id });
    expect(await ask('Hosts | project Name, Tag = tostring(Tags[0])')).toEqual([['db', 'a']]);
    expect((await upload({ text: 'Other\n1\n', mode: 'append', store_id })).text).toContain('Other');
    expect(await ask('Hosts | count')).toEqual([[1]]);
    const gone = await server.call(removeEventstore, { ...at('engineer'), input: scope });
    expect(gone.http).toBe(200);
    expect(JSON.stringify(await ask('Hosts | count'))).toContain('Hosts');
  });

  it('[T-eventstores] a table that a bucket reads names it, and is deleted only when that is confirmed', async () => {
    const { store_id } = (await upload({ text: 'Name\nvpn\n', name: 'Badges' })).data;
    const scope = { scope_id: company.a.scope, store_id };
    const yaml = `bucket: KnownBadges
fields: [DvcHostname]
source:
  - sourcetype: event_store
    eventstore: Badges
    enr_key: Name
    enr_values:
      annotate: { Known: "yes" }
`;
    const saved = await server.call(saveBucket, {
      ...at('engineer'),
      input: { scope_id: company.a.scope, yaml, enabled: false },
    });
    expect(saved.http, saved.text).toBe(200);
    const bucket = { kind: 'bucket', id: saved.data.table_id, name: 'KnownBadges' };
    const used = await server.call(readEventstore, { ...at('engineer'), input: scope });
    expect(used.data).toMatchObject({ store: { used_by: 1 }, named_by: [bucket] });
    const kept = await server.call(removeEventstore, { ...at('engineer'), input: scope });
    expect([kept.http, kept.text]).toEqual([409, expect.stringContaining('KnownBadges')]);
    const confirmed = { ...scope, confirm_used: true };
    const gone = await server.call(removeEventstore, { ...at('engineer'), input: confirmed });
    expect(gone.http).toBe(200);
  });

  it('[T-eventstores] a large file is stored by a job, which tells how far it is', async () => {
    const lines = Array.from({ length: 60_000 }, (_, n) => `host-${n}.example,${n}`);
    const form = new FormData();
    form.set('scope_id', company.a.scope);
    form.set('name', 'Large');
    form.set('file', new Blob([`Host,N\n${lines.join('\n')}\n`]), 'large.csv');
    const request = new Response(form);
    const answer = await server.app.inject({
      method: 'POST',
      url: `/${company.a.clusterId}/api/event_store/upload`,
      headers: { ssid: sessions.engineer ?? '', 'content-type': request.headers.get('content-type') ?? '' },
      payload: Buffer.from(await request.arrayBuffer()),
    });
    expect(answer.statusCode, answer.body).toBe(200);
    expect(answer.json().data).toMatchObject({ state: 'waiting', rows: 0 });
    expect(JSON.stringify(await ask('Large | count'))).toContain('Large');
    await runUpload();
    expect(await ask('Large | summarize count(), max(N)')).toEqual([[60_000, 59_999]]);
  });

  it.each([
    ['empty', ''],
    ['raggedRow', 'a,b\n1\n'],
    ['csvBroken', 'a\n"b\n'],
    ['jsonBroken', '{"a":1}\n{"a":\n'],
    ['notObjects', '[1,2]'],
    ['notText', 'a\n\u0000\n'],
    ['sheetBroken', 'PK\u0003\u0004 none'],
  ])(
    '[T-eventstores] what is no table is refused with its reason, and makes none: %s',
    async (code, text) => {
      const answer = await upload({ text: text === '' ? '\n\n\n\n' : text, name: 'Broken' });
      expect(answer.http).toBe(422);
      expect(answer.body.messageCode).toBe(`eventstores.${code}`);
      expect(JSON.stringify(await ask('Broken | count'))).toContain('Broken');
    },
  );

  it.each(['Dns', 'events', 'SecurityEvent', 'assets', 'ago', 'where', 'MyTable_CL', '_Im_Dns'])(
    '[T-eventstores] a table gets no name that means something else: %s',
    async (name) => {
      const answer = await upload({ text: ASSETS, name });
      expect(answer.body.messageCode).toBe('eventstores.nameTaken');
    },
  );
});
