import {
  coalesceOccurrences,
  type GrownSignal,
  type OpenSignal,
  type StoredOccurrence,
} from './coalesce-occurrences.ts';
import type { Finding } from './finding.ts';
import type { Occurrence } from './occurrence.ts';

/** Signals as they would grow, one window after the other, without being stored. */
export class CoalescedSignals {
  private readonly stored = new Map<string, StoredOccurrence>();
  private readonly signals = new Map<string, { signal: OpenSignal; finding: Finding }>();
  private readonly byKey = new Map<string, string[]>();

  get size(): number {
    return this.signals.size;
  }

  /** Takes what one window found. */
  add(found: readonly Occurrence[]): void {
    const stored = found.flatMap((occurrence) => this.stored.get(occurrence.occurrenceId) ?? []);
    const ids = new Set([
      ...stored.map((occurrence) => occurrence.signalId),
      ...found.flatMap((occurrence) => this.byKey.get(occurrence.finding.key) ?? []),
    ]);
    const open = [...ids].flatMap((id) => this.signals.get(id)?.signal ?? []);
    const { signals, occurrences } = coalesceOccurrences(found, stored, open);
    for (const { occurrence, signalId } of occurrences) {
      this.stored.set(occurrence.occurrenceId, { ...occurrence, signalId });
    }
    for (const signal of signals) this.grow(signal);
  }

  private grow({ raisedBy, ...signal }: GrownSignal): void {
    const finding = raisedBy?.finding ?? this.signals.get(signal.signalId)?.finding;
    if (!finding) return;
    if (!this.signals.has(signal.signalId)) {
      this.byKey.set(signal.key, [...(this.byKey.get(signal.key) ?? []), signal.signalId]);
    }
    this.signals.set(signal.signalId, { signal, finding });
  }

  /** In the order in which they were raised. */
  all(): readonly { readonly signal: OpenSignal; readonly finding: Finding }[] {
    return [...this.signals.values()];
  }
}
