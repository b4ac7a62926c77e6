import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { type TestPlatform, testPlatform } from '../engines/testing/index.ts';
import { withDatabase } from '../engines/testing/start-test-engines.ts';
import { identityFeature } from '../features/identity/identity-feature.ts';
import { signedIn } from '../features/identity/users/testing/signed-in.ts';
import { runCommand } from './run-command.ts';

let platform: TestPlatform;
let env: Record<string, string>;

beforeAll(async () => {
  platform = await testPlatform();
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(
    platform.postgres.platform,
  );
  env = { TYRIAN_POSTGRES_URL: withDatabase(inject('testEngines').postgresUrl, rows[0]?.name ?? '') };
});
afterAll(() => platform?.close());

async function tyrian(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const said = { out: '', err: '' };
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said.out += text;
    return true;
  });
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    said.err += text;
    return true;
  });
  try {
    return { code: await runCommand(args, env), ...said };
  } finally {
    out.mockRestore();
    err.mockRestore();
  }
}

const passwordIn = (text: string) => /Password: (\S+)/.exec(text)?.[1] ?? '';

describe('tyrian users and tenants', () => {
  it('[C002] adds a tenant and a user, gives access, changes the password, disables', async () => {
    const { auth } = identityFeature(platform);
    expect(
      (
        await tyrian(
          'tenants',
          'add',
          'Blue',
          '--organization',
          'Blue Org',
          '--scope',
          'One',
          '--scope',
          'Two',
        )
      ).code,
    ).toBe(0);
    const added = await tyrian(
      'users',
      'add',
      'ann@blue.example',
      '--organization',
      'blue org',
      '--name',
      'Ann',
    );
    const password = passwordIn(added.out);
    expect(signedIn(await auth.login('ann@blue.example', password, '::1')).access).toEqual([]);
    await tyrian(
      'users',
      'grant',
      'ann@blue.example',
      '--tenant',
      'BLUE',
      '--role',
      'Security Analyst',
      '--scope',
      'two',
    );
    const record = signedIn(await auth.login('ann@blue.example', password, '::1'));
    expect(record.access[0]?.scope_access.map((scope) => [scope.scope_name, scope.role])).toEqual([
      ['Two', 'Security Analyst'],
    ]);
    const changed = await tyrian('users', 'set-password', 'ann@blue.example');
    expect(await auth.findCaller(record.SSID)).toBeNull();
    await expect(auth.login('ann@blue.example', password, '::1')).rejects.toMatchObject({
      kind: 'sign-in-refused',
    });
    const again = await auth.login('ann@blue.example', passwordIn(changed.out), '::1');
    expect(signedIn(again).name).toBe('Ann');
    const reset = await tyrian('users', 'reset-second-factor', 'ann@blue.example');
    expect(reset.out).toContain('Removed the second factors of ann@blue.example');
    expect(await auth.findCaller(again.SSID)).toBeNull();
    await tyrian('users', 'disable', 'ann@blue.example');
    await expect(auth.login('ann@blue.example', passwordIn(changed.out), '::1')).rejects.toBeTruthy();
    const list = await tyrian('users', 'list');
    expect(list.out).toMatch(/ann@blue\.example +Ann +general +disabled +Blue Org +Blue/);
    expect((await tyrian('tenants', 'list')).out).toMatch(
      /^Blue \(enterprise\) \w{12}\n {2}One \w{12}\n {2}Two/,
    );
  });

  it('refuses wrong arguments with exit code 2 and says what is wrong', async () => {
    const wrong: [string[], string][] = [
      [['users'], 'say what to do'],
      [['users', 'toString', 'x'], 'unknown: users toString'],
      [['users', 'add', 'x@y'], '--organization is missing'],
      [['users', 'add', 'x@y', '--organization', 'Nope'], 'no organization Nope; there is: Blue Org'],
      [['users', 'add', 'x@y', '--organization', 'Blue Org', '--type', 'king'], '--type: king'],
      [['users', 'add', 'ANN@blue.example', '--organization', 'Blue Org'], 'The email is taken'],
      [['users', 'grant', 'ann@blue.example', '--tenant', 'Nope'], 'no tenant Nope'],
      [['users', 'grant', 'ann@blue.example', '--tenant', 'Blue', '--role', 'Boss'], '--role: Boss'],
      [['users', 'disable', 'nobody@blue.example'], 'no user nobody@blue.example'],
      [['users', 'list', '--what'], '--what'],
      [['tenants', 'add', 'Blue', '--organization', 'Blue Org', '--scope', 'x'], 'is taken'],
    ];
    for (const [args, message] of wrong) {
      const answer = await tyrian(...args);
      expect([answer.code, args.join(' ')]).toEqual([2, args.join(' ')]);
      expect(answer.err).toContain(message);
    }
  });

  it.each([
    ['Password1!', 'The password is well known'],
    ['Green.Gus1', 'The password contains your name'],
    ['weak', 'The new password breaks a rule: length, upper-case letter, digit, special character'],
  ])('[S21] refuses the password %s', async (typed, words) => {
    const type = () =>
      vi
        .spyOn(process, 'stdin', 'get')
        .mockReturnValue(Readable.from([`${typed}\n`]) as typeof process.stdin);
    await identityFeature(platform).organizations.create(`Green ${words.length}`);
    const of = ['gus@green.example', '--organization', `Green ${words.length}`, '--name', 'Gus'];
    let stdin = type();
    const refused = await tyrian('users', 'add', ...of, '--password-stdin');
    stdin.mockRestore();
    expect([refused.code, refused.err]).toEqual([2, expect.stringContaining(words)]);
    expect((await tyrian('users', 'add', ...of)).code).toBe(0);
    stdin = type();
    const changed = await tyrian('users', 'set-password', 'gus@green.example', '--password-stdin');
    stdin.mockRestore();
    expect([changed.code, changed.err]).toEqual([2, expect.stringContaining(words)]);
    await sql`delete from person where email = 'gus@green.example'`.execute(platform.postgres.platform);
  });

  it('[S04] leaves an entry of each change, also where half a character stands in an argument', async () => {
    const entries = async () => {
      const { rows } = await sql<{ action: string; user_id: string | null; source: string; text: string }>`
        select action, user_id, source, details::text as text from audit_entry order by audit_id`.execute(
        platform.postgres.platform,
      );
      return rows;
    };
    const before = (await entries()).length;
    const ghost = 'ghost@blue.example';
    const none = ['--tenant', 'Blue', '--role', 'Viewer'];
    const acts: string[][] = [
      ['tenants', 'add', 'Half \ud800', '--organization', 'Half \udfff', '--scope', 'One \ud83d'],
      ['users', 'add', ghost, '--organization', 'Blue Org', '--name', 'Ghost \ud800'],
      ['users', 'set-password', ghost],
      ['users', 'grant', ghost, ...none],
      ['users', 'reset-second-factor', ghost],
      ['users', 'disable', ghost],
      ['users', 'enable', ghost],
    ];
    for (const args of acts) {
      const { code, err } = await tyrian(...args);
      expect([code, args.join(' ')], err).toEqual([0, args.join(' ')]);
    }
    const after = (await entries()).slice(before);
    expect(after.map(({ action }) => action)).toEqual([
      'organization.create',
      'tenant.create',
      'user.create',
      'password.set',
      'access.save',
      'mfa.reset',
      'user.save',
      'user.save',
    ]);
    for (const { user_id, source } of after) expect([user_id, source]).toEqual([null, 'command line']);
    expect(after[2]?.text).toContain('Ghost \ufffd');
  });
});
