// The day that a draft is compared with: 24 hours that hold the selected events, in their middle where time allows.

export interface DraftDay {
  /** Epoch milliseconds, half-open. */
  readonly range: { readonly from: number; readonly to: number };
  /** The time of the selected events. */
  readonly selected: { readonly from: number; readonly to: number };
}

const DAY_MS = 86_400_000;

/** Null when the events lie more than a day apart. */
export function draftDay(events: readonly { readonly time: number }[], nowMs: number): DraftDay | null {
  const times = events.map(({ time }) => time);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  if (last - first >= DAY_MS) return null;
  const middle = Math.floor((first + last) / 2);
  const to = Math.max(last + 1, Math.min(middle + DAY_MS / 2, nowMs));
  return { range: { from: to - DAY_MS, to }, selected: { from: first, to: last + 1 } };
}
