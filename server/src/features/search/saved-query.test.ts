import {
  deleteSavedQuery,
  type InputOf,
  knownValues,
  listSavedQueries,
  listSearchHistory,
  readSavedQuery,
  restoreSavedQuery,
  saveQuery,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, type SeedRole, seedCompany } from '../identity/users/testing/seed-company.ts';
import { createSearchHistoryStore } from './search-history-store.ts';
import { insertEvents } from './testing/insert-events.ts';

const NOW = Date.UTC(2026, 5, 10, 12);
const HOUR_MS = 3_600_000;
const CANARY = 'canary-of-tenant-b';

let server: TestApp;
let company: Company;
const sessions = {} as Record<SeedRole, string>;

beforeAll(async () => {
  server = await testApp({ nowMs: NOW });
  company = await seedCompany(server.platform);
  for (const role of ['engineer', 'analyst', 'viewer', 'engineerOfB'] as const)
    sessions[role] = await company.signIn(role);
});
afterAll(() => server?.close());

type Draft = Omit<InputOf<typeof saveQuery>, 'scope_id'>;

const inA = (role: SeedRole = 'analyst') => ({
  ssid: sessions[role],
  params: { clusterId: company.a.clusterId },
});
const save = (draft: Draft, role: SeedRole = 'analyst') =>
  server.call(saveQuery, { ...inA(role), input: { scope_id: company.a.scope, ...draft } });
const list = async (role: SeedRole, kind: 'query' | 'snippet' = 'query') =>
  (await server.call(listSavedQueries, { ...inA(role), input: { scope_id: company.a.scope, kind } })).data;
const ofId =
  (endpoint: typeof readSavedQuery | typeof deleteSavedQuery | typeof restoreSavedQuery) =>
  async (id: string, role: SeedRole = 'analyst') =>
    server.call(endpoint, { ...inA(role), input: { scope_id: company.a.scope, id } });
const read = ofId(readSavedQuery);
const remove = ofId(deleteSavedQuery);
const restore = ofId(restoreSavedQuery);

describe('saved queries', () => {
  it('keeps text, range, folder and tags, and lists them by folder and name', async () => {
    const range = { from: 'now-6h', to: 'now' };
    const made = await save({
      name: 'Rare programs',
      text: 'ProcessEvent | take 5',
      folder: ' Hunting / Windows ',
      tags: ['rare', 'rare'],
      description: 'What ran once',
      range,
    });
    expect(made.data).toMatchObject({ version: 1, editable: true, shared: false, folder: 'Hunting/Windows' });
    await save({ name: 'All', text: 'Events' });
    expect((await list('analyst')).map(({ name }) => name)).toEqual(['All', 'Rare programs']);
    const { data } = await server.call(readSavedQuery, {
      ...inA(),
      input: { scope_id: company.a.scope, id: made.data.id },
    });
    expect(data).toMatchObject({ range, tags: ['rare'], description: 'What ran once' });
    expect((await save({ name: 'x', text: 'y', range: { from: 'soon', to: 'now' } })).http).toBe(422);
    expect((await save({ name: 'rare PROGRAMS', text: 'y' })).http).toBe(409);
  });

  it('shows a private one to nobody else, and a shared one to those who search in the scope', async () => {
    const { data } = await save({ name: 'Mine alone', text: 'Dns' });
    expect((await list('engineer')).map(({ id }) => id)).not.toContain(data.id);
    for (const act of [read, remove, restore]) expect((await act(data.id, 'engineer')).http).toBe(404);
    const shared = await save({ id: data.id, version: 1, name: 'Of all', text: 'Dns', shared: true });
    expect(shared.data).toMatchObject({ version: 2, shared: true });
    const seen = (await list('engineer')).find(({ id }) => id === data.id);
    expect(seen).toMatchObject({ name: 'Of all', editable: true });
    expect((await read(data.id, 'viewer')).http).toBe(403);
    const elsewhere = { scope_id: company.a.otherScope, id: data.id };
    expect((await server.call(readSavedQuery, { ...inA('engineer'), input: elsewhere })).http).toBe(404);
    const foreign = { ssid: sessions.engineerOfB, params: { clusterId: company.b.clusterId } };
    const inB = { scope_id: company.b.scope, id: data.id };
    expect((await server.call(readSavedQuery, { ...foreign, input: inB })).http).toBe(404);
  });

  it('lets an engineer mend what is shared but not take it away, and an analyst only look', async () => {
    const { data } = await save({ name: 'Of the engineer', text: 'Dns', shared: true }, 'engineer');
    expect((await read(data.id)).data).toMatchObject({ editable: false });
    expect((await save({ id: data.id, name: 'Taken', text: 'x' })).http).toBe(403);
    expect((await remove(data.id)).http).toBe(403);
    const own = await save({ name: 'Of the analyst', text: 'Dns', shared: true });
    const mended = await save({ id: own.data.id, name: 'Mended', text: 'Dns | take 1' }, 'engineer');
    expect(mended.data).toMatchObject({ name: 'Mended', shared: true, owner_name: own.data.owner_name });
  });

  it('refuses a change that is based on an older one', async () => {
    const { data } = await save({ name: 'Contested', text: 'Dns' });
    expect((await save({ id: data.id, version: 1, name: 'Contested', text: 'Dns | count' })).http).toBe(200);
    const late = await save({ id: data.id, version: 1, name: 'Contested', text: 'Web' });
    expect(late).toMatchObject({ http: 409, body: { status: 'failed' } });
    expect((await read(data.id)).data).toMatchObject({ text: 'Dns | count', version: 2 });
  });

  it('brings back what was deleted, for a day', async () => {
    const { data } = await save({ name: 'Deleted', text: 'Dns' });
    expect((await remove(data.id)).http).toBe(200);
    expect((await read(data.id)).http).toBe(404);
    expect((await restore(data.id)).data).toMatchObject({ name: 'Deleted', text: 'Dns' });
    await remove(data.id);
    await save({ name: 'Deleted', text: 'another of this name' });
    expect((await restore(data.id)).http).toBe(409);
    expect((await restore('nothing')).http).toBe(404);
  });

  it('keeps snippets apart', async () => {
    const made = await save({
      kind: 'snippet',
      name: 'lately',
      text: 'where TimeGenerated > ago($' + '{1h})',
    });
    expect((await list('analyst', 'snippet')).map(({ id }) => id)).toEqual([made.data.id]);
    expect((await list('analyst')).map(({ id }) => id)).not.toContain(made.data.id);
  });
});

describe('history', () => {
  it('finds searches by words, newest first, page by page', async () => {
    const store = createSearchHistoryStore(server.platform.postgres);
    const userId = company.userIds.analyst;
    const { clusterId, scope: scopeId } = company.a;
    await server.platform.postgres.inTenant(clusterId, async (trx) => {
      for (const [index, query] of ['Dns | take 1', 'Dns | count', 'Web | take 100%'].entries())
        await store.add(trx, clusterId, {
          id: `h${index}`,
          userId,
          scopeId,
          query,
          from: 'now-1h',
          to: 'now',
          queryTimezone: 'UTC',
          startedMs: NOW + index,
          status: 'done',
          rowCount: 1,
          elapsedMs: 1,
        });
    });
    const found = async (input: object, role: SeedRole = 'analyst') =>
      (
        await server.call(listSearchHistory, { ...inA(role), input: { scope_id: company.a.scope, ...input } })
      ).data.map(({ query }) => query);
    expect(await found({ search: 'TAKE dns' })).toEqual(['Dns | take 1']);
    expect(await found({ search: '0%' })).toEqual(['Web | take 100%']);
    expect(await found({ search: '_' })).toEqual([]);
    expect(await found({ before: NOW + 2, limit: 1 })).toEqual(['Dns | count']);
    expect(await found({}, 'engineer')).toEqual([]);
  });
});

describe('values of fields', () => {
  const values = async (field: string, rest: object = {}) =>
    server.call(knownValues, {
      ...inA('engineer'),
      input: { scope_id: company.a.scope, field, from: 'now-24h', to: 'now', ...rest },
    });

  it('lists those of fields with few, of this tenant, scope, streams and range only', async () => {
    const { eventStore } = server.platform;
    const { a, b } = company;
    await insertEvents(eventStore, a.clusterId, 900, (n) => ({
      Scope: n % 3 === 0 ? a.otherScope : a.scope,
      Stream: n % 2 === 0 ? 'ProcessEvent' : 'Dns',
      TimeGenerated: NOW - n * 1000,
      DvcHostname: n % 3 === 0 ? 'host-of-the-other-scope' : `host${n % 4}`,
      CommandLine: `run ${n}`,
      Ext: { nested: { colour: n % 4 === 0 ? 'red' : 'blue' } },
    }));
    await insertEvents(eventStore, b.clusterId, 10, () => ({
      Scope: b.scope,
      Stream: 'Dns',
      TimeGenerated: NOW - HOUR_MS,
      DvcHostname: CANARY,
      Ext: { [CANARY]: CANARY },
    }));
    const hosts = (await values('DvcHostname')).data;
    expect(hosts.values.map(({ value }) => value)).toEqual(['host0', 'host1', 'host2', 'host3']);
    expect(hosts.sampled).toBe(600);
    expect((await values('DvcHostname', { stream: ['Dns'] })).data.values).toHaveLength(2);
    expect((await values('Ext.nested.colour')).data.values[0]).toEqual({ value: 'blue', count: 450 });
    expect((await values('CommandLine')).data.values).toEqual([]);
    expect((await values('DvcHostname', { from: 'now-3d', to: 'now-2d' })).data.values).toEqual([]);
    expect((await values('NoSuchField')).http).toBe(422);
    expect((await values(`Ext.${CANARY}`)).http).toBe(422);
    expect((await values('DvcHostname | union Events')).http).toBe(422);
  });
});
