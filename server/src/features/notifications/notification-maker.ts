import type { DomainEvent } from '../../platform/events/domain-event.ts';
import {
  type ConsumerTransaction,
  createEventConsumer,
  type EventConsumer,
} from '../../platform/events/event-consumer.ts';
import { tellUsers } from '../../platform/events/user-news.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopePerson } from '../identity/users/scope-person.ts';
import { noticeOf, readersOf } from './notices-of-event.ts';
import type { NotificationMailer } from './notification-mailer.ts';
import { addNotifications, type NotificationToAdd, trimNotifications } from './notification-store.ts';
import { notificationDb } from './notification-tables.ts';

// Makes notifications out of events: reads what happened, finds who is to be told, and writes the lines in the
// transaction that moves its position on.

export interface MakerDeps {
  readonly platform: Pick<Platform, 'postgres' | 'clock' | 'log'>;
  readonly peopleOf: (clusterId: string, scopeId: string) => Promise<readonly ScopePerson[]>;
  /** Asks for the mails of what was written. */
  readonly askForMails: NotificationMailer['askFor'];
}

/** The lines that a batch of events makes: one for each reader and group, in the order of the events. */
async function linesOf(
  events: readonly DomainEvent[],
  peopleOf: MakerDeps['peopleOf'],
): Promise<NotificationToAdd[]> {
  const lines = new Map<string, NotificationToAdd>();
  const people = new Map<string, Promise<readonly ScopePerson[]>>();
  for (const event of events) {
    const notice = noticeOf(event);
    if (!notice) continue;
    const { clusterId, scopeId } = event;
    const key = `${clusterId} ${scopeId}`;
    const there = people.get(key) ?? peopleOf(clusterId, scopeId);
    people.set(key, there);
    for (const { user_id: userId } of readersOf(event, notice, await there)) {
      const key = `${userId} ${notice.groupKey}`;
      const count = (lines.get(key)?.count ?? 0) + 1;
      const { kind, groupKey, objectId, details } = notice;
      const actorName = event.actor?.name ?? null;
      const line = { userId, clusterId, scopeId, kind, groupKey, objectId, count, details, actorName };
      lines.set(key, { ...line, atMs: event.atMs });
    }
  }
  return [...lines.values()];
}

export function createNotificationMaker({ platform, peopleOf, askForMails }: MakerDeps): EventConsumer {
  const { clock } = platform;
  return createEventConsumer({
    ...platform,
    name: 'notifications',
    handle: async (trx: ConsumerTransaction, events) => {
      const lines = await linesOf(events, peopleOf);
      if (lines.length === 0) return;
      const db = notificationDb(trx);
      await addNotifications(db, lines);
      await trimNotifications(
        db,
        lines.map((line) => line.userId),
        clock.now(),
      );
      await tellUsers(
        trx,
        lines.map((line) => line.userId),
      );
      await askForMails(trx);
    },
  });
}
