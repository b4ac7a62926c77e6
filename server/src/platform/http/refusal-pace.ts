import { setTimeout as pause } from 'node:timers/promises';
import { bindDeps } from '../bind-deps.ts';
import { keepNewest } from '../keep-newest.ts';

// Who is told "too many" and calls again at once costs each time what it takes to find that out: his session, his rights,
// the state of a queue. So the answers to somebody who hears it often are held back, longer and longer; nobody else waits.

/** So many refusals are answered at once; each second forgives one. */
const AT_ONCE = 5;
/** Each refusal beyond them is held back so much longer than the one before. */
const STEP_MS = 200;
const MAX_HOLD_MS = 2_000;
/** Refusals beyond those that are held the longest are not counted. */
const MAX_COUNTED = AT_ONCE + MAX_HOLD_MS / STEP_MS;
/** Answers that are held at one time, each with the body of its call, of a megabyte at most; one more is given at once. */
const MAX_HELD = 100;
const MAX_KNOWN = 1_000;

interface RefusalPaceParts {
  readonly nowMs: () => number;
  readonly refused: Map<string, { readonly count: number; readonly atMs: number }>;
  held: number;
}

export interface RefusalPace {
  /** Counts a refusal of a caller and tells how long its answer is to be held back, in milliseconds. */
  next(callerId: string): number;
  /** The same, and waits as long; resolves at once when `signal` aborts, because the caller has gone. */
  hold(callerId: string, signal: AbortSignal): Promise<void>;
}

/** `nowMs` is a clock that never goes back. */
export function createRefusalPace(nowMs: () => number = () => performance.now()): RefusalPace {
  const parts: RefusalPaceParts = { nowMs, refused: new Map(), held: 0 };
  return bindDeps(parts, { next, hold });
}

function next({ refused, nowMs }: RefusalPaceParts, callerId: string): number {
  const known = refused.get(callerId);
  const left = known ? Math.max(0, known.count - (nowMs() - known.atMs) / 1_000) : 0;
  const count = Math.min(left + 1, MAX_COUNTED);
  keepNewest(refused, callerId, { count, atMs: nowMs() }, MAX_KNOWN);
  return Math.max(0, Math.round((count - AT_ONCE) * STEP_MS));
}

async function hold(parts: RefusalPaceParts, callerId: string, signal: AbortSignal): Promise<void> {
  const ms = next(parts, callerId);
  if (ms === 0 || parts.held >= MAX_HELD) return;
  parts.held += 1;
  try {
    await pause(ms, undefined, { signal }).catch(() => undefined);
  } finally {
    parts.held -= 1;
  }
}
