import { addCounts, noSums } from './account-sums.ts';

// What a process took in and what became of it, added up over all tenants since its start: for the page of components.

/** Records since the start of the process. */
interface FlowCounters {
  readonly in: number;
  /** In the event store when they were acknowledged; those that waited in the spool are not among them. */
  readonly out: number;
  /** Taken in and not kept. */
  readonly dropped: number;
}

export interface IngestFlow {
  /** Adds the counts of a batch, of a message or of a refusal. */
  add(counts: Readonly<Record<string, number | undefined>>): void;
  counters(): FlowCounters;
  /** Records a second since the last call. */
  rates(): { readonly eps_in: number; readonly eps_out: number };
}

/** `nowMs`: the time, monotonic. */
export function createIngestFlow(nowMs: () => number = () => performance.now()): IngestFlow {
  const sums = noSums();
  let before = { in: 0, out: 0, at: nowMs() };
  return {
    add: (counts) => {
      addCounts(sums, counts);
    },
    counters: () => ({ in: sums.accepted, out: sums.stored, dropped: sums.rejected }),
    rates: () => {
      const now = { in: sums.accepted, out: sums.stored, at: nowMs() };
      const seconds = Math.max(0.001, (now.at - before.at) / 1000);
      const perSecond = (count: number) => Math.round((count / seconds) * 10) / 10;
      const rates = { eps_in: perSecond(now.in - before.in), eps_out: perSecond(now.out - before.out) };
      before = now;
      return rates;
    },
  };
}
