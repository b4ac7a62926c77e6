import { isUtf8 } from 'node:buffer';
import { constants, gunzipSync } from 'node:zlib';
import {
  asciiText,
  cloudTrailRecordTexts,
  type DecodedEvent,
  decodeRecord,
  jsonFault,
  MAX_RECORD_CHARS,
  parseEventTime,
  parseJsonRecord,
  RECORD_FAULT_WORDS,
  readBulkItems,
  scanJsonObjects,
  splitLines,
  splitUtf8Lines,
} from '@tyrian/ingest';
import { enricherOf } from '../enrichment/thread-enrichers.ts';
import { addCarried, type CarriedRecord } from './carried-record.ts';
import { BodyFaultError, decodeLine, MAX_UNPACKED_BYTES, type OpenJob, openJob } from './decode-line.ts';
import { decodeStored } from './decode-stored.ts';
import { readForward } from './forward-records.ts';
import { readGelf } from './gelf-records.ts';
import type {
  BatchFormat,
  BatchReport,
  BulkAnswer,
  DecodeJob,
  RefusalReason,
  RowChunk,
} from './ingest-batch.ts';
import { readLokiJson, readLokiProtobuf } from './loki-records.ts';
import { readOtlpJson, readOtlpProtobuf } from './otlp-records.ts';
import { RowCollector } from './row-collector.ts';
import type { RowMemory } from './row-memory.ts';

// One body to rows. Runs in a decoding thread. Whatever the body holds, every record in it becomes a row; what is
// wrong with a record is marked on its row and counted.

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
  readonly bytes: Uint8Array;
  readonly text: string;
  /** Tells whether a record holds replaced bytes; always false for bodies that are UTF-8 throughout. */
  readonly isDamaged: (record: string) => boolean;
}

const never = () => false;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

const isReplaced = (record: string) => record.includes('\ufffd');

/** A body whose text is made when it is asked for. */
function bodyOf(bytes: Uint8Array): Body {
  return {
    bytes,
    get text() {
      return asciiText(bytes) ?? decoder.decode(bytes);
    },
    isDamaged: isUtf8(bytes) ? never : isReplaced,
  };
}

function addLine(line: string, isDamaged: boolean, job: OpenJob, rows: RowCollector): void {
  // A log file of CloudTrail is one object around many records; each record is an event.
  for (const raw of cloudTrailRecordTexts(line) ?? [line])
    rows.add({ event: decodeLine(raw, job), raw, isDamaged });
}

function decodeLines(body: Body, job: OpenJob, rows: RowCollector): BatchReport {
  for (const line of splitUtf8Lines(body.bytes)) addLine(line, body.isDamaged(line), job, rows);
  return { counts: rows.counts };
}

function decodeRawHec(body: Body, job: OpenJob, rows: RowCollector): BatchReport {
  const { host, sourcetype } = job.hints;
  for (const line of splitUtf8Lines(body.bytes)) {
    const event = decodeLine(line, job);
    if (host !== undefined) event.columns.DvcHostname ??= host;
    if (sourcetype !== undefined) event.ext.sourcetype ??= sourcetype;
    rows.add({ event, raw: line, isDamaged: body.isDamaged(line) });
  }
  return { counts: rows.counts };
}

type Envelope = Record<string, unknown>;

interface EnvelopeSlice {
  readonly start: number;
  readonly end: number;
  readonly event?: { readonly start: number; readonly end: number };
}

/** What a JSON string says; any other value as it is written. */
function textOfValue(written: string): string {
  if (!written.startsWith('"')) return written;
  try {
    return JSON.parse(written) as string;
  } catch {
    return written;
  }
}

/** The envelope without its event; empty when that cannot be read either. */
function readAround(text: string): Envelope {
  if (text === '' || jsonFault(text) !== undefined) return {};
  try {
    return parseJsonRecord(text) as Envelope;
  } catch {
    return {};
  }
}

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
  readonly #job: OpenJob;
  readonly #rows: RowCollector;
  #envelopes = 0;
  firstRefusal: BatchReport['firstRefusal'];

  constructor(body: Body, job: OpenJob, rows: RowCollector) {
    this.#body = body;
    this.#job = job;
    this.#rows = rows;
  }

  read(text: string): void {
    const brokenAt = this.#scan(text);
    if (brokenAt === undefined) return;
    // From the first broken line on, each line stands for itself: one bad line costs no other.
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

  #envelope(text: string, slice: EnvelopeSlice): void {
    const written = text.slice(slice.start, slice.end);
    const isReadable = !this.#job.isTextOnly && jsonFault(written) === undefined;
    if (!isReadable) {
      this.#unreadable(text, slice, written);
      return;
    }
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
        ? decodeRecord(content as Record<string, unknown>, this.#job.receivedMs, {
            ...this.#job.options,
            text: raw,
          })
        : decodeLine(raw, this.#job);
    this.#add(event, envelope, raw);
  }

  #add(event: DecodedEvent, envelope: Envelope, raw: string): void {
    applyEnvelope(event, envelope, this.#job.receivedMs);
    const source = envelope.source;
    this.#rows.add({
      event,
      raw,
      isDamaged: this.#body.isDamaged(raw),
      sourceName: typeof source === 'string' && source !== '' ? source : undefined,
    });
  }

  /** An envelope beyond the limits: the text of its event is kept; host, time and the like are read around it. */
  #unreadable(text: string, slice: EnvelopeSlice, written: string): void {
    this.#envelopes += 1;
    const { event: at } = slice;
    const raw = at === undefined ? written : textOfValue(text.slice(at.start, at.end));
    const around =
      at === undefined ? '' : `${text.slice(slice.start, at.start)}null${text.slice(at.end, slice.end)}`;
    const fault = jsonFault(written);
    const event = decodeLine(raw, this.#job);
    if (fault !== undefined && event.marks === undefined)
      Object.assign(event, { status: 'PER', parseError: RECORD_FAULT_WORDS[fault], marks: [fault] });
    this.#add(event, readAround(around), raw);
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

function decodeHec(body: Body, job: OpenJob, rows: RowCollector): BatchReport {
  const reader = new HecReader(body, job, rows);
  reader.read(body.text);
  const { firstRefusal } = reader;
  return firstRefusal === undefined ? { counts: rows.counts } : { counts: rows.counts, firstRefusal };
}

function decodeBulk(body: Body, job: OpenJob, rows: RowCollector): BatchReport {
  const items: BulkAnswer[] = [];
  for (const item of readBulkItems(body.text, job.hints.index ?? '')) {
    if (item.kind === 'refused') {
      rows.count('received');
      rows.count(item.reason.startsWith('events cannot') ? 'unsupported-action' : 'malformed-action');
      items.push({ action: item.action, index: item.index, id: null, refusal: item.reason });
      continue;
    }
    const event = decodeLine(item.text, job);
    if (item.index !== '') event.ext.index ??= item.index;
    rows.add({ event, raw: item.text, isDamaged: body.isDamaged(item.text) });
    items.push({ action: item.action, index: item.index, id: item.id ?? null, refusal: null });
  }
  return { counts: rows.counts, items };
}

/** One document, however many lines it has. */
function decodeDocument(body: Body, job: OpenJob, rows: RowCollector): BatchReport {
  const text = body.text.trim();
  const event = decodeLine(text, job);
  if (job.hints.index) event.ext.index ??= job.hints.index;
  rows.add({ event, raw: text, isDamaged: body.isDamaged(text) });
  return { counts: rows.counts };
}

/** Syslog messages: cut by the listener, so that a newline inside of one is part of it. */
function decodeMessages(bytes: Uint8Array, job: OpenJob, rows: RowCollector): BatchReport {
  let at = 0;
  for (const length of job.lengths ?? []) {
    const { text, isDamaged } = bodyOf(bytes.subarray(at, at + length));
    at += length;
    rows.add({ event: decodeLine(text, job), raw: text, isDamaged: isDamaged(text) });
  }
  return { counts: rows.counts };
}

const decodeAgain = (body: Body, job: OpenJob, rows: RowCollector): BatchReport =>
  decodeStored(body.text, job, rows, (raw, receivedMs) => decodeLine(raw, { ...job, receivedMs }));

/** Formats whose records carry more than their text. */
const CARRYING: Partial<Record<BatchFormat, (bytes: Uint8Array, job: OpenJob) => Iterable<CarriedRecord>>> = {
  'otlp-proto': readOtlpProtobuf,
  'otlp-json': readOtlpJson,
  'loki-proto': readLokiProtobuf,
  'loki-json': readLokiJson,
  gelf: readGelf,
  forward: readForward,
};

const TEXTS: Partial<Record<BatchFormat, (body: Body, job: OpenJob, rows: RowCollector) => BatchReport>> = {
  stored: decodeAgain,
  lines: decodeLines,
  'hec-events': decodeHec,
  'hec-raw': decodeRawHec,
  bulk: decodeBulk,
  document: decodeDocument,
};

function decodeFormat(bytes: Uint8Array, job: OpenJob, rows: RowCollector): BatchReport {
  const ofText = TEXTS[job.format];
  if (ofText !== undefined) return ofText(bodyOf(bytes), job, rows);
  const carrying = CARRYING[job.format];
  if (carrying === undefined) return decodeMessages(bytes, job, rows);
  for (const record of carrying(bytes, job)) addCarried(record, job, rows);
  return { counts: rows.counts };
}

/**
 * Decodes a body, handing rows on in chunks, which lie in `memory`. Throws BodyFaultError before the first chunk when it cannot
 * be read.
 */
export function decodeBatch(
  sent: DecodeJob,
  emit: (chunk: RowChunk) => void,
  memory?: RowMemory,
): BatchReport {
  const job = openJob(sent);
  const bytes = job.isGzip ? unpack(job.body) : job.body;
  const enricher = job.enrichment === undefined ? null : enricherOf(job.enrichment);
  const rows = new RowCollector(
    {
      scope: job.scopeId,
      sourceName: job.sourceName,
      sourceAddress: job.sourceAddress,
      receivedMs: job.receivedMs,
      batchId: job.batchId,
      ...(job.retentionDays === undefined ? {} : { retentionDays: job.retentionDays }),
    },
    emit,
    {
      ...{ stored: job.stored, dropped: job.dropped, enricher },
      memory: memory && ((bytes) => memory.take(job.scopeId, bytes)),
    },
  );
  const report = decodeFormat(bytes, job, rows);
  rows.flush();
  const hits = enricher?.takeHits() ?? {};
  return { ...report, rawBytes: rows.rawBytes, ...(Object.keys(hits).length === 0 ? {} : { hits }) };
}
