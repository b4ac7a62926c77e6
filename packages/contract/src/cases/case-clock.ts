import type { CaseStatus } from './case.ts';

// Time to respond runs from creation to closing, pauses while the case is ON-HOLD, and goes on where it
// stopped when a closed case is opened again. The clock is three numbers that change with the status.

export interface CaseClock {
  /** When the present status began, epoch ms. */
  readonly statusSince: number;
  /** Finished time in OPEN and IN-PROGRESS, ms. */
  readonly workedMs: number;
  /** Finished time in ON-HOLD, ms. */
  readonly onHoldMs: number;
}

/** The clock of a case that was just created. */
export function startClock(now: number): CaseClock {
  return { statusSince: now, workedMs: 0, onHoldMs: 0 };
}

/** The clock after `status` ends at `now`. A clock set back counts as no time, never as negative time. */
export function turnClock(clock: CaseClock, status: CaseStatus, now: number): CaseClock {
  const spent = Math.max(0, now - clock.statusSince);
  return {
    statusSince: now,
    workedMs: clock.workedMs + (status === 'OPEN' || status === 'IN-PROGRESS' ? spent : 0),
    onHoldMs: clock.onHoldMs + (status === 'ON-HOLD' ? spent : 0),
  };
}

/** Time to acknowledge in seconds: creation of the case minus that of its oldest signal, at least 0. */
export function timeToAcknowledge(created: number, oldestSignal: number | null): number | null {
  return oldestSignal === null ? null : Math.max(0, Math.round((created - oldestSignal) / 1000));
}
