import { type QueryExecutorProvider, sql } from 'kysely';
import { z } from 'zod';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Config } from '../../platform/config.ts';
import { enqueueJob } from '../../platform/jobs/enqueue-job.ts';
import { type Job, UNTIL_DONE } from '../../platform/jobs/job.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopePerson } from '../identity/users/scope-person.ts';
import type { MailService } from '../mail/mail-service.ts';
import { planMails } from './mail-allowance.ts';
import {
  dropOld,
  dueOf,
  type LeasedMailbox,
  leaseMailbox,
  releaseMailbox,
  settleMails,
  usersWithMail,
} from './mailbox-store.ts';
import { isTold } from './notices-of-event.ts';
import { notificationMail } from './notification-mail.ts';
import { type NotificationRow, notificationDb } from './notification-tables.ts';

// Sends the notifications that their readers want by mail. A user's mailbox is leased while mails go out, so that of
// several processes one sends; a crash between sending and noting it sends one mail again, and never none.

const LEASE_MS = 120_000;
/** After a mail server that did not take a mail. */
const AGAIN_MS = 60_000;
const AT_ONCE = 100;

export interface MailerDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly log: Logger;
  readonly config: Config;
  readonly mail: Pick<MailService, 'isSetUp' | 'send'>;
  readonly peopleOf: (clusterId: string, scopeId: string) => Promise<readonly ScopePerson[]>;
}

export interface NotificationMailer {
  /** Sends what may go now; resolves with the number of mails. The job calls it, tests may. */
  send(signal?: AbortSignal): Promise<number>;
  /** Each minute, for digests, and when a notification asks for it. */
  readonly job: Job<object>;
  /** Asks for the mails of notifications in the transaction that writes these. */
  askFor(trx: QueryExecutorProvider): Promise<void>;
}

/** Those that their reader may still see, with the reader as the mail names them. */
async function permitted(
  rows: readonly NotificationRow[],
  peopleOf: MailerDeps['peopleOf'],
): Promise<{ readonly rows: NotificationRow[]; readonly reader: ScopePerson | null }> {
  let reader: ScopePerson | null = null;
  const kept: NotificationRow[] = [];
  const people = new Map<string, readonly ScopePerson[]>();
  for (const row of rows) {
    const key = `${row.cluster_id} ${row.scope_id}`;
    const there = people.get(key) ?? (await peopleOf(row.cluster_id, row.scope_id));
    people.set(key, there);
    const person = there.find((one) => one.user_id === row.user_id);
    if (!person || !isTold(person, row.kind)) continue;
    reader = person;
    kept.push(row);
  }
  return { rows: kept, reader };
}

interface NotificationMailerParts extends MailerDeps {
  readonly db: ReturnType<typeof notificationDb>;
  readonly job: Job<object>;
}

export function createNotificationMailer(deps: MailerDeps): NotificationMailer {
  const { postgres } = deps;
  const db = notificationDb(postgres.platform);
  const job: Job<object> = {
    kind: 'notification-mails',
    payload: z.object({}),
    slotsPerTenant: 1,
    retry: UNTIL_DONE,
    schedule: '* * * * *',
    run: (_nothing, { signal }) => send(parts, signal),
  };
  const parts: NotificationMailerParts = { ...deps, db, job };
  return { job, ...bindDeps(parts, { send, askFor }) };
}

/** Sends to one user; answers how many mails went. */
async function sendTo(parts: NotificationMailerParts, mailbox: LeasedMailbox): Promise<number> {
  const { db, clock, mail } = parts;
  const { userId } = mailbox;
  const due = await dueOf(db, userId);
  const { rows, reader } = await permitted(due, parts.peopleOf);
  const kept = new Set(rows);
  await settleMails(
    db,
    userId,
    due.filter((row) => !kept.has(row)),
    'dropped',
    clock.now(),
  );
  if (!reader) return 0;
  const plan = planMails(mailbox.box, rows.length, clock.now());
  const mails = plan.digest ? [rows] : rows.slice(0, plan.single).map((row) => [row]);
  let sent = plan.mailbox.sent - mails.length;
  for (const some of mails) {
    await mail.send({ to: reader.email_id, ...notificationMail(some, reader, parts.config) });
    sent += 1;
    await settleMails(db, userId, some, 'sent', clock.now(), { ...plan.mailbox, sent });
  }
  return mails.length;
}

async function send(parts: NotificationMailerParts, signal?: AbortSignal): Promise<number> {
  const { db, clock, mail, log } = parts;
  await dropOld(db, clock.now());
  const users = await usersWithMail(db, clock.now(), AT_ONCE);
  if (users.length === 0 || !(await mail.isSetUp())) return 0;
  let sent = 0;
  for (const userId of users) {
    if (signal?.aborted) break;
    const mailbox = await leaseMailbox(db, userId, clock.now(), clock.now() + LEASE_MS);
    if (!mailbox) continue;
    let untilMs = 0;
    try {
      sent += await sendTo(parts, mailbox);
    } catch (error) {
      untilMs = clock.now() + AGAIN_MS;
      log.warn({ err: (error as Error).message }, 'a mail about notifications waits for another attempt');
    }
    await releaseMailbox(db, userId, untilMs);
  }
  return sent;
}

async function askFor({ job }: NotificationMailerParts, trx: QueryExecutorProvider): Promise<void> {
  const { rows } = await sql`select from notification where mail_state = 'due' limit 1`.execute(trx);
  if (rows.length === 0) return;
  await enqueueJob(trx, job, { payload: {}, clusterId: null, key: 'due' });
}
