import { type Schedule, type ServerMessage, say } from '@tyrian/contract';
import { Cron, type CronOptions } from 'croner';
import { AppError } from '../../platform/app-error.ts';
import { saidOf } from '../../platform/said-of-failure.ts';

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

/** The name of the schedule of rules that run every minute. */
export const STREAMED = 'streamed';

/** A boundary that never comes: the pattern has no further time, e.g. 30 February. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** What is wrong with a schedule, from what `boundariesOf` threw. */
export function cronProblem(error: unknown): ServerMessage {
  return saidOf(error, (reason) => say('rules.cronWrong', { reason }));
}

const CRON_FIELDS = [
  'words.cronMinute',
  'words.cronHour',
  'words.cronDay',
  'words.cronMonth',
  'words.cronWeekday',
] as const;

/** Names the first field that is wrong by itself; what is left is said as the library says it. */
function cronPattern(cron: string, timezone: string): Cron {
  const options = { timezone, paused: true, mode: '5-part' } as const;
  try {
    return new Cron(cron, options);
  } catch (error) {
    for (const [index, value] of cron.trim().split(/\s+/).entries()) {
      const alone = CRON_FIELDS.map((_, at) => (at === index ? value : '*')).join(' ');
      const code = CRON_FIELDS[index];
      if (code && !isCron(alone, options))
        throw new AppError('bad-input', say('rules.cronField', { value, field: say(code) }));
    }
    throw error;
  }
}

function isCron(cron: string, options: CronOptions): boolean {
  try {
    return new Cron(cron, options) instanceof Cron;
  } catch {
    return false;
  }
}

/** Reads a cron expression of five fields in a zone. Throws with the reason when either is wrong. */
export function readCron(cron: string, timezone: string): Boundaries {
  if (cron.trim().split(/\s+/).length !== 5) {
    throw new AppError('bad-input', say('rules.cronFields'));
  }
  const pattern = cronPattern(cron, timezone);
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

/** Names a schedule: equal names have equal boundaries. Null when it is off. */
export function scheduleName(schedule: Pick<Schedule, 'mode' | 'cron' | 'timezone'>): string | null {
  if (schedule.mode === 'off') return null;
  if (schedule.mode === 'streamed') return STREAMED;
  return `${(schedule.cron ?? '').trim().split(/\s+/).join(' ')} ${schedule.timezone}`;
}

/** The boundaries of a named schedule. Throws with the reason when the name holds no cron expression. */
export function boundariesNamed(name: string): Boundaries {
  if (name === STREAMED) return everyMinute;
  const zoneAt = name.lastIndexOf(' ');
  return readCron(name.slice(0, zoneAt), name.slice(zoneAt + 1));
}

const HOUR_MS = 60 * MINUTE_MS;
const STEPS_BACK_MS = [HOUR_MS, 25 * HOUR_MS, 8 * 24 * HOUR_MS, 32 * 24 * HOUR_MS, 367 * 24 * HOUR_MS];

/** The last boundary not after `time`; `time` itself when the schedule has none in the year before. */
export function boundaryBefore(boundaries: Boundaries, time: number): number {
  for (const back of STEPS_BACK_MS) {
    let at = boundaries.after(time - back);
    if (at > time) continue;
    for (let next = boundaries.after(at); next <= time; next = boundaries.after(at)) at = next;
    return at;
  }
  return time;
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
