import { say } from '@tyrian/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { AppError } from '../../platform/app-error.ts';
import { type Company, seedCompany } from '../identity/users/testing/seed-company.ts';
import { MAILS_PER_HOUR } from './mail-allowance.ts';
import { createNotificationMailer, type NotificationMailer } from './notification-mailer.ts';
import { addNotifications, markRead, saveSwitch, selectNotifications } from './notification-store.ts';
import { type NotificationDb, notificationDb } from './notification-tables.ts';

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

let platform: TestPlatform;
let company: Company;
let db: NotificationDb;
let sent: Sent[] = [];
let isServerDown = false;
let mailers: NotificationMailer[];
let at = Date.UTC(2026, 4, 5, 9);
let made = 0;

beforeAll(async () => {
  platform = await testPlatform({ nowMs: at, env: { TYRIAN_PUBLIC_URL: 'https://siem.example' } });
  company = await seedCompany(platform);
  db = notificationDb(platform.postgres.platform);
  const mail = {
    isSetUp: async () => true,
    send: async (one: Sent) => {
      if (isServerDown) throw new AppError('unavailable', say('mail.notConfigured'));
      sent.push(one);
      return '250';
    },
  };
  const { postgres, clock, log, config } = platform;
  const deps = { postgres, clock, log, config, mail, peopleOf: company.identity.users.scopePeople };
  mailers = [createNotificationMailer(deps), createNotificationMailer(deps)];
  const input = { kind: 'case_assigned', in_console: true, by_mail: true } as const;
  await saveSwitch(db, company.userIds.analyst, input);
});
afterAll(() => platform?.close());

/** Assigns so many cases to the analyst, whose switch for mails is on, and to the engineer, whose is off. */
const assign = (count: number, name = 'Odd sign-in') =>
  addNotifications(
    db,
    Array.from({ length: count }).flatMap(() => {
      made += 1;
      return (['analyst', 'engineer'] as const).map((role) => ({
        userId: company.userIds[role],
        clusterId: company.a.clusterId,
        scopeId: company.a.scope,
        kind: 'case_assigned' as const,
        groupKey: `case_assigned c${made}`,
        objectId: `c${made}`,
        count: 1,
        details: { name, case_key: `CASE-${made}` },
        actorName: 'Ana',
        atMs: at + made,
      }));
    }),
  );
const pass = async (minutes: number) => {
  at += minutes * 60_000;
  platform.clock.set(at);
  sent = [];
  const counts = await Promise.all(mailers.map((mailer) => mailer.send()));
  return counts.reduce((sum, count) => sum + count, 0);
};

describe('[R-C34] mails about notifications', () => {
  it('go to whoever switched them on, once, with a link, in the language of the reader', async () => {
    await sql`update person set locale = 'fr-FR' where user_id = ${company.userIds.analyst}`.execute(db);
    await assign(1, 'Odd\r\nBcc: x@evil.example');
    expect(await pass(1)).toBe(1);
    const { clusterId, scope } = company.a;
    expect(sent).toMatchObject([
      {
        to: company.emailOf('analyst'),
        subject: 'Tyrian: Ana vous a attribué CASE-1 : Odd Bcc: x@evil.example',
      },
    ]);
    expect(sent[0]?.text).toContain(`https://siem.example/#/${clusterId}/${scope}/incident/cases/c1`);
    expect(await pass(1)).toBe(0);
    await sql`update person set locale = 'en-US' where user_id = ${company.userIds.analyst}`.execute(db);
  });

  it('never more than five in an hour: the rest is one digest at its end', async () => {
    await pass(120);
    for (let minute = 0; minute < 20; minute += 1) {
      await assign(1);
      await pass(1);
      expect(sent, `mail ${minute}`).toHaveLength(minute < MAILS_PER_HOUR ? 1 : 0);
    }
    await assign(60);
    expect(await pass(60)).toBe(1);
    expect(sent[0]?.subject).toBe('Tyrian: 75 notifications');
    expect(sent[0]?.text).toContain('and 25 more in the console');
    expect(await pass(1)).toBe(0);
  });

  it('a mail server that is down loses nothing, for a day', async () => {
    await pass(120);
    isServerDown = true;
    await assign(2);
    expect(await pass(1)).toBe(0);
    isServerDown = false;
    expect(await pass(0)).toBe(0);
    expect(await pass(2)).toBe(2);
    isServerDown = true;
    await assign(1);
    await pass(1);
    isServerDown = false;
    expect(await pass(25 * 60)).toBe(0);
  });

  it('what was read in the console, or may not be seen any more, is not mailed', async () => {
    await assign(1);
    await markRead(db, company.userIds.analyst, undefined, at);
    expect(await pass(120)).toBe(0);
    await assign(1);
    const { analyst: userId } = company.userIds;
    const { clusterId, scope } = company.a;
    await company.identity.users.grant({ userId, clusterId, accessType: 'No Access', roles: {} });
    expect(await pass(1)).toBe(0);
    await company.identity.users.grant({
      userId,
      clusterId,
      accessType: 'Custom',
      roles: { [scope]: 'Security Analyst' },
    });
    expect(await pass(1)).toBe(0);
  });

  it('whoever wants mails alone has nothing in the console', async () => {
    await pass(120);
    const userId = company.userIds.analyst;
    await sql`delete from notification`.execute(db);
    await saveSwitch(db, userId, { kind: 'case_assigned', in_console: false, by_mail: true });
    await assign(1);
    expect(await pass(1)).toBe(1);
    expect(await selectNotifications(db, userId)).toEqual([]);
  });
});
