import { createHash } from 'node:crypto';
import { PREVIEW_LIMITS, type PreviewDay, type PreviewResult, type SignalBody } from '@tyrian/contract';
import type { FoundRows } from '../detections/preview-detection.ts';
import type { RuleDefinition } from '../detections/rule-definition.ts';
import { MINUTE_MS } from '../detections/schedule-boundaries.ts';
import type { Window } from '../detections/scheduler-machine.ts';
import { bundleFlood } from '../signals/bundle-flood.ts';
import { CoalescedSignals, type CoalescedState } from '../signals/coalesced-signals.ts';
import { type Occurrence, OccurrenceCollector } from '../signals/occurrence.ts';
import type { ComparedSignal } from '../signals/overlapping-signals.ts';

// What a rule has found so far: signals as they grow, and the figures that are shown of them. Nothing here depends on how
// often or in how many attempts the range was worked on.

const DAY_MS = 86_400_000;
const ENTITIES_SHOWN = 15;
/** Signals that are compared with those of other rules, and events of each. */
const COMPARED = 1_000;
const EVENTS_COMPARED = 5;

export interface PreviewFigures {
  readonly days: readonly PreviewDay[];
  readonly entities: PreviewResult['entities'];
  readonly found: PreviewResult['found'];
  /** Ids of events, and the event time that they lie in. */
  readonly samples: { readonly uids: readonly string[]; readonly from: number; readonly to: number };
  readonly overlaps: PreviewResult['overlaps'];
  readonly overlapsCut: boolean;
  readonly usesNow: boolean;
  readonly score: number | null;
}

/** What the next day needs, as JSON. */
export interface Carry {
  readonly coalesced: CoalescedState;
  /** Events by signal. */
  readonly events: readonly (readonly [string, readonly string[]])[];
}

/** The days in UTC of a range, the first and the last as far as they lie in it. */
export function partsOf({ from, to }: Window): Window[] {
  const parts: Window[] = [];
  for (let at = from; at < to; ) {
    const next = Math.min(to, (Math.floor(at / DAY_MS) + 1) * DAY_MS);
    parts.push({ from: at, to: next });
    at = next;
  }
  return parts;
}

/** Tells whether a rule asks the same as before. */
export function askedOf({ detections, schedule, version }: RuleDefinition): string {
  const asked = detections.map(({ kql, signal }) => [kql.body.query, signal.body]);
  return createHash('sha256')
    .update(JSON.stringify([asked, schedule, version]))
    .digest('hex');
}

export class FoundSoFar {
  private readonly coalesced: CoalescedSignals;
  private readonly events: Map<string, string[]>;
  private samples: PreviewFigures['samples'];
  private rowsBefore = 0;
  private signalsBefore = 0;

  constructor(carry: Carry | null, figures: Partial<PreviewFigures>) {
    this.coalesced = new CoalescedSignals(carry?.coalesced);
    this.events = new Map((carry?.events ?? []).map(([id, uids]) => [id, [...uids]]));
    this.samples = figures.samples ?? { uids: [], from: 0, to: 0 };
    this.begin();
  }

  /** A day begins: what is found from now on is of it. */
  begin(): void {
    this.rowsBefore = this.rows;
    this.signalsBefore = this.signals;
  }

  get rows(): number {
    return this.coalesced.all().reduce((sum, { signal }) => sum + signal.occurrences, 0);
  }

  get signals(): number {
    return this.coalesced.size;
  }

  get isTooNoisy(): boolean {
    return (
      this.coalesced.size > PREVIEW_LIMITS.signals || this.coalesced.occurrences > PREVIEW_LIMITS.findings
    );
  }

  add(rule: RuleDefinition, signal: SignalBody, parts: readonly FoundRows[]): void {
    const lookbackMs = rule.schedule.lookback_minutes * MINUTE_MS;
    for (const { window, rows } of parts) {
      const collector = new OccurrenceCollector(rule, signal, window, lookbackMs);
      for (const row of rows) collector.add(row);
      const flooding = { ...rule, workbookName: rule.name, signal };
      const occurrences = bundleFlood(flooding, window, collector.occurrences());
      this.coalesced.add(occurrences);
      for (const occurrence of occurrences) this.keepEvents(occurrence);
    }
  }

  private keepEvents({ occurrenceId, eventUids, firstMs, lastMs }: Occurrence): void {
    const signalId = this.coalesced.signalOf(occurrenceId);
    if (signalId === undefined || eventUids.length === 0) return;
    const known = this.events.get(signalId);
    if (!known && this.events.size >= COMPARED) return;
    const all = [...new Set([...(known ?? []), ...eventUids])];
    this.events.set(signalId, all.slice(0, EVENTS_COMPARED));
    const { uids, from, to } = this.samples;
    const more = all.slice(0, EVENTS_COMPARED).filter((uid) => !uids.includes(uid));
    if (more.length === 0 || uids.length >= PREVIEW_LIMITS.samples) return;
    this.samples = {
      uids: [...uids, ...more].slice(0, PREVIEW_LIMITS.samples),
      from: uids.length === 0 ? firstMs : Math.min(from, firstMs),
      to: Math.max(to, lastMs),
    };
  }

  day(window: Window): PreviewDay {
    return { ...window, rows: this.rows - this.rowsBefore, signals: this.signals - this.signalsBefore };
  }

  get hits(): { readonly first: number | null; readonly last: number | null } {
    let [first, last]: [number | null, number | null] = [null, null];
    for (const { signal } of this.coalesced.all()) {
      first = first === null ? signal.firstMs : Math.min(first, signal.firstMs);
      last = last === null ? signal.lastMs : Math.max(last, signal.lastMs);
    }
    return { first, last };
  }

  /** The figures that follow from all signals. */
  figures(): Pick<PreviewFigures, 'entities' | 'found' | 'samples'> {
    const found = this.coalesced.all();
    const shown = found.slice(0, PREVIEW_LIMITS.shownSignals).map(({ signal, finding }) => ({
      name: finding.name,
      occurrences: signal.occurrences,
      first_time: signal.firstMs,
      last_time: signal.lastMs,
      suspects: [...finding.suspects],
      targets: [...finding.targets],
    }));
    return { entities: this.topEntities(), found: shown, samples: this.samples };
  }

  private topEntities(): PreviewFigures['entities'] {
    const counts = new Map<string, PreviewFigures['entities'][number]>();
    for (const { finding } of this.coalesced.all()) {
      const named = new Map(
        [...finding.suspects, ...finding.targets].map((entity) => [
          `${entity.type}\0${entity.value}`,
          entity,
        ]),
      );
      for (const [key, { type, value }] of named) {
        const known = counts.get(key)?.signals ?? 0;
        counts.set(key, { type, value, signals: known + 1 });
      }
    }
    return [...counts.values()].sort((a, b) => b.signals - a.signals).slice(0, ENTITIES_SHOWN);
  }

  compared(): readonly ComparedSignal[] {
    return this.coalesced
      .all()
      .slice(0, COMPARED)
      .map(({ signal, finding }) => ({
        // Two rules on powershell.exe have nothing in common yet.
        entities: [...finding.suspects, ...finding.targets].filter(({ type }) => type !== 'process'),
        eventUids: this.events.get(signal.signalId) ?? [],
      }));
  }

  carry(): Carry {
    return { coalesced: this.coalesced.state(), events: [...this.events] };
  }
}
