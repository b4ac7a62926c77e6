import { accessDetails, endSessions, listSessions, login, saveSignInSettings } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

const list = (ssid: string, user_id?: string) =>
  test.call(listSessions, { ssid, input: user_id ? { user_id } : {} });
const end = (ssid: string, input: object) => test.call(endSessions, { ssid, input });
const isGood = async (ssid: string) => (await test.call(accessDetails, { ssid })).http === 200;

describe('sessions', () => {
  it('[C004] are listed without their ids, and ended one by one or all but this one', async () => {
    const signIn = async (agent: string) => {
      const answer = await test.app.inject({
        method: 'POST',
        url: login.path,
        headers: { 'user-agent': agent },
        payload: { emailId: company.emailOf('viewer'), password: SEED_PASSWORD },
      });
      return (answer.json() as { data: { SSID: string } }).data.SSID;
    };
    const [one, two, three] = [
      await signIn('Firefox'),
      await signIn('Chromium'),
      await signIn('x'.repeat(999)),
    ];
    const listed = await list(one);
    expect(listed.data.data).toHaveLength(3);
    expect(listed.data.data.find((session) => session.is_current)).toMatchObject({
      user_agent: 'Firefox',
      method: 'password',
      second_factor: null,
      source: '127.0.0.1',
    });
    for (const ssid of [one, two, three]) expect(listed.text).not.toContain(ssid);
    const chromium = listed.data.data.find((session) => session.user_agent === 'Chromium');
    expect((await end(one, { session_ids: [chromium?.session_id] })).data).toEqual({ ended: 1 });
    expect([await isGood(one), await isGood(two), await isGood(three)]).toEqual([true, false, true]);
    expect((await end(one, { session_ids: 'others' })).data).toEqual({ ended: 1 });
    expect([await isGood(one), await isGood(three)]).toEqual([true, false]);
    expect((await end(one, {})).http).toBe(422);
  });

  it('[S6-01] of others only by their administrators; a root viewer looks and ends nothing', async () => {
    const viewer = await company.signIn('viewer');
    const other = await seedCompany(test.platform, '5');
    const foreign = await other.signIn('viewer');
    const listed = (await list(viewer)).data.data.find((session) => session.is_current);
    const session_ids = [listed?.session_id];
    const target = { user_id: company.userIds.viewer, session_ids };
    const analyst = await company.signIn('analyst');
    const missing = await list(analyst, 'nobodyatall1');
    for (const by of [analyst, await other.signIn('orgAdmin')]) {
      const answer = await list(by, company.userIds.viewer);
      expect([answer.http, answer.text]).toEqual([404, missing.text]);
      expect((await end(by, target)).http).toBe(404);
    }
    // Another user's session id among one's own names nothing.
    expect((await end(analyst, { session_ids })).data).toEqual({ ended: 0 });
    const rootViewer = await company.signIn('rootViewer');
    expect((await list(rootViewer, company.userIds.viewer)).http).toBe(200);
    expect((await end(rootViewer, target)).http).toBe(404);
    expect(await isGood(viewer)).toBe(true);
    expect((await end(await company.signIn('orgAdmin'), target)).data).toEqual({ ended: 1 });
    expect([await isGood(viewer), await isGood(foreign)]).toEqual([false, true]);
  });

  it('[C019] keep the limits of the organization, also those that were lowered later', async () => {
    const { clock } = test.platform;
    const root = await company.signIn('root');
    const limits = (session_timeout_min: number, session_max_min: number) =>
      test.call(saveSignInSettings, {
        ssid: root,
        params: { orgId: company.orgId },
        input: {
          auth_type: 'standard',
          otp_methods: ['totp'],
          second_factor_always: false,
          session_timeout_min,
          session_max_min,
        },
      });
    expect((await limits(29, 720)).http).toBe(422);
    expect((await limits(60, 43_201)).http).toBe(422);
    expect((await limits(90, 240)).http).toBe(200);
    const ssid = await company.signIn('engineer');
    clock.advance(89 * 60_000);
    expect(await isGood(ssid)).toBe(true);
    expect((await list(ssid)).data.data[0]).toMatchObject({
      idle_end: clock.now() + 90 * 60_000,
      end: clock.now() + 151 * 60_000,
    });
    expect(await isGood(root)).toBe(true);
    await limits(90, 120);
    clock.advance(32 * 60_000);
    expect(await isGood(ssid)).toBe(false);
  });
});
