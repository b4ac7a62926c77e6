import type { Clock } from '../../platform/clock.ts';

// The table of events has a partition for each day, and a partition costs files. An event keeps its own time however
// old it is, but a source makes only so many old days an hour; events beyond them get the time of arrival and a mark.
// Counted in memory that the decoding threads share, per process: a restart begins anew.

/** Days up to this long before arrival are always kept: what comes late in ordinary use. */
export const LATE_DAYS = 92;
/** Older days of one batch that are kept. */
export const OLD_DAYS_PER_BATCH = 92;
/** The owner of the machine imports files of ten years. */
const OLD_DAYS_OF_OWNER = 3_660;

const HOUR_MS = 3_600_000;
/** Days since 1970 up to the year 2200, beyond which no time of an event lies. */
const DAYS = 84_006;

/** One counter of days left, then a bit for each day that has been taken. */
type DayCounter = Int32Array<SharedArrayBuffer>;

/** What a batch may use, shared with the thread that decodes it. */
export interface DayAllowance {
  readonly source: DayCounter;
  readonly tenant: DayCounter;
}

function newCounter(days: number): DayCounter {
  const words = new Int32Array(new SharedArrayBuffer(4 * (1 + Math.ceil(DAYS / 32))));
  words[0] = days;
  return words;
}

function take(counter: DayCounter, day: number): 'new' | 'known' | 'none' {
  const word = 1 + (day >> 5);
  const bit = 1 << (day & 31);
  if ((Atomics.or(counter, word, bit) & bit) !== 0) return 'known';
  if (Atomics.sub(counter, 0, 1) > 0) return 'new';
  giveBack(counter, day);
  return 'none';
}

function giveBack(counter: DayCounter, day: number): void {
  Atomics.add(counter, 0, 1);
  Atomics.and(counter, 1 + (day >> 5), ~(1 << (day & 31)));
}

/** Takes a day, counted since 1970, out of what source and tenant have; false when they have no more. */
export function takeDay({ source, tenant }: DayAllowance, day: number): boolean {
  const own = take(source, day);
  if (own !== 'new') return own === 'known';
  if (take(tenant, day) !== 'none') return true;
  giveBack(source, day);
  return false;
}

export interface DayAllowances {
  /** `isOwner`: sent by the command line on the server's own machine. */
  of(clusterId: string, sourceId: string, isOwner: boolean): DayAllowance;
}

export interface OldDayLimits {
  /** Older days that a source makes in an hour; the same day again within the hour costs nothing. */
  readonly oldDaysPerSource: number;
  /** The same of all sources of a tenant together. */
  readonly oldDaysPerTenant: number;
}

export function createDayAllowances(clock: Clock, limits: OldDayLimits): DayAllowances {
  let hour = -1;
  const counters = new Map<string, DayCounter>();
  const counterOf = (key: string, days: number): DayCounter => {
    const known = counters.get(key);
    if (known !== undefined) return known;
    const made = newCounter(days);
    counters.set(key, made);
    return made;
  };
  return {
    of: (clusterId, sourceId, isOwner) => {
      const now = Math.floor(clock.now() / HOUR_MS);
      if (now !== hour) counters.clear();
      hour = now;
      const owner = isOwner ? ' owner' : '';
      const tenantDays = isOwner ? OLD_DAYS_OF_OWNER : limits.oldDaysPerTenant;
      const sourceDays = isOwner ? OLD_DAYS_OF_OWNER : limits.oldDaysPerSource;
      return {
        source: counterOf(`${clusterId} ${sourceId}${owner}`, sourceDays),
        tenant: counterOf(`${clusterId}${owner}`, tenantDays),
      };
    },
  };
}
