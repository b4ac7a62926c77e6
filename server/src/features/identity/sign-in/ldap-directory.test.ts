import type { AddressInfo } from 'node:net';
import {
  login,
  readSignInSettings,
  saveLdapDirectory,
  saveMailDomains,
  saveSignInSettings,
  testLdapDirectory,
} from '@tyrian/contract';
import { sql } from 'kysely';
import type ldap from 'ldapjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { NOT_REACHED } from '../../../platform/outgoing/outgoing-error.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { BASE, makeDirectory, PASSWORD, SERVICE } from './testing/directory-server.ts';

let test: TestApp;
let company: Company;
let server: ldap.Server;
let rootSsid = '';
let directory: Record<string, unknown>;
const binds: string[] = [];

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  rootSsid = await company.signIn('root');
  server = makeDirectory(
    {
      Viewer: company.emailOf('viewer'),
      Stranger: 'stranger@harbour.example',
      TwinA: company.emailOf('analyst'),
      TwinB: company.emailOf('analyst'),
    },
    binds,
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  directory = {
    host: '127.0.0.1',
    port: (server as unknown as { address(): AddressInfo }).address().port,
    security: 'plain',
    base_dn: BASE,
    user_filter: '(mail={email})',
    bind_dn: SERVICE.dn,
    bind_password: SERVICE.password,
  };
});
afterAll(async () => {
  await test?.close();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const params = () => ({ orgId: company.orgId });
const SETTINGS = {
  auth_type: 'ldap',
  otp_methods: ['totp'],
  second_factor_always: false,
  session_timeout_min: 60,
  session_max_min: 720,
};
const signIn = (emailId: string, password: string) => test.call(login, { input: { emailId, password } });

describe('a directory', () => {
  it('is tried before it is used, and says in its own words what is wrong', async () => {
    const attempt = (change: object, emailId = company.emailOf('viewer')) =>
      test.call(testLdapDirectory, {
        ssid: rootSsid,
        params: params(),
        input: { ...directory, ...change, emailId },
      });
    expect((await attempt({})).data).toMatchObject({
      found: true,
      answer: expect.stringMatching(/^cn=Viewer/),
    });
    expect((await attempt({}, 'nobody@harbour.example')).data.found).toBe(false);
    expect((await attempt({ bind_password: 'wrong' })).data.answer).toMatch(/credentials/i);
    expect((await attempt({ port: 1 })).data.answer).toBe(NOT_REACHED);
    expect((await attempt({ user_filter: '(mail=x)' })).http).toBe(422);
    const { rows } = await sql<{ action: string; found: string | null; address: string | null }>`
      select action, details->>'found' as found, details->>'address' as address from audit_entry
      where action like 'organization.directory.%' or action = 'outgoing.failed' order by audit_id`.execute(
      test.platform.postgres.platform,
    );
    expect(rows.map(({ action, found, address }) => [action, found, address])).toEqual([
      ['organization.directory.test', null, null],
      ['organization.directory.answer', 'true', '127.0.0.1'],
      ['organization.directory.test', null, null],
      ['organization.directory.answer', 'false', '127.0.0.1'],
      ['organization.directory.test', null, null],
      ['organization.directory.answer', 'false', null],
      ['organization.directory.test', null, null],
      ['outgoing.failed', null, null],
    ]);
  });

  it('keeps its password sealed and sends it to no other server', async () => {
    const save = (input: object) => test.call(saveLdapDirectory, { ssid: rootSsid, params: params(), input });
    expect((await save(directory)).http).toBe(200);
    const read = await test.call(readSignInSettings, { ssid: rootSsid, params: params() });
    expect(read.data.directory).toMatchObject({ host: '127.0.0.1', has_password: true });
    expect(read.text).not.toContain(SERVICE.password);
    const { bind_password: _, ...without } = directory;
    expect((await save({ ...without, host: 'localhost' })).http).toBe(422);
    expect((await save({ ...without, user_filter: '(|(mail={email})(uid={email}))' })).http).toBe(200);
    expect((await save(directory)).http).toBe(200);
    const { platform } = test.platform.postgres;
    const stored = await platform
      .withTables<{ organization_directory: { sealed_password: string } }>()
      .selectFrom('organization_directory')
      .selectAll()
      .execute();
    expect(JSON.stringify(stored)).not.toContain(SERVICE.password);
  });

  it('[C001][C002][S4-18] signs people in with its password, and only those with an account here', async () => {
    const saved = await test.call(saveSignInSettings, { ssid: rootSsid, params: params(), input: SETTINGS });
    expect(saved.http).toBe(200);
    const right = await signIn(company.emailOf('viewer'), PASSWORD);
    expect(right.data.SSID).toMatch(/^[\w-]{43}$/);
    const refusals = [
      await signIn(company.emailOf('viewer'), SEED_PASSWORD),
      // A bind without a password succeeds at the directory; here it is no sign-in.
      await signIn(company.emailOf('viewer'), ' '),
      await signIn('stranger@harbour.example', PASSWORD),
      await signIn('nobody@harbour.example', PASSWORD),
      // Two entries for one address: which is meant is not guessed.
      await signIn(company.emailOf('analyst'), PASSWORD),
    ];
    for (const refused of refusals) {
      expect([refused.http, refused.text]).toEqual([403, refusals[0]?.text]);
    }
  });

  it('[C002] what is typed cannot end the filter or match somebody else', async () => {
    for (const email of [
      '*',
      'viewer*@harbour.example',
      '*)(mail=*',
      `\\2a)(objectClass=*`,
      'v\0@x.example',
    ]) {
      expect((await signIn(email.padEnd(3, '*'), PASSWORD)).http).toBeGreaterThanOrEqual(403);
    }
    const { data } = await test.call(testLdapDirectory, {
      ssid: rootSsid,
      params: params(),
      input: { ...directory, emailId: '*)(mail=*' },
    });
    expect(data.found).toBe(false);
  });

  it('[C002] an address of a claimed domain without an account takes the same way through the directory', async () => {
    const domains = (mail_domains: string[], orgId = company.orgId) =>
      test.call(saveMailDomains, { ssid: rootSsid, params: { orgId }, input: { mail_domains } });
    expect((await domains(['Harbour.Example'])).http).toBe(200);
    const other = await company.identity.organizations.create('Other');
    expect((await domains(['harbour.example'], other)).http).toBe(409);
    const before = binds.length;
    expect((await signIn('nobody.here@harbour.example', PASSWORD)).http).toBe(403);
    expect(binds.length).toBeGreaterThan(before);
    // The users of another organization, below, have addresses of this domain too.
    expect((await domains([])).http).toBe(200);
  });

  it('[C002] a directory that is down refuses without telling more, and nobody gets in', async () => {
    await test.call(saveLdapDirectory, {
      ssid: rootSsid,
      params: params(),
      input: { ...directory, port: 1 },
    });
    const down = await signIn(company.emailOf('viewer'), PASSWORD);
    expect([down.http, down.body.status]).toEqual([503, 'error']);
    expect(down.body.message).toBe('The directory of the organization does not answer');
  });

  it('[S6-01] is set by root and by the administrator of that organization alone', async () => {
    const other = await seedCompany(test.platform, '4');
    const orgAdmin = await other.signIn('orgAdmin');
    const read = (ssid: string, orgId: string) => test.call(readSignInSettings, { ssid, params: { orgId } });
    expect((await read(orgAdmin, other.orgId)).http).toBe(200);
    const foreign = await read(orgAdmin, company.orgId);
    expect([foreign.http, foreign.text]).toEqual([404, (await read(orgAdmin, 'nosuchorg123')).text]);
    const save = (ssid: string, orgId: string) =>
      test.call(saveLdapDirectory, { ssid, params: { orgId }, input: directory });
    expect((await save(orgAdmin, company.orgId)).http).toBe(404);
    expect((await save(await other.signIn('rootViewer'), other.orgId)).http).toBe(403);
    expect((await save(await other.signIn('tenantAdmin'), other.orgId)).http).toBe(403);
    expect((await save(orgAdmin, other.orgId)).http).toBe(200);
    const domains = await test.call(saveMailDomains, {
      ssid: orgAdmin,
      params: { orgId: other.orgId },
      input: { mail_domains: ['victim.example'] },
    });
    expect(domains.http).toBe(403);
  });
});
