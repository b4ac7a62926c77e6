import { z } from 'zod';

// A job is a value: what it is called, what it takes, how often it is tried, when it runs by the clock, and what it does.
// Whatever goes on behind an answer or by the clock is one; docs/architecture.md says what is not.

/** How a failed attempt is followed by another. */
export interface RetryPolicy {
  /** All attempts together; 1: none after the first. */
  readonly attempts: number;
  /** The wait after the first; it doubles with each. */
  readonly firstWaitMs: number;
  readonly longestWaitMs: number;
}

/** What a running job knows and says. */
export interface JobCall {
  /** The tenant it runs for; null for the whole installation. */
  readonly clusterId: string | null;
  /** Aborts when somebody cancels it and when the process stops. Whoever runs for longer than a second listens to it. */
  readonly signal: AbortSignal;
  /** Says how many things are done, and of how many. Cheap: at most one write a second. */
  progress(done: number, total?: number): Promise<void>;
}

export interface Job<P> {
  /** Never changes; the console has its name in every locale, under `jobs.kinds`. */
  readonly kind: string;
  /** What it takes, as JSON: ids and numbers, no secret and no event data. */
  readonly payload: z.ZodType<P>;
  /** How many of one tenant run at once: 1 or 2. A job of the whole installation runs once at a time. */
  readonly slotsPerTenant: 1 | 2;
  readonly retry: RetryPolicy;
  /** When it runs by the clock, as a cron expression in UTC; for the whole installation, with an empty payload. */
  readonly schedule?: string;
  /** Answers how many things it handled. May run again after a crash: what it does twice must be as if done once. */
  run(payload: P, call: JobCall): Promise<number>;
}

/** What asking for a job takes: all of it but what it does. */
export type JobRequestForm<P> = Omit<Job<P>, 'run'>;

/** A job whose payload is known to itself alone. */
export type AnyJob = Job<unknown>;

/** For what the clock repeats soon anyway. */
export const UNTIL_THE_NEXT: RetryPolicy = { attempts: 1, firstWaitMs: 0, longestWaitMs: 0 };
/** For what must get done: five attempts within about a quarter of an hour. */
export const UNTIL_DONE: RetryPolicy = { attempts: 5, firstWaitMs: 10_000, longestWaitMs: 600_000 };

/** A job of the whole installation that runs by the clock alone, and takes nothing. */
export function scheduledJob(kind: string, schedule: string, run: Job<object>['run']): Job<object> {
  return { kind, payload: z.object({}), slotsPerTenant: 1, retry: UNTIL_THE_NEXT, schedule, run };
}

/**
 * Works in rounds of at most `atOnce` things each, until a round finds fewer or `mostRounds` are done; a later run goes on.
 * Between two it stops when the job is canceled. `round` answers how many things it handled; the answer is their sum.
 */
export async function inRounds(
  atOnce: number,
  maxRounds: number,
  round: () => Promise<number>,
  signal?: AbortSignal,
): Promise<number> {
  let handled = 0;
  for (let number = 0; number < maxRounds; number += 1) {
    signal?.throwIfAborted();
    const some = await round();
    handled += some;
    if (some < atOnce) break;
  }
  return handled;
}

/** How long to wait after so many failed attempts; null when there is to be no other. */
export function waitAfter(
  { attempts, firstWaitMs, longestWaitMs }: RetryPolicy,
  failed: number,
): number | null {
  if (failed >= attempts) return null;
  return Math.min(longestWaitMs, firstWaitMs * 2 ** (failed - 1));
}
