import {
  deleteSavedView,
  listSavedViews,
  readPreferences,
  savePreferences,
  saveView,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../engines/testing/index.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

describe('preferences', () => {
  it('[S3-15][S9-10] follow their user from browser to browser, and nobody else', async () => {
    const first = await company.signIn('analyst');
    const input = { locale: 'ru-RU', theme: 'light', time_zone: 'Asia/Tokyo', density: 'compact' } as const;
    await test.call(savePreferences, { ssid: first, input });
    await test.call(savePreferences, { ssid: first, input: { shortcuts: false } });
    const second = await company.signIn('analyst');
    const read = await test.call(readPreferences, { ssid: second, input: {} });
    expect(read.data).toEqual({ ...input, shortcuts: false });
    const other = await company.signIn('viewer');
    expect((await test.call(readPreferences, { ssid: other, input: {} })).data).toEqual({ locale: 'en-US' });
  });

  it('keep the layouts of lists one by one', async () => {
    const ssid = await company.signIn('engineer');
    const layout = (width: number) => ({ widths: { name: width }, visible: { id: false }, order: ['name'] });
    await test.call(savePreferences, { ssid, input: { tables: { cases: layout(120) } } });
    await test.call(savePreferences, { ssid, input: { tables: { signals: layout(300) } } });
    const { data } = await test.call(readPreferences, { ssid, input: {} });
    expect(data.tables).toEqual({ cases: layout(120), signals: layout(300) });
  });

  it.each([
    { time_zone: 'Mars/Olympus' },
    { theme: 'pink' },
    { tables: { 'a b': {} } },
    { tables: { cases: { widths: { name: -1 } } } },
  ])('refuse %o and say which field', async (input) => {
    const ssid = await company.signIn('engineer');
    const refused = await test.call(savePreferences, { ssid, input: input as never });
    expect(refused.http).toBe(422);
    expect(refused.body.message).toContain(Object.keys(input)[0]);
  });
});

describe('saved filters', () => {
  const page = (clusterId: string) => ({ clusterId, page: 'cases' });

  it('are kept per user, page and tenant; the same name replaces', async () => {
    const ssid = await company.signIn('analyst');
    const { clusterId } = company.a;
    const saved = await test.call(saveView, {
      ssid,
      input: { ...page(clusterId), name: 'Mine', query: 'status=OPEN&handler=u1' },
    });
    const again = await test.call(saveView, {
      ssid,
      input: { ...page(clusterId), name: 'mine', query: 'status=all' },
    });
    expect(again.data.view_id).toBe(saved.data.view_id);
    const list = (who: string, input: { clusterId?: string; page: string }) =>
      test.call(listSavedViews, { ssid: who, input });
    expect((await list(ssid, page(clusterId))).data).toMatchObject([{ name: 'mine', query: 'status=all' }]);
    expect((await list(ssid, { clusterId, page: 'signals' })).data).toEqual([]);
    expect((await list(ssid, { page: 'cases' })).data).toEqual([]);
    expect((await list(await company.signIn('engineer'), page(clusterId))).data).toEqual([]);
  });

  it('of another tenant are not there, and another user cannot delete', async () => {
    const ssid = await company.signIn('analyst');
    const foreign = await test.call(listSavedViews, { ssid, input: page(company.b.clusterId) });
    const missing = await test.call(listSavedViews, { ssid, input: page('nosuchtenant') });
    expect([foreign.http, foreign.body.message]).toEqual([missing.http, missing.body.message]);
    expect(foreign.http).toBe(404);
    const mine = await test.call(saveView, {
      ssid,
      input: { ...page(company.a.clusterId), name: 'Keep', query: '' },
    });
    const { view_id } = mine.data;
    const other = await company.signIn('engineer');
    expect((await test.call(deleteSavedView, { ssid: other, input: { view_id } })).http).toBe(404);
    expect((await test.call(deleteSavedView, { ssid, input: { view_id } })).http).toBe(200);
    expect((await test.call(deleteSavedView, { ssid, input: { view_id } })).http).toBe(404);
  });

  it.each(['orgAdmin', 'contentManager', 'analyst'] as const)(
    '[S17] a tenant out of reach and one that is none answer the same bytes: %s',
    async (role) => {
      const ssid = await company.signIn(role);
      const answers = [];
      for (const clusterId of [company.b.clusterId, 'nosuchtenant']) {
        const saved = await test.call(saveView, {
          ssid,
          input: { ...page(clusterId), name: 'x', query: '' },
        });
        const listed = await test.call(listSavedViews, { ssid, input: page(clusterId) });
        answers.push([saved.http, saved.text, listed.http, listed.text]);
      }
      expect(answers[0]).toEqual(answers[1]);
      expect(answers[0]?.[0]).toBe(404);
    },
  );
});
