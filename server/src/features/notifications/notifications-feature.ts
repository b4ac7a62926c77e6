import type { FastifyInstance } from 'fastify';
import type { EventConsumer } from '../../platform/events/event-consumer.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ScopePerson } from '../identity/users/scope-person.ts';
import type { MailService } from '../mail/mail-service.ts';
import { createNotificationMailer } from './notification-mailer.ts';
import { createNotificationMaker } from './notification-maker.ts';
import { registerNotificationRoutes } from './notifications-routes.ts';
import { createNotificationsService, type NotificationsService } from './notifications-service.ts';

export interface NotificationsFeature {
  readonly service: NotificationsService;
  /** Runs with the worker role. */
  readonly maker: EventConsumer;
  /** Mails about notifications. */
  readonly jobs: readonly AnyJob[];
  register(app: FastifyInstance): void;
}

/** What users are told: made out of events, listed, mailed. */
export function notificationsFeature(deps: {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly mail: MailService;
  readonly peopleOf: (clusterId: string, scopeId: string) => Promise<readonly ScopePerson[]>;
}): NotificationsFeature {
  const { platform, audit, mail, peopleOf } = deps;
  const { postgres, clock, log, config } = platform;
  const service = createNotificationsService({ postgres, clock, audit, mailIsSetUp: () => mail.isSetUp() });
  const mailer = createNotificationMailer({ postgres, clock, log, config, mail, peopleOf });
  return {
    service,
    maker: createNotificationMaker({ platform, peopleOf, askForMails: mailer.askFor }),
    jobs: [mailer.job],
    register: (app) => registerNotificationRoutes(app, service),
  };
}
