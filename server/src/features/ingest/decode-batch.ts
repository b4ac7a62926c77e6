import { isUtf8 } from 'node:buffer';
import { constants, gunzipSync } from 'node:zlib';
import {
  cloudTrailRecords,
  type DecodedEvent,
  decodeRecord,
  decodeText,
  MAX_RECORD_CHARS,
  parseEventTime,
  parseJsonRecord,
  readBulkItems,
  scanJsonObjects,
  splitLines,
} from '@tyrian/ingest';
import type {
  BatchReport,
  BodyFault,
  BulkAnswer,
  DecodeJob,
  RefusalReason,
  RowChunk,
} from './ingest-batch.ts';
import { RowCollector } from './row-collector.ts';

// One body to rows. Runs in a decoding thread. Whatever the body holds, every record in it becomes a row; what is
// wrong with a record is marked on its row and counted.

/** A compressed body may grow to this; a gzip bomb ends here. */
const MAX_UNPACKED_BYTES = 128 * 1024 * 1024;

/** Bodies that cannot be read at all. */
export class BodyFaultError extends Error {
  readonly fault: BodyFault;

  constructor(fault: BodyFault) {
    super(fault.message);
    this.fault = fault;
  }
}

function unpack(body: Uint8Array): Uint8Array {
  try {
    return gunzipSync(body, { maxOutputLength: MAX_UNPACKED_BYTES, finishFlush: constants.Z_FINISH });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `the body unpacks to more than ${MAX_UNPACKED_BYTES / 1024 / 1024} MiB`;
      throw new BodyFaultError({ fault: 'too-large', message });
    }
    throw new BodyFaultError({ fault: 'not-gzip', message: 'the body is not complete gzip data' });
  }
}

interface Body {
  readonly text: string;
  /** Tells whether a record holds replaced bytes; always false for bodies that are UTF-8 throughout. */
  readonly isDamaged: (record: string) => boolean;
}

const never = () => false;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function textOf(bytes: Uint8Array): Body {
  const text = decoder.decode(bytes);
  return { text, isDamaged: isUtf8(bytes) ? never : (record) => record.includes('\ufffd') };
}

/** Decodes a record that stands as text; one that is too long to read is kept as its head. */
function decodeLine(line: string, nowMs: number): DecodedEvent {
  if (line.length <= MAX_RECORD_CHARS) return decodeText(line, nowMs);
  return {
    stream: 'Generic',
    sourceType: 'text',
    status: 'PER',
    parseError: `longer than ${MAX_RECORD_CHARS} characters (${line.length}): only the beginning is kept`,
    columns: {},
    ext: {},
  };
}

function addLine(line: string, isDamaged: boolean, nowMs: number, rows: RowCollector): void {
  // A log file of CloudTrail is one object around many records; each record is an event.
  if (line.startsWith('{"Records":[')) {
    try {
      const records = cloudTrailRecords(parseJsonRecord(line));
      if (records !== undefined) {
        for (const record of records) {
          const raw = JSON.stringify(record);
          rows.add({ event: decodeLine(raw, nowMs), raw, isDamaged });
        }
        return;
      }
    } catch {
      // Not JSON: stored as the line it is.
    }
  }
  rows.add({ event: decodeLine(line, nowMs), raw: line, isDamaged });
}

function decodeLines(body: Body, job: DecodeJob, rows: RowCollector): BatchReport {
  for (const line of splitLines(body.text)) addLine(line, body.isDamaged(line), job.receivedMs, rows);
  return { counts: rows.counts };
}

function decodeRawHec(body: Body, job: DecodeJob, rows: RowCollector): BatchReport {
  const { host, sourcetype } = job.hints;
  for (const line of splitLines(body.text)) {
    const event = decodeLine(line, job.receivedMs);
    if (host !== undefined) event.columns.DvcHostname ??= host;
    if (sourcetype !== undefined) event.ext.sourcetype ??= sourcetype;
    rows.add({ event, raw: line, isDamaged: body.isDamaged(line) });
  }
  return { counts: rows.counts };
}

type Envelope = Record<string, unknown>;

/** What HEC's envelope says beside the event; the event's own words win. */
function applyEnvelope(event: DecodedEvent, envelope: Envelope, nowMs: number): void {
  const { time, host, index, sourcetype, fields } = envelope;
  if (typeof host === 'string' && host !== '') event.columns.DvcHostname ??= host;
  if (typeof sourcetype === 'string') event.ext.sourcetype ??= sourcetype;
  if (typeof index === 'string') event.ext.index ??= index;
  if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) {
    for (const [name, value] of Object.entries(fields)) event.ext[name] ??= value;
  }
  if (event.time === undefined) {
    const at = parseEventTime(typeof time === 'string' ? Number(time) || time : time, nowMs);
    if (at !== undefined) event.time = at;
  }
}

function envelopeFault(envelope: Envelope): RefusalReason | undefined {
  if (!('event' in envelope) || envelope.event === null) return 'event-missing';
  return envelope.event === '' ? 'event-blank' : undefined;
}

function brokenEvent(message: string): DecodedEvent {
  return { stream: 'Generic', sourceType: 'hec', status: 'PER', parseError: message, columns: {}, ext: {} };
}

const FAULT_WORDS: Readonly<Record<string, string>> = {
  'malformed-body': 'not a JSON object of the HTTP event collector',
  'event-missing': 'the envelope has no event',
  'event-blank': 'the event of the envelope is blank',
};

/** Reads HEC envelopes; a broken part is kept as text and reading goes on at the next line that can be read. */
class HecReader {
  readonly #body: Body;
  readonly #nowMs: number;
  readonly #rows: RowCollector;
  #envelopes = 0;
  firstRefusal: BatchReport['firstRefusal'];

  constructor(body: Body, nowMs: number, rows: RowCollector) {
    this.#body = body;
    this.#nowMs = nowMs;
    this.#rows = rows;
  }

  read(text: string): void {
    const brokenAt = this.#scan(text);
    if (brokenAt === undefined) return;
    // From the first broken place on, each line stands for itself: one bad line costs no other.
    for (const line of splitLines(text.slice(brokenAt))) {
      const broken = this.#scan(line);
      if (broken !== undefined) this.#refuse(line.slice(broken).trim(), 'malformed-body');
    }
  }

  /** Reads envelopes; answers where it had to stop. */
  #scan(text: string): number | undefined {
    const scan = scanJsonObjects(text);
    for (const slice of scan.slices) this.#envelope(text, slice);
    return scan.brokenAt;
  }

  #envelope(
    text: string,
    slice: { start: number; end: number; event?: { start: number; end: number } },
  ): void {
    const written = text.slice(slice.start, slice.end);
    let envelope: Envelope;
    try {
      envelope = parseJsonRecord(written) as Envelope;
    } catch {
      this.#refuse(written, 'malformed-body');
      return;
    }
    const fault = envelopeFault(envelope);
    if (fault !== undefined) {
      this.#refuse(written, fault);
      return;
    }
    this.#envelopes += 1;
    const content = envelope.event;
    const raw =
      typeof content === 'string' ? content : text.slice(slice.event?.start ?? 0, slice.event?.end ?? 0);
    const event =
      typeof content === 'object' && !Array.isArray(content) && raw.length <= MAX_RECORD_CHARS
        ? decodeRecord(content as Record<string, unknown>, this.#nowMs)
        : decodeLine(raw, this.#nowMs);
    applyEnvelope(event, envelope, this.#nowMs);
    const source = envelope.source;
    this.#rows.add({
      event,
      raw,
      isDamaged: this.#body.isDamaged(raw),
      sourceName: typeof source === 'string' && source !== '' ? source : undefined,
    });
  }

  #refuse(text: string, reason: RefusalReason): void {
    if (text === '') return;
    this.firstRefusal ??= { index: this.#envelopes, reason };
    this.#envelopes += 1;
    this.#rows.count(reason);
    const event = brokenEvent(FAULT_WORDS[reason] ?? reason);
    this.#rows.add({ event, raw: text, isDamaged: this.#body.isDamaged(text) });
  }
}

function decodeHec(body: Body, job: DecodeJob, rows: RowCollector): BatchReport {
  const reader = new HecReader(body, job.receivedMs, rows);
  reader.read(body.text);
  const { firstRefusal } = reader;
  return firstRefusal === undefined ? { counts: rows.counts } : { counts: rows.counts, firstRefusal };
}

function decodeBulk(body: Body, job: DecodeJob, rows: RowCollector): BatchReport {
  const items: BulkAnswer[] = [];
  for (const item of readBulkItems(body.text, job.hints.index ?? '')) {
    if (item.kind === 'refused') {
      rows.count('received');
      rows.count(item.reason.startsWith('events cannot') ? 'unsupported-action' : 'malformed-action');
      items.push({ action: item.action, index: item.index, id: null, refusal: item.reason });
      continue;
    }
    const event = decodeLine(item.text, job.receivedMs);
    if (item.index !== '') event.ext.index ??= item.index;
    rows.add({ event, raw: item.text, isDamaged: body.isDamaged(item.text) });
    items.push({ action: item.action, index: item.index, id: item.id ?? null, refusal: null });
  }
  return { counts: rows.counts, items };
}

/** Syslog messages: cut by the listener, so that a newline inside of one is part of it. */
function decodeMessages(bytes: Uint8Array, job: DecodeJob, rows: RowCollector): BatchReport {
  let at = 0;
  for (const length of job.lengths ?? []) {
    const body = textOf(bytes.subarray(at, at + length));
    at += length;
    rows.add({
      event: decodeLine(body.text, job.receivedMs),
      raw: body.text,
      isDamaged: body.isDamaged(body.text),
    });
  }
  return { counts: rows.counts };
}

/** Decodes a body, handing rows on in chunks. Throws BodyFaultError before the first chunk when it cannot be read. */
export function decodeBatch(job: DecodeJob, emit: (chunk: RowChunk) => void): BatchReport {
  const bytes = job.isGzip ? unpack(job.body) : job.body;
  const rows = new RowCollector(
    {
      scope: job.scopeId,
      sourceName: job.sourceName,
      sourceAddress: job.sourceAddress,
      receivedMs: job.receivedMs,
      batchId: job.batchId,
    },
    emit,
    job.stored,
  );
  const decode = { lines: decodeLines, 'hec-events': decodeHec, 'hec-raw': decodeRawHec, bulk: decodeBulk };
  const report =
    job.format === 'messages'
      ? decodeMessages(bytes, job, rows)
      : decode[job.format](textOf(bytes), job, rows);
  rows.flush();
  return report;
}
