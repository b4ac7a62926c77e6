import type { SignalBody } from '@tyrian/contract';
import {
  type Anchored,
  AnchoredRows,
  type EvaluatedRange,
  KEPT_EVENT_UIDS,
  type SeenEvents,
} from './anchored-rows.ts';
import {
  compareText,
  type Finding,
  fieldsRead,
  findingOf,
  identityOf,
  type ResultRow,
  type RuleIdentity,
  valueText,
} from './finding.ts';

// Rows of one evaluation become occurrences: rows with the same finding and the same anchor are one. The anchor is
// what makes repeats harmless. A row that is an event is anchored in the half minute of its ingest; a row that counts
// over a stretch of event time (a bin) in the start of that stretch; any other row in the look-back it fell into. A row
// that says when its last event came in (`CompletedTime`) is left out where that was before the window: an earlier
// evaluation found it, when it had all of its events.

export interface Occurrence extends SeenEvents {
  readonly occurrenceId: string;
  readonly finding: Finding;
  readonly stream: string;
  /** The row itself, for rows that are not events. */
  readonly fields: ResultRow;
}

/** Occurrences of a finding with one anchor are the same. */
export const occurrenceIdOf = (finding: Finding, anchor: string): string =>
  identityOf('occurrence', finding.key, anchor);

/** The events of several rows, of which there may be hundreds of thousands. */
class EventsSeen {
  private rowCount = 0;
  private firstMs = Number.POSITIVE_INFINITY;
  private lastMs = Number.NEGATIVE_INFINITY;
  private ingestedMs: number | null = null;
  private readonly uids = new Set<string>();
  private moreEvents = 0;

  add(seen: SeenEvents): void {
    const { ingestedMs } = seen;
    this.rowCount += seen.rowCount;
    this.firstMs = Math.min(this.firstMs, seen.firstMs);
    this.lastMs = Math.max(this.lastMs, seen.lastMs);
    if (ingestedMs !== null) this.ingestedMs = Math.min(this.ingestedMs ?? ingestedMs, ingestedMs);
    this.moreEvents += seen.moreEvents;
    for (const uid of seen.eventUids) {
      if (this.uids.has(uid)) continue;
      if (this.uids.size < KEPT_EVENT_UIDS) this.uids.add(uid);
      else this.moreEvents += 1;
    }
  }

  all(): SeenEvents {
    const { rowCount, firstMs, lastMs, ingestedMs, moreEvents } = this;
    return { rowCount, firstMs, lastMs, ingestedMs, eventUids: [...this.uids], moreEvents };
  }
}

/** Occurrences as one, with all but the events of the first. */
export function mergeOccurrences(some: readonly [Occurrence, ...Occurrence[]]): Occurrence {
  const events = new EventsSeen();
  for (const one of some) events.add(one);
  return { ...some[0], ...events.all() };
}

interface Gathered extends Pick<Occurrence, 'occurrenceId' | 'finding' | 'stream' | 'fields'> {
  readonly order: number;
  readonly events: EventsSeen;
}

/** Of so many kinds of rows at most it is remembered where they belong, and of none that takes more signs to tell. */
const KNOWN_ROWS = 10_000;
const LONGEST_KNOWN = 2_000;

/** Collects rows into occurrences; add all rows of an evaluation, then ask for the list. */
export class OccurrenceCollector {
  rows = 0;
  private readonly byId = new Map<string, Gathered>();
  /** The same by what the finding is read from. A finding mostly comes in thousands of rows. */
  private readonly byFields = new Map<string, Gathered>();
  private readonly fields: readonly string[];
  private readonly rule: RuleIdentity;
  private readonly signal: SignalBody;
  private readonly window: EvaluatedRange;
  private readonly lookbackMs: number;
  /** What the row before was read by. */
  private last: AnchoredRows | null = null;

  constructor(rule: RuleIdentity, signal: SignalBody, window: EvaluatedRange, lookbackMs: number) {
    this.fields = fieldsRead(signal);
    this.rule = rule;
    this.signal = signal;
    this.window = window;
    this.lookbackMs = lookbackMs;
  }

  /** Adds a row by column name. */
  add(row: ResultRow): void {
    const columns = Object.keys(row);
    const rows = this.last?.hasColumns(columns) ? this.last : this.having(columns);
    this.last = rows;
    this.addFrom(rows, Object.values(row));
  }

  /** Adds rows with these columns. */
  addRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): void {
    const having = this.having(columns);
    for (const values of rows) this.addFrom(having, values);
  }

  private having(columns: readonly string[]): AnchoredRows {
    return new AnchoredRows(columns, this.fields, this.window, this.lookbackMs);
  }

  private addFrom(rows: AnchoredRows, values: readonly unknown[]): void {
    if (rows.isFoundBefore(values)) return;
    this.rows += 1;
    const anchored = rows.anchored(values);
    const key = rows.keyOf(values, anchored.anchor);
    const known = this.byFields.get(key);
    const gathered = known ?? this.gathered(rows.rowOf(values), anchored);
    gathered.events.add(anchored.seen);
    if (!known && key.length <= LONGEST_KNOWN && this.byFields.size < KNOWN_ROWS)
      this.byFields.set(key, gathered);
  }

  private gathered(row: ResultRow, { anchor, isEvent, order }: Anchored): Gathered {
    const finding = findingOf(this.rule, this.signal, row);
    const occurrenceId = occurrenceIdOf(finding, anchor);
    const known = this.byId.get(occurrenceId);
    if (known) return known;
    const fields = isEvent ? {} : row;
    const stream = valueText(row.Stream);
    const gathered = { occurrenceId, finding, stream, fields, order, events: new EventsSeen() };
    this.byId.set(occurrenceId, gathered);
    return gathered;
  }

  /** In the order in which they would have been found one window at a time: ingest, event time, id. */
  occurrences(): Occurrence[] {
    return [...this.byId.values()]
      .map(({ order, events, ...one }) => ({ order, occurrence: { ...one, ...events.all() } }))
      .sort(
        (a, b) =>
          a.order - b.order ||
          a.occurrence.firstMs - b.occurrence.firstMs ||
          compareText(a.occurrence.occurrenceId, b.occurrence.occurrenceId),
      )
      .map(({ occurrence }) => occurrence);
  }
}
