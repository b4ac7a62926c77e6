import { KEPT_EVENT_UIDS } from './anchored-rows.ts';
import { identityOf } from './finding.ts';
import type { Occurrence } from './occurrence.ts';

// Equal findings coalesce: an occurrence joins the signal of its finding that lies within three hours of it, else
// it raises a new one. A signal that somebody has triaged takes only what happened before: what happens
// afterwards is news and is listed again.

export const COALESCE_MS = 3 * 3_600_000;

/** What is known of a signal that may take occurrences. */
export interface OpenSignal {
  readonly signalId: string;
  readonly key: string;
  readonly firstMs: number;
  readonly lastMs: number;
  readonly occurrences: number;
  /** When it was triaged; null while pending. */
  readonly triagedMs: number | null;
}

export interface StoredOccurrence {
  readonly occurrenceId: string;
  readonly signalId: string;
  readonly rowCount: number;
  readonly lastMs: number;
  readonly eventUids: readonly string[];
}

export interface GrownSignal extends OpenSignal {
  /** The first occurrence of a signal that is new; null for one that stood before. */
  readonly raisedBy: Occurrence | null;
}

export interface OccurrenceWrite {
  readonly occurrence: Occurrence;
  readonly signalId: string;
}

export interface CoalesceResult {
  readonly signals: readonly GrownSignal[];
  readonly occurrences: readonly OccurrenceWrite[];
}

/** Id of the signal that an occurrence raises. */
function signalIdOf(occurrence: Occurrence): string {
  return identityOf('signal', occurrence.occurrenceId).slice(0, 16);
}

const takes = (signal: OpenSignal, occurrence: Occurrence): boolean =>
  occurrence.firstMs <= signal.lastMs + COALESCE_MS &&
  occurrence.lastMs >= signal.firstMs - COALESCE_MS &&
  (signal.triagedMs === null || occurrence.firstMs <= signal.triagedMs);

/** The stored occurrence after a repeat: what turned up late is added, nothing counts twice; null when nothing did. */
function repeated(known: StoredOccurrence, occurrence: Occurrence): Occurrence | null {
  const uids = [...new Set([...known.eventUids, ...occurrence.eventUids])].slice(0, KEPT_EVENT_UIDS);
  const rowCount = Math.max(known.rowCount, occurrence.rowCount);
  const grown =
    uids.length > known.eventUids.length || rowCount > known.rowCount || occurrence.lastMs > known.lastMs;
  return grown ? { ...occurrence, rowCount, eventUids: uids } : null;
}

/**
 * Assigns occurrences to signals. `stored`: those of the same ids that stand already; `open`: signals of the same
 * findings. Only what changes is in the result.
 */
export function coalesceOccurrences(
  found: readonly Occurrence[],
  stored: readonly StoredOccurrence[],
  open: readonly OpenSignal[],
): CoalesceResult {
  const signals = new SignalsByKey(open);
  const known = new Map(stored.map((occurrence) => [occurrence.occurrenceId, occurrence]));
  const occurrences: OccurrenceWrite[] = [];
  for (const occurrence of found) {
    const before = known.get(occurrence.occurrenceId);
    if (!before) {
      const host = signals.hostOf(occurrence);
      signals.grow(host, occurrence, occurrence.rowCount);
      occurrences.push({ occurrence, signalId: host.signalId });
      continue;
    }
    const after = repeated(before, occurrence);
    const signal = signals.byId(before.signalId);
    if (!after || !signal) continue;
    signals.grow(signal, after, after.rowCount - before.rowCount);
    occurrences.push({ occurrence: after, signalId: signal.signalId });
  }
  return { signals: signals.changed(), occurrences };
}

class SignalsByKey {
  private readonly signals = new Map<string, GrownSignal>();
  private readonly idsByKey = new Map<string, string[]>();
  private readonly touched = new Set<string>();

  constructor(open: readonly OpenSignal[]) {
    for (const signal of open) this.put({ ...signal, raisedBy: null });
  }

  private put(signal: GrownSignal): void {
    if (!this.signals.has(signal.signalId)) {
      this.idsByKey.set(signal.key, [...(this.idsByKey.get(signal.key) ?? []), signal.signalId]);
    }
    this.signals.set(signal.signalId, signal);
  }

  byId(signalId: string): GrownSignal | undefined {
    return this.signals.get(signalId);
  }

  /** The latest signal that takes the occurrence, or a new one. */
  hostOf(occurrence: Occurrence): GrownSignal {
    let host: GrownSignal | undefined;
    for (const id of this.idsByKey.get(occurrence.finding.key) ?? []) {
      const signal = this.signals.get(id);
      if (signal && takes(signal, occurrence) && (!host || signal.lastMs > host.lastMs)) host = signal;
    }
    return (
      host ?? {
        signalId: signalIdOf(occurrence),
        key: occurrence.finding.key,
        firstMs: occurrence.firstMs,
        lastMs: occurrence.lastMs,
        occurrences: 0,
        triagedMs: null,
        raisedBy: occurrence,
      }
    );
  }

  grow(signal: GrownSignal, occurrence: Occurrence, by: number): void {
    this.touched.add(signal.signalId);
    this.put({
      ...signal,
      firstMs: Math.min(signal.firstMs, occurrence.firstMs),
      lastMs: Math.max(signal.lastMs, occurrence.lastMs),
      occurrences: signal.occurrences + by,
    });
  }

  changed(): GrownSignal[] {
    return [...this.touched].flatMap((id) => this.signals.get(id) ?? []);
  }
}
