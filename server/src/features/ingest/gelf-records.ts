import { inflateSync, unzipSync } from 'node:zlib';
import { jsonFault, MAX_RECORD_CHARS, parseJsonRecord, RECORD_FAULT_WORDS, splitLines } from '@tyrian/ingest';
import type { CarriedRecord } from './carried-record.ts';
import type { DecodeJob } from './ingest-batch.ts';
import { isFields, trimEnds } from './plain-values.ts';

// Messages of GELF. The full message, else the short one, is the text of the event; the fields stand around it, those
// of the sender without their underscore.

const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;
const SEVERITIES = [
  'Critical',
  'Critical',
  'Critical',
  'High',
  'Medium',
  'Low',
  'Informational',
  'Informational',
];

function unpacked(bytes: Uint8Array): Uint8Array {
  const [first, second = 0] = bytes;
  const limit = { maxOutputLength: MAX_MESSAGE_BYTES };
  if (first === 0x1f && second === 0x8b) return unzipSync(bytes, limit);
  return first === 0x78 && (first * 256 + second) % 31 === 0 ? inflateSync(bytes, limit) : bytes;
}

function aroundOf(message: Record<string, unknown>): Record<string, unknown> {
  const { version, host, short_message, full_message, timestamp, level, ...rest } = message;
  const around: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(rest))
    around[name.startsWith('_') ? name.slice(1) : name] = value;
  return around;
}

function recordOf(message: Record<string, unknown>, written: string, isDamaged: boolean): CarriedRecord {
  const { host, timestamp, level } = message;
  const short = typeof message.short_message === 'string' ? message.short_message : '';
  const full = typeof message.full_message === 'string' ? message.full_message : '';
  const text = full === '' ? short : full;
  // Without either it is no GELF: the ordinary decoders look at all of it.
  if (text === '') return { text: written, isDamaged };
  const around = aroundOf(message);
  if (full !== '' && short !== '' && !full.startsWith(short)) around.ShortMessage = short;
  const severity = typeof level === 'number' ? SEVERITIES[level] : undefined;
  const seconds = Number(timestamp);
  return {
    text,
    isDamaged,
    around,
    ...(seconds > 0 ? { timeMs: Math.round(seconds * 1000) } : {}),
    columns: {
      ...(typeof host === 'string' && host !== '' ? { DvcHostname: host } : {}),
      ...(severity === undefined ? {} : { EventSeverity: severity }),
    },
  };
}

function readMessage(text: string, isDamaged: boolean): CarriedRecord {
  const limit = text.length > MAX_RECORD_CHARS ? undefined : jsonFault(text);
  if (limit !== undefined)
    return { text, fault: { mark: limit, reason: RECORD_FAULT_WORDS[limit] }, isDamaged };
  if (text.length > MAX_RECORD_CHARS) return { text, isDamaged };
  try {
    const message = parseJsonRecord(text);
    if (isFields(message)) return recordOf(message, text, isDamaged);
  } catch {
    // Kept as it is; the ordinary decoders say what is wrong with it.
  }
  return { text, isDamaged };
}

/** Blanks, line ends and null bytes around a message. */
const isBlank = (code: number) => code <= 0x20;

function readBytes(bytes: Uint8Array): CarriedRecord {
  try {
    const plain = unpacked(bytes);
    const text = Buffer.from(plain.buffer, plain.byteOffset, plain.length).toString('utf8');
    return readMessage(trimEnds(text, isBlank), text.includes('\ufffd'));
  } catch (error) {
    const reason = `a packed message of GELF could not be unpacked: ${(error as Error).message}`;
    return { text: Buffer.from(bytes).toString('base64'), fault: { reason } };
  }
}

/** Messages one behind the other, by their lengths, each packed or not; without lengths one on each line. */
export function* readGelf(bytes: Uint8Array, { lengths }: DecodeJob): Generator<CarriedRecord> {
  if (lengths === undefined) {
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
    for (const line of isOneDocument(text) ? [text.trim()] : splitLines(text))
      yield readMessage(line, line.includes('\ufffd'));
    return;
  }
  let at = 0;
  for (const length of lengths) {
    yield readBytes(bytes.subarray(at, at + length));
    at += length;
  }
}

/** One message over several lines. */
function isOneDocument(text: string): boolean {
  if (text.length > MAX_RECORD_CHARS || !text.includes('\n')) return true;
  try {
    return isFields(JSON.parse(text));
  } catch {
    return false;
  }
}
