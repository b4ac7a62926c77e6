import {
  type InputOf,
  readSignInSettings,
  saveMailDomains,
  saveSignInSettings,
  saveSsoSettings,
  type UserAccess,
} from '@tyrian/contract';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { startOidcIdp } from '../server/src/features/identity/sso/testing/oidc-idp.ts';
import { startSamlIdp } from '../server/src/features/identity/sso/testing/saml-idp.ts';
import { acceptAgreements, chooseEntry, pressOn, typeInto } from './keyboard.ts';
import { callAs, makeOrganization, type Newcomer, rootSession } from './make-organization.ts';
import { openVisit } from './visitor.ts';

// Signing in through an identity provider, started here: the browser leaves for it, types an address there, and
// comes back signed in, with the keyboard alone.

let root: UserAccess;
beforeAll(async () => {
  root = await rootSession();
});

/** Gives the organization its mail domain and provider, and lets its people sign in there. */
async function useProvider(person: Newcomer, settings: InputOf<typeof saveSsoSettings>): Promise<void> {
  const { orgId } = person;
  const mail_domains = [person.email.split('@')[1] ?? ''];
  await callAs(root.SSID, saveMailDomains, { orgId }, { mail_domains });
  await callAs(root.SSID, saveSsoSettings, { orgId }, settings);
  const old = await callAs(root.SSID, readSignInSettings, { orgId });
  const { otp_methods, second_factor_always, session_timeout_min, session_max_min } = old;
  const limits = { second_factor_always, session_timeout_min, session_max_min };
  await callAs(root.SSID, saveSignInSettings, { orgId }, { auth_type: 'sso', otp_methods, ...limits });
}

/** Types the address; that it has a provider is known once it has been left. */
async function chooseProvider(page: Page, email: string): Promise<void> {
  await typeInto(page, page.getByLabel('Email'), email);
  await page.keyboard.press('Tab');
  await pressOn(page, page.getByRole('button', { name: /SSO/ }));
  await page.getByRole('heading', { name: 'Test provider' }).waitFor();
}

describe('single sign-on', () => {
  it('[S2-04][C005][C006][S4-23] signs in by SAML, to the page that was asked for, and signs out at the provider', async () => {
    const { address } = inject('journeyServer');
    const person = await makeOrganization('Saml Ltd', root, {});
    const metadata = `${address}/lc/sso/saml/${person.orgId}/metadata`;
    const idp = await startSamlIdp(async () => (await fetch(metadata)).text());
    await useProvider(person, { kind: 'saml', metadata: idp.metadata });
    const visit = await openVisit();
    const { page } = visit;
    const wanted = `/${person.clusterId}/${person.scopeId}/incident/cases`;
    await page.goto(`${address}/#${wanted}`);
    await chooseProvider(page, person.email);
    await typeInto(page, page.getByLabel('Address'), person.email);
    await pressOn(page, page.getByRole('button', { name: 'Go on' }));
    await pressOn(page, page.getByRole('button', { name: 'Continue' }));
    await acceptAgreements(page);
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toContain(wanted);
    await pressOn(page, page.getByRole('button', { name: 'User menu' }));
    await chooseEntry(page, page.getByRole('menuitem', { name: 'Log out' }));
    await page.getByText('Signed out of the test provider').waitFor();
    expect(visit.complaints).toEqual([]);

    // The address of the way back is worth nothing by itself.
    await page.goto(`${address}/#/auth/sso/refused`);
    await page.getByRole('alert').waitFor();
    await page.getByRole('link', { name: 'Back to sign-in' }).click();
    await page.getByRole('heading', { name: 'Tyrian' }).waitFor();
    await visit.close();
    await idp.close();
  });

  it('[S2-04][C005][C006] signs in by OpenID Connect, on a phone', async () => {
    const { address } = inject('journeyServer');
    const person = await makeOrganization('Oidc Ltd', root, {});
    const base = `${address}/lc/sso/oidc/${person.orgId}`;
    const idp = await startOidcIdp({
      client_id: 'tyrian',
      client_secret: 'a secret of the client, long enough',
      redirect_uris: [`${base}/callback`],
      post_logout_redirect_uris: [`${base}/signed-out`],
    });
    const oidc = { issuer: idp.issuer, client_id: 'tyrian', scopes: 'openid email profile' };
    const client_secret = 'a secret of the client, long enough';
    await useProvider(person, { kind: 'oidc', oidc: { ...oidc, client_secret } });
    const visit = await openVisit({ width: 390, height: 844 });
    const { page } = visit;
    await page.goto(`${address}/#/auth/login`);
    await chooseProvider(page, person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.email);
    await page.keyboard.press('Enter');
    await acceptAgreements(page);
    await page.waitForURL((url) => url.hash.includes(person.clusterId));
    await page.getByRole('heading').first().waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
    await idp.close();
  });
});
