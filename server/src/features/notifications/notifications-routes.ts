import {
  clearNotifications,
  listNotificationSwitches,
  listNotifications,
  readNotifications,
  setNotificationSwitch,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { NotificationsService } from './notifications-service.ts';

export function registerNotificationRoutes(app: FastifyInstance, notifications: NotificationsService): void {
  bindEndpoint(app, listNotifications, ({ caller }) => notifications.list(caller));
  bindEndpoint(app, readNotifications, async ({ caller, input }) => ({
    changed: await notifications.markRead(caller, input.notification_ids),
  }));
  bindEndpoint(app, clearNotifications, async ({ caller }) => ({
    changed: await notifications.clear(caller),
  }));
  bindEndpoint(app, listNotificationSwitches, ({ caller }) => notifications.switches(caller));
  bindEndpoint(app, setNotificationSwitch, async ({ caller, input }) => {
    await notifications.setSwitch(caller, input);
    return {};
  });
}
