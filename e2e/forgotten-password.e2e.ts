import type { UserAccess } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { takeTurns } from './journey-turns.ts';
import { acceptAgreements, pressOn, typeInto, typeSignIn } from './keyboard.ts';
import { type MailBox, openMailBox } from './mail-box.ts';
import { makeOrganization, rootSession } from './make-organization.ts';
import { openVisit, signInAs } from './visitor.ts';

// A forgotten password, through a real mail server: from the sign-in page to the link, to a new password, and in;
// with the keyboard alone.

takeTurns('the mail server');

let root: UserAccess;
let mails: MailBox;

beforeAll(async () => {
  root = await rootSession();
  mails = await openMailBox(inject('journeyServer').address, root.SSID);
});
afterAll(async () => {
  await mails?.close();
});

describe('a forgotten password', () => {
  it('[S2-05][S2-06][C009][C011][C012] is set anew with the link of a mail, which works once', async () => {
    const person = await makeOrganization('Forgetful Ltd', root);
    const { address } = inject('journeyServer');
    const visit = await openVisit();
    const { page } = visit;
    await page.goto(`${address}/#/auth/login`);
    await pressOn(page, page.getByRole('link', { name: 'Forgot password?' }));
    await page.getByRole('button', { name: 'Send the link' }).waitFor();
    await typeInto(page, page.getByLabel('Email'), person.email);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('If this address has an account').waitFor();

    const [link = ''] =
      /http:\/\/\S+\/#\/auth\/reset-password\/forgot\/\S+/.exec(await mails.nextTo(person.email)) ?? [];
    expect(new URL(link).port).toBe(new URL(address).port);
    await page.goto(link);
    await page.getByText(`For ${person.email}.`).waitFor();
    const set = page.getByRole('button', { name: 'Set password' });
    const first = page.getByLabel('New password', { exact: true });
    const second = page.getByLabel('New password again');
    await typeInto(page, first, 'short');
    expect(await set.isDisabled()).toBe(true);
    await typeInto(page, first, person.password);
    await typeInto(page, second, person.password);
    await pressOn(page, set);
    await page.getByRole('alert').getByText('It must differ from the last three.').waitFor();
    await typeInto(page, first, 'Brand-new.42');
    await typeInto(page, second, 'Brand-new.42');
    await pressOn(page, set);
    await page.waitForURL(/#\/auth\/login$/);
    await typeSignIn(page, person.email, 'Brand-new.42');
    await acceptAgreements(page);
    await page.waitForURL(/\/home\//);
    expect(visit.complaints).toEqual([]);
    await visit.close();

    const other = await openVisit();
    await other.page.goto(link);
    await other.page.getByRole('alert').getByText('The link has expired or was already used.').waitFor();
    await signInAs(other.page, address, person.email, 'Brand-new.42');
    await other.close();
  });

  it('[S2-06] says the same for an address without an account', async () => {
    const visit = await openVisit();
    const { page } = visit;
    await page.goto(`${inject('journeyServer').address}/#/auth/reset-password/forgot_pass`);
    await page.getByLabel('Email').fill('nobody@nowhere.example');
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('status').getByText('If this address has an account').waitFor();
    await visit.close();
  });
});
