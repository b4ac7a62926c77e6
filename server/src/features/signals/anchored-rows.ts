import { fieldOf, type ResultRow, valueText } from './finding.ts';

// Reads the rows of one result where they lie. Detections that match too much bring hundreds of thousands of rows a minute,
// nearly all of which repeat a finding: none of these is copied into an object by column name.

/** The stretch of ingest time that was evaluated, half-open. */
export interface EvaluatedRange {
  readonly from: number;
  readonly to: number;
}

/** Ids of events that a row, and an occurrence, keeps. */
export const KEPT_EVENT_UIDS = 200;

/**
 * Events of one finding that came in within this time of the clock are one occurrence; no evaluation cuts events at other
 * times, so each sees the whole of it or nothing.
 */
export const ANCHOR_MS = 30_000;

const MINUTE_MS = 60_000;
const USUAL_TIME = '2026-01-01T00:00:00.0000000Z'.length;

/** Milliseconds of a wire datetime; null when it is none. */
function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || value === '') return null;
  // Most are as the engine tells them, with seven digits of a second.
  const isUsual = value.length === USUAL_TIME && value.endsWith('Z');
  const ms = Date.parse(isUsual ? value : value.replace(/(\.\d{3})\d+/, '$1'));
  return Number.isNaN(ms) ? null : ms;
}

/** Ids of events that a row collected, each once. */
function collectedUids(collected: unknown): string[] {
  const named = Array.isArray(collected) ? collected.map(valueText).filter((uid) => uid !== '') : [];
  return [...new Set(named)];
}

/** What rows tell of the events that they come from. */
export interface SeenEvents {
  readonly rowCount: number;
  /** Event time, ms. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Earliest ingest among the contributing events, ms; null when the rows do not say. */
  readonly ingestedMs: number | null;
  readonly eventUids: readonly string[];
  /** Contributing events whose ids are not kept. */
  readonly moreEvents: number;
}

/** Where a row belongs: rows of one finding with the same anchor are one occurrence. */
export interface Anchored {
  readonly anchor: string;
  readonly isEvent: boolean;
  /** Occurrences are told in this order. */
  readonly order: number;
  /** What the row alone would be an occurrence of. */
  readonly seen: SeenEvents;
}

/** Position of a column in a row; past the end, where nothing lies, for one that it lacks. */
function placeOf(columns: readonly string[], column: string): number {
  const at = columns.indexOf(column);
  return at < 0 ? columns.length : at;
}

const placesIn = (columns: readonly string[]) => ({
  uid: placeOf(columns, 'EventUid'),
  uids: placeOf(columns, 'EventUids'),
  generated: placeOf(columns, 'TimeGenerated'),
  start: placeOf(columns, 'StartTime'),
  first: placeOf(columns, 'FirstTime'),
  end: placeOf(columns, 'EndTime'),
  last: placeOf(columns, 'LastTime'),
  firstIngested: placeOf(columns, 'FirstIngested'),
  ingested: placeOf(columns, 'IngestedTime'),
  completed: placeOf(columns, 'CompletedTime'),
});

/** A field that a finding is read from. */
interface Place {
  readonly field: string;
  /** Of the column that it is, or that it lies below. */
  readonly at: number;
  /** Name of the column that it lies below; null when it is one. */
  readonly below: string | null;
}

/** Rows that have these columns, of one evaluated window. */
export class AnchoredRows {
  private readonly columns: readonly string[];
  private readonly window: EvaluatedRange;
  private readonly bucketMs: number;
  private readonly places: ReturnType<typeof placesIn>;
  private readonly fields: readonly Place[];

  /** `fields` are what findings are read from. */
  constructor(
    columns: readonly string[],
    fields: readonly string[],
    window: EvaluatedRange,
    lookbackMs: number,
  ) {
    this.columns = columns;
    this.window = window;
    this.bucketMs = Math.max(MINUTE_MS, lookbackMs);
    this.places = placesIn(columns);
    this.fields = fields.map((field) => {
      const below = columns.includes(field) ? null : (field.split('.')[0] ?? '');
      return { field, at: placeOf(columns, below ?? field), below };
    });
  }

  hasColumns(columns: readonly string[]): boolean {
    return columns.length === this.columns.length && columns.every((name, at) => name === this.columns[at]);
  }

  /** The row by column name. */
  rowOf(values: readonly unknown[]): ResultRow {
    return Object.fromEntries(this.columns.map((name, at) => [name, values[at]]));
  }

  /** True for a row that says when its last event came in, and that was before the window. */
  isFoundBefore(values: readonly unknown[]): boolean {
    const ms = timeOf(values[this.places.completed]);
    return ms !== null && ms < this.window.from;
  }

  anchored(values: readonly unknown[]): Anchored {
    const { window, places } = this;
    const ownUid = valueText(values[places.uid]);
    const isEvent = ownUid !== '';
    const uids = isEvent ? [ownUid] : collectedUids(values[places.uids]);
    const generated = timeOf(values[places.generated]);
    const begun = timeOf(values[places.start]) ?? timeOf(values[places.first]);
    const ended = timeOf(values[places.end]) ?? timeOf(values[places.last]);
    const ingested = timeOf(values[places.firstIngested]) ?? timeOf(values[places.ingested]);
    const firstMs = begun ?? generated ?? window.from;
    const lastMs = ended ?? generated ?? window.to - 1;
    const half = Math.floor((isEvent ? (ingested ?? window.from) : window.from) / ANCHOR_MS);
    return {
      isEvent,
      anchor: isEvent ? `event ${half}` : this.anchorOf(generated ?? begun),
      order: half,
      seen: {
        rowCount: 1,
        firstMs: Math.min(firstMs, lastMs),
        lastMs: Math.max(firstMs, lastMs),
        ingestedMs: ingested,
        eventUids: uids.length > KEPT_EVENT_UIDS ? uids.slice(0, KEPT_EVENT_UIDS) : uids,
        moreEvents: Math.max(0, uids.length - KEPT_EVENT_UIDS),
      },
    };
  }

  /** The anchor of a row that is not an event. */
  private anchorOf(start: number | null): string {
    return start === null ? `bucket ${Math.floor((this.window.to - 1) / this.bucketMs)}` : `time ${start}`;
  }

  /** What the finding is read from, and where the row is anchored: the same text for the same values alone. */
  keyOf(values: readonly unknown[], anchor: string): string {
    let key = anchor;
    for (const { field, at, below } of this.fields) {
      const value = below === null ? values[at] : fieldOf({ [below]: values[at] }, field);
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null');
      key += `${typeof value === 'string' ? '"' : ' '}${text.length}:${text}`;
    }
    return key;
  }
}
