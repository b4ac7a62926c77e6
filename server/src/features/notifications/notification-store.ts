import {
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationKind,
  type NotificationSwitch,
} from '@tyrian/contract';
import { sql } from 'kysely';
import { storableJson } from '../../platform/postgres/storable.ts';
import { timestamp } from '../../platform/postgres/timestamp.ts';
import type { NotificationDb, NotificationRow } from './notification-tables.ts';

// Notifications in PostgreSQL. Every statement names the user whose own they are.

/** The newest so many of a user are kept, for so long. */
const MAX_KEPT = 200;
const KEPT_MS = 30 * 86_400_000;

export interface NotificationToAdd {
  readonly userId: string;
  readonly clusterId: string;
  readonly scopeId: string;
  readonly kind: NotificationKind;
  readonly groupKey: string;
  readonly objectId: string;
  readonly count: number;
  readonly details: Notification['details'];
  readonly actorName: string | null;
  readonly atMs: number;
}

const AT_ONCE = 200;

/**
 * Adds notifications, as their readers want them: for whoever switched both ways off, none. An unread one of the same
 * group grows. Groups must not repeat within `wanted`.
 */
export async function addNotifications(
  db: NotificationDb,
  wanted: readonly NotificationToAdd[],
): Promise<void> {
  // In one order, so that two that add at the same time never wait for each other.
  const sorted = [...wanted].sort((one, two) =>
    `${one.userId} ${one.groupKey}` < `${two.userId} ${two.groupKey}` ? -1 : 1,
  );
  for (let from = 0; from < sorted.length; from += AT_ONCE) {
    const rows = sorted.slice(from, from + AT_ONCE).map(
      (one) => sql`(${one.userId}, ${one.clusterId}, ${one.scopeId}, ${one.kind}, ${one.groupKey},
        ${one.objectId}, ${one.count}::integer, ${storableJson(one.details)}::jsonb, ${one.actorName}::text,
        ${timestamp(one.atMs)})`,
    );
    await sql`
      insert into notification (user_id, cluster_id, scope_id, kind, group_key, object_id, event_count, details,
        actor_name, created_at, in_console, mail_state)
      select n.user_id, n.cluster_id, n.scope_id, n.kind, n.group_key, n.object_id, n.event_count, n.details,
        n.actor_name, n.created_at, coalesce(w.in_console, true),
        case when coalesce(w.by_mail, false) then 'due' else 'none' end
      from (values ${sql.join(rows)}) as n (user_id, cluster_id, scope_id, kind, group_key, object_id, event_count,
        details, actor_name, created_at)
      -- The scope or the user may have gone since.
      join scope s on s.cluster_id = n.cluster_id and s.scope_id = n.scope_id
      join person p on p.user_id = n.user_id
      left join notification_switch w on w.user_id = n.user_id and w.kind = n.kind
      where coalesce(w.in_console, true) or coalesce(w.by_mail, false)
      on conflict (user_id, group_key) where read_at is null do update set
        event_count = notification.event_count + excluded.event_count, object_id = excluded.object_id,
        details = excluded.details, actor_name = excluded.actor_name, created_at = excluded.created_at,
        in_console = excluded.in_console, mail_state = excluded.mail_state`.execute(db);
  }
}

/** Deletes what a user has beyond the limit, and what is old. */
export async function trimNotifications(
  db: NotificationDb,
  userIds: readonly string[],
  nowMs: number,
): Promise<void> {
  if (userIds.length === 0) return;
  await sql`
    delete from notification where notification_id in (
      select notification_id from (
        select notification_id, created_at,
          row_number() over (partition by user_id order by created_at desc, notification_id desc) as rank
        from notification where user_id = any(${[...new Set(userIds)]}::text[])
      ) as ranked where rank > ${MAX_KEPT} or created_at < ${timestamp(nowMs - KEPT_MS)})`.execute(db);
}

/** What a user has in the console, newest first. */
export function selectNotifications(db: NotificationDb, userId: string): Promise<NotificationRow[]> {
  return db
    .selectFrom('notification')
    .select(['notification_id', 'user_id', 'cluster_id', 'scope_id', 'kind', 'object_id', 'event_count'])
    .select(['details', 'actor_name', 'created_at', 'read_at'])
    .where('user_id', '=', userId)
    .where('in_console', '=', true)
    .orderBy('created_at', 'desc')
    .orderBy('notification_id', 'desc')
    .limit(MAX_KEPT)
    .execute();
}

export interface UnreadCount {
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly kind: NotificationKind;
  readonly unread: number;
  readonly newest_at: number;
}

/** How many are unread, by scope and kind, so that rights can be asked for each. */
export async function countUnread(db: NotificationDb, userId: string): Promise<UnreadCount[]> {
  const { rows } = await sql<UnreadCount>`
    select cluster_id, scope_id, kind, count(*) as unread, max(created_at) as newest_at
    from notification where user_id = ${userId} and in_console and read_at is null
    group by cluster_id, scope_id, kind`.execute(db);
  return rows;
}

/** Marks as read: those that are named, or all. Answers how many were unread. */
export async function markRead(
  db: NotificationDb,
  userId: string,
  wanted: readonly number[] | undefined,
  nowMs: number,
): Promise<number> {
  if (wanted?.length === 0) return 0;
  const done = await db
    .updateTable('notification')
    .set({ read_at: timestamp(nowMs) })
    .where('user_id', '=', userId)
    .where('read_at', 'is', null)
    .where('in_console', '=', true)
    .$if(wanted !== undefined, (query) => query.where('notification_id', 'in', [...(wanted ?? [])]))
    .executeTakeFirst();
  return Number(done.numUpdatedRows);
}

/** Removes all that the user has in the console, also what was to be mailed: it has been seen. */
export async function clearAll(db: NotificationDb, userId: string): Promise<number> {
  const done = await db
    .deleteFrom('notification')
    .where('user_id', '=', userId)
    .where('in_console', '=', true)
    .executeTakeFirst();
  return Number(done.numDeletedRows);
}

/** Of what the user wants to be told; what was never set is on in the console and off by mail. */
export async function selectSwitches(db: NotificationDb, userId: string): Promise<NotificationSwitch[]> {
  const rows = await db
    .selectFrom('notification_switch')
    .select(['kind', 'in_console', 'by_mail'])
    .where('user_id', '=', userId)
    .execute();
  return NOTIFICATION_KINDS.map((kind) => {
    const { in_console = true, by_mail = false } = rows.find((row) => row.kind === kind) ?? {};
    return { kind, in_console, by_mail };
  });
}

export async function saveSwitch(
  db: NotificationDb,
  userId: string,
  { kind, ...ways }: NotificationSwitch,
): Promise<void> {
  await db
    .insertInto('notification_switch')
    .values({ user_id: userId, kind, ...ways })
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(ways))
    .execute();
}
