// How many mails about notifications a user gets. Pure: what stands in the mailbox and what waits decide what goes.

/** Mails of one notification each in an hour; what comes after them waits for one digest at the end of the hour. */
export const MAILS_PER_HOUR = 5;
const HOUR_MS = 3_600_000;

export interface Mailbox {
  readonly hourStartMs: number;
  readonly sent: number;
}

export interface MailPlan {
  /** Oldest first, a mail for each. */
  readonly single: number;
  /** The rest goes in one mail, now. */
  readonly digest: boolean;
  readonly mailbox: Mailbox;
}

/** What goes now, of so many notifications that wait. */
export function planMails(mailbox: Mailbox | null, waiting: number, nowMs: number): MailPlan {
  const isOver = mailbox === null || nowMs - mailbox.hourStartMs >= HOUR_MS || nowMs < mailbox.hourStartMs;
  if (!isOver) {
    const single = Math.min(waiting, Math.max(0, MAILS_PER_HOUR - mailbox.sent));
    return { single, digest: false, mailbox: { ...mailbox, sent: mailbox.sent + single } };
  }
  // More than may go one by one has gathered: they go together.
  const digest =
    waiting > MAILS_PER_HOUR || (mailbox !== null && mailbox.sent >= MAILS_PER_HOUR && waiting > 1);
  const single = digest ? 0 : waiting;
  return { single, digest, mailbox: { hourStartMs: nowMs, sent: digest ? 1 : single } };
}
