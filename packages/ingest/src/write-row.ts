import type { StreamName } from '@tyrian/catalog';
import type { DecodedEvent, Fields, ParseStatus } from './event-row.ts';

// A decoded event as a line of JSONEachRow: only the columns that hold something. What the store needs to know
// about where the event came from is in the context; what is odd about the event is marked, never hidden.

/** Devices whose clocks are further ahead than this are not believed: the event gets the time of arrival. */
const FUTURE_TOLERANCE_MS = 10 * 60_000;

export interface RowContext {
  readonly scope: string;
  readonly sourceName: string;
  readonly sourceAddress: string;
  /** When the batch arrived, in milliseconds: `IngestedTime`, and the time of events without one. */
  readonly receivedMs: number;
  /** 16 hexadecimal digits that no other batch has; with the position it makes `EventUid`. */
  readonly batchId: string;
}

/** What is remarkable about a record beside its content; stored in `Ext.IngestMarks`. */
export type IngestMark = 'no-time' | 'future-time' | 'invalid-utf8' | 'truncated';

export interface RowInput {
  readonly event: DecodedEvent;
  readonly raw: string;
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly marks: readonly IngestMark[];
  /** Overrides the context's source name. */
  readonly sourceName?: string | undefined;
}

export interface WrittenRow {
  /** One line, with its newline. */
  readonly line: string;
  readonly stream: StreamName;
  readonly status: ParseStatus;
  /** Day of the event since 1970, which is its partition. */
  readonly day: number;
  readonly marks: readonly IngestMark[];
}

// JSON.stringify writes them as escapes: \ud800 to \udfff.
const LONE_SURROGATE = /\\ud[89a-f]/;
const LONE_SURROGATES = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g;
/** Nesting that the store accepts without risk; deeper values are kept as text. */
const DEEPEST_EXT = 20;

/** `2026-01-31 12:00:00.000`, the form that the store reads fastest. */
function storeTime(ms: number): string {
  return new Date(ms).toISOString().replace('T', ' ').slice(0, 23);
}

let lastArrival = { ms: Number.NaN, text: '' };

/** All rows of a batch arrived at one time, which is written once. */
function arrivalTime(ms: number): string {
  if (lastArrival.ms !== ms) lastArrival = { ms, text: storeTime(ms) };
  return lastArrival.text;
}

/**
 * The identity of event number `index` of a batch: an RFC 9562 UUID of version 8, batch first. Events of a batch
 * are neighbours, so the column packs well, and a batch can be found again in the store by its first half.
 */
function eventUid(batchId: string, index: number): string {
  const tail = index.toString(16).padStart(15, '0');
  return `${batchId.slice(0, 8)}-${batchId.slice(8, 12)}-8${batchId.slice(12, 15)}-8${tail.slice(0, 3)}-${tail.slice(3)}`;
}

function timeOf(event: DecodedEvent, receivedMs: number, marks: IngestMark[], ext: Fields): number {
  if (event.time === undefined) {
    marks.push('no-time');
    return receivedMs;
  }
  if (event.time <= receivedMs + FUTURE_TOLERANCE_MS) return event.time;
  marks.push('future-time');
  ext.DeviceTime = new Date(event.time).toISOString();
  return receivedMs;
}

/** Keys that a path of the store cannot carry: empty, or with an empty part. */
function safeKey(key: string): string {
  if (key === '') return '_';
  if (!key.includes('.') && !key.includes('\0')) return key;
  const parts = key.replaceAll('\0', '').split('.');
  return parts.every((part) => part !== '')
    ? parts.join('.')
    : parts.filter((part) => part !== '').join('.') || '_';
}

function isPlain(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when some name of the object is also the beginning of another's dotted path. */
function hasDottedNames(ext: Fields): boolean {
  for (const key in ext) if (key === '' || key.includes('.') || key.includes('\0')) return true;
  return false;
}

function storable(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= DEEPEST_EXT) return JSON.stringify(value);
  if (Array.isArray(value)) return value.map((item) => storable(item, depth + 1));
  return storableObject(value as Fields, depth);
}

function storableObject(ext: Fields, depth: number): Fields {
  const clean: Fields = {};
  const dotted = hasDottedNames(ext);
  for (const name in ext) {
    const value = ext[name];
    if (value === null || value === undefined) continue;
    const key = dotted ? safeKey(name) : name;
    const nested = storable(value, depth + 1);
    if (!dotted) clean[key] = nested;
    else insertPath(clean, key, nested);
  }
  return clean;
}

/** `a.b` and `{a: {b}}` are one path of the store: the dotted name is unfolded, and a second value is renamed. */
function insertPath(into: Fields, key: string, value: unknown): void {
  const at = key.indexOf('.');
  if (at < 0) {
    const known = into[key];
    if (isPlain(known) && isPlain(value)) {
      for (const [name, inner] of Object.entries(value)) insertPath(known, name, inner);
    } else if (known === undefined) into[key] = value;
    else into[`${key}_`] = value;
    return;
  }
  const head = key.slice(0, at);
  const known = into[head];
  if (known === undefined) into[head] = {};
  else if (!isPlain(known)) {
    into[key.replaceAll('.', '_')] = value;
    return;
  }
  insertPath(into[head] as Fields, key.slice(at + 1), value);
}

/** Writes one event. Throws RangeError only for nesting that JavaScript itself cannot write. */
export function writeRow(context: RowContext, input: RowInput): WrittenRow {
  const { event, raw, index, sourceName } = input;
  const marks = [...input.marks];
  const ext = storableObject(event.ext, 0);
  const time = timeOf(event, context.receivedMs, marks, ext);
  if (marks.length > 0) ext.IngestMarks = marks;
  const row: Record<string, unknown> = {
    TimeGenerated: storeTime(time),
    IngestedTime: arrivalTime(context.receivedMs),
    EventUid: eventUid(context.batchId, index),
    Stream: event.stream,
    Scope: context.scope,
    ParseStatus: event.status,
    SourceName: sourceName ?? context.sourceName,
    SourceType: event.sourceType,
    SourceAddress: context.sourceAddress,
    ...event.columns,
  };
  if (event.parseError !== undefined) row.ParseError = event.parseError;
  row.Ext = ext;
  row.Raw = raw;
  const text = JSON.stringify(row);
  // A lone half of a surrogate pair is no UTF-8; the store would refuse the whole batch.
  const line = LONE_SURROGATE.test(text) ? text.replace(LONE_SURROGATES, '$1\ufffd') : text;
  return {
    line: `${line}\n`,
    stream: event.stream,
    status: event.status,
    day: Math.floor(time / 86_400_000),
    marks,
  };
}
