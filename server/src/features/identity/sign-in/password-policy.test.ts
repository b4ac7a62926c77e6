import { createHash } from 'node:crypto';
import { changePassword, setPassword } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../../engines/testing/index.ts';
import { timestamp } from '../../../platform/postgres/timestamp.ts';
import { identityDb } from '../identity-tables.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { generatePassword } from './generate-password.ts';
import { weaknessOf } from './password-weakness.ts';

const OWNER = { name: 'Ana Lindqvist', email: 'ana.l@acme-corp.example', organization: 'Acme Corporation' };

describe('a password that keeps the rules and is guessed first', () => {
  it.each([
    'Password1!',
    'P@ssw0rd1!',
    'PASSWORd.2026',
    'Passw0rd.Passw0rd1',
    'Qwerty123!',
    '1qaz@WSX',
    'Welcome1!',
    'Summer2026!',
    'Letmein1!',
    'Changeme1!',
    'Company.2026',
    '!Dragon99',
    'Abcdef1!',
    'Aaaaaaaa1!',
    'Abcabcabc1!',
    '12.03.1990Aa!',
  ])('[S21] %s is a common one', async (password) => {
    expect(await weaknessOf(password, OWNER)).toBe('common');
  });

  it.each([
    'Tyrian2026!',
    'Lindqvist.1',
    'L1ndqv1st!9',
    'Ana.Acme2026!',
    'Acmecorp1!',
    'Corporation#2026',
    'Ana.l@acme-corp.Example1',
    'Security!2026',
  ])('[S21] %s is made of what everybody knows of its owner', async (password) => {
    expect(await weaknessOf(password, OWNER)).toBe('personal');
  });

  it.each([
    'Xk7!vP2m',
    'Better-word.1',
    'Quay-lantern.58',
    'Heron&kettle*7Mosaic',
    'Жёлтый-фонарь.7Q',
    SEED_PASSWORD,
  ])('%s is neither', async (password) => {
    expect(await weaknessOf(password, OWNER)).toBeNull();
  });

  it('nor is any that is generated', async () => {
    for (let round = 0; round < 20; round++) expect(await weaknessOf(generatePassword(), OWNER)).toBeNull();
  });
});

describe('the ways to set a password', () => {
  let test: TestApp;
  let company: Company;
  beforeAll(async () => {
    test = await testApp();
    company = await seedCompany(test.platform);
  });
  afterAll(() => test?.close());

  const refusal = (reason: string) => ({ http: 422, data: { broken: [reason] } });

  it('[S21] a change refuses them in words that say what to do', async () => {
    const ssid = await company.signIn('analyst');
    const change = (new_password: string) =>
      test.call(changePassword, { ssid, input: { old_password: SEED_PASSWORD, new_password } });
    const common = await change('Password1!');
    expect(common).toMatchObject(refusal('common'));
    expect(common.data).toMatchObject({ field: 'new_password' });
    expect(common.body.message).toMatch(/well known.*use several unrelated words/);
    const personal = await change('Harbour.Analyst1');
    expect(personal).toMatchObject(refusal('personal'));
    expect(personal.body.message).toMatch(/your name, your address, your organization or the product/);
    expect((await change('Better-word.1')).http).toBe(200);
  });

  it.each(['set', 'forgot', 'reset'] as const)(
    '[S21] so does a link (%s), which stays good',
    async (kind) => {
      const token = kind.padEnd(43, 'x');
      const now = test.platform.clock.now();
      await identityDb(test.platform.postgres)
        .insertInto('password_link')
        .values({
          token_hash: createHash('sha256').update(token).digest(),
          user_id: company.userIds.viewer,
          kind,
          created_at: timestamp(now),
          expires_at: timestamp(now + 60_000),
          used_at: null,
        })
        .execute();
      const set = (password: string) => test.call(setPassword, { input: { token, password } });
      expect(await set('Password1!')).toMatchObject(refusal('common'));
      expect(await set('Harbour2026!')).toMatchObject(refusal('personal'));
      expect((await set(`Better-word.${kind.length}${kind}`)).http).toBe(200);
    },
  );

  it('[S21] so does whoever makes a user or sets a password for one', async () => {
    const { users } = company.identity;
    const user = {
      orgId: company.orgId,
      email: 'new@harbour.example',
      name: 'Nova',
      userType: 'general',
    } as const;
    const refused = { kind: 'bad-input', details: { broken: ['common'] } };
    await expect(users.create({ ...user, password: 'Password1!' })).rejects.toMatchObject(refused);
    expect(await users.findByEmail(user.email)).toBeUndefined();
    const { engineer } = company.userIds;
    await expect(users.setPassword(engineer, 'Password1!')).rejects.toMatchObject(refused);
    await expect(users.setPassword(engineer, 'weak')).rejects.toMatchObject({ kind: 'bad-input' });
    await company.signIn('engineer');
  });
});
