import { listSessions, login, validResetLink } from '@tyrian/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { signedIn } from '../users/testing/signed-in.ts';
import { GUARD_LIMITS } from './login-guard.ts';

const PROXY = '10.0.0.5';

let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_TRUSTED_PROXIES: `${PROXY}, 10.0.1.0/24,fd00:1::/64` } });
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());
beforeEach(() => test.platform.clock.advance(3_600_000));

/** A sign-in as it arrives: from a peer, which says that it speaks for somebody. */
const signIn = (emailId: string, password: string, remoteAddress: string, forwarded?: string) =>
  test.call(login, {
    input: { emailId, password },
    remoteAddress,
    ...(forwarded === undefined ? {} : { headers: { 'x-forwarded-for': forwarded } }),
  });
const right = (role: SeedRole, peer: string, forwarded?: string) =>
  signIn(company.emailOf(role), SEED_PASSWORD, peer, forwarded);
const wrong = (emailId: string, peer: string, forwarded?: string) =>
  signIn(emailId, 'Wrong-word.1', peer, forwarded);

/** Where the audit trail says that the latest entry came from. */
async function latestSource(): Promise<string | undefined> {
  const entries = identityDb(test.platform.postgres).selectFrom('audit_entry').select('source');
  return (await entries.orderBy('audit_id', 'desc').limit(1).executeTakeFirst())?.source;
}

describe('behind a proxy that is named', () => {
  it('[S12] five wrong passwords of one client do not lock the account for another', async () => {
    const email = company.emailOf('analyst');
    for (let round = 0; round < 5; round++) await wrong(email, PROXY, '203.0.113.1');
    expect((await right('analyst', PROXY, '203.0.113.1')).http).toBe(429);
    const other = await right('analyst', PROXY, '203.0.113.2');
    expect(other.http).toBe(200);
    expect(await latestSource()).toBe('203.0.113.2');
    const ssid = signedIn(other.data).SSID;
    const sessions = (await test.call(listSessions, { ssid, remoteAddress: PROXY })).data.data;
    expect(sessions.map((session) => session.source)).toEqual(['203.0.113.2']);
  });

  it('[S12] a client that tries many accounts locks nobody else out', async () => {
    const spray = (at: number) => wrong(`spray${at}@harbour.example`, PROXY, '203.0.113.3');
    await Promise.all(Array.from({ length: GUARD_LIMITS.address.free }, (_, at) => spray(at)));
    expect((await spray(99)).http).toBe(429);
    expect((await right('root', PROXY, '203.0.113.4')).http).toBe(200);
  });

  it('[S12] calls are counted for each client', async () => {
    const check = (forwarded: string) =>
      test.call(validResetLink, {
        params: { token: 'x'.repeat(43) },
        remoteAddress: PROXY,
        headers: { 'x-forwarded-for': forwarded },
      });
    for (let round = 0; round < 60; round++) await check('203.0.113.5');
    expect((await check('203.0.113.5')).http).toBe(429);
    expect((await check('203.0.113.6')).http).toBe(404);
  });

  it('[S12] who is no proxy gains nothing by claiming to speak for others', async () => {
    const email = company.emailOf('viewer');
    for (let round = 0; round < 5; round++) {
      expect((await wrong(email, '198.51.100.1', `203.0.113.${round}`)).http).toBe(403);
      expect(await latestSource()).toBe('198.51.100.1');
    }
    expect((await wrong(email, '198.51.100.1', '203.0.113.77')).http).toBe(429);
    // Nor by writing into the header before the proxy does.
    for (let round = 0; round < 5; round++) await wrong(email, PROXY, `203.0.113.${round}, 198.51.100.2`);
    expect((await wrong(email, PROXY, '203.0.113.77, 198.51.100.2')).http).toBe(429);
  });

  it.each([
    ['one proxy', PROXY, '203.0.113.10', '203.0.113.10'],
    ['two proxies', PROXY, '203.0.113.11, 10.0.1.7', '203.0.113.11'],
    ['a forged entry before two proxies', PROXY, '192.0.2.1, 203.0.113.12, 10.0.1.7', '203.0.113.12'],
    ['proxies alone', PROXY, '10.0.1.8, 10.0.1.7', '10.0.1.8'],
    ['IPv6', 'fd00:1::5', '2001:DB8:0::0001', '2001:db8::1'],
    ['IPv6 with a port', 'fd00:1::5', '[2001:db8::2]:4711', '2001:db8::2'],
    ['IPv4 with a port', PROXY, '203.0.113.13:4711', '203.0.113.13'],
    ['IPv4 inside IPv6', '::ffff:10.0.0.5', '::ffff:203.0.113.14', '203.0.113.14'],
    ['no address', PROXY, 'unknown', PROXY],
    ['an address before something that is none', PROXY, '203.0.113.15, <script>', PROXY],
    ['something that is none before a proxy', PROXY, 'x, 10.0.1.7', '10.0.1.7'],
    ['nothing', PROXY, ' , ,', PROXY],
    ['no header', PROXY, undefined, PROXY],
  ] as const)('[S12] the client of %s', async (_name, peer, forwarded, client) => {
    await wrong('nobody@harbour.example', peer, forwarded);
    expect(await latestSource()).toBe(client);
  });
});
