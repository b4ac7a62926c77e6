import {
  accessDetails,
  beginSso,
  endSso,
  initUser,
  readSsoSettings,
  saveMailDomains,
  saveSignInSettings,
  saveSsoSettings,
  verifySsoToken,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { NOT_REACHED } from '../../../platform/outgoing/outgoing-error.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';
import { type OidcIdp, startOidcIdp } from './testing/oidc-idp.ts';

const HOST = 'localhost:9500';
const SECRET = 'a secret of the client, long enough';
let test: TestApp;
let company: Company;
let idp: OidcIdp;
let root: string;
let callback: string;

const oidc = () => ({ issuer: idp.issuer, client_id: 'tyrian', scopes: 'openid email profile' });
const save = (input: unknown) =>
  test.call(saveSsoSettings, { ssid: root, params: { orgId: company.orgId }, input: input as never });

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  root = await company.signIn('root');
  callback = `/lc/sso/oidc/${company.orgId}/callback`;
  idp = await startOidcIdp({
    client_id: 'tyrian',
    client_secret: SECRET,
    redirect_uris: [`http://${HOST}${callback}`],
    post_logout_redirect_uris: [`http://${HOST}/lc/sso/oidc/${company.orgId}/signed-out`],
  });
  const params = { orgId: company.orgId };
  const saved = await save({ kind: 'oidc', oidc: { ...oidc(), client_secret: SECRET } });
  expect(saved.body.message).toBe('success');
  await test.call(saveMailDomains, { ssid: root, params, input: { mail_domains: ['harbour.example'] } });
  const settings = {
    auth_type: 'sso',
    otp_methods: ['totp'],
    second_factor_always: false,
    session_timeout_min: 60,
    session_max_min: 720,
  } as const;
  await test.call(saveSignInSettings, { ssid: root, params, input: { ...settings, otp_methods: ['totp'] } });
});
afterAll(async () => {
  await idp?.close();
  await test?.close();
});

async function begin(email: string) {
  const headers = { host: HOST };
  const payload = { emailId: email };
  const answer = await test.app.inject({ method: 'POST', url: beginSso.path, headers, payload });
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  return { address: answer.json().data?.redirect_url as string, cookie };
}

/** A browser at the provider: follows its redirects with its cookies, signs in, and comes back with the query. */
async function visitProvider(address: string, email: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = address;
  let body: string | undefined;
  for (let hop = 0; hop < 12; hop++) {
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [name = '', value = ''] = line.split(';')[0]?.split(/=(.*)/) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    body = location ? undefined : new URLSearchParams({ email }).toString();
    if (!location) continue;
    url = new URL(location, url).href;
    if (url.includes(callback)) return url.split('?')[1] ?? '';
  }
  throw new Error('the provider did not send the browser back');
}

async function comeBack(query: string): Promise<string> {
  const answer = await test.app.inject({ url: `${callback}?${query}`, headers: { host: HOST } });
  expect(answer.statusCode).toBe(303);
  return String(answer.headers.location).split('/').at(-1) ?? '';
}

async function exchange(token: string, cookie: string) {
  const url = verifySsoToken.path.replace(':token', token);
  const answer = await test.app.inject({ url, headers: { host: HOST, cookie } });
  return { http: answer.statusCode, data: answer.json().data };
}

describe('OpenID Connect', () => {
  it('[C005][C006][S4-23] signs in through the provider, with PKCE, state and nonce', async () => {
    const email = company.emailOf('analyst');
    expect((await test.call(initUser, { input: { emailId: email } })).data.sso_kind).toBe('oidc');
    const { address, cookie } = await begin(email);
    const asked = new URL(address).searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('nonce')).toBeTruthy();
    const token = await comeBack(await visitProvider(address, email));
    const { http, data } = await exchange(token, cookie);
    expect([http, data.email_id]).toEqual([200, email]);
    expect((await test.call(accessDetails, { ssid: data.SSID, input: {} })).data.user_id).toBe(
      company.userIds.analyst,
    );
    const out = await test.call(endSso, { ssid: data.SSID, input: {} });
    expect(out.data.redirect_url).toContain(`${idp.issuer}/session/end?client_id=tyrian`);
    expect((await test.call(accessDetails, { ssid: data.SSID, input: {} })).http).toBe(401);
  });

  it('takes an answer once, with the state of a request of ours, and in the browser that began only', async () => {
    const email = company.emailOf('viewer');
    const first = await begin(email);
    const query = await visitProvider(first.address, email);
    expect(await comeBack(query.replace(/state=[^&]+/, 'state=guessed'))).toBe('refused');
    const token = await comeBack(query);
    expect(token).not.toBe('refused');
    expect(await comeBack(query)).toBe('refused');
    expect((await exchange(token, (await begin(email)).cookie)).http).toBe(403);
  });

  it('does not mix up two requests: the code of one is worth nothing with the state of another', async () => {
    const email = company.emailOf('viewer');
    const [mine, theirs] = [await begin(email), await begin(email)];
    const code = new URLSearchParams(await visitProvider(theirs.address, email)).get('code') ?? '';
    const state = new URL(mine.address).searchParams.get('state') ?? '';
    const swapped = new URLSearchParams({ code, state, iss: idp.issuer }).toString();
    expect(await comeBack(swapped)).toBe('refused');
  });

  it('lets nobody in whom the provider does not vouch for, who is not of the organization, or who is root', async () => {
    for (const email of ['unverified@harbour.example', 'stranger@harbour.example', company.emailOf('root')]) {
      const { address } = await begin(company.emailOf('viewer'));
      expect(await comeBack(await visitProvider(address, email)), email).toBe('refused');
    }
    expect(await comeBack('error=access_denied')).toBe('refused');
  });

  it('keeps the secret for its issuer and client, and never shows it', async () => {
    const read = await test.call(readSsoSettings, {
      ssid: root,
      params: { orgId: company.orgId },
      input: {},
    });
    expect(read.data.oidc).toEqual({ ...oidc(), has_secret: true });
    expect(read.text).not.toContain(SECRET);
    expect((await save({ kind: 'oidc', oidc: oidc() })).http).toBe(200);
    const moved = await save({ kind: 'oidc', oidc: { ...oidc(), client_id: 'another' } });
    expect([moved.http, moved.body.message]).toEqual([
      422,
      'client_secret: enter the secret again, because the provider has changed',
    ]);
    const open = await save({
      kind: 'oidc',
      oidc: { ...oidc(), issuer: 'http://idp.example', client_secret: 'x' },
    });
    expect(open.body.message).toBe(`issuer: ${NOT_REACHED}; plain http is allowed only for listed networks`);
  });
});
