import { MOST_CLOCK_LEAD_MS, READING_COLUMN, RETENTION_COLUMN, type StreamName } from '@tyrian/catalog';
import type { DecodedEvent, Fields, IngestMark, ParseStatus } from './event-row.ts';
import type { RowBlock } from './native/row-block.ts';
import { storableFields } from './storable-fields.ts';

// A decoded event as a row: only the columns that hold something. What the store needs to know about where the
// event came from is in the context; what is odd about the event is marked, never hidden.

export interface RowContext {
  readonly scope: string;
  readonly sourceName: string;
  readonly sourceAddress: string;
  /** When the batch arrived, in milliseconds: `IngestedTime`, and the time of events without one. */
  readonly receivedMs: number;
  /** 16 hexadecimal digits that no other batch has; with the position it makes `EventUid`. */
  readonly batchId: string;
  /** Days for which events are kept, by stream; under the empty name those of all other streams. */
  readonly retentionDays?: Readonly<Record<string, number>>;
}

export interface RowInput {
  readonly event: DecodedEvent;
  readonly raw: string;
  /** Position in the batch, from 0. */
  readonly index: number;
  readonly marks: readonly IngestMark[];
  /** Overrides the context's source name. */
  readonly sourceName?: string | undefined;
  /** The event is stored already and was read again: what it keeps. */
  readonly stored?: StoredIdentity;
}

/** What an event keeps when its text is read again. */
export interface StoredIdentity {
  /** `EventUid` in the words of the store: `uidWords`. */
  readonly uid: Int32Array;
  readonly retentionDays: number;
  /** Number of the reading. */
  readonly reading: number;
}

export interface WrittenRow {
  readonly stream: StreamName;
  readonly status: ParseStatus;
  readonly marks: readonly IngestMark[];
}

const uid = new Int32Array(4);
let uidBatch = '';

/**
 * The identity of event number `index` of a batch: an RFC 9562 UUID of version 8, batch first. Events of a batch
 * are neighbours, so the column packs well, and a batch can be found again in the store by its first half.
 * Answers the words of the UUID as the store keeps them, in memory that the next call uses again.
 */
function eventUid(batchId: string, index: number): Int32Array {
  if (batchId !== uidBatch) {
    uid[1] = Number.parseInt(batchId.slice(0, 8), 16);
    uid[0] = Number.parseInt(`${batchId.slice(8, 12)}8${batchId.slice(12, 15)}`, 16);
    uid[3] = 0x8000_0000;
    uidBatch = batchId;
  }
  uid[2] = index;
  return uid;
}

/** Its time, or that of its arrival, which is marked; `added` tells what the device said. */
function timeOf(event: DecodedEvent, { receivedMs }: RowContext, marks: IngestMark[], added: Fields): number {
  if (event.time === undefined) {
    marks.push('no-time');
    return receivedMs;
  }
  if (event.time <= receivedMs + MOST_CLOCK_LEAD_MS) return event.time;
  marks.push('future-time');
  added.DeviceTime = new Date(event.time).toISOString();
  return receivedMs;
}

/** An `EventUid` as the store keeps it, from its text. */
export function uidWords(text: string): Int32Array {
  const hex = text.replaceAll('-', '');
  const word = (at: number) => Number.parseInt(hex.slice(at, at + 8), 16);
  return Int32Array.of(word(8), word(0), word(24), word(16));
}

/** 0 where nobody has said how long. */
function retentionOf({ retentionDays }: RowContext, stream: string): number {
  return retentionDays?.[stream] ?? retentionDays?.[''] ?? 0;
}

/** Writes one event into the block; without a block only says what would be written. */
export function writeRow(block: RowBlock | null, context: RowContext, input: RowInput): WrittenRow {
  const { event, raw, index, sourceName } = input;
  const marks = [...(event.marks ?? []), ...input.marks];
  const added: Fields = {};
  const time = timeOf(event, context, marks, added);
  if (marks.length > 0) added.IngestMarks = marks;
  const written = { stream: event.stream, status: event.status, marks };
  if (block === null) return written;
  const fields = storableFields(event.ext);
  block.begin(marks.length > 0 ? { ...fields, ...added } : fields);
  block.put('TimeGenerated', time);
  block.put('IngestedTime', context.receivedMs);
  block.put('EventUid', input.stored?.uid ?? eventUid(context.batchId, index));
  block.put('Stream', event.stream);
  block.put('Scope', context.scope);
  // What was stored stays in its partition.
  block.put(RETENTION_COLUMN.name, input.stored?.retentionDays ?? retentionOf(context, event.stream));
  if (input.stored) block.put(READING_COLUMN.name, input.stored.reading);
  block.put('ParseStatus', event.status);
  block.put('SourceName', sourceName ?? context.sourceName);
  block.put('SourceType', event.sourceType);
  block.put('SourceAddress', context.sourceAddress);
  if (event.extractorId !== undefined) block.put('ExtractorId', event.extractorId);
  if (event.parseError !== undefined) block.put('ParseError', event.parseError);
  const { columns } = event;
  for (const name in columns) {
    const cell = columns[name];
    if (cell !== undefined && !block.put(name, cell)) block.putField(name, cell);
  }
  block.put('Raw', raw);
  block.end();
  return written;
}
