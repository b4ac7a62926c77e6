import { describe, expect, it } from 'vitest';
import { MAILS_PER_HOUR, type Mailbox, planMails } from './mail-allowance.ts';

const T0 = Date.UTC(2026, 4, 5, 9);
const MINUTE = 60_000;

describe('[R-C34] how many mails a user gets', () => {
  it('a few go one by one', () => {
    expect(planMails(null, 3, T0)).toEqual({
      single: 3,
      digest: false,
      mailbox: { hourStartMs: T0, sent: 3 },
    });
  });

  it('a flood is one digest', () => {
    expect(planMails(null, 100, T0)).toEqual({
      single: 0,
      digest: true,
      mailbox: { hourStartMs: T0, sent: 1 },
    });
  });

  it('beyond the limit they wait for the end of the hour, and then go together', () => {
    const full = { hourStartMs: T0, sent: MAILS_PER_HOUR };
    expect(planMails(full, 4, T0 + 59 * MINUTE)).toMatchObject({ single: 0, digest: false, mailbox: full });
    expect(planMails(full, 4, T0 + 60 * MINUTE)).toMatchObject({ single: 0, digest: true });
    expect(planMails(full, 1, T0 + 60 * MINUTE)).toMatchObject({ single: 1, digest: false });
  });

  it('whatever comes and when, no hour has more than the limit', () => {
    let mailbox: Mailbox | null = null;
    let waiting = 0;
    const byHour = new Map<number, number>();
    for (let minute = 0; minute < 600; minute += 1) {
      waiting += (minute * 7919) % 13;
      const plan = planMails(mailbox, waiting, T0 + minute * MINUTE);
      const mails: number = plan.single + Number(plan.digest);
      waiting = plan.digest ? 0 : waiting - plan.single;
      mailbox = plan.mailbox;
      byHour.set(mailbox.hourStartMs, (byHour.get(mailbox.hourStartMs) ?? 0) + mails);
    }
    expect(Math.max(...byHour.values())).toBe(MAILS_PER_HOUR);
  });
});
