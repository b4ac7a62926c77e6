import type { SignalBody } from '@tyrian/contract';
import {
  compareText,
  type Finding,
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

interface Anchored {
  readonly anchor: string;
  readonly order: number;
  readonly occurrence: Occurrence;
}

/** Milliseconds of a wire datetime; null when it is none. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || value === '') return null;
  const ms = Date.parse(value.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(ms) ? null : ms;
}

const firstTime = (row: ResultRow, columns: readonly string[]): number | null => {
  for (const column of columns) {
    const time = timeOf(row[column]);
    if (time !== null) return time;
  }
  return null;
};

/** Event ids that a row names: its own, or those it collected in `EventUids`. */
function uidsOf(row: ResultRow): string[] {
  const own = valueText(row.EventUid);
  if (own !== '') return [own];
  const collected = row.EventUids;
  return Array.isArray(collected) ? collected.map(valueText).filter((uid) => uid !== '') : [];
}

function anchorRow(
  rule: RuleIdentity,
  signal: SignalBody,
  row: ResultRow,
  window: EvaluatedRange,
  lookbackMs: number,
): Anchored {
  const finding = findingOf(rule, signal, row);
  const uids = uidsOf(row);
  const isEvent = valueText(row.EventUid) !== '';
  const ingested = firstTime(row, ['FirstIngested', 'IngestedTime']);
  const start = firstTime(row, ['TimeGenerated', 'StartTime', 'FirstTime']);
  const bucketMs = Math.max(MINUTE_MS, lookbackMs);
  const anchor = isEvent
    ? `event ${Math.floor((ingested ?? window.from) / ANCHOR_MS)}`
    : start !== null
      ? `time ${start}`
      : `bucket ${Math.floor((window.to - 1) / bucketMs)}`;
  const firstMs = firstTime(row, ['StartTime', 'FirstTime', 'TimeGenerated']) ?? window.from;
  const lastMs = firstTime(row, ['EndTime', 'LastTime', 'TimeGenerated']) ?? window.to - 1;
  return {
    anchor,
    order: Math.floor((isEvent ? (ingested ?? window.from) : window.from) / ANCHOR_MS),
    occurrence: {
      occurrenceId: occurrenceIdOf(finding, anchor),
      finding,
      stream: valueText(row.Stream),
      rowCount: 1,
      firstMs: Math.min(firstMs, lastMs),
      lastMs: Math.max(firstMs, lastMs),
      ingestedMs: ingested,
      eventUids: uids.slice(0, KEPT_EVENT_UIDS),
      moreEvents: Math.max(0, uids.length - KEPT_EVENT_UIDS),
      fields: isEvent ? {} : row,
    },
  };
}

/** Two occurrences as one, with the finding of the first. */
export function mergeOccurrences(a: Occurrence, b: Occurrence): Occurrence {
  const uids = [...new Set([...a.eventUids, ...b.eventUids])];
  return {
    ...a,
    rowCount: a.rowCount + b.rowCount,
    firstMs: Math.min(a.firstMs, b.firstMs),
    lastMs: Math.max(a.lastMs, b.lastMs),
    ingestedMs:
      a.ingestedMs === null || b.ingestedMs === null
        ? (a.ingestedMs ?? b.ingestedMs)
        : Math.min(a.ingestedMs, b.ingestedMs),
    eventUids: uids.slice(0, KEPT_EVENT_UIDS),
    moreEvents: a.moreEvents + b.moreEvents + Math.max(0, uids.length - KEPT_EVENT_UIDS),
  };
}

/** Collects rows into occurrences; add all rows of an evaluation, then ask for the list. */
export class OccurrenceCollector {
  rows = 0;
  private readonly found = new Map<string, Anchored>();
  private readonly rule: RuleIdentity;
  private readonly signal: SignalBody;
  private readonly window: EvaluatedRange;
  private readonly lookbackMs: number;

  constructor(rule: RuleIdentity, signal: SignalBody, window: EvaluatedRange, lookbackMs: number) {
    this.rule = rule;
    this.signal = signal;
    this.window = window;
    this.lookbackMs = lookbackMs;
  }

  add(row: ResultRow): void {
    const completed = timeOf(row.CompletedTime);
    if (completed !== null && completed < this.window.from) return;
    this.rows += 1;
    const anchored = anchorRow(this.rule, this.signal, row, this.window, this.lookbackMs);
    const known = this.found.get(anchored.occurrence.occurrenceId);
    this.found.set(
      anchored.occurrence.occurrenceId,
      known ? { ...known, occurrence: mergeOccurrences(known.occurrence, anchored.occurrence) } : anchored,
    );
  }

  /** In the order in which they would have been found one window at a time: ingest, event time, id. */
  occurrences(): Occurrence[] {
    return [...this.found.values()]
      .sort(
        (a, b) =>
          a.order - b.order ||
          a.occurrence.firstMs - b.occurrence.firstMs ||
          compareText(a.occurrence.occurrenceId, b.occurrence.occurrenceId),
      )
      .map((anchored) => anchored.occurrence);
  }
}
