import {
  coalesceOccurrences,
  type GrownSignal,
  type OpenSignal,
  type StoredOccurrence,
} from './coalesce-occurrences.ts';
import type { Finding } from './finding.ts';
import type { Occurrence } from './occurrence.ts';

interface RaisedSignal {
  readonly signal: OpenSignal;
  readonly finding: Finding;
}

/** All that a later window needs of those before it, as JSON. */
export interface CoalescedState {
  readonly signals: readonly RaisedSignal[];
  /** Id of the occurrence, of its signal, its rows and its last time; the ids of its events change nothing. */
  readonly occurrences: readonly (readonly [string, string, number, number])[];
}

/** Signals as they would grow, one window after the other, without being stored. */
export class CoalescedSignals {
  private readonly stored = new Map<string, StoredOccurrence>();
  private readonly signals = new Map<string, RaisedSignal>();
  private readonly byKey = new Map<string, string[]>();

  constructor(state: CoalescedState = { signals: [], occurrences: [] }) {
    for (const [occurrenceId, signalId, rowCount, lastMs] of state.occurrences)
      this.stored.set(occurrenceId, { occurrenceId, signalId, rowCount, lastMs, eventUids: [] });
    for (const one of state.signals) this.put(one);
  }

  get size(): number {
    return this.signals.size;
  }

  get occurrences(): number {
    return this.stored.size;
  }

  /** The signal that an occurrence belongs to. */
  signalOf(occurrenceId: string): string | undefined {
    return this.stored.get(occurrenceId)?.signalId;
  }

  state(): CoalescedState {
    const stored = [...this.stored.values()];
    return {
      signals: this.all(),
      occurrences: stored.map((one) => [one.occurrenceId, one.signalId, one.rowCount, one.lastMs]),
    };
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
    if (finding) this.put({ signal, finding });
  }

  private put(one: RaisedSignal): void {
    const { key, signalId } = one.signal;
    if (!this.signals.has(signalId)) this.byKey.set(key, [...(this.byKey.get(key) ?? []), signalId]);
    this.signals.set(signalId, one);
  }

  /** In the order in which they were raised. */
  all(): readonly RaisedSignal[] {
    return [...this.signals.values()];
  }
}
