import {
  accessDetails,
  beginSso,
  endSso,
  initUser,
  login,
  readSsoSettings,
  saveMailDomains,
  saveSignInSettings,
  saveSsoSettings,
  verifySsoToken,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { NOT_REACHED } from '../../../platform/outgoing/outgoing-error.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, type SeedRole, seedCompany } from '../users/testing/seed-company.ts';
import { refuseWeakSignatures } from './check-assertion.ts';
import { type SamlIdp, startSamlIdp } from './testing/saml-idp.ts';

const HOST = 'localhost:9500';
let test: TestApp;
let company: Company;
let idp: SamlIdp;
let other: SamlIdp;
let serviceMetadata: string;
/** Signed in before the organization changed its way. */
let root: string;

async function useSso(kind: 'saml', metadata: string) {
  const params = { orgId: company.orgId };
  const ssid = root;
  expect((await test.call(saveSsoSettings, { ssid, params, input: { kind, metadata } })).http).toBe(200);
  await test.call(saveMailDomains, { ssid, params, input: { mail_domains: ['harbour.example'] } });
  const input = {
    auth_type: 'sso' as const,
    otp_methods: ['totp' as const],
    second_factor_always: false,
    session_timeout_min: 60,
    session_max_min: 720,
  };
  expect((await test.call(saveSignInSettings, { ssid, params, input })).http).toBe(200);
}

beforeAll(async () => {
  test = await testApp({ env: { TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' } });
  company = await seedCompany(test.platform);
  root = await company.signIn('root');
  idp = await startSamlIdp(async () => serviceMetadata);
  other = await startSamlIdp(async () => serviceMetadata);
  const path = `/lc/sso/saml/${company.orgId}/metadata`;
  serviceMetadata = (await test.app.inject({ url: path, headers: { host: HOST } })).body;
  await useSso('saml', idp.metadata);
});
afterAll(async () => {
  await idp?.close();
  await other?.close();
  await test?.close();
});

/** Begins at the sign-in page of somebody; what the browser gets. */
async function begin(role: SeedRole) {
  const answer = await test.app.inject({
    method: 'POST',
    url: beginSso.path,
    headers: { host: HOST },
    payload: { emailId: company.emailOf(role) },
  });
  const cookie = String(answer.headers['set-cookie'] ?? '').split(';')[0] ?? '';
  return { address: answer.json().data?.redirect_url as string, cookie, http: answer.statusCode };
}

/** Posts an answer as the browser does; the token with which it goes on. */
async function post(SAMLResponse: string, orgId = company.orgId): Promise<string> {
  const answer = await test.app.inject({
    method: 'POST',
    url: `/lc/sso/saml/${orgId}/acs`,
    headers: { host: HOST, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ SAMLResponse }).toString(),
  });
  expect(answer.statusCode).toBe(303);
  const location = String(answer.headers.location);
  expect(location.startsWith(`http://${HOST}/#/auth/sso/`), location).toBe(true);
  return location.split('/').at(-1) ?? '';
}

async function exchange(token: string, cookie: string) {
  const answer = await test.app.inject({
    url: verifySsoToken.path.replace(':token', token),
    headers: { host: HOST, cookie },
  });
  return { http: answer.statusCode, data: answer.json().data };
}

async function signIn(role: SeedRole) {
  const { address, cookie } = await begin(role);
  const encoded = await idp.answer(address, company.emailOf(role), serviceMetadata);
  const token = await post(encoded);
  return { encoded, token, cookie, ...(await exchange(token, cookie)) };
}

describe('SAML', () => {
  it('[C001][C005][C006][S7-06][S7-07][S4-23][S1-11] signs in through the provider of the mail domain', async () => {
    const way = await test.call(initUser, { input: { emailId: 'anybody@harbour.example' } });
    expect(way.data).toMatchObject({ auth_type: 'sso', sso_kind: 'saml' });
    const { http, data } = await signIn('analyst');
    expect(http).toBe(200);
    expect(data).toMatchObject({ email_id: company.emailOf('analyst'), mfa_flag: 'disabled' });
    const access = await test.call(accessDetails, { ssid: data.SSID, input: {} });
    expect(access.data.user_id).toBe(company.userIds.analyst);
  });

  it('[S5-20] takes a token once, and in the browser that began only', async () => {
    const { token, cookie, http } = await signIn('viewer');
    expect(http).toBe(200);
    expect((await exchange(token, cookie)).http).toBe(403);
    const begun = await begin('viewer');
    const stolen = await post(await idp.answer(begun.address, company.emailOf('viewer'), serviceMetadata));
    expect((await exchange(stolen, (await begin('viewer')).cookie)).http).toBe(403);
    expect((await exchange(stolen, begun.cookie)).http).toBe(403);
    expect((await exchange('refused', begun.cookie)).http).toBe(403);
  });

  it('takes an answer once', async () => {
    const { encoded } = await signIn('viewer');
    expect(await post(encoded)).toBe('refused');
  });

  it('takes no answer that nobody asked for, nor one after ten minutes', async () => {
    const { address, cookie } = await begin('viewer');
    const encoded = await idp.answer(address, company.emailOf('viewer'), serviceMetadata);
    test.platform.clock.advance(11 * 60_000);
    expect(await post(encoded)).toBe('refused');
    expect((await exchange('refused', cookie)).http).toBe(403);
  });

  it('takes no answer of another provider, and no changed one', async () => {
    const { address } = await begin('viewer');
    const foreign = await other.answer(address, company.emailOf('viewer'), serviceMetadata);
    expect(await post(foreign)).toBe('refused');
    const right = await idp.answer(address, company.emailOf('viewer'), serviceMetadata);
    const changed = Buffer.from(right, 'base64')
      .toString('utf8')
      .replaceAll(company.emailOf('viewer'), company.emailOf('tenantAdmin'));
    expect(await post(Buffer.from(changed).toString('base64'))).toBe('refused');
    expect(await post('not base64 at all')).toBe('refused');
  });

  it('takes no answer for another audience', async () => {
    const { address } = await begin('viewer');
    const elsewhere = serviceMetadata.replace(/entityID="[^"]+"/, 'entityID="https://elsewhere.example"');
    await expect(
      idp.answer(address, company.emailOf('viewer'), elsewhere).then((encoded) => post(encoded)),
    ).resolves.toBe('refused');
  });

  it('reads only what the signature covers: an assertion wrapped around a signed one is worth nothing', async () => {
    const { address } = await begin('viewer');
    const xml = Buffer.from(
      await idp.answer(address, company.emailOf('viewer'), serviceMetadata),
      'base64',
    ).toString('utf8');
    const signed = /<saml:Assertion[\s\S]*<\/saml:Assertion>/.exec(xml)?.[0] ?? '';
    expect(signed).not.toBe('');
    const forged = signed
      .replace(/<(ds:)?Signature[\s\S]*<\/(ds:)?Signature>/, '')
      .replace(/ID="[^"]+"/, 'ID="_forged"')
      .replaceAll(company.emailOf('viewer'), company.emailOf('tenantAdmin'));
    const attacks = [
      xml.replace(signed, `${forged}${signed}`),
      xml.replace(signed, `${signed}${forged}`),
      xml.replace(signed, forged.replace('</saml:Assertion>', `${signed}</saml:Assertion>`)),
      xml.replace(signed, `<samlp:Extensions>${signed}</samlp:Extensions>${forged}`),
      xml.replace(signed, forged),
    ];
    for (const attack of attacks) {
      const begun = await begin('viewer');
      const token = await post(Buffer.from(attack).toString('base64'));
      if (token === 'refused') continue;
      const { data } = await exchange(token, begun.cookie);
      expect(data?.email_id).not.toBe(company.emailOf('tenantAdmin'));
    }
  });

  it('[S18] takes no assertion signed or digested by SHA-1', async () => {
    const good = await idp.answer(
      (await begin('viewer')).address,
      company.emailOf('viewer'),
      serviceMetadata,
    );
    const same = (xml: string) => xml;
    const sha1 = idp.bend(good, same, 'http://www.w3.org/2000/09/xmldsig#rsa-sha1');
    const text = Buffer.from(sha1, 'base64').toString('utf8');
    expect(text).toContain('xmldsig#rsa-sha1');
    expect(text).toContain('xmldsig#sha1');
    expect(await post(sha1)).toBe('refused');
    // The same answer by SHA-256 is taken: it was refused for nothing else.
    expect(await post(idp.bend(good, same))).not.toBe('refused');
    const digest =
      '<Signature><DigestMethod Algorithm="http://www.w3.org/2000/09/xmldsig#sha1"/></Signature>';
    expect(() => refuseWeakSignatures(digest)).toThrow('too weak');
    expect(() => refuseWeakSignatures(digest.replace('sha1', '&#x73;ha1'))).toThrow('too weak');
  });

  it('[S18] takes no assertion that is confirmed for another address, without one, an end or the request', async () => {
    const good = await idp.answer(
      (await begin('viewer')).address,
      company.emailOf('viewer'),
      serviceMetadata,
    );
    const inData = (pattern: RegExp, next: string) => (xml: string) =>
      xml.replace(/<saml:SubjectConfirmationData[^>]*>/, (data) => {
        expect(data).toMatch(pattern);
        return data.replace(pattern, next);
      });
    const changes = [
      inData(/Recipient="[^"]*"/, 'Recipient="https://elsewhere.example/acs"'),
      inData(/Recipient="([^"]*)"/, 'Recipient="$1/"'),
      inData(/Recipient="[^"]*"/, ''),
      inData(/NotOnOrAfter="[^"]*"/, ''),
      inData(/NotOnOrAfter="[^"]*"/, 'NotOnOrAfter="2020-01-01T00:00:00Z"'),
      inData(/InResponseTo="[^"]*"/, ''),
      inData(/InResponseTo="[^"]*"/, 'InResponseTo="_another"'),
      (xml: string) => xml.replace('2.0:cm:bearer', '2.0:cm:sender-vouches'),
      (xml: string) => xml.replace(/<saml:SubjectConfirmation [\s\S]*<\/saml:SubjectConfirmation>/, ''),
    ];
    for (const [index, change] of changes.entries()) {
      const bent = idp.bend(good, change);
      expect(await post(bent), `change ${index}`).toBe('refused');
    }
    expect(await post(idp.bend(good, (xml) => xml))).not.toBe('refused');
  });

  it('reads no document type, so that no entity is ever expanded', async () => {
    const { address } = await begin('viewer');
    const xml = Buffer.from(
      await idp.answer(address, company.emailOf('viewer'), serviceMetadata),
      'base64',
    ).toString('utf8');
    const attack = `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${xml}`;
    expect(await post(Buffer.from(attack).toString('base64'))).toBe('refused');
    const refused = await test.call(saveSsoSettings, {
      ssid: root,
      params: { orgId: company.orgId },
      input: { kind: 'saml', metadata: `<!DOCTYPE r>${idp.metadata}` },
    });
    expect([refused.http, refused.body.message]).toEqual([
      422,
      'metadata: must not contain a document type declaration (DOCTYPE)',
    ]);
  });

  it('lets nobody in as root, as somebody of nowhere, or by the password that is no more', async () => {
    for (const email of [company.emailOf('root'), 'stranger@harbour.example']) {
      const { address } = await begin('viewer');
      expect(await post(await idp.answer(address, email, serviceMetadata)), email).toBe('refused');
    }
    const refused = await test.call(login, {
      input: { emailId: company.emailOf('viewer'), password: 'Seed-word.42' },
    });
    expect(refused.http).toBe(403);
    expect(await company.signIn('root')).toBeTruthy();
    expect((await test.call(beginSso, { input: { emailId: 'a@nowhere.example' } })).http).toBe(403);
  });

  it('signs out at the provider, and ends the sessions that the provider ends, by a signed message only', async () => {
    const first = await signIn('engineer');
    const out = await test.call(endSso, { ssid: first.data.SSID, input: {} });
    expect(out.data.redirect_url).toMatch(/\/logout\?SAMLRequest=.+&Signature=/);
    expect((await test.call(accessDetails, { ssid: first.data.SSID, input: {} })).http).toBe(401);

    const again = await signIn('engineer');
    const slo = `/lc/sso/saml/${company.orgId}/logout`;
    const address = idp.logoutAddress(`http://${HOST}${slo}`, company.emailOf('engineer'));
    const query = address.split('?')[1] ?? '';
    const send = (text: string) => test.app.inject({ url: `${slo}?${text}`, headers: { host: HOST } });
    const unsigned = query.replace(/&Signature=.*/, '');
    const doubled = `SAMLRequest=x&${query}`;
    for (const bad of [unsigned, doubled, query.replace('&Signature=', '&Signature=AAAA'), '']) {
      expect(String((await send(bad)).headers.location)).toBe(`http://${HOST}/#/auth/login`);
      expect((await test.call(accessDetails, { ssid: again.data.SSID, input: {} })).http).toBe(200);
    }
    expect(String((await send(query)).headers.location)).toContain('/logout?SAMLResponse=');
    expect((await test.call(accessDetails, { ssid: again.data.SSID, input: {} })).http).toBe(401);
  });

  it('[S04] a message with half a character in it is refused, and leaves its entry', async () => {
    const entries = () =>
      identityDb(test.platform.postgres).selectFrom('audit_entry').selectAll().orderBy('audit_id').execute();
    await test.composed.refusals.flush(true);
    const before = (await entries()).length;
    const slo = `/lc/sso/saml/${company.orgId}/logout`;
    const address = idp.logoutAddress(`http://${HOST}${slo}`, 'half&#xD83D;@harbour.example');
    const query = address.split('?')[1] ?? '';
    await test.app.inject({ url: `${slo}?${query}`, headers: { host: HOST } });
    const [entry, ...more] = (await entries()).slice(before);
    expect(more).toEqual([]);
    expect(entry).toMatchObject({ action: 'login.failed', org_id: company.orgId, user_id: null });
  });

  it('[C005] reads the metadata where the provider publishes it, and tells nothing of what else is there', async () => {
    const save = (metadata_url: string) =>
      test.call(saveSsoSettings, {
        ssid: root,
        params: { orgId: company.orgId },
        input: { kind: 'saml', metadata_url },
      });
    const base = new URL(idp.entityId).origin;
    const refused = await save(`${base}/nothing`);
    expect([refused.http, refused.body.message]).toEqual([
      422,
      `metadata_url: ${NOT_REACHED}; plain http is allowed only for listed networks`,
    ]);
    for (const nothing of ['http://idp.example/metadata', `${base}/sso`, `${base}/entity`]) {
      expect((await save(nothing)).body, nothing).toEqual(refused.body);
    }
    expect((await save('file:///etc/passwd')).http).toBe(422);
    expect((await save(`${base}/metadata`)).http).toBe(200);
    const params = { orgId: company.orgId };
    const { data } = await test.call(readSsoSettings, { ssid: root, params, input: {} });
    expect(data.saml).toMatchObject({ entity_id: idp.entityId, metadata_url: `${base}/metadata` });
    expect((await signIn('viewer')).data.email_id).toBe(company.emailOf('viewer'));
  });

  it('shows its settings without secrets, to administrators of the organization only', async () => {
    const read = (ssid: string, orgId: string) =>
      test.call(readSsoSettings, { ssid, params: { orgId }, input: {} });
    const { data } = await read(root, company.orgId);
    expect(data.saml).toMatchObject({ entity_id: idp.entityId });
    expect(data.service.metadata_url).toContain(company.orgId);
    expect(serviceMetadata).toContain('WantAssertionsSigned="true"');
    expect((await read(root, 'nosuch')).http).toBe(404);
    const { data: orgAdmin } = await signIn('orgAdmin');
    expect((await read(orgAdmin.SSID, company.orgId)).http).toBe(200);
    const elsewhere = await seedCompany(test.platform, '2');
    const foreign = await read(orgAdmin.SSID, elsewhere.orgId);
    const missing = await read(orgAdmin.SSID, 'nosuch');
    expect([foreign.http, foreign.body]).toEqual([missing.http, missing.body]);
  });
});
