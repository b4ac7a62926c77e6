import { type Schedule, type ServerMessage, say } from '@tyrian/contract';
import { Cron } from 'croner';
import { AppError } from '../../platform/app-error.ts';

// Where the windows of a schedule end. Boundaries depend on the schedule alone, never on when somebody asked,
// so that a window repeated after a crash is the same window.

export interface Boundaries {
  /** The first boundary later than `time` (ms). */
  after(time: number): number;
}

export const MINUTE_MS = 60_000;

const everyMinute: Boundaries = {
  after: (time) => (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS,
};

/** A boundary that never comes: the pattern has no further time, e.g. 30 February. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** What is wrong with a schedule, from what `boundariesOf` threw. */
export function cronProblem(error: unknown): ServerMessage {
  if (error instanceof AppError) return error.said;
  return say('rules.cronWrong', { reason: (error as Error).message });
}

/** Reads a cron expression of five fields in a zone. Throws with the reason when either is wrong. */
export function readCron(cron: string, timezone: string): Boundaries {
  if (cron.trim().split(/\s+/).length !== 5) {
    throw new AppError('bad-input', say('rules.cronFields'));
  }
  const pattern = new Cron(cron, { timezone, paused: true, mode: '5-part' });
  const after = (time: number): number => {
    const next = pattern.nextRun(new Date(time))?.getTime() ?? NEVER;
    if (next <= time) throw new AppError('bad-input', say('rules.cronStuck', { cron }));
    return next;
  };
  after(0);
  return { after };
}

/** The boundaries of a schedule; null when it is off. */
export function boundariesOf(schedule: Pick<Schedule, 'mode' | 'cron' | 'timezone'>): Boundaries | null {
  if (schedule.mode === 'off') return null;
  if (schedule.mode === 'streamed') return everyMinute;
  return readCron(schedule.cron ?? '', schedule.timezone);
}

/** The next `count` boundaries after `time`. */
export function nextBoundaries(boundaries: Boundaries, time: number, count: number): number[] {
  const found: number[] = [];
  for (let at = time; found.length < count; ) {
    at = boundaries.after(at);
    if (at === NEVER) break;
    found.push(at);
  }
  return found;
}
