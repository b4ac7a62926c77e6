import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../../engines/testing/index.ts';
import type { AppError } from '../../../platform/app-error.ts';
import { type Company, SEED_PASSWORD, seedCompany } from '../users/testing/seed-company.ts';
import { GUARD_LIMITS } from './login-guard.ts';

let platform: TestPlatform;
let company: Company;

beforeAll(async () => {
  platform = await testPlatform();
  company = await seedCompany(platform);
});
afterAll(() => platform?.close());
beforeEach(() => platform.clock.advance(3_600_000));

type Outcome = 'in' | 'wrong' | 'locked';

async function attempt(email: string, address: string, password = 'Wrong-word.1'): Promise<Outcome> {
  try {
    await company.identity.auth.login(email, password, address);
    return 'in';
  } catch (error) {
    const { kind } = error as { kind?: string };
    if (kind === 'too-many') return 'locked';
    if (kind === 'sign-in-refused') return 'wrong';
    throw error;
  }
}

async function repeat(times: number, work: () => Promise<Outcome>): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let round = 0; round < times; round++) outcomes.push(await work());
  return outcomes;
}

describe('login guard', () => {
  it.each(['viewer', null] as const)(
    '[C002] locks after five wrong attempts (%s), also for the right password',
    async (role) => {
      const email = role ? company.emailOf(role) : 'unknown@harbour.example';
      const outcomes = await repeat(7, () => attempt(email, '198.51.100.1'));
      expect(outcomes).toEqual([...Array(5).fill('wrong'), 'locked', 'locked']);
      expect(await attempt(email, '198.51.100.1', SEED_PASSWORD)).toBe('locked');
    },
  );

  it('[C002] says when the lock ends, opens again then, and doubles the next pause', async () => {
    const email = company.emailOf('analyst');
    await repeat(5, () => attempt(email, '198.51.100.2'));
    await expect(company.identity.auth.login(email, 'x', '198.51.100.2')).rejects.toMatchObject({
      kind: 'too-many',
      details: { retry_after_s: 60 },
    });
    platform.clock.advance(GUARD_LIMITS.pair.firstPauseMs);
    expect(await attempt(email, '198.51.100.2')).toBe('wrong');
    platform.clock.advance(GUARD_LIMITS.pair.firstPauseMs);
    expect(await attempt(email, '198.51.100.2')).toBe('locked');
    platform.clock.advance(GUARD_LIMITS.pair.firstPauseMs);
    expect(await attempt(email, '198.51.100.2', SEED_PASSWORD)).toBe('in');
    expect(await repeat(4, () => attempt(email, '198.51.100.2'))).toEqual(Array(4).fill('wrong'));
    expect(await attempt(email, '198.51.100.2', SEED_PASSWORD)).toBe('in');
  });

  it('[C002] does not lock anybody out from another address', async () => {
    const email = company.emailOf('engineer');
    await repeat(8, () => attempt(email, '198.51.100.3'));
    expect(await attempt(email, '203.0.113.3', SEED_PASSWORD)).toBe('in');
  });

  it('[C002] counts parallel attempts before it looks at the password', async () => {
    const email = company.emailOf('tenantAdmin');
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => attempt(email, '198.51.100.4')));
    expect(outcomes.filter((outcome) => outcome === 'wrong')).toHaveLength(5);
    expect(outcomes.filter((outcome) => outcome === 'locked')).toHaveLength(25);
  });

  it('[C002] slows down one address that tries many accounts', async () => {
    let at = 0;
    const outcomes = await repeat(GUARD_LIMITS.address.free + 3, () =>
      attempt(`spray${at++}@harbour.example`, '198.51.100.5'),
    );
    expect(outcomes.slice(-3)).toEqual(['locked', 'locked', 'locked']);
    platform.clock.advance(GUARD_LIMITS.address.firstPauseMs);
    expect(await attempt(company.emailOf('viewer'), '198.51.100.5', SEED_PASSWORD)).toBe('in');
  });

  it('[C002] guessing from everywhere pauses an account for a minute at most, and never where it is at home', async () => {
    const email = company.emailOf('contentManager');
    expect(await attempt(email, '203.0.113.99', SEED_PASSWORD)).toBe('in');
    let host = 0;
    await repeat(GUARD_LIMITS.account.free + 2, () => attempt(email, `10.9.${host >> 6}.${host++ & 63}`));
    expect(await attempt(email, '10.10.0.1', SEED_PASSWORD)).toBe('locked');
    expect(await attempt(email, '203.0.113.99', SEED_PASSWORD)).toBe('in');
    platform.clock.advance(GUARD_LIMITS.account.longestPauseMs);
    expect(await attempt(email, '10.10.0.2', SEED_PASSWORD)).toBe('in');
  });

  it('[R-E8] any number of right sign-ins at once are right, and are no failures', async () => {
    const email = company.emailOf('adminEngineer');
    const burst = () =>
      Promise.all(Array.from({ length: 24 }, () => attempt(email, '198.51.100.6', SEED_PASSWORD)));
    expect(await burst()).toEqual(Array(24).fill('in'));
    // Four mistakes first: one more would begin a pause, and the burst is none.
    await repeat(4, () => attempt(email, '198.51.100.6'));
    expect(await burst()).toEqual(Array(24).fill('in'));
  });

  it('[R-E8] an attempt whose process ended counts as a failure, and keeps nobody out', async () => {
    const email = company.emailOf('rootViewer');
    expect(await attempt(email, '198.51.100.8')).toBe('wrong');
    await sql`update login_failure set pending = 4, pending_at = window_start`.execute(
      platform.postgres.platform,
    );
    platform.clock.advance(61_000);
    expect(await attempt(email, '198.51.100.8', SEED_PASSWORD)).toBe('in');
  });

  it('[S12] an address that is locked lets in who is at home there, and tells nobody who that is', async () => {
    // One customer has a whole network of IPv6 addresses, which counts as one.
    const here = '2001:db8:1:2::9';
    expect(await attempt(company.emailOf('orgAdmin'), here, SEED_PASSWORD)).toBe('in');
    let at = 0;
    const spray = () => attempt(`nobody${at++}@harbour.example`, `2001:db8:1:2:${at.toString(16)}::1`);
    await Promise.all(Array.from({ length: GUARD_LIMITS.address.free }, spray));
    expect(await spray()).toBe('locked');
    const refusalOf = (email: string) =>
      company.identity.auth.login(email, 'Wrong-word.1', here).catch((error: AppError) => ({
        kind: error.kind,
        message: error.message,
        details: error.details,
      }));
    const atHome = await refusalOf(company.emailOf('orgAdmin'));
    expect(atHome).toMatchObject({ kind: 'too-many' });
    // Neither a user who never signed in here nor an unknown address is answered otherwise.
    expect(await refusalOf(company.emailOf('engineerOfB'))).toEqual(atHome);
    expect(await refusalOf('nobody@harbour.example')).toEqual(atHome);
    expect(await attempt(company.emailOf('engineerOfB'), here, SEED_PASSWORD)).toBe('locked');
    expect(await attempt(company.emailOf('engineerOfB'), '2001:db8:1:3::9', SEED_PASSWORD)).toBe('in');
    expect(await attempt(company.emailOf('orgAdmin'), here, SEED_PASSWORD)).toBe('in');
  });
});
