import { addPerson, login, readOrganization, removeSmtp, saveSmtp, setPassword } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type MailCatcher, startMailCatcher, useMailCatcher } from '../sign-in/testing/mail-catcher.ts';
import { type Company, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
let company: Company;
let catcher: MailCatcher;
let root = '';
let orgAdmin = '';

beforeAll(async () => {
  catcher = await startMailCatcher();
  test = await testApp({
    env: { TYRIAN_PUBLIC_URL: 'https://console.harbour.example/', TYRIAN_OUTGOING_ALLOW: '127.0.0.0/8' },
  });
  company = await seedCompany(test.platform);
  root = await company.signIn('root');
  orgAdmin = await company.signIn('orgAdmin');
});
afterAll(async () => {
  await test?.close();
  await catcher?.close();
});

const ways = async (orgId = company.orgId) =>
  (await test.call(readOrganization, { ssid: orgAdmin, params: { orgId } })).data.first_password_ways;
const add = (name: string, first_password: 'link' | 'shown', user_type = 'general') =>
  test.call(addPerson, {
    ssid: user_type === 'root' ? root : orgAdmin,
    params: { orgId: company.orgId },
    input: { name, email_id: `${name.toLowerCase()}@harbour.example`, user_type, first_password },
  });
const signIn = (name: string, password: string) =>
  test.call(login, { input: { emailId: `${name.toLowerCase()}@harbour.example`, password } });

it('[C009] a new user gets a link to set a password where mail can be sent', async () => {
  expect(await ways()).toEqual(['shown']);
  expect((await add('Early', 'link')).http).toBe(409);
  await useMailCatcher(test, catcher, root);
  expect(await ways()).toEqual(['link', 'shown']);
  // Whom no mail reached does not exist, so that the same address can be tried again.
  const { data } = await add('Early', 'link');
  expect([data.initial_password, data.is_mailed]).toEqual([null, true]);
  const token = /#\/auth\/set-password\/([\w-]{43})\n/.exec(
    catcher.lastTo('early@harbour.example').text,
  )?.[1];
  const set = () => test.call(setPassword, { input: { token: token ?? '', password: 'Chosen-word.1' } });
  expect((await set()).http).toBe(200);
  expect((await set()).http).toBe(404);
  expect((await signIn('Early', 'Chosen-word.1')).http).toBe(200);
});

it('a mail server that does not take the mail leaves no user behind, and says why', async () => {
  const input = { host: '127.0.0.1', port: 1, security: 'none', from_name: 'T', from_address: 'a@b.example' };
  await test.call(saveSmtp, { ssid: root, input });
  const answer = await add('Lost', 'link');
  expect([answer.http, answer.body.message]).toEqual([
    503,
    expect.stringContaining('The mail server rejected the email'),
  ]);
  const { rows } = await sql`select 1 from person where email = 'lost@harbour.example'`.execute(
    test.platform.postgres.platform,
  );
  expect(rows).toEqual([]);
  await test.call(removeSmtp, { ssid: root });
  const shown = await add('Lost', 'shown');
  expect(shown.data.is_mailed).toBe(false);
  expect((await signIn('Lost', shown.data.initial_password ?? '')).http).toBe(200);
});

it('where passwords are kept elsewhere none is made up, except for root', async () => {
  await useMailCatcher(test, catcher, root);
  await sql`update organization set auth_type = 'sso' where org_id = ${company.orgId}`.execute(
    test.platform.postgres.platform,
  );
  expect(await ways()).toEqual([]);
  expect((await add('Linked', 'link')).http).toBe(409);
  expect((await add('Single', 'shown')).data).toMatchObject({ initial_password: null, is_mailed: false });
  const { data } = await add('Ruler', 'shown', 'root');
  expect((await signIn('Ruler', data.initial_password ?? '')).http).toBe(200);
});
