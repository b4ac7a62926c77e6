import { type DecodedEvent, decodeRecord, type IngestMark, jsonFault, unreadEvent } from '@tyrian/ingest';
import { decodeLine, type OpenJob } from './decode-line.ts';
import type { RowCollector } from './row-collector.ts';

// A record of a protocol that carries more than its text (OTLP, Fluent forward, GELF, Loki). The text goes through the
// ordinary decoders and is what `Raw` keeps; what stands around it fills columns that the text leaves empty, and `Ext`.

export interface CarriedRecord {
  /** The record as text. */
  readonly text: string;
  /** The record as an object, when `text` is its JSON. */
  readonly fields?: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970; used when the text names no time. */
  readonly timeMs?: number;
  /** Columns by name, used where the text says nothing. */
  readonly columns?: Readonly<Record<string, string | number>>;
  /** Attributes, labels, fields beside the text: read as a record of their own. */
  readonly around?: Readonly<Record<string, unknown>>;
  /** The record could not be read; `text` is all there is. */
  readonly fault?: { readonly mark?: IngestMark; readonly reason: string };
  /** The text holds replaced bytes. */
  readonly isDamaged?: boolean;
}

/** Fields beyond the limits of a record are kept as one text, so that they cannot hurt the event that they stand around. */
function safeAround(around: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  let text: string;
  try {
    text = JSON.stringify(around);
  } catch {
    return { unread: 'nested too deep to be kept' };
  }
  return jsonFault(text) === undefined ? around : { unread: text.slice(0, 65_536) };
}

function isEmpty(fields: Readonly<Record<string, unknown>>): boolean {
  for (const _ in fields) return false;
  return true;
}

function applyAround(event: DecodedEvent, around: Readonly<Record<string, unknown>>, nowMs: number): void {
  if (isEmpty(around)) return;
  const beside = decodeRecord(safeAround(around) as Record<string, unknown>, nowMs);
  for (const [name, value] of Object.entries(beside.columns)) event.columns[name] ??= value;
  event.ext = { ...beside.ext, ...event.ext };
  if (event.time === undefined && beside.time !== undefined) event.time = beside.time;
  // Words that nobody knows beside fields that say what happened.
  if (event.status === 'NLF' && beside.stream !== 'Generic') {
    event.stream = beside.stream;
    event.sourceType = beside.sourceType;
    event.status = beside.status;
  }
}

function brokenRecord({ text, fault }: CarriedRecord, job: OpenJob): DecodedEvent {
  if (fault?.mark !== undefined) return unreadEvent('text', fault.mark, fault.reason);
  const event = decodeLine(text, job);
  event.status = 'PER';
  event.parseError ??= fault?.reason ?? 'the record could not be read';
  return event;
}

function eventOf(record: CarriedRecord, job: OpenJob): DecodedEvent {
  if (record.fault !== undefined) return brokenRecord(record, job);
  const { text, fields } = record;
  if (fields === undefined || job.isTextOnly) return decodeLine(text, job);
  const fault = jsonFault(text);
  return fault === undefined
    ? decodeRecord(fields as Record<string, unknown>, job.receivedMs, { ...job.options, text })
    : // Says which limit it is beyond.
      decodeLine(text, job);
}

/** Decodes a record and adds it to the rows. Never throws for what the record holds. */
export function addCarried(record: CarriedRecord, job: OpenJob, rows: RowCollector): void {
  const event = eventOf(record, job);
  for (const [name, value] of Object.entries(record.columns ?? {})) event.columns[name] ??= value;
  if (record.around !== undefined && !job.isTextOnly) applyAround(event, record.around, job.receivedMs);
  if (event.time === undefined && record.timeMs !== undefined) event.time = record.timeMs;
  if (record.fault !== undefined) rows.count('malformed-record');
  rows.add({ event, raw: record.text, isDamaged: record.isDamaged ?? false });
}
