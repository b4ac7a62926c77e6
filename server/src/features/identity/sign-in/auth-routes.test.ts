import {
  acceptEula,
  acceptPolicy,
  accessDetails,
  changePassword,
  initUser,
  invalidateSession,
  login,
  logout,
  savePreferences,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { signedIn } from '../users/testing/signed-in.ts';
import { hashSsid } from './access-store.ts';

/** The absolute limit of an organization that has not chosen one. */
const SESSION_MAX_MS = 12 * 3_600_000;

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp();
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());

const signIn = (emailId: string, password: string) => test.call(login, { input: { emailId, password } });
const invalid = {
  status: 'invalid',
  message: 'Invalid',
  data: null,
  code: 'invalid-session',
  messageCode: 'session.invalid',
  messageValues: {},
};

describe('signing in', () => {
  it('[C002][S7-03][S7-17][S3-01][S3-02][S3-03][S4-18][S4-19] gives a session id and the access record', async () => {
    const answer = await signIn(company.emailOf('engineer').toUpperCase(), SEED_PASSWORD);
    expect(answer.http).toBe(200);
    expect(answer.body.status).toBe('success');
    expect(answer.data).toMatchObject({
      name: 'engineer of Harbour',
      mfa_flag: 'disabled',
      userType: 'general',
      isRoot: false,
      isOrgAdmin: false,
      isAdmin: false,
      EULA: true,
      isPolicyAccepted: true,
    });
    expect(answer.data.SSID).toMatch(/^[\w-]{43}$/);
    expect(signedIn(answer.data).access).toEqual([
      {
        clusterId: company.a.clusterId,
        clusterName: 'Alpha',
        access_type: 'Custom',
        licenseType: 'open',
        productType: 'enterprise',
        scope_access: [company.a.scope, company.a.otherScope].map((scope_id, at) => ({
          scope_id,
          scope_name: ['Main', 'Branch'][at],
          role: 'Security Engineer',
          is_enabled: true,
          cluster_id: company.a.clusterId,
        })),
      },
    ]);
  });

  it('[C002] keeps only a hash of the session id', async () => {
    const { data } = await signIn(company.emailOf('analyst'), SEED_PASSWORD);
    const rows = await identityDb(test.platform.postgres).selectFrom('session').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain(data.SSID);
    expect(rows.some((row) => row.ssid_hash.equals(hashSsid(data.SSID)))).toBe(true);
  });

  it('[C001][C002][S7-02][S8-06] a wrong password, an unknown and a disabled account answer alike', async () => {
    await company.identity.users.disable(company.userIds.noAccess);
    const answers = [
      await signIn(company.emailOf('viewer'), 'Wrong-word.1'),
      await signIn('nobody@harbour.example', 'Wrong-word.1'),
      await signIn(company.emailOf('noAccess'), SEED_PASSWORD),
    ];
    await company.identity.users.enable(company.userIds.noAccess);
    for (const answer of answers) {
      expect(answer.http).toBe(403);
      expect(answer.body).toEqual(answers[0]?.body);
      expect(answer.body.status).toBe('failed');
    }
    const inits = await Promise.all(
      [company.emailOf('viewer'), 'nobody@harbour.example'].map((emailId) =>
        test.call(initUser, { input: { emailId } }),
      ),
    );
    expect(inits[0]?.body).toEqual(inits[1]?.body);
    expect(inits[0]?.data).toEqual({ auth_type: 'standard', sso_kind: null, redirect_url: null });
  });

  it('[C002] works as hard for an unknown account as for a known one', async () => {
    // The time of the processor, which other programs do not lengthen; few enough attempts that nobody is locked.
    const work = async (email: string) => {
      const before = process.cpuUsage();
      const answer = await signIn(email, 'Wrong-word.1');
      const { user, system } = process.cpuUsage(before);
      expect(answer.body.message).toBe(refused.body.message);
      return user + system;
    };
    const refused = await signIn('nobody.yet@harbour.example', 'Wrong-word.1');
    const known: number[] = [];
    const unknown: number[] = [];
    for (let round = 0; round < 4; round++) {
      known.push(await work(company.emailOf('rootViewer')));
      unknown.push(await work('nobody.at.all@harbour.example'));
    }
    const ratio = Math.min(...unknown) / Math.min(...known);
    expect(ratio).toBeGreaterThan(0.5);
    expect(ratio).toBeLessThan(2);
  });

  it('[C001][C002] refuses malformed input with the field that is wrong', async () => {
    const answer = await test.call(login, { input: { emailId: company.emailOf('viewer') } });
    expect([answer.http, answer.body.status]).toEqual([422, 'failed']);
    expect(answer.body.message).toContain('password');
    expect((await test.call(initUser, { input: { emailId: 7 } })).http).toBe(422);
  });
});

describe('sessions', () => {
  it('[C019][S7-20][S8-01] access-details needs a good session', async () => {
    const ssid = await company.signIn('viewer');
    const answer = await test.call(accessDetails, { ssid });
    expect(answer.data.SSID).toBe(ssid);
    for (const wrong of [undefined, '', 'x', 'y'.repeat(5000)]) {
      const refused = await test.call(accessDetails, wrong === undefined ? {} : { ssid: wrong });
      expect([refused.http, refused.body]).toEqual([401, invalid]);
    }
  });

  it('[C004][C007][S7-05][S7-08][S4-36] logout and invalidate end it, and are idempotent', async () => {
    const one = await company.signIn('viewer');
    const two = await company.signIn('viewer');
    for (let round = 0; round < 2; round++) {
      expect((await test.call(logout, { input: { ssid: one } })).body.status).toBe('success');
      const params = { clusterId: company.a.clusterId };
      expect((await test.call(invalidateSession, { ssid: two, params })).body.status).toBe('success');
    }
    expect((await test.call(logout, { input: { ssid: 'never was' } })).http).toBe(200);
    expect((await test.call(accessDetails, { ssid: one })).http).toBe(401);
    expect((await test.call(accessDetails, { ssid: two })).http).toBe(401);
  });

  it('[C019] ends after the idle time, and in any case after the absolute time', async () => {
    const { clock } = test.platform;
    const start = clock.now();
    const idle = await company.signIn('viewer');
    clock.advance(59 * 60_000);
    expect((await test.call(accessDetails, { ssid: idle })).http).toBe(200);
    clock.advance(59 * 60_000);
    expect((await test.call(accessDetails, { ssid: idle })).http).toBe(200);
    clock.advance(61 * 60_000);
    expect((await test.call(accessDetails, { ssid: idle })).http).toBe(401);
    const busy = await company.signIn('viewer');
    const end = clock.now() + SESSION_MAX_MS;
    while (clock.now() + 30 * 60_000 < end) {
      clock.advance(30 * 60_000);
      expect((await test.call(accessDetails, { ssid: busy })).http).toBe(200);
    }
    clock.set(end);
    expect((await test.call(accessDetails, { ssid: busy })).http).toBe(401);
    clock.set(start);
  });

  it('[C019] ends when the account is disabled', async () => {
    const ssid = await company.signIn('viewer');
    await company.identity.users.disable(company.userIds.viewer);
    expect((await test.call(accessDetails, { ssid })).http).toBe(401);
    await company.identity.users.enable(company.userIds.viewer);
    expect((await test.call(accessDetails, { ssid })).http).toBe(401);
  });

  it('[C015][C020][C019][S7-16][S7-21] policy and EULA are accepted for oneself only', async () => {
    const ssid = await company.signIn('contentManager');
    await sql`update person set eula_version = 0, policy_version = 0
      where user_id = ${company.userIds.contentManager}`.execute(test.platform.postgres.platform);
    const accept = (user_id: string) =>
      test.call(acceptPolicy, { ssid, params: { user_id }, input: { isPolicyAccepted: true } });
    const foreign = await accept(company.userIds.viewer);
    const missing = await accept('nosuchuser');
    expect(foreign.http).toBe(404);
    expect(foreign.body).toEqual(missing.body);
    expect((await accept(company.userIds.contentManager)).data.isPolicyAccepted).toBe(true);
    expect((await test.call(acceptEula, { ssid })).data).toEqual({ EULA: true });
    const { data } = await test.call(accessDetails, { ssid });
    expect([data.isPolicyAccepted, data.EULA, data.userType]).toEqual([true, true, 'content_manager']);
  });

  it('[S9-10] keeps the language of the user', async () => {
    const ssid = await company.signIn('viewer');
    await test.call(savePreferences, { ssid, input: { locale: 'zh-CN' } });
    expect((await test.call(accessDetails, { ssid })).data.locale).toBe('zh-CN');
    expect((await test.call(savePreferences, { ssid, input: { locale: 'xx' } })).http).toBe(422);
  });
});

describe('changing the password', () => {
  const change = (ssid: string, old_password: string, new_password: string) => {
    test.platform.clock.advance(1000);
    return test.call(changePassword, { ssid, input: { old_password, new_password } });
  };

  it('[C013][S7-14] keeps the rules and the history, and ends every other session', async () => {
    const ssid = await company.signIn('orgAdmin');
    const other = await company.signIn('orgAdmin');
    const wrong = await change(ssid, 'not it', 'Better-word.1');
    expect([wrong.http, wrong.body.message]).toEqual([422, 'The old password is wrong']);
    const weak = await change(ssid, SEED_PASSWORD, 'weak');
    expect(weak.http).toBe(422);
    expect(weak.data).toMatchObject({ broken: ['length', 'upper', 'digit', 'special'] });
    expect((await change(ssid, SEED_PASSWORD, SEED_PASSWORD)).data).toMatchObject({ broken: ['history'] });
    expect((await test.call(accessDetails, { ssid: other })).http).toBe(200);

    expect((await change(ssid, SEED_PASSWORD, 'Better-word.1')).data.ended_sessions).toBeGreaterThan(0);
    expect((await test.call(accessDetails, { ssid })).http).toBe(200);
    expect((await test.call(accessDetails, { ssid: other })).http).toBe(401);
    expect((await signIn(company.emailOf('orgAdmin'), SEED_PASSWORD)).http).toBe(403);
    expect((await signIn(company.emailOf('orgAdmin'), 'Better-word.1')).http).toBe(200);

    await change(ssid, 'Better-word.1', 'Better-word.2');
    expect((await change(ssid, 'Better-word.2', SEED_PASSWORD)).data).toMatchObject({ broken: ['history'] });
    await change(ssid, 'Better-word.2', 'Better-word.3');
    expect((await change(ssid, 'Better-word.3', SEED_PASSWORD)).http).toBe(200);
  });
});
