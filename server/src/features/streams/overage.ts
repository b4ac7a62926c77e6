// What a month costs beyond its subscription. A day may have twice the subscribed volume; a day above that is an excess
// day. Five of a month are free; from the sixth on, what is over the subscription is billed. Pure.

export const FREE_EXCESS_DAYS = 5;
export const BUFFER = 2;

export interface DayVolume {
  /** Begin of the UTC day, epoch milliseconds. */
  readonly day: number;
  readonly rawBytes: number;
  readonly events: number;
}

export interface BilledDay {
  readonly day: number;
  readonly raw_bytes: number;
  readonly events: number;
  /** What is over the subscription. */
  readonly overage_bytes: number;
  readonly billed_bytes: number;
  /** Which excess day of the month it is. */
  readonly excess_day: number | null;
}

/** The days of a month, oldest first, each with what is over and what is billed. */
export function billDays(days: readonly DayVolume[], subscribed: number | null): BilledDay[] {
  let excess = 0;
  return days.map(({ day, rawBytes, events }) => {
    const overage = subscribed === null ? 0 : Math.max(0, rawBytes - subscribed);
    const isExcess = subscribed !== null && rawBytes > subscribed * BUFFER;
    if (isExcess) excess += 1;
    return {
      day,
      raw_bytes: rawBytes,
      events,
      overage_bytes: overage,
      billed_bytes: isExcess && excess > FREE_EXCESS_DAYS ? overage : 0,
      excess_day: isExcess ? excess : null,
    };
  });
}
