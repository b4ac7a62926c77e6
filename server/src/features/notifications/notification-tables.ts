import type { Notification, NotificationKind } from '@tyrian/contract';
import type { Generated, Kysely } from 'kysely';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Timestamp } from '../../platform/postgres/timestamp.ts';

// The tables of db/postgres/0017_notifications.sql.

type MailState = 'none' | 'due' | 'sent' | 'dropped';

// A type, not an interface: Kysely asks for an index signature.
type NotificationTables = {
  notification: {
    notification_id: Generated<number>;
    user_id: string;
    cluster_id: string;
    scope_id: string;
    kind: NotificationKind;
    group_key: string;
    object_id: string;
    event_count: number;
    details: Notification['details'];
    actor_name: string | null;
    created_at: Timestamp;
    read_at: Timestamp | null;
    in_console: boolean;
    mail_state: MailState;
  };
  notification_switch: { user_id: string; kind: string; in_console: boolean; by_mail: boolean };
  notification_mailbox: { user_id: string; hour_start: Timestamp; sent: number; lease_until: Timestamp };
};

export type NotificationDb = Kysely<NotificationTables>;

/** The tables of notifications, within a transaction or without. */
export function notificationDb(db: Postgres['platform']): NotificationDb {
  return db.withTables<NotificationTables>() as unknown as NotificationDb;
}

/** A row as it is read. */
export interface NotificationRow {
  readonly notification_id: number;
  readonly user_id: string;
  readonly cluster_id: string;
  readonly scope_id: string;
  readonly kind: NotificationKind;
  readonly object_id: string;
  readonly event_count: number;
  readonly details: Notification['details'];
  readonly actor_name: string | null;
  readonly created_at: Timestamp;
  readonly read_at: Timestamp | null;
}
