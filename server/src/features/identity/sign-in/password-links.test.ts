import {
  accessDetails,
  login,
  MESSAGES,
  resetOwnPassword,
  resetUserPassword,
  saveSignInSettings,
  setPassword,
  validResetLink,
  verifyPassToken,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { NO_PASSWORD } from './password-hash.ts';
import { type MailCatcher, startMailCatcher, useMailCatcher } from './testing/mail-catcher.ts';

let test: TestApp;
let company: Company;
let catcher: MailCatcher;
let rootSsid = '';

beforeAll(async () => {
  catcher = await startMailCatcher();
  test = await testApp({
    env: { TYRIAN_PUBLIC_URL: 'https://console.harbour.example/', TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' },
  });
  company = await seedCompany(test.platform);
  rootSsid = await company.signIn('root');
});
afterAll(async () => {
  await test?.close();
  await catcher?.close();
});
beforeEach(() => test.platform.clock.advance(61 * 60_000));

const LINK =
  /https:\/\/console\.harbour\.example\/#\/auth\/(?:reset-password\/(\w+)|set-password)\/([\w-]{43})\n/;

function linkTo(role: SeedRole): { kind: string; token: string } {
  const found = LINK.exec(catcher.lastTo(company.emailOf(role)).text);
  if (!found) throw new Error(catcher.lastTo(company.emailOf(role)).text);
  return { kind: found[1] ?? 'set', token: found[2] ?? '' };
}

/** Asks as the page for forgotten passwords does, and waits for the mail behind the answer. */
async function forgot(emailId: string, headers: Record<string, string> = {}) {
  const before = catcher.mails.length;
  const answer = await test.app.inject({
    method: 'PUT',
    url: resetUserPassword.path,
    headers,
    payload: { emailId },
  });
  await test.composed.settled();
  return { answer, mails: catcher.mails.length - before };
}

const set = (token: string, password: string) => test.call(setPassword, { input: { token, password } });
const signIn = (role: SeedRole, password: string) =>
  test.call(login, { input: { emailId: company.emailOf(role), password } });

describe('a forgotten password', () => {
  it('[C011][S5-20] without a mail server the answer is the same, and nothing breaks', async () => {
    const { answer, mails } = await forgot(company.emailOf('viewer'));
    expect([answer.statusCode, mails]).toEqual([200, 0]);
    rootSsid = await company.signIn('root');
    expect((await test.call(resetOwnPassword, { ssid: rootSsid })).http).toBe(409);
    await useMailCatcher(test, catcher, rootSsid);
  });

  it('[C011][S5-20] answers alike for known, unknown and disabled accounts, and mails only the known', async () => {
    await company.identity.users.disable(company.userIds.noAccess);
    const known = await forgot(` ${company.emailOf('viewer').toUpperCase()} `);
    const unknown = await forgot('nobody@harbour.example');
    const disabled = await forgot(company.emailOf('noAccess'));
    expect([known.mails, unknown.mails, disabled.mails]).toEqual([1, 0, 0]);
    expect(known.answer.payload).toBe(unknown.answer.payload);
    expect(known.answer.payload).toBe(disabled.answer.payload);
    const mail = catcher.lastTo(company.emailOf('viewer'));
    expect(mail.subject).toBe('Tyrian: Set a new password');
    expect(mail.text).toContain('Hello viewer of Harbour,');
  });

  it('[C011] the link names the console as configured, whatever Host the request claims', async () => {
    const evil = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    await forgot(company.emailOf('viewer'), evil);
    expect(catcher.lastTo(company.emailOf('viewer')).text).not.toContain('evil.example');
    expect(linkTo('viewer').kind).toBe('forgot');
  });

  it('[C009][C012][S7-10][S7-13][S5-20] sets the password by the rules, once, ends every session and tells the user', async () => {
    const session = await company.signIn('analyst');
    await forgot(company.emailOf('analyst'));
    const { token } = linkTo('analyst');
    const checked = await test.call(validResetLink, { params: { token } });
    expect(checked.data).toEqual({ kind: 'forgot', email_id: company.emailOf('analyst') });
    expect((await test.call(verifyPassToken, { params: { token } })).http).toBe(404);

    expect((await set(token, 'weak')).data).toMatchObject({
      broken: ['length', 'upper', 'digit', 'special'],
    });
    expect((await set(token, SEED_PASSWORD)).data).toMatchObject({ broken: ['history'] });
    // A refused password does not use the link up.
    const both = await Promise.all([set(token, 'Better-word.1'), set(token, 'Better-word.2')]);
    expect(both.map((answer) => answer.http).sort()).toEqual([200, 404]);
    const won = both[0]?.http === 200 ? 'Better-word.1' : 'Better-word.2';

    expect((await test.call(accessDetails, { ssid: session })).http).toBe(401);
    expect((await signIn('analyst', SEED_PASSWORD)).http).toBe(403);
    expect((await signIn('analyst', won)).http).toBe(200);
    expect(catcher.lastTo(company.emailOf('analyst')).subject).toBe('Tyrian: Your password was changed');

    expect((await set(token, 'Better-word.3')).http).toBe(404);
    expect((await test.call(validResetLink, { params: { token } })).http).toBe(404);
  });

  it('[C012][S7-13][S5-20] an old link, an expired one and an invented one all look alike', async () => {
    await forgot(company.emailOf('engineer'));
    const old = linkTo('engineer').token;
    await forgot(company.emailOf('engineer'));
    const token = linkTo('engineer').token;
    const check = (one: string) => test.call(validResetLink, { params: { token: one } });
    expect((await check(token)).http).toBe(200);
    const replaced = await check(old);
    test.platform.clock.advance(3_600_000);
    const expired = await check(token);
    const invented = await check('x'.repeat(43));
    expect([replaced.http, expired.http, invented.http]).toEqual([404, 404, 404]);
    expect(new Set([replaced.text, expired.text, invented.text]).size).toBe(1);
    expect(replaced.body.message).not.toBe(MESSAGES.notAuthorised);
  });

  it('[C011] three mails an hour to one account, so that nobody floods a mailbox', async () => {
    const sent: number[] = [];
    for (let round = 0; round < 5; round++) sent.push((await forgot(company.emailOf('tenantAdmin'))).mails);
    expect(sent).toEqual([1, 1, 1, 0, 0]);
    test.platform.clock.advance(61 * 60_000);
    expect((await forgot(company.emailOf('tenantAdmin'))).mails).toBe(1);
  });

  it('[S19] forty who ask at once get three mails, also where the passwords are kept elsewhere', async () => {
    const flood = async (emailId: string) => {
      const before = catcher.mails.length;
      const ask = (at: number) =>
        test.app.inject({
          method: 'PUT',
          url: resetUserPassword.path,
          remoteAddress: `198.51.100.${at}`,
          payload: { emailId },
        });
      await Promise.all(Array.from({ length: 40 }, (_, at) => ask(at)));
      await test.composed.settled();
      return catcher.mails.length - before;
    };
    expect(await flood(company.emailOf('noAccess'))).toBe(0);
    expect(await flood(company.emailOf('orgAdmin'))).toBe(3);
    const postgres = test.platform.postgres.platform;
    const withAuthType = (type: string) =>
      sql`update organization set auth_type = ${type} where org_id = ${company.orgId}`.execute(postgres);
    await withAuthType('ldap');
    expect(await flood(company.emailOf('engineer'))).toBe(3);
    await withAuthType('standard');
    expect(await flood(company.emailOf('engineer'))).toBe(0);
  });

  it('keeps of a link only its hash', async () => {
    await forgot(company.emailOf('engineerOfB'));
    const { token } = linkTo('engineerOfB');
    const { rows } = await sql`select to_jsonb(p) from password_link p`.execute(
      test.platform.postgres.platform,
    );
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe('links from administrators', () => {
  it('[C010][S7-11] a link for oneself', async () => {
    const ssid = await company.signIn('rootViewer');
    expect((await test.call(resetOwnPassword, { ssid })).http).toBe(200);
    expect(linkTo('rootViewer').kind).toBe('forgot');
    expect((await test.call(resetOwnPassword, {})).http).toBe(401);
  });

  it('[C011][S7-12][S6-01] by user id only for those whom the caller administers; others are not there', async () => {
    const orgAdmin = await company.signIn('orgAdmin');
    const ask = (ssid: string | undefined, user_id: string) =>
      test.call(resetUserPassword, { ...(ssid ? { ssid } : {}), input: { user_id } });
    expect((await ask(orgAdmin, company.userIds.contentManager)).http).toBe(200);
    expect(linkTo('contentManager').kind).toBe('reset');
    const { token } = linkTo('contentManager');
    expect((await test.call(validResetLink, { params: { token } })).data.kind).toBe('reset');

    expect((await ask(undefined, company.userIds.viewer)).http).toBe(401);
    const other = await seedCompany(test.platform, '3');
    for (const by of [orgAdmin, await company.signIn('viewer'), await company.signIn('rootViewer')]) {
      expect((await ask(by, other.userIds.viewer)).http).toBe(404);
    }
    expect((await ask(orgAdmin, company.userIds.root)).http).toBe(404);
    expect((await ask(await company.signIn('root'), other.userIds.viewer)).http).toBe(200);
  });

  it('[S19] strangers cannot use up what an administrator may send, and an administrator has a limit too', async () => {
    for (let round = 0; round < 4; round++) await forgot(company.emailOf('viewer'));
    const ssid = await company.signIn('orgAdmin');
    const ask = () => test.call(resetUserPassword, { ssid, input: { user_id: company.userIds.viewer } });
    const before = catcher.mails.length;
    const answers = await Promise.all(Array.from({ length: 14 }, ask));
    expect(answers.map((answer) => answer.http).sort()).toEqual([
      ...Array(10).fill(200),
      ...Array(4).fill(429),
    ]);
    expect(catcher.mails.length - before).toBe(10);
  });

  it('[C008][C009][S7-09][S7-10][S5-20] a new user sets the first password with a link of seven days', async () => {
    const { identity, userIds } = company;
    await sql`update person set password_hash = ${NO_PASSWORD}, locale = 'fr-FR' where user_id = ${userIds.adminEngineer}`.execute(
      test.platform.postgres.platform,
    );
    expect((await signIn('adminEngineer', NO_PASSWORD)).http).toBe(403);
    await identity.signIn.passwordLinks.invite(userIds.adminEngineer);
    expect(catcher.lastTo(company.emailOf('adminEngineer')).subject).toContain('Votre compte');
    const { kind, token } = linkTo('adminEngineer');
    expect(kind).toBe('set');
    test.platform.clock.advance(6 * 24 * 3_600_000);
    expect((await test.call(verifyPassToken, { params: { token } })).data.kind).toBe('set');
    expect((await test.call(validResetLink, { params: { token } })).http).toBe(404);
    expect((await set(token, 'First-word.1')).http).toBe(200);
    expect((await signIn('adminEngineer', 'First-word.1')).http).toBe(200);
  });

  it('[C011] where a directory keeps the passwords, the mail says so and carries no link', async () => {
    const ssid = await company.signIn('root');
    const orgId = await company.identity.organizations.create('Elsewhere');
    const userId = await company.identity.users.create({
      orgId,
      email: 'kim@elsewhere.example',
      name: 'Kim',
      userType: 'general',
      password: 'Never-used.1',
    });
    await sql`update organization set auth_type = 'ldap' where org_id = ${orgId}`.execute(
      test.platform.postgres.platform,
    );
    expect((await forgot('kim@elsewhere.example')).mails).toBe(1);
    expect(catcher.lastTo('kim@elsewhere.example').text).not.toContain('http');
    expect((await test.call(resetUserPassword, { ssid, input: { user_id: userId } })).http).toBe(409);
    const mail = await test.call(saveSignInSettings, {
      ssid,
      params: { orgId: company.orgId },
      input: {
        auth_type: 'ldap',
        otp_methods: ['totp'],
        second_factor_always: false,
        session_timeout_min: 60,
        session_max_min: 720,
      },
    });
    expect(mail.body.message).toBe('auth_type: set the directory first');
  });
});
