import snappy from 'snappyjs';
import type { CarriedRecord } from './carried-record.ts';
import { BodyFaultError, MAX_UNPACKED_BYTES } from './decode-line.ts';
import { readPushRequest } from './loki-messages.ts';
import { asList, isFields } from './plain-values.ts';
import { writeDeepJson } from './write-deep-json.ts';

// Lines that are pushed as to Loki: JSON, or protobuf packed with Snappy. The line is the text of the event; labels of
// its stream and structured metadata stand around it.

/** The part of a record that is not a line. */
const LONGEST_UNREAD = 1024 * 1024;

type Labels = Record<string, unknown>;

const NAME = /[A-Za-z_][\w.:]*/y;
const BETWEEN = /[\s,{]*/y;
const EQUALS = /\s*=\s*"/y;

/** Reads with an expression that holds at a place; the end of what it found, or -1. */
function endOf(expression: RegExp, text: string, at: number): number {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : -1;
}

/** The end of a quoted text that begins at a place, behind its quote. */
function quoteEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '\\') at += 1;
    else if (char === '"') return at;
  }
  return -1;
}

/** Labels in their written form, `{job="x", host="y"}`; read once from front to back, up to what is no label. */
function readLabels(written: string): Labels {
  const labels: Labels = {};
  for (let at = 0; ; ) {
    const start = endOf(BETWEEN, written, at);
    const nameEnd = endOf(NAME, written, start);
    if (nameEnd < 0) return labels;
    const valueStart = endOf(EQUALS, written, nameEnd);
    const end = valueStart < 0 ? -1 : quoteEnd(written, valueStart);
    if (end < 0) return labels;
    const value = written.slice(valueStart, end);
    try {
      labels[written.slice(start, nameEnd)] = JSON.parse(`"${value}"`);
    } catch {
      labels[written.slice(start, nameEnd)] = value;
    }
    at = end + 1;
  }
}

function millisOfNanos(nanos: unknown): number | undefined {
  const text = String(nanos ?? '');
  if (!/^\d{1,20}$/.test(text)) return undefined;
  const ms = Number(BigInt(text) / 1_000_000n);
  return ms > 0 ? ms : undefined;
}

function recordOf(line: string, timeMs: number | undefined, around: Labels): CarriedRecord {
  const isDamaged = line.includes('\ufffd');
  return { text: line, isDamaged, around, ...(timeMs === undefined ? {} : { timeMs }) };
}

function* jsonRecords(streams: readonly unknown[]): Generator<CarriedRecord> {
  for (const stream of streams) {
    const labels = isFields(stream) && isFields(stream.stream) ? stream.stream : {};
    const values = isFields(stream) ? stream.values : undefined;
    if (!Array.isArray(values)) {
      yield unread(stream, 'a stream has no values');
      continue;
    }
    for (const entry of values) {
      const [nanos, line, metadata] = asList(entry);
      if (typeof line !== 'string') yield unread(entry, 'an entry is [nanoseconds, line]');
      else yield recordOf(line, millisOfNanos(nanos), { ...labels, ...(isFields(metadata) ? metadata : {}) });
    }
  }
}

function unread(written: unknown, reason: string): CarriedRecord {
  return { text: writeDeepJson(written, LONGEST_UNREAD), fault: { reason } };
}

/** The records of a push in JSON. BodyFaultError when the body is none. */
export function readLokiJson(bytes: Uint8Array): Iterable<CarriedRecord> {
  let request: unknown;
  try {
    request = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    throw new BodyFaultError({ fault: 'malformed', message: `not JSON: ${(error as Error).message}` });
  }
  if (isFields(request) && Array.isArray(request.streams)) return jsonRecords(request.streams);
  throw new BodyFaultError({ fault: 'malformed', message: 'not an object with streams' });
}

function* protobufRecords(request: Record<string, unknown>): Generator<CarriedRecord> {
  for (const stream of asList(request.streams)) {
    if (!isFields(stream)) continue;
    const labels = readLabels(String(stream.labels ?? ''));
    for (const entry of asList(stream.entries)) {
      if (!isFields(entry)) continue;
      const around = { ...labels };
      for (const pair of asList(entry.structuredMetadata))
        if (isFields(pair)) around[String(pair.name ?? '')] = pair.value;
      const at = isFields(entry.timestamp) ? entry.timestamp : {};
      const timeMs = Math.floor(Number(at.seconds ?? 0) * 1000 + Number(at.nanos ?? 0) / 1e6);
      yield recordOf(String(entry.line ?? ''), timeMs > 0 ? timeMs : undefined, around);
    }
  }
}

/** The length that a block of Snappy says it unpacks to. */
function unpackedLength(bytes: Uint8Array): number {
  let length = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = bytes[at] ?? 0;
    length += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) break;
  }
  return length;
}

/** The records of a push in protobuf. BodyFaultError when the body is none, or too large. */
export function readLokiProtobuf(bytes: Uint8Array): Iterable<CarriedRecord> {
  if (unpackedLength(bytes) > MAX_UNPACKED_BYTES) {
    const message = `the body unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`;
    throw new BodyFaultError({ fault: 'too-large', message });
  }
  try {
    return protobufRecords(readPushRequest(snappy.uncompress(bytes)));
  } catch (error) {
    const message = `not a PushRequest packed with Snappy: ${(error as Error).message}`;
    throw new BodyFaultError({ fault: 'malformed', message });
  }
}
