import {
  auditTrail,
  beginTotp,
  login,
  resetUserPassword,
  saveMailDomains,
  setPassword,
  testLdapDirectory,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';

interface Entry {
  readonly user: string;
  readonly action: string;
  readonly entity: string;
  readonly source: string;
  readonly orgId: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

describe('failed sign-ins in the audit trail', () => {
  let test: TestApp;
  let company: Company;
  let other: Company;
  let orgAdmin: string;
  beforeAll(async () => {
    test = await testApp();
    company = await seedCompany(test.platform);
    other = await seedCompany(test.platform, '7');
    orgAdmin = await company.signIn('orgAdmin');
    const params = { orgId: company.orgId };
    const ssid = await company.signIn('root');
    const input = { mail_domains: ['quay.example'] };
    expect((await test.call(saveMailDomains, { ssid, params, input })).http).toBe(200);
  });
  afterAll(() => test?.close());

  const trail = async (action: string, ssid = orgAdmin): Promise<Entry[]> => {
    const { data } = await test.call(auditTrail, { ssid, input: { action, pagesize: 100 } });
    return [...(data as unknown as { data: Entry[] }).data].reverse();
  };
  const tryLogin = (emailId: string, remoteAddress: string, password = 'Wrong-word.9') =>
    test.call(login, { input: { emailId, password }, remoteAddress });

  it('[S13][R-C40] stand in that of the organization with their reason, which the caller never learns', async () => {
    const source = '192.0.2.1';
    const disabled = company.emailOf('noAccess');
    await company.identity.users.disable(company.userIds.noAccess);
    const stranger = 'stranger@quay.example';
    const answers = [
      await tryLogin(company.emailOf('viewer'), source),
      await tryLogin(stranger, source),
      await tryLogin(disabled, source, SEED_PASSWORD),
      await tryLogin('nobody@nowhere.example', source),
    ];
    expect(
      new Set(answers.map(({ http, text }) => `${http} ${text.replace(/"request_id":"[^"]*"/, '')}`)).size,
    ).toBe(1);
    const about = { source, orgId: company.orgId };
    expect(await trail('login.failed')).toMatchObject([
      { ...about, entity: company.emailOf('viewer'), details: { reason: 'wrong password' } },
      { ...about, entity: stranger, details: { reason: 'unknown account' } },
      { ...about, entity: disabled, details: { reason: 'disabled' } },
    ]);
    expect(await trail('login.failed', await other.signIn('orgAdmin'))).toEqual([]);
    const everywhere = await trail('login.failed', await company.signIn('root'));
    // [R-C40] Under the address that was tried, for root and the organization alike: the product did not fail to sign in.
    for (const entry of [...everywhere, ...(await trail('login.failed'))])
      expect(entry.user).toBe(entry.entity);
    expect(everywhere.map(({ entity }) => entity)).toContain('nobody@nowhere.example');
  });

  it('[S04] a flood of them is two entries a minute, and so is what is refused while locked out', async () => {
    const source = '192.0.2.2';
    const email = company.emailOf('engineer');
    const own = async () =>
      (await trail('login.failed')).filter((entry) => entry.source === source).map(({ details }) => details);
    for (let times = 0; times < 4; times += 1) expect((await tryLogin(email, source)).http).toBe(403);
    expect(await own()).toEqual([{ reason: 'wrong password' }]);
    test.platform.clock.advance(61_000);
    expect((await tryLogin(email, source)).http).toBe(403);
    const counted = [
      { reason: 'wrong password' },
      { reason: 'wrong password', times: 3 },
      { reason: 'wrong password' },
    ];
    expect(await own()).toEqual(counted);
    // Five were too many.
    for (let times = 0; times < 3; times += 1) expect((await tryLogin(email, source)).http).toBe(429);
    expect(await own()).toEqual([...counted, { reason: 'locked' }]);
    await test.composed.refusals.flush(true);
    expect(await own()).toEqual([...counted, { reason: 'locked' }, { reason: 'locked', times: 2 }]);
  });

  it('[S04] those that cannot be noted answer 503, and are counted all the same', async () => {
    const postgres = test.platform.postgres.platform;
    const email = company.emailOf('analyst');
    await sql`alter table audit_entry rename to audit_entry_away`.execute(postgres);
    const statuses: number[] = [];
    try {
      for (let times = 0; times < 5; times += 1) statuses.push((await tryLogin(email, '192.0.2.4')).http);
    } finally {
      await sql`alter table audit_entry_away rename to audit_entry`.execute(postgres);
    }
    expect(statuses).toEqual(Array(5).fill(503));
    expect((await tryLogin(email, '192.0.2.4', SEED_PASSWORD)).http).toBe(429);
    const noted = (await trail('login.failed')).filter(({ source }) => source === '192.0.2.4');
    expect(noted).toMatchObject([{ orgId: company.orgId, details: { reason: 'locked' } }]);
  });

  it('[S13] and with them wrong passwords of changes, bad links, forgotten passwords and tests of a directory', async () => {
    const remoteAddress = '192.0.2.3';
    const ssid = orgAdmin;
    const wrong = await test.call(beginTotp, { ssid, input: { password: 'Wrong-word.9' }, remoteAddress });
    expect(wrong.http).toBe(422);
    expect(await trail('password.failed')).toMatchObject([{ details: { reason: 'wrong password' } }]);

    const token = 'x'.repeat(43);
    await test.call(setPassword, { input: { token, password: 'Other-word.43' }, remoteAddress });
    const root = await company.signIn('root');
    expect(await trail('password.link.failed', root)).toMatchObject([
      { details: { reason: 'unknown link' } },
    ]);

    const emailId = 'stranger@quay.example';
    expect((await test.call(resetUserPassword, { input: { emailId }, remoteAddress })).http).toBe(200);
    await test.composed.settled();
    expect(await trail('password.forgot')).toMatchObject([
      { entity: emailId, source: remoteAddress, details: { mailed: false, reason: 'unknown account' } },
    ]);

    const directory = {
      host: '127.0.0.1',
      port: 1,
      security: 'plain' as const,
      base_dn: 'dc=harbour',
      user_filter: '(mail={email})',
    };
    const params = { orgId: company.orgId };
    const input = { ...directory, emailId };
    expect((await test.call(testLdapDirectory, { ssid, params, input })).http).toBe(200);
    const asked = { host: '127.0.0.1', port: 1, security: 'plain', email: emailId };
    expect(await trail('organization.directory.')).toMatchObject([
      { action: 'organization.directory.test', details: asked },
    ]);
    expect(await trail('outgoing.failed')).toMatchObject([
      { entity: '127.0.0.1:1', orgId: company.orgId, details: { purpose: 'test of the directory' } },
    ]);
  });
});
