import {
  beginSso,
  login,
  readSsoSettings,
  saveLdapDirectory,
  saveMailDomains,
  saveSignInSettings,
  saveSsoSettings,
  testLdapDirectory,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { NOT_REACHED } from '../../../platform/outgoing/outgoing-error.ts';
import {
  type CountingListener,
  countConnections,
  httpAnswer,
} from '../../../platform/outgoing/testing/counting-listener.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { type SamlIdp, startSamlIdp } from './testing/saml-idp.ts';

// Connections that an administrator of an organization steers: metadata of SAML, discovery of OpenID Connect, tests of
// a directory. `closed` is the product as it comes, `listed` one whose operator has listed loopback.

interface Side {
  readonly test: TestApp;
  readonly company: Company;
  readonly ssid: string;
}

let closed: Side;
let listed: Side;
let idp: SamlIdp;

async function side(env: Record<string, string>): Promise<Side> {
  const test = await testApp({ env });
  const company = await seedCompany(test.platform);
  return { test, company, ssid: await company.signIn('orgAdmin') };
}

beforeAll(async () => {
  closed = await side({});
  listed = await side({ TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' });
  idp = await startSamlIdp(async () => '');
});
afterAll(async () => {
  await idp?.close();
  await closed?.test.close();
  await listed?.test.close();
});

const params = ({ company }: Side) => ({ orgId: company.orgId });
const save = (at: Side, input: unknown) =>
  at.test.call(saveSsoSettings, { ssid: at.ssid, params: params(at), input });
const bySaml = (at: Side, metadata_url: string) => save(at, { kind: 'saml', metadata_url });
const byOidc = (at: Side, issuer: string) =>
  save(at, { kind: 'oidc', oidc: { issuer, client_id: 'tyrian', client_secret: 'x' } });
const directory = (host: string, port: number, security = 'plain') => ({
  host,
  port,
  security,
  base_dn: 'dc=x',
  user_filter: '(mail={email})',
});
const byLdap = (at: Side, host: string, port: number, security?: string) =>
  at.test.call(testLdapDirectory, {
    ssid: at.ssid,
    params: params(at),
    input: { ...directory(host, port, security), emailId: 'a@harbour.example' },
  });

/** Metadata as an attacker would have them, with the secret in the name of the provider. */
const stolen = (entityId: string) => idp.metadata.replace(/entityID="[^"]+"/, `entityID="${entityId}"`);

/** Every way to write an address of this machine or of what stands beside it. */
const SPELLINGS = [
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '2130706433',
  '0x7f.1',
  '0x7f000001',
  '0177.0.0.1',
  '017700000001',
  'localhost',
  'LOCALHOST.',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '0.0.0.0',
  '0',
  '[::]',
  '169.254.169.254',
  '[fe80::1]',
  '[fd00::1]',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.0.1',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

describe('an administrator of an organization', () => {
  it('[S02] reads nothing of this machine by metadata, issuer or directory, however the address is written', async () => {
    const engine = await countConnections(httpAnswer('200 OK', stolen('events of another tenant')));
    const document = { issuer: `http://127.0.0.1:${engine.port}/.well-known/openid-configuration` };
    for (const host of SPELLINGS) {
      const at = `${host}:${engine.port}`;
      for (const scheme of ['http', 'https']) {
        const more = scheme === 'http' ? '; plain http is allowed only for listed networks' : '';
        const saml = await bySaml(closed, `${scheme}://${at}/metadata`);
        expect([saml.http, saml.body.message], at).toEqual([422, `metadata_url: ${NOT_REACHED}${more}`]);
        const oidc = await byOidc(closed, `${scheme}://${at}`);
        expect([oidc.http, oidc.body.message], at).toEqual([422, `issuer: ${NOT_REACHED}${more}`]);
      }
      const bare = host.replace(/^\[(.*)\]$/, '$1');
      const { http, data } = await byLdap(closed, bare, engine.port);
      expect([http, data], at).toMatchObject([200, { found: false, answer: NOT_REACHED }]);
    }
    for (const issuer of [
      document.issuer,
      document.issuer.replace('.well', '%2Ewell').replace('http:', 'https:'),
      `https://idp.example/?a=/.well-known/`,
      `https://idp.example/#/.well-known/`,
      'https://idp.example/.well-known/openid-configuration',
    ]) {
      const { http, body } = await byOidc(closed, issuer);
      expect([http, body.message], issuer).toEqual([422, expect.stringMatching(/^issuer: must /)]);
    }
    for (const address of [
      'https://idp.example/?query=SELECT',
      'https://idp.example/#x',
      'https://u:p@idp.example/',
    ]) {
      expect((await bySaml(closed, address)).body.message).toMatch(/^metadata_url: must not contain/);
    }
    expect(engine.connections()).toBe(0);
    const { data } = await closed.test.call(readSsoSettings, { ssid: closed.ssid, params: params(closed) });
    expect([data.saml, data.oidc]).toEqual([null, null]);
    await engine.close();
  });

  it('[S14] leaves an entry for each attempt that tells where to and what for, and not what happened', async () => {
    const { rows } = await sql<{ entity: string; details: unknown; org_id: string; user_id: string }>`
      select entity, details, org_id, user_id from audit_entry where action = 'outgoing.failed'`.execute(
      closed.test.platform.postgres.platform,
    );
    expect(rows.length).toBe(SPELLINGS.length * 5);
    expect(new Set(rows.map((row) => JSON.stringify([row.details, row.org_id, row.user_id])))).toEqual(
      new Set(
        ['settings of single sign-on', 'test of the directory'].map((purpose) =>
          JSON.stringify([{ purpose }, closed.company.orgId, closed.company.userIds.orgAdmin]),
        ),
      ),
    );
  });

  it('[S14] leaves an entry before anything is connected, without what may be a secret in an address', async () => {
    const { rows } = await sql<{ action: string; asked: string | null }>`
      select action, details->>'asked' as asked from audit_entry
      where action like 'organization.directory.%' or action like 'organization.sso%' order by audit_id`.execute(
      closed.test.platform.postgres.platform,
    );
    const tests = rows.filter(({ action }) => action === 'organization.directory.test');
    const tries = rows.filter(({ action }) => action === 'organization.sso.try');
    expect(tests).toHaveLength(SPELLINGS.length);
    expect(tries).toHaveLength(SPELLINGS.length * 4 + 8);
    expect(rows).toHaveLength(tests.length + tries.length);
    expect(tries.map(({ asked }) => asked)).toContain('https://idp.example/');
    for (const { asked } of tries) expect(asked).not.toMatch(/[@?#]/);
  });

  it('[S02] has nobody else connect for it: what is stored already is checked when somebody signs in', async () => {
    const engine = await countConnections(httpAnswer('200 OK', '{}'));
    const { test, company } = closed;
    const root = await company.signIn('root');
    const put = { ssid: root, params: params(closed) };
    await test.call(saveMailDomains, { ...put, input: { mail_domains: ['steered.example'] } });
    await test.call(saveLdapDirectory, { ...put, input: directory('127.0.0.1', engine.port) });
    const settings = (auth_type: string) => ({
      auth_type,
      otp_methods: ['totp'],
      second_factor_always: false,
      session_timeout_min: 60,
      session_max_min: 720,
    });
    expect((await test.call(saveSignInSettings, { ...put, input: settings('ldap') })).http).toBe(200);
    const signIn = await test.call(login, { input: { emailId: 'a@steered.example', password: 'any' } });
    expect([signIn.http, signIn.body.message]).toEqual([
      503,
      'The directory of the organization does not answer',
    ]);
    const oidc = { issuer: `http://127.0.0.1:${engine.port}`, client_id: 'tyrian', scopes: 'openid' };
    await sql`update organization set sso_kind = 'oidc', auth_type = 'sso' where org_id = ${company.orgId}`.execute(
      test.platform.postgres.platform,
    );
    await sql`insert into sso_provider (org_id, kind, settings, changed_at)
      values (${company.orgId}, 'oidc', ${JSON.stringify(oidc)}, 'epoch')`.execute(
      test.platform.postgres.platform,
    );
    const begun = await test.call(beginSso, { input: { emailId: 'a@steered.example' } });
    expect([begun.http, begun.body.message]).toEqual([
      503,
      'The identity provider of the organization does not answer',
    ]);
    expect(engine.connections()).toBe(0);
    await engine.close();
  });

  it('[S14] cannot tell open, closed, filtered, HTTP and SSH ports apart, listed network or not', async () => {
    const made: CountingListener[] = [];
    const port = async (...given: Parameters<typeof countConnections>) => {
      const one = await countConnections(...given);
      made.push(one);
      return { host: '127.0.0.1', port: one.port };
    };
    const gone = await countConnections(() => undefined);
    await gone.close();
    const targets = {
      open: await port((socket) => socket.once('data', () => socket.end())),
      closed: { host: '127.0.0.1', port: gone.port },
      filtered: { host: '10.255.255.1', port: 389 },
      http: await port(httpAnswer('404 Not Found', 'nothing')),
      page: await port(httpAnswer('200 OK\r\ncontent-type: text/html', '<html></html>')),
      json: await port(httpAnswer('200 OK\r\ncontent-type: application/json', '{"a":1}')),
      ssh: await port((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')),
    };
    for (const at of [closed, listed]) {
      const answersBy = async (
        how: (host: string, port: number) => Promise<{ http: number; text: string }>,
      ) =>
        Object.fromEntries(
          await Promise.all(
            Object.entries(targets).map(async ([name, target]) => {
              const { http, text } = await how(target.host, target.port);
              return [name, `${http} ${text}`] as const;
            }),
          ),
        );
      for (const how of [
        (host: string, on: number) => byLdap(at, host, on),
        (host: string, on: number) => byLdap(at, host, on, 'ldaps'),
        (host: string, on: number) => byLdap(at, host, on, 'starttls'),
        (host: string, on: number) => bySaml(at, `http://${host}:${on}/metadata`),
        (host: string, on: number) => bySaml(at, `https://${host}:${on}/metadata`),
        (host: string, on: number) => byOidc(at, `http://${host}:${on}`),
        (host: string, on: number) => byOidc(at, `https://${host}:${on}`),
      ]) {
        const answers = await answersBy(how);
        for (const name of Object.keys(targets)) expect(answers[name], name).toBe(answers.open);
        expect(answers.open).toContain(NOT_REACHED);
      }
    }
    // They were reached where they are listed: that nothing of it is told is not for lack of an answer.
    for (const one of made) expect(one.connections()).toBeGreaterThan(0);
    await Promise.all(made.map((one) => one.close()));
  });

  it('[S02] takes no name from a document that is longer than one that is typed, and repeats no document', async () => {
    const long = await countConnections(httpAnswer('200 OK', stolen('x'.repeat(1_025))));
    const { http, body } = await bySaml(listed, `http://127.0.0.1:${long.port}/metadata`);
    expect([http, body.message]).toEqual([422, expect.stringMatching(/^metadata: entity_id: /)]);
    await long.close();
    const secret = 'root:*:20228:0:99999:7';
    for (const metadata of [
      secret,
      `<${secret}>`,
      `<a b="${secret}">`,
      `<a>${secret}</a>`,
      `<a>&${secret};</a>`,
      `<a>`.repeat(20_000),
      `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`,
      stolen('x').replace(/MII[^<]*/, (der) => `${'<a>'.repeat(5_000)}${der}${'</a>'.repeat(5_000)}`),
      stolen('x').replaceAll('https://', secret).replaceAll('http://127', secret),
    ]) {
      const refused = await save(listed, { kind: 'saml', metadata });
      expect([refused.http, refused.text.includes(secret)], metadata.slice(0, 60)).toEqual([422, false]);
    }
  });
});
