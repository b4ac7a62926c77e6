import type { SignalBody } from '@tyrian/contract';
import {
  compareText,
  type Finding,
  fieldOf,
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

export interface Occurrence {
  readonly occurrenceId: string;
  readonly finding: Finding;
  readonly stream: string;
  readonly rowCount: number;
  /** Event time, ms. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Earliest ingest among the contributing events, ms; null when the rows do not say. */
  readonly ingestedMs: number | null;
  readonly eventUids: readonly string[];
  /** Contributing events whose ids are not kept. */
  readonly moreEvents: number;
  /** The row itself, for rows that are not events. */
  readonly fields: ResultRow;
}

/** The stretch of ingest time that was evaluated, half-open. */
export interface EvaluatedRange {
  readonly from: number;
  readonly to: number;
}

const MINUTE_MS = 60_000;

/**
 * Events of one finding that came in within this time of the clock are one occurrence; no evaluation cuts events at other
 * times, so each sees the whole of it or nothing.
 */
export const ANCHOR_MS = 30_000;

/** Ids of events that an occurrence keeps. */
export const KEPT_EVENT_UIDS = 200;

/** Occurrences of a finding with one anchor are the same. */
export const occurrenceIdOf = (finding: Finding, anchor: string): string =>
  identityOf('occurrence', finding.key, anchor);

const USUAL_TIME = '2026-01-01T00:00:00.0000000Z'.length;

/** Milliseconds of a wire datetime; null when it is none. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || value === '') return null;
  // Most are as the engine tells them, with seven digits of a second.
  const isUsual = value.length === USUAL_TIME && value.endsWith('Z');
  const ms = Date.parse(isUsual ? `${value.slice(0, 23)}Z` : value.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(ms) ? null : ms;
}

/** Ids of the events that a row collected in `EventUids`, each once. */
function collectedUids({ EventUids: collected }: ResultRow): string[] {
  const named = Array.isArray(collected) ? collected.map(valueText).filter((uid) => uid !== '') : [];
  return [...new Set(named)];
}

/** Where a row belongs: rows of one finding with the same anchor are one occurrence. */
interface Anchored {
  readonly anchor: string;
  readonly isEvent: boolean;
  /** Occurrences are told in this order. */
  readonly order: number;
  /** What the row alone would be an occurrence of. */
  readonly seen: SeenEvents;
}

/** What rows tell of the events that they come from. */
type SeenEvents = Pick<
  Occurrence,
  'rowCount' | 'firstMs' | 'lastMs' | 'ingestedMs' | 'eventUids' | 'moreEvents'
>;

function anchorRow(row: ResultRow, window: EvaluatedRange, lookbackMs: number): Anchored {
  const ownUid = valueText(row.EventUid);
  const isEvent = ownUid !== '';
  const uids = isEvent ? [ownUid] : collectedUids(row);
  const generated = timeOf(row.TimeGenerated);
  const begun = timeOf(row.StartTime) ?? timeOf(row.FirstTime);
  const ended = timeOf(row.EndTime) ?? timeOf(row.LastTime);
  const ingested = timeOf(row.FirstIngested) ?? timeOf(row.IngestedTime);
  const start = generated ?? begun;
  const bucketMs = Math.max(MINUTE_MS, lookbackMs);
  const firstMs = begun ?? generated ?? window.from;
  const lastMs = ended ?? generated ?? window.to - 1;
  return {
    isEvent,
    anchor: isEvent
      ? `event ${Math.floor((ingested ?? window.from) / ANCHOR_MS)}`
      : start !== null
        ? `time ${start}`
        : `bucket ${Math.floor((window.to - 1) / bucketMs)}`,
    order: Math.floor((isEvent ? (ingested ?? window.from) : window.from) / ANCHOR_MS),
    seen: {
      rowCount: 1,
      firstMs: Math.min(firstMs, lastMs),
      lastMs: Math.max(firstMs, lastMs),
      ingestedMs: ingested,
      eventUids: uids.slice(0, KEPT_EVENT_UIDS),
      moreEvents: Math.max(0, uids.length - KEPT_EVENT_UIDS),
    },
  };
}

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

  constructor(rule: RuleIdentity, signal: SignalBody, window: EvaluatedRange, lookbackMs: number) {
    this.fields = fieldsRead(signal);
    this.rule = rule;
    this.signal = signal;
    this.window = window;
    this.lookbackMs = lookbackMs;
  }

  add(row: ResultRow): void {
    const completed = timeOf(row.CompletedTime);
    if (completed !== null && completed < this.window.from) return;
    this.rows += 1;
    const anchored = anchorRow(row, this.window, this.lookbackMs);
    const key = JSON.stringify([anchored.anchor, ...this.fields.map((field) => fieldOf(row, field) ?? null)]);
    const known = this.byFields.get(key);
    const gathered = known ?? this.gathered(row, anchored);
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
