import { z } from 'zod';
import type { RoleTag } from '../access/role-tags.ts';
import { endpoint } from '../envelope/endpoint.ts';
import { epochMs, idSchema } from '../envelope/list-request.ts';

// What users are told, and of what they want to be told. Everybody reads and changes their own, nobody another's.

export const NOTIFICATION_KINDS = [
  'critical_signal',
  'case_assigned',
  'case_mention',
  'rule_failing',
  'rule_quarantined',
  'rule_tuning',
  'source_silent',
  'data_model_decided',
  'source_back',
  'source_volume',
  'connector_failed',
] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** Who is told of what, in the scope where it happens; whoever loses the role does not see what was told before. */
export const NOTIFIED: Readonly<Record<NotificationKind, readonly RoleTag[]>> = {
  critical_signal: ['engineer', 'analyst'],
  case_assigned: ['engineer', 'analyst'],
  case_mention: ['engineer', 'analyst'],
  rule_failing: ['engineer'],
  rule_quarantined: ['engineer'],
  rule_tuning: ['engineer'],
  source_silent: ['engineer', 'tenant-admin'],
  data_model_decided: ['engineer', 'analyst'],
  source_back: ['engineer', 'tenant-admin'],
  source_volume: ['engineer', 'tenant-admin'],
  connector_failed: ['engineer', 'tenant-admin'],
};

/** From this score on a signal is critical. */
export const CRITICAL_SCORE = 9;

export const notificationSchema = z.object({
  notification_id: idSchema,
  kind: z.enum(NOTIFICATION_KINDS),
  clusterId: idSchema,
  cluster_name: z.string(),
  scope_id: idSchema,
  scope_name: z.string(),
  /** The signal, case, workbook, source or connector; of several the newest. */
  object_id: z.string(),
  /** How many of one group this stands for. */
  count: z.number().int(),
  details: z.object({
    /** Of the signal, case, workbook, source or connector. */
    name: z.string(),
    case_key: z.string().optional(),
    score: z.number().int().optional(),
    /** The rule that raised the signal. */
    workbook_name: z.string().optional(),
    /** When the last event came. */
    last_event: epochMs.optional(),
  }),
  /** Whoever assigned or mentioned; null for the product itself. */
  actor: z.string().nullable(),
  created: epochMs,
  read: z.boolean(),
});
export type Notification = z.output<typeof notificationSchema>;

export const listNotifications = endpoint({
  name: 'notifications.list',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/notifications/list',
  summary: "The caller's notifications from all tenants within reach, newest first; the newest 200 are kept.",
  input: z.object({}),
  output: z.object({ data: z.array(notificationSchema), unread: z.number().int() }),
  access: { kind: 'session' },
  isPassive: true,
});

export const readNotifications = endpoint({
  name: 'notifications.markRead',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/notifications/read',
  summary: 'Marks notifications of the caller as read: those that are named, or all.',
  input: z.object({ notification_ids: z.array(idSchema).min(1).max(200).optional() }),
  output: z.object({ changed: z.number().int() }),
  access: { kind: 'session' },
});

export const clearNotifications = endpoint({
  name: 'notifications.clear',
  audit: 'nothing',
  method: 'POST',
  path: '/lc/notifications/clear',
  summary: "Removes the caller's notifications. What is read elsewhere, such as the case, stays.",
  input: z.object({}),
  output: z.object({ changed: z.number().int() }),
  access: { kind: 'session' },
});

export const notificationSwitchSchema = z.object({
  kind: z.enum(NOTIFICATION_KINDS),
  in_console: z.boolean(),
  by_mail: z.boolean(),
});
export type NotificationSwitch = z.output<typeof notificationSwitchSchema>;

export const listNotificationSwitches = endpoint({
  name: 'notifications.listSwitches',
  audit: 'nothing',
  method: 'GET',
  path: '/lc/notifications/switches',
  summary: 'Of what the caller is told, in the console and by mail.',
  input: z.object({}),
  output: z.object({
    data: z.array(notificationSwitchSchema),
    /** False: no mail server is set, so nothing goes by mail. */
    mail_is_set_up: z.boolean(),
    /** Mails in an hour; what is beyond goes in one digest. */
    mails_per_hour: z.number().int(),
  }),
  access: { kind: 'session' },
});

export const setNotificationSwitch = endpoint({
  name: 'notifications.setSwitch',
  audit: 'change',
  method: 'PUT',
  path: '/lc/notifications/switches',
  summary: 'Sets of what the caller is told, for one kind.',
  input: notificationSwitchSchema,
  output: z.object({}),
  access: { kind: 'session' },
});

export const NOTIFICATION_ENDPOINTS = [
  listNotifications,
  readNotifications,
  clearNotifications,
  listNotificationSwitches,
  setNotificationSwitch,
] as const;
