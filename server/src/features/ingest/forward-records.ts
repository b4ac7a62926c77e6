import { gunzipSync } from 'node:zlib';
import { decode, decodeMulti, ExtensionCodec } from '@msgpack/msgpack';
import { RECORD_FAULT_WORDS } from '@tyrian/ingest';
import type { CarriedRecord } from './carried-record.ts';
import { MAX_UNPACKED_BYTES } from './decode-line.ts';
import type { DecodeJob } from './ingest-batch.ts';
import { isFields, textOfBytes, trimEnds, wholeNumber } from './plain-values.ts';

// Messages of Fluent forward, in all modes: Message, Forward, PackedForward, CompressedPackedForward. A record with one
// line of text (`log` or `message`) is that line; any other is its JSON. The tag stands around it.

const DEEPEST = 60;

class TooDeepError extends Error {}

/** A time of the protocol: seconds, and nanoseconds where the sender has them. */
class EventTime {
  readonly ms: number;

  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.ms = bytes.length < 8 ? 0 : view.getUint32(0) * 1000 + Math.floor(view.getUint32(4) / 1e6);
  }
}

const extensionCodec = new ExtensionCodec();
extensionCodec.register({
  type: 0,
  encode: () => null,
  decode: (bytes) => new EventTime(bytes),
});

const OPTIONS = {
  extensionCodec,
  useBigInt64: true,
  mapKeyConverter: (key: unknown) => (ArrayBuffer.isView(key) ? textOfBytes(key as Uint8Array) : String(key)),
};

/** Decodes one value. Throws for bytes that are none. */
export function decodeForward(bytes: Uint8Array): unknown {
  return decode(bytes, OPTIONS);
}

function plainValue(value: unknown, depth = 0): unknown {
  if (depth > DEEPEST) throw new TooDeepError();
  if (typeof value === 'bigint') return wholeNumber(value);
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value !== 'object' || value === null) return value ?? null;
  if (value instanceof EventTime) return new Date(value.ms).toISOString();
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (ArrayBuffer.isView(value)) return textOfBytes(value as Uint8Array);
  if (Array.isArray(value)) return value.map((item) => plainValue(item, depth + 1));
  const plain: Record<string, unknown> = {};
  for (const [name, inner] of Object.entries(value)) plain[name] = plainValue(inner, depth + 1);
  return plain;
}

function millis(time: unknown): number | undefined {
  if (time instanceof EventTime) return time.ms > 0 ? time.ms : undefined;
  const seconds = Number(typeof time === 'bigint' || typeof time === 'number' ? time : 0);
  return seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

const LINES = ['log', 'message', 'MESSAGE'] as const;

const isLineEnd = (code: number) => code === 0x0a || code === 0x0d;

function recordOf(tag: string, time: unknown, written: unknown): CarriedRecord {
  const timeMs = millis(time);
  const rest = { around: { tag }, ...(timeMs === undefined ? {} : { timeMs }) };
  const fields = plainValue(written);
  if (!isFields(fields)) {
    const text = typeof fields === 'string' ? fields : JSON.stringify(fields);
    return { text, ...rest };
  }
  const names = Object.keys(fields);
  const only = names.length === 1 ? LINES.find((name) => name === names[0]) : undefined;
  if (only !== undefined && typeof fields[only] === 'string')
    return { text: trimEnds(fields[only] as string, isLineEnd), ...rest };
  return { text: JSON.stringify(fields), fields, ...rest };
}

function unread(bytes: Uint8Array, error: unknown): CarriedRecord {
  const text = Buffer.from(bytes).toString('base64');
  if (error instanceof TooDeepError)
    return { text, fault: { mark: 'too-deep', reason: RECORD_FAULT_WORDS['too-deep'] } };
  return { text, fault: { reason: `not a message of Fluent forward: ${(error as Error).message}` } };
}

function entryRecord(tag: string, entry: unknown): CarriedRecord {
  try {
    if (!Array.isArray(entry)) throw new Error('an entry is [time, record]');
    return recordOf(tag, entry[0], entry[1]);
  } catch (error) {
    if (error instanceof TooDeepError)
      return { text: '', fault: { mark: 'too-deep', reason: RECORD_FAULT_WORDS['too-deep'] } };
    return { text: '', fault: { reason: (error as Error).message } };
  }
}

function bytesOf(entries: unknown): Uint8Array {
  return typeof entries === 'string' ? Buffer.from(entries, 'latin1') : (entries as Uint8Array);
}

function* packedRecords(tag: string, entries: unknown, option: unknown): Generator<CarriedRecord> {
  let bytes = bytesOf(entries);
  try {
    const packing = isFields(option) ? option.compressed : undefined;
    if (packing !== undefined && packing !== 'gzip' && packing !== 'text')
      throw new Error(`entries packed with ${String(packing)} cannot be read`);
    if (packing === 'gzip') bytes = gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
    for (const entry of decodeMulti(bytes, OPTIONS)) yield entryRecord(tag, entry);
  } catch (error) {
    yield unread(bytes, error);
  }
}

function* messageRecords(bytes: Uint8Array): Generator<CarriedRecord> {
  const message = decodeForward(bytes);
  if (!Array.isArray(message) || message.length < 2) throw new Error('a message is a list');
  const [first, second, third] = message as unknown[];
  const tag = String(plainValue(first) ?? '');
  if (Array.isArray(second)) for (const entry of second) yield entryRecord(tag, entry);
  else if (ArrayBuffer.isView(second) || typeof second === 'string') yield* packedRecords(tag, second, third);
  else yield recordOf(tag, second, third);
}

/** The records of messages that stand one behind the other, by their lengths. */
export function* readForward(
  bytes: Uint8Array,
  { lengths = [bytes.length] }: DecodeJob,
): Generator<CarriedRecord> {
  let at = 0;
  for (const length of lengths) {
    const message = bytes.subarray(at, at + length);
    at += length;
    try {
      yield* messageRecords(message);
    } catch (error) {
      yield unread(message, error);
    }
  }
}
