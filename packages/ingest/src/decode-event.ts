import { decodeAuditd } from './decoders/auditd.ts';
import { decodeAzureSignIn } from './decoders/azure-sign-in.ts';
import { decodeCef } from './decoders/cef.ts';
import { decodeCloudTrail } from './decoders/cloudtrail.ts';
import { decodeJsonEvent } from './decoders/json-event.ts';
import { decodeKeyValue } from './decoders/key-value.ts';
import { decodeMessagePattern } from './decoders/message-pattern.ts';
import {
  applySyslogHeader,
  plainSyslogEvent,
  readJournalHeader,
  readSyslogHeader,
} from './decoders/syslog.ts';
import { decodeWellKnownRecord } from './decoders/well-known-record.ts';
import { decodeWindowsEvent } from './decoders/windows-event-shapes.ts';
import { decodeWindowsEventXml } from './decoders/windows-event-xml.ts';
import { type DecodedEvent, type Fields, type IngestMark, newEvent } from './event-row.ts';
import type { ExtractorSet, LogHeads } from './extract/engine/extractor-set.ts';
import { leadingTime } from './normalise/event-time.ts';
import { setColumn } from './normalise/field-columns.ts';
import { isJsonObject, parseJsonRecord } from './normalise/parse-json-record.ts';
import { severityFromWord } from './normalise/severity-names.ts';
import {
  DEEPEST_CARRYING,
  jsonFault,
  pairsFault,
  RECORD_FAULT_WORDS,
  type RecordFault,
  xmlFault,
} from './record-limits.ts';

// From one record, as text or as parsed JSON, to a decoded event. The decoder is found by looking at the record,
// not by what its sender calls it. Every record becomes an event: what no decoder knows is stored and marked. Limits
// (record-limits.ts) are checked on the text, before anything reads into it.

/** The event of a record that is kept as text only: `ParseStatus` PER, the reason, and a mark. */
export function unreadEvent(sourceType: string, mark: IngestMark, reason: string): DecodedEvent {
  const event = newEvent(sourceType, 'Generic');
  event.status = 'PER';
  event.parseError = reason.slice(0, 300);
  event.marks = [mark];
  return event;
}

const beyondLimit = (sourceType: string, fault: RecordFault) =>
  unreadEvent(sourceType, fault, RECORD_FAULT_WORDS[fault]);

/** Runs a decoder; what it throws is a fault of this one record. */
function guarded(sourceType: string, decode: () => DecodedEvent): DecodedEvent {
  try {
    return decode();
  } catch (error) {
    return unreadEvent(sourceType, 'decoder-failed', `the decoder failed: ${(error as Error).message}`);
  }
}

/** What stands beside a record when it is decoded. */
export interface DecodeOptions {
  /** The extractors of the tenant: they come before the decoders that are built in. */
  readonly extractors?: ExtractorSet | undefined;
  /** Heads of files that lines of the same delivery have shown. */
  readonly heads?: LogHeads | undefined;
  /** The record as text, where it was parsed already. */
  readonly text?: string;
}

interface DecodeContext {
  readonly extractors: ExtractorSet | undefined;
  readonly heads: LogHeads | undefined;
  readonly text: string | undefined;
  readonly nowMs: number;
}

// Field by field: the loader in the decoding threads unfolds the spreading of objects into calls that cost microseconds.
const contextOf = (
  { extractors, heads }: Pick<DecodeOptions, 'extractors' | 'heads'>,
  nowMs: number,
  text: string | undefined,
): DecodeContext => ({ extractors, heads, nowMs, text });

/**
 * Decodes a JSON object whose text `jsonFault` has nothing against. `nowMs` is the time of arrival. Never throws.
 */
export function decodeRecord(record: Fields, nowMs: number, options: DecodeOptions = {}): DecodedEvent {
  const context = contextOf(options, nowMs, options.text);
  return completed(
    guarded('json', () => decodeObject(record, context, 0)),
    options.text,
    context,
  );
}

/** Lets an extractor that has taken over a built-in decoder add to its event. */
function completed(event: DecodedEvent, text: string | undefined, context: DecodeContext): DecodedEvent {
  const { extractors, nowMs } = context;
  if (extractors === undefined || event.status === 'PER') return event;
  return guarded(event.sourceType, () => {
    extractors.complete(event, text, nowMs);
    return event;
  });
}

/** `level`: how many records this one was found inside of. */
function decodeObject(record: Fields, context: DecodeContext, level: number): DecodedEvent {
  const { nowMs } = context;
  return (
    context.extractors?.readObject(record, () => context.text ?? JSON.stringify(record), nowMs) ??
    decodeWindowsEvent(record, nowMs) ??
    decodeCloudTrail(record, nowMs) ??
    decodeWellKnownRecord(record, nowMs) ??
    decodeAzureSignIn(record, nowMs) ??
    decodeCarriedMessage(record, context, level) ??
    decodeJsonEvent(record, nowMs)
  );
}

/** Fields in which collectors carry the original line. */
const CARRIERS = ['SyslogMessage', 'message', 'Message', 'MESSAGE', 'log', '_raw'] as const;
const CARRIED = /^(?:<Event[ >]|<\d{1,3}>|CEF:\d|LEEF:[12]|(?:node=\S+ )?type=[A-Z_]+ (?:msg=)?audit\(|\{")/;

/** A record that a collector wrapped around another: the inner one is decoded, the wrapping kept in `Ext`. */
function decodeCarriedMessage(
  record: Fields,
  context: DecodeContext,
  level: number,
): DecodedEvent | undefined {
  const { nowMs } = context;
  const carrier = CARRIERS.find((name) => typeof record[name] === 'string');
  if (carrier === undefined) return undefined;
  const text = record[carrier] as string;
  const isSyslogRow = carrier === 'SyslogMessage';
  const isRecord = isSyslogRow || CARRIED.test(text);
  const inner = isRecord
    ? (decodeStructured(text, context, level + 1) ?? (isSyslogRow ? plainSyslogEvent(text) : undefined))
    : decodeCarriedLine(record, text, context, level + 1);
  if (inner === undefined) return undefined;
  const around = decodeJsonEvent(Object.assign({}, record, { [carrier]: null }), nowMs);
  // A line for people beside fields that say what happened.
  if (!isRecord && around.stream !== 'Generic' && around.stream !== 'Syslog') return undefined;
  for (const column of ['DvcHostname', 'DvcIpAddr', 'Facility'] as const) {
    setColumn(
      inner,
      column,
      around.columns[column] ?? record[column === 'DvcHostname' ? 'HostName' : 'HostIP'],
    );
  }
  setColumn(inner, 'EventSeverity', severityFromWord(record.SeverityLevel));
  inner.ext = Object.assign({}, around.ext, inner.ext);
  inner.time ??= around.time;
  return inner;
}

/** A line that a collector carries as it read it: with a header of syslog, from the journal, or of a known program. */
function decodeCarriedLine(
  record: Fields,
  text: string,
  context: DecodeContext,
  level: number,
): DecodedEvent | undefined {
  const { nowMs } = context;
  const header = readJournalHeader(record, text) ?? readSyslogHeader(text);
  if (header?.app === undefined)
    return extracted(text, undefined, context) ?? decodeMessagePattern(text, nowMs);
  const event = decodeMessage(header.message, header.app, context, level);
  applySyslogHeader(event, header, nowMs);
  return event;
}

/** A record whose form is known: JSON, XML, syslog, CEF, audit log. */
function decodeStructured(text: string, context: DecodeContext, level: number): DecodedEvent | undefined {
  if (level > DEEPEST_CARRYING) return beyondLimit('text', 'too-deep');
  const first = text.charCodeAt(0);
  const { nowMs } = context;
  if (first === 0x7b) return decodeJsonText(text, context, level);
  if (first === 0x3c && text.startsWith('<Event')) {
    const fault = xmlFault(text);
    return fault === undefined ? decodeWindowsEventXml(text, nowMs) : beyondLimit('windows-event', fault);
  }
  // A bare list is no record, but one that is nested beyond the limit is to be found under its mark.
  const fault = first === 0x5b ? jsonFault(text) : pairsFault(text);
  if (fault !== undefined) return beyondLimit('text', fault);
  if (first === 0x3c) return decodeSyslog(text, context, level);
  return decodeAuditd(text) ?? decodeCef(text, nowMs);
}

function decodeJsonText(text: string, context: DecodeContext, level: number): DecodedEvent {
  const fault = jsonFault(text);
  if (fault !== undefined) return beyondLimit('json', fault);
  let value: unknown;
  try {
    value = parseJsonRecord(text);
  } catch (error) {
    const failed = newEvent('json', 'Generic');
    failed.status = 'PER';
    failed.parseError = `not valid JSON: ${(error as Error).message}`.slice(0, 300);
    return failed;
  }
  if (isJsonObject(value))
    return decodeObject(
      value,
      context.text === text ? context : contextOf(context, context.nowMs, text),
      level,
    );
  const event = newEvent('json', 'Generic');
  event.ext = { value };
  return event;
}

/** Streams whose messages are sentences, such as those of sshd and sudo. */
const WORDED = new Set(['Authentication', 'ProcessEvent', 'UserManagement', 'AuditEvent']);

function withPairs(event: DecodedEvent, pairs: DecodedEvent): DecodedEvent {
  for (const [column, value] of Object.entries(pairs.columns)) setColumn(event, column, value);
  event.ext = pairs.ext;
  if (pairs.time !== undefined) event.time = pairs.time;
  return event;
}

/** The event of a message whose header has been read. */
function decodeMessage(
  message: string,
  app: string | undefined,
  context: DecodeContext,
  level: number,
): DecodedEvent {
  const { nowMs } = context;
  const own = extracted(message, app, context);
  if (own !== undefined) return own;
  const structured = decodeStructured(message, context, level + 1);
  if (structured !== undefined && (structured.status !== 'PER' || structured.marks !== undefined))
    return structured;
  const known = decodeMessagePattern(message, nowMs) ?? decodeKeyValue(message, nowMs);
  if (known === undefined) return plainSyslogEvent(message);
  // A sentence that holds some pairs is a sentence all the same: what they say stands beside it.
  if (known.stream === 'Generic' && known.sourceType === 'key-value')
    return withPairs(plainSyslogEvent(message), known);
  // Words for people are worth a column; a record of fields has said everything in them.
  if (WORDED.has(known.stream)) setColumn(known, 'Message', message);
  return known;
}

function decodeSyslog(text: string, context: DecodeContext, level: number): DecodedEvent | undefined {
  const header = readSyslogHeader(text);
  if (header === undefined) return undefined;
  const event = decodeMessage(header.message, header.app, context, level);
  applySyslogHeader(event, header, context.nowMs);
  return event;
}

function withLeadingTime(event: DecodedEvent, text: string, nowMs: number): DecodedEvent {
  const at = event.time ?? leadingTime(text, nowMs);
  if (at !== undefined) event.time = at;
  return event;
}

function unknownText(text: string): DecodedEvent {
  const event = newEvent('text', 'Generic');
  event.status = 'NLF';
  setColumn(event, 'Message', text);
  return event;
}

/** What an extractor of the tenant makes of a text. */
function extracted(
  text: string,
  app: string | undefined,
  context: DecodeContext,
  isHeaded = false,
): DecodedEvent | undefined {
  const { extractors, heads, nowMs } = context;
  if (extractors === undefined) return undefined;
  return extractors.readText({ text, json: undefined, app, isHeaded, nowMs, heads });
}

/** How a header of syslog begins: with a priority or a time of RFC 3164. */
const HEADED = /^(?:<\d{1,3}>|[A-Z][a-z]{2} [ \d]\d \d\d:)/;

function decodeLine(text: string, context: DecodeContext): DecodedEvent {
  const { nowMs } = context;
  const isHeaded = text.charCodeAt(0) === 0x3c && HEADED.test(text);
  const own = extracted(text, undefined, context, isHeaded);
  if (own !== undefined) {
    // A line that has been read whole may have a header of syslog all the same.
    const header = HEADED.test(text) ? readSyslogHeader(text) : undefined;
    if (header !== undefined) applySyslogHeader(own, header, nowMs);
    return withLeadingTime(own, text, nowMs);
  }
  return (
    decodeStructured(text, context, 0) ??
    decodeSyslog(text, context, 0) ??
    decodeMessagePattern(text, nowMs) ??
    withLeadingTime(decodeKeyValue(text, nowMs) ?? unknownText(text), text, nowMs)
  );
}

/** Decodes one line or message of any kind. Never throws. */
export function decodeText(text: string, nowMs: number, options: DecodeOptions = {}): DecodedEvent {
  const context = contextOf(options, nowMs, text);
  return completed(
    guarded('text', () => decodeLine(text, context)),
    text,
    context,
  );
}
