import { brokenPasswordRules } from '@tyrian/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../../engines/testing/index.ts';
import { settableClock } from '../../../platform/clock.ts';
import { ConfigError } from '../../../platform/config.ts';
import { identityFeature } from '../identity-feature.ts';
import { identityDb } from '../identity-tables.ts';
import { signedIn } from '../users/testing/signed-in.ts';
import { ensureRootAdministrator } from './first-start.ts';
import { generatePassword } from './generate-password.ts';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await testPlatform();
});
afterAll(() => platform?.close());

describe('first start', () => {
  it('[S2-63][S4-15] makes one root administrator, also when several processes start at once', async () => {
    const db = identityDb(platform.postgres);
    const config = { adminEmail: undefined, adminPassword: undefined };
    const { audit, auth } = identityFeature(platform);
    const all = await Promise.all(
      [1, 2, 3].map(() => ensureRootAdministrator(db, settableClock(Date.now()), config, audit)),
    );
    const printed = all.filter((lines) => lines.length > 0);
    expect(printed).toHaveLength(1);
    const password = printed[0]?.[1]?.replace(/^Password:\s+/, '') ?? '';
    const record = await auth.login('admin@tyrian.local', password, '127.0.0.1');
    expect(record).toMatchObject({ isRoot: true, isRootViewer: false, access: [] });
    expect(await ensureRootAdministrator(db, settableClock(Date.now()), config, audit)).toEqual([]);
    const made = db.selectFrom('audit_entry').selectAll().where('action', '=', 'user.create');
    expect(await made.execute()).toMatchObject([{ user_id: null, details: { by: 'first start' } }]);
  });

  it('takes email and password from the configuration and does not print that password', async () => {
    const db = identityDb(platform.postgres);
    await db.deleteFrom('person').execute();
    const { audit, auth } = identityFeature(platform);
    const config = { adminEmail: 'boss@harbour.example', adminPassword: 'Given-word.7' };
    const lines = await ensureRootAdministrator(db, settableClock(Date.now()), config, audit);
    expect(lines.join('\n')).toContain('boss@harbour.example');
    expect(lines.join('\n')).not.toContain('Given-word.7');
    const answer = await auth.login('boss@harbour.example', 'Given-word.7', '127.0.0.1');
    expect(signedIn(answer).isRoot).toBe(true);
  });

  it.each([
    ['Password1!', /^TYRIAN_ADMIN_PASSWORD: The password is well known/],
    ['Harbour.Boss1', /^TYRIAN_ADMIN_PASSWORD: The password contains your name/],
    [
      'alllowercase',
      /^TYRIAN_ADMIN_PASSWORD: The new password breaks a rule: upper-case letter, digit, special character/,
    ],
  ])('[S21] does not start with %s, and makes nobody', async (adminPassword, words) => {
    const db = identityDb(platform.postgres);
    await db.deleteFrom('person').execute();
    const config = { adminEmail: 'boss@harbour.example', adminPassword };
    const started = ensureRootAdministrator(
      db,
      settableClock(Date.now()),
      config,
      identityFeature(platform).audit,
    );
    await expect(started).rejects.toThrow(words);
    await expect(started).rejects.toBeInstanceOf(ConfigError);
    expect(await db.selectFrom('person').select('user_id').execute()).toEqual([]);
  });

  it('[C013] generated passwords keep the rules and differ', () => {
    const made = Array.from({ length: 200 }, generatePassword);
    for (const password of made) expect(brokenPasswordRules(password)).toEqual([]);
    expect(new Set(made).size).toBe(200);
  });
});
