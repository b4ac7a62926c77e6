import type { Clock } from '../../platform/clock.ts';

/**
 * How far windows stay behind now. Ingest stamps an event before the insert commits; an insert takes well under
 * this. One that takes longer is caught by find-late-events.ts, which counts windows again.
 */
export const WATERMARK_LAG_MS = 5_000;
export const LEASE_MS = 60_000;
/** Windows of one rule or group before the others have their turn. */
export const WINDOWS_PER_TURN = 60;

export interface TurnLimits {
  readonly signal?: AbortSignal | undefined;
  /** No window is begun from then on, after the first of each rule at work; ms. */
  readonly untilMs?: number | undefined;
}

export const isOver = ({ signal, untilMs }: TurnLimits, clock: Clock): boolean =>
  signal?.aborted === true || (untilMs !== undefined && clock.now() >= untilMs);
