import { sql } from 'kysely';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { Mailbox } from './mail-allowance.ts';
import type { NotificationDb, NotificationRow } from './notification-tables.ts';

// Which notifications are still to be mailed, and what each user got in the running hour.

/** Nobody wants to read by mail of yesterday what could not be sent since. */
const OLD_MS = 24 * 3_600_000;

export interface LeasedMailbox {
  readonly userId: string;
  /** Null: the first mail of this user. */
  readonly box: Mailbox | null;
}

/** Gives up what could not be sent for a day, and what its reader has read in the console meanwhile. */
export async function dropOld(db: NotificationDb, nowMs: number): Promise<void> {
  await sql`update notification set mail_state = 'dropped'
    where mail_state = 'due' and (created_at < ${timestamp(nowMs - OLD_MS)} or read_at is not null)`.execute(
    db,
  );
}

/** Users with something to be mailed whom nobody is sending to. */
export async function usersWithMail(db: NotificationDb, nowMs: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select n.user_id from notification n left join notification_mailbox m on m.user_id = n.user_id
    where n.mail_state = 'due' and coalesce(m.lease_until, 'epoch') <= ${timestamp(nowMs)}
    group by n.user_id order by min(n.created_at) limit ${limit}`.execute(db);
  return rows.map((row) => row.user_id);
}

/** Takes the mailbox of a user; null when another process has it. */
export async function leaseMailbox(
  db: NotificationDb,
  userId: string,
  nowMs: number,
  untilMs: number,
): Promise<LeasedMailbox | null> {
  const { rows } = await sql<{ hour_start: number; sent: number }>`
    insert into notification_mailbox (user_id, hour_start, sent, lease_until)
      values (${userId}, 'epoch', 0, ${timestamp(untilMs)})
    on conflict (user_id) do update set lease_until = excluded.lease_until
      where notification_mailbox.lease_until <= ${timestamp(nowMs)}
    returning hour_start, sent`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const box = row.hour_start === 0 ? null : { hourStartMs: row.hour_start, sent: row.sent };
  return { userId, box };
}

/** Gives the mailbox back; nobody sends to the user before `untilMs`. */
export async function releaseMailbox(db: NotificationDb, userId: string, untilMs: number): Promise<void> {
  await db
    .updateTable('notification_mailbox')
    .set({ lease_until: timestamp(untilMs) })
    .where('user_id', '=', userId)
    .execute();
}

/** What waits for a user, oldest first. */
export function dueOf(db: NotificationDb, userId: string): Promise<NotificationRow[]> {
  return db
    .selectFrom('notification')
    .select(['notification_id', 'user_id', 'cluster_id', 'scope_id', 'kind', 'object_id', 'event_count'])
    .select(['details', 'actor_name', 'created_at', 'read_at'])
    .where('user_id', '=', userId)
    .where('mail_state', '=', 'due')
    .orderBy('created_at')
    .orderBy('notification_id')
    .execute();
}

/**
 * Notes what became of mails, with the mailbox as it is then. What grew meanwhile stays due. Whoever reads by mail alone
 * has read what was sent.
 */
export async function settleMails(
  db: NotificationDb,
  userId: string,
  rows: readonly NotificationRow[],
  state: 'sent' | 'dropped',
  nowMs: number,
  box?: Mailbox,
): Promise<void> {
  if (rows.length === 0) return;
  await db.transaction().execute(async (trx) => {
    for (const row of rows) {
      await sql`update notification set mail_state = ${state},
          read_at = case when in_console then read_at else ${timestamp(nowMs)} end
        where notification_id = ${row.notification_id} and user_id = ${userId}
          and event_count = ${row.event_count}`.execute(trx);
    }
    if (!box) return;
    await trx
      .updateTable('notification_mailbox')
      .set({ hour_start: timestamp(box.hourStartMs), sent: box.sent })
      .where('user_id', '=', userId)
      .execute();
  });
}
