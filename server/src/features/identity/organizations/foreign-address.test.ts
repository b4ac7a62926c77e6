import {
  addPerson,
  deletePerson,
  login,
  readSignInSettings,
  saveMailDomains,
  saveOrganization,
} from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';

let test: TestApp;
/** The attacker's organization, and the victim's, which has the mail domain acme.example. */
let attacker: Company;
let victim: Company;
let root: string;
let orgAdmin: string;
let victimAdmin: string;

beforeAll(async () => {
  test = await testApp();
  attacker = await seedCompany(test.platform);
  victim = await seedCompany(test.platform, '2');
  root = await attacker.signIn('root');
  orgAdmin = await attacker.signIn('orgAdmin');
  victimAdmin = await victim.signIn('orgAdmin');
  expect((await giveDomains(['acme.example'])).http).toBe(200);
});
afterAll(() => test?.close());

const giveDomains = (mail_domains: string[]) =>
  test.call(saveMailDomains, { ssid: root, params: { orgId: victim.orgId }, input: { mail_domains } });
const add = (ssid: string, email_id: string, orgId = attacker.orgId, user_type = 'general') =>
  test.call(addPerson, { ssid, params: { orgId }, input: { name: 'Chief', email_id, user_type } });

describe('an address of somebody else', () => {
  it('[S16] is refused in the same bytes whether the domain or the account is foreign; root learns which', async () => {
    const ofDomain = await add(orgAdmin, 'CEO@Acme.example');
    const ofAccount = await add(orgAdmin, victim.emailOf('analyst').toUpperCase());
    expect([ofDomain.http, ofAccount.http]).toEqual([409, 409]);
    expect(ofDomain.text).toBe(ofAccount.text);
    expect(ofDomain.body.message).toMatch(/^This address cannot be added here\./);
    expect(ofDomain.text).not.toMatch(/taken|Harbour2|domain/);

    expect((await add(root, 'ceo@acme.example')).body.message).toBe(
      'The email domain of ceo@acme.example belongs to the organization Harbour2',
    );
    expect((await add(root, victim.emailOf('analyst'))).body.message).toBe(
      `The email is taken: ${victim.emailOf('analyst')} (organization Harbour2)`,
    );
    expect((await add(orgAdmin, attacker.emailOf('analyst'))).body.message).toContain('already');
    expect((await add(victimAdmin, 'ceo@acme.example', victim.orgId)).http).toBe(200);
  });

  it('[S16] taken by two organizations at once is added by one, and the other learns nothing', async () => {
    const known = await add(orgAdmin, victim.emailOf('viewer'));
    const answers = await Promise.all([
      add(orgAdmin, 'race@free.example'),
      add(victimAdmin, 'race@free.example', victim.orgId),
    ]);
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 409]);
    expect(answers.find((answer) => answer.http === 409)?.text).toBe(known.text);
  });

  it('[S16] whose domain is given away later signs in no more, and root is told of it', async () => {
    const { data } = await add(orgAdmin, 'squatter@later.example');
    const password = data.initial_password ?? '';
    const signIn = (emailId: string, typed: string) =>
      test.call(login, { input: { emailId, password: typed } });
    expect((await signIn('squatter@later.example', password)).http).toBe(200);
    const ofRoot = await add(root, 'boss@later.example', attacker.orgId, 'root');
    expect((await giveDomains(['acme.example', 'later.example'])).http).toBe(200);

    const refused = await signIn('squatter@later.example', password);
    const unknown = await signIn('nobody@later.example', password);
    expect([refused.http, refused.text]).toEqual([403, unknown.text]);
    // Root is nobody's user: it is not locked out by a domain that it gives away.
    expect((await signIn('boss@later.example', ofRoot.data.initial_password ?? '')).http).toBe(200);

    const outsiders = async (ssid: string) => {
      const read = await test.call(readSignInSettings, { ssid, params: { orgId: victim.orgId } });
      return read.data.outsiders.map((one) => [one.email_id, one.organization]);
    };
    expect(await outsiders(root)).toEqual([['squatter@later.example', 'Harbour']]);
    expect(await outsiders(victimAdmin)).toEqual([]);
    expect((await add(victimAdmin, 'squatter@later.example', victim.orgId)).http).toBe(409);
    await test.call(deletePerson, { ssid: root, params: { userId: data.user_id } });
    expect((await add(victimAdmin, 'squatter@later.example', victim.orgId)).http).toBe(200);
    expect(await outsiders(root)).toEqual([]);
    expect((await signIn(attacker.emailOf('viewer'), SEED_PASSWORD)).http).toBe(200);
  });

  it('[S16] nor does the name of an organization tell of another', async () => {
    const rename = (ssid: string) =>
      test.call(saveOrganization, { ssid, params: { orgId: attacker.orgId }, input: { name: 'harbour2' } });
    expect((await rename(orgAdmin)).body.message).toBe('name: this name cannot be used');
    expect((await rename(root)).body.message).toBe('name: the name is taken');
  });
});
