import type { Boundaries } from './schedule-boundaries.ts';

// The scheduler of one rule as a pure function: state and event in, new state and actions out. Windows are
// half-open stretches of ingest time between the boundaries of the schedule; they follow each other without gap
// or overlap from the moment the rule was enabled, because the only way to move `coveredUntil` is to finish the
// window that starts there. Whatever runs the actions may crash or be slow: it can only repeat a window.

export interface Window {
  readonly from: number;
  readonly to: number;
}

export interface RuleState {
  /** Ingest time from which the rule is covered; null while it is off. */
  readonly coveredFrom: number | null;
  /** Everything in `[coveredFrom, coveredUntil)` has been evaluated. */
  readonly coveredUntil: number;
  /** Windows that the next evaluation may take in one go when it is behind; 1 after a failure. */
  readonly span: number;
  readonly failuresInARow: number;
  /** Not before this time after a failure. */
  readonly retryAt: number;
  /** Windows to evaluate again, because events turned up in them late. */
  readonly late: readonly Window[];
}

export type SchedulerEvent =
  | { readonly kind: 'enable'; readonly at: number; readonly backfillFrom: number | null }
  | { readonly kind: 'disable' }
  /** `watermark`: no event with an earlier ingest time is expected any more. */
  | {
      readonly kind: 'wake';
      readonly now: number;
      readonly watermark: number;
      readonly boundaries: Boundaries;
      /** Windows that may run as one and find the same; 1 when a row depends on how time is cut. */
      readonly mergeable: number;
    }
  | { readonly kind: 'late-events'; readonly windows: readonly Window[] }
  | { readonly kind: 'done'; readonly evaluation: Evaluation }
  | { readonly kind: 'failed'; readonly evaluation: Evaluation; readonly now: number };

export interface Evaluation extends Window {
  /** Repeats a finished window. */
  readonly rerun: boolean;
}

export type SchedulerAction =
  | { readonly kind: 'evaluate'; readonly evaluation: Evaluation }
  /** Write the window and what it raised; for a rerun, over what stands. */
  | { readonly kind: 'record'; readonly evaluation: Evaluation }
  | { readonly kind: 'record-failure'; readonly evaluation: Evaluation };

export interface SchedulerStep {
  readonly state: RuleState;
  readonly actions: readonly SchedulerAction[];
}

/** Windows that one evaluation takes at most: a day of minutes. */
export const MAX_SPAN = 1440;
const FIRST_RETRY_MS = 15_000;
const LAST_RETRY_MS = 30 * 60_000;

export const OFF: RuleState = {
  coveredFrom: null,
  coveredUntil: 0,
  span: MAX_SPAN,
  failuresInARow: 0,
  retryAt: 0,
  late: [],
};

/** 15 s after the first failure, twice as long after each further one, at most half an hour. */
export function retryDelayMs(failuresInARow: number): number {
  return Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(20, failuresInARow - 1));
}

/** One step of the scheduler. */
export function stepScheduler(state: RuleState, event: SchedulerEvent): SchedulerStep {
  switch (event.kind) {
    case 'enable':
      return only(state.coveredFrom === null ? enabled(event.at, event.backfillFrom) : state);
    case 'disable':
      return only(OFF);
    case 'late-events':
      return only({ ...state, late: mergeLate(state, event.windows) });
    case 'wake':
      return wake(state, event);
    case 'done':
      return done(state, event.evaluation);
    case 'failed':
      return failed(state, event.evaluation, event.now);
  }
}

const only = (state: RuleState): SchedulerStep => ({ state, actions: [] });

function enabled(at: number, backfillFrom: number | null): RuleState {
  const from = backfillFrom === null ? at : Math.min(at, backfillFrom);
  return { ...OFF, coveredFrom: from, coveredUntil: from };
}

function mergeLate(state: RuleState, windows: readonly Window[]): readonly Window[] {
  const late = new Map(state.late.map((window) => [window.from, window]));
  for (const { from, to } of windows) {
    const isFinished = state.coveredFrom !== null && from >= state.coveredFrom && to <= state.coveredUntil;
    if (isFinished) late.set(from, { from, to });
  }
  return [...late.values()].sort((a, b) => a.from - b.from);
}

function wake(state: RuleState, event: SchedulerEvent & { kind: 'wake' }): SchedulerStep {
  if (state.coveredFrom === null || event.now < state.retryAt) return only(state);
  const again = state.late[0];
  if (again) {
    return { state, actions: [{ kind: 'evaluate', evaluation: { ...again, rerun: true } }] };
  }
  const first = event.boundaries.after(state.coveredUntil);
  if (first > event.watermark) return only(state);
  let to = first;
  for (let taken = 1; taken < Math.min(state.span, event.mergeable); taken += 1) {
    const next = event.boundaries.after(to);
    if (next > event.watermark) break;
    to = next;
  }
  const evaluation = { from: state.coveredUntil, to, rerun: false };
  return { state, actions: [{ kind: 'evaluate', evaluation }] };
}

function done(state: RuleState, evaluation: Evaluation): SchedulerStep {
  if (state.coveredFrom === null) return only(state);
  const healthy = { ...state, failuresInARow: 0, retryAt: 0 };
  if (evaluation.rerun) {
    const late = state.late.filter((window) => window.from !== evaluation.from);
    return { state: { ...healthy, late }, actions: [{ kind: 'record', evaluation }] };
  }
  // Somebody else moved on meanwhile: what this evaluation found is theirs to record.
  if (state.coveredUntil !== evaluation.from) return only(state);
  const span = Math.min(MAX_SPAN, state.span * 2);
  return {
    state: { ...healthy, span, coveredUntil: evaluation.to },
    actions: [{ kind: 'record', evaluation }],
  };
}

function failed(state: RuleState, evaluation: Evaluation, now: number): SchedulerStep {
  if (state.coveredFrom === null) return only(state);
  const failuresInARow = state.failuresInARow + 1;
  return {
    state: { ...state, span: 1, failuresInARow, retryAt: now + retryDelayMs(failuresInARow) },
    actions: [{ kind: 'record-failure', evaluation }],
  };
}
