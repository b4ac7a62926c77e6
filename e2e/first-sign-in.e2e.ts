import type { UserAccess } from '@tyrian/contract';
import { generate } from 'otplib';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { acceptAgreements, pressOn, tabTo, typeInto, typeSignIn } from './keyboard.ts';
import { makeOrganization, type Newcomer, rootSession } from './make-organization.ts';
import { openVisit, type Visit } from './visitor.ts';

// Somebody new signs in for the first time: second factor, recovery codes, licence agreement, privacy policy, and
// then the page that was asked for; with the keyboard alone. The codes come from an independent maker of one-time codes.

let root: UserAccess;

beforeAll(async () => {
  root = await rootSession();
});

async function typePassword(visit: Visit, { email, password }: Newcomer): Promise<void> {
  await typeSignIn(visit.page, email, password);
}

/** Types digit by digit, as a hand does: the boxes advance by themselves and the last one sends. */
async function typeCode(visit: Visit, code: string): Promise<void> {
  const first = visit.page.getByLabel('Digit of the code').first();
  await tabTo(visit.page, first);
  await visit.page.keyboard.type(code);
}

const secretShown = async (visit: Visit) => {
  const text = await visit.page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/).innerText();
  return text.replace(/\s/g, '');
};

describe('the first sign-in', () => {
  it('[S1-11][S2-03][S2-56][S2-79][S4-20][S4-22] enrols, keeps recovery codes, accepts what must be accepted, and opens what was asked for', async () => {
    const person = await makeOrganization('Second Step Ltd', root, { auth_type: 'mfa' });
    const { address } = inject('journeyServer');
    const visit = await openVisit();
    const { page } = visit;
    const wanted = `/${person.clusterId}/${person.scopeId}/incident/signals`;
    await page.goto(`${address}/#${wanted}`);
    await page.waitForURL(/#\/auth\/login$/);
    await typePassword(visit, person);
    await page.waitForURL(/#\/auth\/login\/verify-otp$/);
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor();
    const secret = await secretShown(visit);

    await typeCode(visit, '000000');
    await page.getByRole('alert').getByText('4 attempts are left').waitFor();
    await typeCode(visit, await generate({ secret }));

    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allInnerTexts();
    expect(codes).toHaveLength(10);
    await pressOn(page, page.getByRole('button', { name: 'I have saved them' }));

    await page.getByRole('heading', { name: 'Licence agreement' }).waitFor();
    // Nothing else opens before it: an address typed leads back here.
    await page.goto(`${address}/#/${person.clusterId}/${person.scopeId}/incident/cases`);
    await page.goto(`${address}/#${wanted}`);
    await acceptAgreements(page);
    await page.getByRole('heading', { name: 'Signals', level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toContain(wanted);
    expect(visit.complaints).toEqual([]);
    await visit.close();

    // The second time there is nothing to enrol and nothing to accept; a recovery code opens once.
    const again = await openVisit({ width: 390, height: 844 });
    await again.page.goto(`${address}/#/auth/login`);
    await typePassword(again, person);
    await pressOn(again.page, again.page.getByRole('button', { name: 'Use a recovery code' }));
    await typeInto(again.page, again.page.getByLabel('Recovery code'), codes[0] ?? '');
    await again.page.keyboard.press('Enter');
    await again.page.waitForURL(/#\/[^/]+\/[^/]+\/home\//);
    expect(again.complaints).toEqual([]);
    await again.close();
  });

  it('[S2-03] the second step is lost with a reload: back to the password', async () => {
    const person = await makeOrganization('Reload Ltd', root, { auth_type: 'mfa' });
    const visit = await openVisit();
    const { page } = visit;
    await page.goto(`${inject('journeyServer').address}/#/auth/login`);
    await typePassword(visit, person);
    await page.waitForURL(/verify-otp$/);
    await page.reload();
    await page.waitForURL(/#\/auth\/login$/);
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await visit.close();
  });

  it('[C003][S2-61] a passkey is added on the page of the password, and opens the next sign-in', async () => {
    const person = await makeOrganization('Passkey Ltd', root);
    const visit = await openVisit();
    const { page } = visit;
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    const address = inject('journeyServer').address.replace('127.0.0.1', 'localhost');
    await page.goto(`${address}/#/auth/login`);
    await typePassword(visit, person);
    await acceptAgreements(page);
    await page.waitForURL(/\/home\//);
    // Somebody who is still on the way to where the role lands would be led there after all.
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.goto(`${address}/#/${person.clusterId}/${person.scopeId}/change-password`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the passkey').fill('Test key');
    await dialog.getByLabel('Confirm with your password').fill(person.password);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor();
    await dialog.getByRole('button', { name: 'I have saved them' }).click();
    await page.getByText('Test key').waitFor();

    await page.getByRole('button', { name: 'User menu' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await typePassword(visit, person);
    await page.evaluate(() => document.documentElement.setAttribute('data-before-sign-in', ''));
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.waitForURL(/\/home\//);
    // The page is loaded anew behind a sign-in; one that is closed meanwhile may never say that it is.
    await page.waitForFunction(() => !document.documentElement.hasAttribute('data-before-sign-in'));
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(visit.complaints).toEqual([]);
    await visit.close();
  });
});
