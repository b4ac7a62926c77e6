import {
  type listNotificationSwitches,
  NOTIFIED,
  type Notification,
  type NotificationKind,
  type NotificationSwitch,
  type OutputOf,
} from '@tyrian/contract';
import type { Clock } from '../../platform/clock.ts';
import { tellUsers } from '../../platform/events/user-news.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { asAccessCaller } from '../identity/sign-in/authorizer.ts';
import { MAILS_PER_HOUR } from './mail-allowance.ts';
import {
  clearAll,
  countUnread,
  markRead,
  saveSwitch,
  selectNotifications,
  selectSwitches,
} from './notification-store.ts';
import { type NotificationRow, notificationDb } from './notification-tables.ts';

// What users see of their notifications. Rights are asked again whenever one is read: a line of a scope that its reader
// has lost is not there.

interface Unread {
  readonly unread: number;
  readonly newest: number | null;
}

export interface NotificationsService {
  list(caller: Caller): Promise<{ data: Notification[]; unread: number }>;
  unread(caller: Caller): Promise<Unread>;
  markRead(caller: Caller, notificationIds?: readonly string[]): Promise<number>;
  clear(caller: Caller): Promise<number>;
  switches(caller: Caller): Promise<OutputOf<typeof listNotificationSwitches>>;
  setSwitch(caller: Caller, wanted: NotificationSwitch): Promise<void>;
}

export interface NotificationsDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly mailIsSetUp: () => Promise<boolean>;
}

/** Whether the caller may see what is told of a kind in a scope, now. */
function maySee(
  caller: Caller,
  { cluster_id, scope_id, kind }: { cluster_id: string; scope_id: string; kind: NotificationKind },
): boolean {
  return caller.scopesWith(cluster_id, NOTIFIED[kind]).includes(scope_id);
}

function shown(caller: Caller, row: NotificationRow): Notification {
  const entry = asAccessCaller(caller).entryAt(row.cluster_id);
  return {
    notification_id: String(row.notification_id),
    kind: row.kind,
    clusterId: row.cluster_id,
    cluster_name: entry?.clusterName ?? '',
    scope_id: row.scope_id,
    scope_name: entry?.scope_access.find((scope) => scope.scope_id === row.scope_id)?.scope_name ?? '',
    object_id: row.object_id,
    count: row.event_count,
    details: row.details,
    actor: row.actor_name,
    created: row.created_at,
    read: row.read_at !== null,
  };
}

export function createNotificationsService(deps: NotificationsDeps): NotificationsService {
  const { postgres, clock, audit } = deps;
  const db = notificationDb(postgres.platform);
  return {
    list: async (caller) => {
      const rows = (await selectNotifications(db, caller.userId)).filter((row) => maySee(caller, row));
      return {
        data: rows.map((row) => shown(caller, row)),
        unread: rows.filter((row) => row.read_at === null).length,
      };
    },
    unread: async (caller) => {
      const unread = (await countUnread(db, caller.userId)).filter((unread) => maySee(caller, unread));
      return {
        unread: unread.reduce((sum, unread) => sum + unread.unread, 0),
        newest: unread.length === 0 ? null : Math.max(...unread.map((unread) => unread.newest_at)),
      };
    },
    markRead: async (caller, ids) => {
      const wanted = ids?.map(Number).filter((id) => Number.isSafeInteger(id));
      const changed = await markRead(db, caller.userId, wanted, clock.now());
      if (changed > 0) await tellUsers(db, [caller.userId]);
      return changed;
    },
    clear: async (caller) => {
      const changed = await clearAll(db, caller.userId);
      if (changed > 0) await tellUsers(db, [caller.userId]);
      return changed;
    },
    switches: async (caller) => ({
      data: await selectSwitches(db, caller.userId),
      mail_is_set_up: await deps.mailIsSetUp(),
      mails_per_hour: MAILS_PER_HOUR,
    }),
    setSwitch: (caller, wanted) =>
      postgres.platform.transaction().execute(async (trx) => {
        await saveSwitch(notificationDb(trx), caller.userId, wanted);
        const { kind: entity, ...details } = wanted;
        await audit.record({ action: 'notification.switch', who: caller, entity, details }, trx);
      }),
  };
}
