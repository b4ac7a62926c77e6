import {
  accessDetails,
  changePassword,
  login,
  type OtpChallenge,
  resetFactors,
  saveSignInSettings,
  sendOtpMail,
  verifyOtp,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { CHALLENGE_MS } from './sign-in-challenge-store.ts';
import { type MailCatcher, startMailCatcher, useMailCatcher } from './testing/mail-catcher.ts';
import { totpCode } from './totp.ts';

let test: TestApp;
let company: Company;
let catcher: MailCatcher;
let rootSsid = '';
let orgAdminSsid = '';

/** The organization asks for a second factor; the administrators of the test have been in before it did. */
const SETTINGS = {
  auth_type: 'mfa',
  otp_methods: ['totp', 'mail', 'passkey'],
  second_factor_always: false,
  session_timeout_min: 7200,
  session_max_min: 43_200,
} as const;

const settings = (change: object = {}) =>
  test.call(saveSignInSettings, {
    ssid: rootSsid,
    params: { orgId: company.orgId },
    input: { ...SETTINGS, ...change },
  });

beforeAll(async () => {
  catcher = await startMailCatcher();
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  rootSsid = await company.signIn('root');
  orgAdminSsid = await company.signIn('orgAdmin');
  await useMailCatcher(test, catcher, rootSsid);
  expect((await settings()).http).toBe(200);
});
afterAll(async () => {
  await test?.close();
  await catcher?.close();
});
beforeEach(() => test.platform.clock.advance(20 * 60_000));

const now = () => test.platform.clock.now();
const firstStep = (role: SeedRole, password = SEED_PASSWORD) =>
  test.call(login, { input: { emailId: company.emailOf(role), password } });

async function challengeOf(role: SeedRole): Promise<OtpChallenge> {
  const { data } = await firstStep(role);
  if (!('otp_token' in data)) throw new Error('no challenge');
  return data;
}
const verify = (otp_token: string, otp: string, remoteAddress = '127.0.0.1') =>
  test.call(verifyOtp, { input: { otp_token, otp }, remoteAddress });

/** Enrols the user and gives the secret of the app with the recovery codes. */
async function enrol(role: SeedRole): Promise<{ secret: string; codes: string[]; ssid: string }> {
  const { otp_token, enrol: offered } = await challengeOf(role);
  if (!offered) throw new Error('nothing to enrol');
  const { data } = await verify(otp_token, totpCode(offered.secret, now()));
  return { secret: offered.secret, codes: data.recovery_codes ?? [], ssid: data.SSID };
}

describe('the second step', () => {
  it('[C002][C003][S7-04][S4-20][S4-22][S3-01] enrols with the first right code; until then nothing of the user is told', async () => {
    const first = await firstStep('engineer');
    expect(first.data).toMatchObject({ SSID: '', mfa_flag: 'enabled', methods: ['totp', 'mail'] });
    expect(Object.keys(first.data)).not.toContain('access');
    expect(first.text).not.toContain('Harbour');
    const challenge = await challengeOf('engineer');
    expect(challenge.enrol?.uri).toContain(`secret=${challenge.enrol?.secret}`);

    const right = totpCode(challenge.enrol?.secret ?? '', now());
    const done = await verify(challenge.otp_token, right);
    expect(done.data.SSID).toMatch(/^[\w-]{43}$/);
    expect(done.data.mfa_flag).toBe('enabled');
    expect(done.data.recovery_codes).toHaveLength(10);
    expect((await test.call(accessDetails, { ssid: done.data.SSID })).data.mfa_flag).toBe('enabled');
  });

  it('[C003] keeps secrets sealed, and of tokens and recovery codes only hashes', async () => {
    const { secret, codes, ssid } = await enrol('analyst');
    const challenge = await challengeOf('analyst');
    const { rows } = await sql`
      select to_jsonb(t) || jsonb_build_object('c', (select jsonb_agg(c) from sign_in_challenge c),
        'r', (select jsonb_agg(r) from recovery_code r)) as everything from totp_factor t`.execute(
      test.platform.postgres.platform,
    );
    const stored = JSON.stringify(rows);
    for (const text of [secret, challenge.otp_token, ssid, ...codes]) {
      expect(stored).not.toContain(text);
      expect(stored).not.toContain(Buffer.from(text).toString('hex'));
    }
  });

  it('[S04] a right code whose session cannot be audited opens none, is not used up and no failure', async () => {
    const postgres = test.platform.postgres.platform;
    const { secret } = await enrol('orgAdmin');
    test.platform.clock.advance(60_000);
    const challenges = [await challengeOf('orgAdmin'), await challengeOf('adminEngineer')];
    const right = totpCode(secret, now());
    const remoteAddress = '198.51.100.20';
    const statuses: number[] = [];
    await sql`alter table audit_entry rename to audit_entry_away`.execute(postgres);
    try {
      // Five failures would begin a pause.
      for (const { otp_token } of [...challenges, ...challenges, ...challenges]) {
        statuses.push((await verify(otp_token, right, remoteAddress)).http);
      }
    } finally {
      await sql`alter table audit_entry_away rename to audit_entry`.execute(postgres);
    }
    expect(statuses).toEqual(Array(6).fill(503));
    expect((await verify(challenges[0]?.otp_token ?? '', right, remoteAddress)).http).toBe(200);
  });

  it('[C003][S7-04][S8-07] a wrong code answers status error, and a right one after it still opens', async () => {
    const { secret } = await enrol('viewer');
    test.platform.clock.advance(60_000);
    const { otp_token } = await challengeOf('viewer');
    const wrong = await verify(otp_token, '000000');
    expect(wrong.body).toMatchObject({
      status: 'error',
      data: { otp_status: 'invalid', attempts_left: 4 },
    });
    expect((await verify(otp_token, totpCode(secret, now()))).http).toBe(200);
  });

  it('[S19] forty who ask for a code by mail at once get one', async () => {
    const { otp_token } = await challengeOf('rootViewer');
    const before = catcher.mails.length;
    const ask = () => test.call(sendOtpMail, { input: { otp_token }, remoteAddress: '198.51.100.19' });
    const mails = await Promise.all(Array.from({ length: 40 }, ask));
    expect(mails.filter((answer) => answer.http === 200)).toHaveLength(1);
    expect(catcher.mails.length - before).toBe(1);
  });

  it('[C003] a code is never taken twice: not by the same sign-in, not by another, not by two at once', async () => {
    const { secret } = await enrol('tenantAdmin');
    const justUsed = totpCode(secret, now());
    const replay = await challengeOf('tenantAdmin');
    expect((await verify(replay.otp_token, justUsed)).body.status).toBe('error');

    test.platform.clock.advance(60_000);
    const [one, two] = [await challengeOf('tenantAdmin'), await challengeOf('tenantAdmin')];
    const code = totpCode(secret, now());
    const both = await Promise.all([verify(one.otp_token, code), verify(two.otp_token, code)]);
    expect(both.map((answer) => answer.http).sort()).toEqual([200, 422]);
    // The token that won is used up.
    const again = await verify(both[0]?.http === 200 ? one.otp_token : two.otp_token, code);
    expect([again.http, again.data]).toMatchObject([422, { otp_status: 'expired' }]);
  });

  it('[C003] five wrong codes end the sign-in, also when they come at once, and then the right one is too late', async () => {
    const { secret } = await enrol('noAccess');
    test.platform.clock.advance(60_000);
    const { otp_token } = await challengeOf('noAccess');
    const tries = Array.from({ length: 30 }, (_, at) => verify(otp_token, String(100_000 + at)));
    const answers = await Promise.all(tries);
    expect(answers.filter((one) => one.body.status === 'error').length).toBeLessThanOrEqual(5);
    expect(answers.some((one) => one.http === 429)).toBe(true);
    const late = await verify(otp_token, totpCode(secret, now()));
    expect([late.http, late.data]).toMatchObject([429, { otp_status: 'locked' }]);
    // Begun anew from another address it works: the guessing has locked nobody out.
    const { identity } = company;
    const fresh = await identity.auth.login(company.emailOf('noAccess'), SEED_PASSWORD, '203.0.113.7');
    if (!('otp_token' in fresh)) throw new Error('no challenge');
    const opened = await test.app.inject({
      method: 'POST',
      url: verifyOtp.path,
      remoteAddress: '203.0.113.7',
      payload: { otp_token: fresh.otp_token, otp: totpCode(secret, now()) },
    });
    expect(opened.statusCode).toBe(200);
  });

  it('[C003] a sign-in that is left alone expires, and one begun with an old password ends with it', async () => {
    const challenge = await challengeOf('contentManager');
    test.platform.clock.advance(CHALLENGE_MS);
    const late = await verify(challenge.otp_token, totpCode(challenge.enrol?.secret ?? '', now()));
    expect([late.http, late.body.status, late.data]).toMatchObject([
      422,
      'failed',
      { otp_status: 'expired' },
    ]);
    expect((await verify('no-such-token', '123456')).data).toMatchObject({ otp_status: 'expired' });

    const { ssid, secret } = await enrol('contentManager');
    test.platform.clock.advance(60_000);
    const pending = await challengeOf('contentManager');
    const input = { old_password: SEED_PASSWORD, new_password: 'Other-word.42' };
    expect((await test.call(changePassword, { ssid, input })).http).toBe(200);
    expect((await verify(pending.otp_token, totpCode(secret, now()))).data).toMatchObject({
      otp_status: 'expired',
    });
  });

  it('[C003] each recovery code opens once', async () => {
    const { codes } = await enrol('adminEngineer');
    const code = codes[0] ?? '';
    expect(code).toMatch(/^[a-z2-9]{5}-[a-z2-9]{5}$/);
    const first = await challengeOf('adminEngineer');
    expect(first.recovery).toBe(true);
    expect((await verify(first.otp_token, ` ${code.toUpperCase().replace('-', ' ')}`)).http).toBe(200);
    const second = await challengeOf('adminEngineer');
    expect((await verify(second.otp_token, code)).body.status).toBe('error');
    expect((await verify(second.otp_token, codes[1] ?? '')).http).toBe(200);
  });

  it('[C003] a code by mail, where the organization chooses it: once, ten minutes, three mails at most', async () => {
    const { otp_token } = await challengeOf('engineerOfB');
    const send = () => test.call(sendOtpMail, { input: { otp_token } });
    const sent = await send();
    expect(sent.data.sent_to).toBe('e•••@harbour.example');
    const address = company.emailOf('engineerOfB');
    const codeIn = (text: string) => /\b\d{6}\b/.exec(text)?.[0] ?? '';
    const oldCode = codeIn(catcher.lastTo(address).text);
    expect((await send()).http).toBe(429);
    test.platform.clock.advance(31_000);
    expect((await send()).http).toBe(200);
    test.platform.clock.advance(31_000);
    expect((await send()).data.next).toBeNull();
    test.platform.clock.advance(31_000);
    expect((await send()).http).toBe(429);
    const code = codeIn(catcher.lastTo(address).text);
    if (oldCode !== code) expect((await verify(otp_token, oldCode)).body.status).toBe('error');
    // A code belongs to its sign-in: another one does not take it.
    const other = await challengeOf('engineerOfB');
    expect((await verify(other.otp_token, code)).body.status).toBe('error');
    expect((await verify(otp_token, code)).http).toBe(200);

    expect((await settings({ otp_methods: ['totp'] })).http).toBe(200);
    const strict = await challengeOf('engineerOfB');
    expect(strict.methods).toEqual(['totp']);
    expect((await test.call(sendOtpMail, { input: { otp_token: strict.otp_token } })).http).toBe(422);
    await settings();
  });

  it('[C003] whoever was enrolled is never sent back to enrolment by the password alone', async () => {
    const challenge = await challengeOf('engineer');
    expect(challenge.enrol).toBeNull();
    await settings({ auth_type: 'standard', otp_methods: ['mail'] });
    expect(await challengeOf('engineer')).toMatchObject({ enrol: null, methods: ['totp', 'mail'] });
    await settings();
  });

  it('[C002] a session that the browser had before does not go on: signing in gives a new one', async () => {
    const { secret, ssid } = await enrol('rootViewer');
    test.platform.clock.advance(60_000);
    const { otp_token } = await challengeOf('rootViewer');
    const answer = await test.call(verifyOtp, {
      ssid,
      input: { otp_token, otp: totpCode(secret, now()) },
    });
    expect(answer.data.SSID).not.toBe(ssid);
    expect((await test.call(accessDetails, { ssid })).http).toBe(401);
    const planted = 'A'.repeat(43);
    test.platform.clock.advance(60_000);
    const next = await challengeOf('rootViewer');
    const chosen = await test.call(verifyOtp, {
      ssid: planted,
      input: { otp_token: next.otp_token, otp: totpCode(secret, now()) },
    });
    expect(chosen.data.SSID).not.toBe(planted);
    expect((await test.call(accessDetails, { ssid: planted })).http).toBe(401);
  });
});

describe('the reset by an administrator', () => {
  it('[C003][S6-01] removes every factor, ends the sessions, tells the user; only of the own organization', async () => {
    const { challenge, ssid } = await (async () => {
      const { otp_token } = await challengeOf('engineer');
      await test.call(sendOtpMail, { input: { otp_token } });
      const code = /\b\d{6}\b/.exec(catcher.lastTo(company.emailOf('engineer')).text)?.[0] ?? '';
      const opened = await verify(otp_token, code);
      return { challenge: otp_token, ssid: opened.data.SSID };
    })();
    expect(challenge).not.toBe('');
    const reset = (by: string, user_id: string) => test.call(resetFactors, { ssid: by, input: { user_id } });
    expect((await reset(ssid, company.userIds.viewer)).http).toBe(403);
    const other = await seedCompany(test.platform, '2');
    const foreign = await reset(orgAdminSsid, other.userIds.engineer);
    const missing = await reset(orgAdminSsid, 'nobodyatall1');
    expect([foreign.http, foreign.text]).toEqual([404, missing.text]);
    expect((await reset(orgAdminSsid, company.userIds.root)).http).toBe(404);
    expect((await reset(orgAdminSsid, company.userIds.orgAdmin)).http).toBe(422);

    expect((await reset(orgAdminSsid, company.userIds.engineer)).data).toEqual({ mailed: true });
    expect(catcher.lastTo(company.emailOf('engineer')).subject).toBe('Tyrian: Your second factor was reset');
    expect((await test.call(accessDetails, { ssid })).http).toBe(401);
    const fresh = await challengeOf('engineer');
    expect(fresh.enrol).not.toBeNull();
    expect(fresh.recovery).toBe(false);
    const { rows } = await sql<{ action: string; user_name: string }>`
      select action, user_name from audit_entry where action = 'mfa.reset'`.execute(
      test.platform.postgres.platform,
    );
    expect(rows).toEqual([{ action: 'mfa.reset', user_name: 'orgAdmin of Harbour' }]);
  });
});
