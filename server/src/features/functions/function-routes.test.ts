import {
  deleteFunction,
  explainSearch,
  functionVersions,
  type InputOf,
  invokeJob,
  listFunctions,
  saveFunction,
  shareFunction,
  taskResult,
  taskState,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { insertEvents } from '../search/testing/insert-events.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const SECRET = 'canary-in-the-body-of-b';
let server: TestApp;
let company: Company;
const sessions: Partial<Record<SeedRole, string>> = {};

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  await company.identity.users.grant({
    userId: company.userIds.contentManager,
    clusterId: company.a.clusterId,
    accessType: 'Custom',
    roles: { [company.a.scope]: 'Viewer' },
  });
  for (const role of ['engineer', 'analyst', 'viewer', 'contentManager', 'engineerOfB'] as const)
    sessions[role] = await company.signIn(role);
  await insertEvents(server.platform.eventStore, company.a.clusterId, 10, (n) => ({
    Scope: company.a.scope,
    Stream: 'Authentication',
    TimeGenerated: NOW - n * 60_000,
    EventResult: n % 2 === 0 ? 'Failure' : 'Success',
    ActorUsername: `user${n}`,
  }));
});
afterAll(() => server?.close());

const at = (role: SeedRole, tenant: 'a' | 'b' = 'a') => ({
  ssid: sessions[role] ?? '',
  params: { clusterId: company[tenant].clusterId },
});
const save = (input: InputOf<typeof saveFunction>, role: SeedRole = 'engineer', tenant: 'a' | 'b' = 'a') =>
  server.call(saveFunction, { ...at(role, tenant), input });

async function rowsOf(query: string) {
  const asked = { scope_id: company.a.scope, query, from: 'now-24h', to: 'now' };
  const input = { job_type: 'kql', ...asked } as InputOf<typeof invokeJob>;
  const started = await server.call(invokeJob, { ...at('engineer'), input });
  const taskid = started.data[0]?.id ?? '';
  const params = { clusterId: company.a.clusterId, taskid };
  for (;;) {
    const { body } = await server.call(taskState, { ...at('engineer'), params });
    if (body.task_stage === 'FAILURE') return body;
    if (body.task_stage === 'EXECUTED') break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const form = { form: 'rows', pagesize: 100 } as const;
  const { body } = await server.call(taskResult, { ...at('engineer'), params, input: form });
  return 'rows' in body ? body.rows : body;
}

describe('saved functions', () => {
  it('[C060] a saved function runs in every query of the tenant, and a change is seen at once', async () => {
    const body = 'Authentication | where EventResult == "Failure" | take most';
    const first = await save({ name: 'FailedLogons', parameters: 'most: long = 3', body });
    expect(first.http, first.text).toBe(200);
    expect(first.data).toMatchObject({ kind: 'table', saved: { version: 1, editable: true, shared: false } });
    expect(await rowsOf('FailedLogons | count')).toEqual([[3]]);
    expect(await rowsOf('FailedLogons(most=4) | summarize n = count()')).toEqual([[4]]);
    const changed = await save({ name: 'FailedLogons', parameters: 'most: long = 2', body, version: 1 });
    expect(changed.data.saved.version).toBe(2);
    expect(await rowsOf('FailedLogons | count')).toEqual([[2]]);
    const { data } = await server.call(functionVersions, {
      ...at('analyst'),
      input: { name: 'FailedLogons' },
    });
    expect(data.map(({ version, parameters }) => [version, parameters])).toEqual([
      [2, 'most: long = 2'],
      [1, 'most: long = 3'],
    ]);
  });

  it('functions call functions; one that would come to call itself is refused, as is a change behind the back', async () => {
    await save({ name: 'Twice', parameters: 'x: long', body: 'x * 2' });
    const four = await save({ name: 'FourTimes', parameters: 'x: long', body: 'Twice(Twice(x))' });
    expect(four.data).toMatchObject({ kind: 'scalar', columns: [{ name: 'result', type: 'long' }] });
    expect(await rowsOf('print FourTimes(3)')).toEqual([[12]]);
    const circle = await save({ name: 'Twice', parameters: 'x: long', body: 'FourTimes(x)', version: 1 });
    expect(circle.http).toBe(422);
    expect(circle.text).toContain('calls itself');
    const behind = await save({ name: 'Twice', parameters: 'x: long', body: 'x', version: 7 });
    expect(behind.http).toBe(409);
    expect((await save({ name: 'Twice', parameters: 'x: long', body: 'x' })).http).toBe(409);
    const used = await server.call(deleteFunction, { ...at('engineer'), input: { name: 'Twice' } });
    expect(used.http).toBe(409);
    expect(used.text).toContain('FourTimes');
  });

  it.each([
    ['a name of the language', { name: 'strcat', body: '1' }, 'already'],
    ['a name of a table', { name: 'SecurityEvent', body: '1' }, 'already'],
    ['a word of the language', { name: 'where', body: '1' }, 'already'],
    ['a mistake', { name: 'Wrong', body: 'Dns | where Url in' }, '"start":'],
    ['more than one function', { name: 'Two', body: '1 }; let x = () { 2' }, 'single function'],
    [
      'a reach out of the tenant',
      { name: 'Out', body: 'externaldata(a:string)["https://x.example/"]' },
      'not allowed',
    ],
  ])('%s is refused', async (_what, input, words) => {
    const answer = await save(input);
    expect(answer.http).toBe(422);
    expect(answer.text).toContain(words);
  });

  it('[R-C39] a mistake is told by the key of its sentence', async () => {
    const { body } = await save({ name: 'Wrong', parameters: '', body: 'Nope | take 1' });
    expect(body).toMatchObject({
      message: 'Unknown table Nope',
      messageCode: 'search.diagnostic',
      messageValues: { diagnostic: { code: 'kql.unknownTable', values: { name: 'Nope' } } },
    });
  });

  it('[S6-21] analysts read, viewers do not, and nobody sees functions of another tenant', async () => {
    const own = await save({ name: 'OnlyInB', body: `print x = "${SECRET}"` }, 'engineerOfB', 'b');
    expect(own.http, own.text).toBe(200);
    expect((await save({ name: 'Mine', body: '1' }, 'analyst')).http).toBe(403);
    expect((await server.call(listFunctions, at('viewer'))).http).toBe(403);
    expect((await server.call(listFunctions, at('engineer', 'b'))).http).toBe(403);
    const list = await server.call(listFunctions, at('analyst'));
    expect(list.data.every(({ editable }) => !editable)).toBe(true);
    const input = { scope_id: company.a.scope, query: 'OnlyInB', from: 'now-24h', to: 'now' };
    const asked = await server.call(explainSearch, { ...at('engineer'), input });
    expect(asked.http).toBe(422);
    const versions = await server.call(functionVersions, { ...at('engineer'), input: { name: 'OnlyInB' } });
    expect(versions.http).toBe(404);
    for (const { text } of [list, asked, versions]) expect(text).not.toContain(SECRET);
  });

  it('a content manager shares within reach alone; what is shared only content managers change', async () => {
    const made = await save({ name: 'Shared', body: 'print 1' }, 'contentManager');
    expect(made.http, made.text).toBe(200);
    const given = await server.call(shareFunction, {
      ...at('contentManager'),
      input: { name: 'Shared', cluster_ids: [company.b.clusterId, 'nowhere'] },
    });
    expect(given.http, given.text).toBe(200);
    const [own, ofB, nowhere] = given.data.results;
    expect(own).toMatchObject({ cluster_id: company.a.clusterId, shared: true });
    // Out of reach and not there are told in the same words.
    expect(ofB?.reason).toBe(nowhere?.reason);
    const again = { name: 'Shared', body: 'print 2', version: 2 };
    expect((await save(again)).http).toBe(403);
    expect((await save(again, 'contentManager')).http).toBe(200);
    expect((await server.call(listFunctions, at('engineerOfB', 'b'))).text).not.toContain('Shared');
  });
});
