import type { Case } from '@tyrian/contract';
import { formatDuration } from '../../lib/format-time.ts';

// Lengths of time of a case, in whole seconds: nobody works a case in milliseconds.

/** How old a case is, or was when it was closed. */
export function caseAgeMs(one: Pick<Case, 'created' | 'closed'>, now: number): number {
  return Math.max(0, (one.closed ?? now) - one.created);
}

export const caseAge = (one: Pick<Case, 'created' | 'closed'>, now: number): string =>
  secondsText(caseAgeMs(one, now) / 1000);

/** Seconds as a length of time; `–` where there are none, `< 1 s` below one. */
export function secondsText(seconds: number | null | undefined): string {
  if (seconds == null) return '–';
  return seconds < 1 ? `< ${formatDuration(1000)}` : formatDuration(Math.floor(seconds) * 1000);
}
