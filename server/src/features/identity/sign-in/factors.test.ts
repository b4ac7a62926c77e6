import {
  beginPasskey,
  beginTotp,
  confirmPasskey,
  confirmTotp,
  login,
  type OtpChallenge,
  otpPasskeyOptions,
  readFactors,
  removeFactor,
  renewRecoveryCodes,
  verifyOtp,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { passkeyOrigin } from './public-address.ts';
import { createSoftwarePasskey, type SoftwarePasskey } from './testing/software-passkey.ts';
import { totpCode } from './totp.ts';

const ORIGIN = 'https://console.harbour.example';
let test: TestApp;
let company: Company;

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_PUBLIC_URL: ORIGIN } });
  company = await seedCompany(test.platform);
});
afterAll(() => test?.close());
beforeEach(() => test.platform.clock.advance(30 * 60_000));

const password = SEED_PASSWORD;

async function challengeOf(role: SeedRole): Promise<OtpChallenge> {
  const { data } = await test.call(login, { input: { emailId: company.emailOf(role), password } });
  if (!('otp_token' in data)) throw new Error('no challenge');
  return data;
}

async function addPasskey(ssid: string, name: string): Promise<{ device: SoftwarePasskey; codes: string[] }> {
  const device = createSoftwarePasskey(ORIGIN);
  const { data } = await test.call(beginPasskey, { ssid, input: { password } });
  const made = await test.call(confirmPasskey, {
    ssid,
    input: { name, passkey: device.register(data.options) },
  });
  expect(made.http).toBe(200);
  return { device, codes: made.data.recovery_codes };
}

describe('passkeys', () => {
  it('[C003][S4-22] one that was made opens the second step instead of a code', async () => {
    const ssid = await company.signIn('engineer');
    const { device, codes } = await addPasskey(ssid, 'Laptop');
    expect(codes).toHaveLength(10);
    const challenge = await challengeOf('engineer');
    expect(challenge).toMatchObject({ methods: ['passkey'], enrol: null, recovery: true });
    const { otp_token } = challenge;
    const { data } = await test.call(otpPasskeyOptions, { input: { otp_token } });
    expect(data.options).toMatchObject({ rpId: 'console.harbour.example' });
    const opened = await test.call(verifyOtp, { input: { otp_token, passkey: device.sign(data.options) } });
    expect(opened.data.SSID).toMatch(/^[\w-]{43}$/);
    const { passkeys } = (await test.call(readFactors, { ssid: opened.data.SSID })).data;
    expect(passkeys).toMatchObject([{ name: 'Laptop', last_used: test.platform.clock.now() }]);
  });

  it('[C003] refuses another origin, another site, a damaged or replayed signature, a copied key, a stranger', async () => {
    const ssid = await company.signIn('analyst');
    const { device } = await addPasskey(ssid, 'Key');
    const stranger = createSoftwarePasskey(ORIGIN);
    const attempt = async (work: (options: Record<string, unknown>) => Record<string, unknown>) => {
      const { otp_token } = await challengeOf('analyst');
      const { data } = await test.call(otpPasskeyOptions, { input: { otp_token } });
      const passkey = work(data.options);
      const answer = await test.call(verifyOtp, { input: { otp_token, passkey } });
      test.platform.clock.advance(20 * 60_000);
      return { answer, passkey, otp_token };
    };
    const first = await attempt((options) => device.sign(options, { counter: 10 }));
    expect(first.answer.http).toBe(200);
    const refused = [
      await attempt((options) => device.sign(options, { origin: 'https://evil.example', counter: 11 })),
      await attempt((options) => device.sign(options, { rpId: 'evil.example', counter: 12 })),
      await attempt((options) => device.sign(options, { damaged: true, counter: 13 })),
      await attempt((options) => device.sign({ ...options, challenge: 'AAAA' }, { counter: 14 })),
      await attempt((options) => stranger.sign(options)),
      await attempt(() => first.passkey),
      await attempt((options) => device.sign(options, { counter: 5 })),
      await attempt(() => ({ id: {}, response: 'x' })),
    ];
    for (const { answer } of refused) {
      expect([answer.http, answer.body.status]).toEqual([422, 'error']);
    }
    // A nonce is good for one answer, right or wrong.
    const { otp_token } = await challengeOf('analyst');
    const { data } = await test.call(otpPasskeyOptions, { input: { otp_token } });
    const damaged = device.sign(data.options, { damaged: true, counter: 20 });
    await test.call(verifyOtp, { input: { otp_token, passkey: damaged } });
    const late = device.sign(data.options, { counter: 21 });
    expect((await test.call(verifyOtp, { input: { otp_token, passkey: late } })).body.status).toBe('error');
  });

  it('[C003] needs a name over HTTPS, or the machine itself', () => {
    const at = (publicUrl: string | undefined, bind = '127.0.0.1') =>
      passkeyOrigin({ publicUrl, bind, port: 9500, tls: undefined });
    expect(at('https://console.example.org/base/')).toBe('https://console.example.org');
    expect(at(undefined)).toBe('http://localhost:9500');
    expect(at('http://console.example.org')).toBeNull();
    expect(at('https://192.0.2.7')).toBeNull();
    expect(at(undefined, '192.0.2.7')).toBeNull();
  });
});

describe('the own second factors', () => {
  it('[C003] an app is added with the password and a right code, and is asked for from then on', async () => {
    const ssid = await company.signIn('viewer');
    const begin = (typed: string) => test.call(beginTotp, { ssid, input: { password: typed } });
    expect((await begin('')).data).toMatchObject({ field: 'password' });
    const { data } = await begin(password);
    const confirm = (otp: string) => test.call(confirmTotp, { ssid, input: { otp } });
    expect((await confirm('000000')).http).toBe(422);
    const done = await confirm(totpCode(data.secret, test.platform.clock.now()));
    expect(done.data.recovery_codes).toHaveLength(10);
    expect((await confirm(totpCode(data.secret, test.platform.clock.now()))).http).toBe(422);
    expect((await begin(password)).http).toBe(409);
    expect(await challengeOf('viewer')).toMatchObject({ methods: ['totp'], enrol: null });

    test.platform.clock.advance(31 * 60_000);
    const renew = (typed: string) => test.call(renewRecoveryCodes, { ssid, input: { password: typed } });
    expect((await renew('wrong')).http).toBe(422);
    const fresh = (await renew(password)).data.recovery_codes;
    const { otp_token } = await challengeOf('viewer');
    const old = done.data.recovery_codes[0];
    expect((await test.call(verifyOtp, { input: { otp_token, otp: old } })).body.status).toBe('error');
    expect((await test.call(verifyOtp, { input: { otp_token, otp: fresh[0] } })).http).toBe(200);
  });

  it('[S19] codes renewed at once are ten, and of the last two factors removed at once one stays', async () => {
    const ssid = await company.signIn('noAccess');
    await addPasskey(ssid, 'One');
    await addPasskey(ssid, 'Two');
    const renew = () => test.call(renewRecoveryCodes, { ssid, input: { password } });
    expect((await Promise.all(Array.from({ length: 8 }, renew))).map((answer) => answer.http)).toEqual(
      Array(8).fill(200),
    );
    const read = async () => (await test.call(readFactors, { ssid })).data;
    const { recovery_codes_left, passkeys } = await read();
    expect(recovery_codes_left).toBe(10);
    const postgres = test.platform.postgres.platform;
    const askAlways = (always: boolean) =>
      sql`update organization set second_factor_always = ${always} where org_id = ${company.orgId}`.execute(
        postgres,
      );
    await askAlways(true);
    const remove = (id: string) =>
      test.call(removeFactor, { ssid, input: { kind: 'passkey', id, password } });
    const removed = await Promise.all(passkeys.map(({ id }) => remove(id)));
    expect(removed.map((answer) => answer.http).sort()).toEqual([200, 409]);
    await askAlways(false);
    expect((await read()).passkeys).toHaveLength(1);
  });

  it('[C003] is removed with the password, not the last one while the organization asks for one, and never somebody else’s', async () => {
    const ssid = await company.signIn('tenantAdmin');
    const { device } = await addPasskey(ssid, 'Only one');
    const { data } = await test.call(readFactors, { ssid });
    const id = data.passkeys[0]?.id ?? '';
    const remove = (by: string, input: object) => test.call(removeFactor, { ssid: by, input });
    expect((await remove(ssid, { kind: 'passkey', id, password: 'wrong' })).http).toBe(422);
    const thief = await company.signIn('adminEngineer');
    expect((await remove(thief, { kind: 'passkey', id, password })).http).toBe(404);
    await company.identity.signIn.settings.save(
      (await company.identity.auth.findCaller(await company.signIn('root')))!,
      company.orgId,
      {
        auth_type: 'mfa',
        otp_methods: ['totp', 'passkey'],
        second_factor_always: false,
        session_timeout_min: 60,
        session_max_min: 720,
      },
      '::1',
    );
    expect((await remove(ssid, { kind: 'passkey', id, password })).http).toBe(409);
    await addPasskey(ssid, 'Second');
    expect((await remove(ssid, { kind: 'passkey', id, password })).http).toBe(200);
    expect((await remove(ssid, { kind: 'passkey', id, password })).http).toBe(409);
    const { otp_token } = await challengeOf('tenantAdmin');
    const asked = await test.call(otpPasskeyOptions, { input: { otp_token } });
    const answer = await test.call(verifyOtp, {
      input: { otp_token, passkey: device.sign(asked.data.options) },
    });
    expect(answer.body.status).toBe('error');
  });
});
