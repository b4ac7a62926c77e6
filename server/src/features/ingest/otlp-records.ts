import { MAX_RECORD_CHARS, RECORD_FAULT_WORDS } from '@tyrian/ingest';
import type { CarriedRecord } from './carried-record.ts';
import { BodyFaultError } from './decode-line.ts';
import { readOtlpMessage } from './otlp-messages.ts';
import { asList, isFields, wholeNumber } from './plain-values.ts';
import { writeDeepJson } from './write-deep-json.ts';

// OTLP log records, from protobuf and from JSON. The body is the text of the event; attributes of resource, scope and
// record stand around it under their own names, with severity, event name and trace ids.

type Fields = Record<string, unknown>;

/** Nesting of a value of OTLP that is read; beyond it a record is kept as text. */
const DEEPEST_VALUE = 60;

class TooDeepError extends Error {}

function bytesAsText(value: unknown): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : String(value);
}

/** An AnyValue, decoded from protobuf or as JSON, as a plain value. */
function plainValue(any: unknown, depth = 0): unknown {
  if (depth > DEEPEST_VALUE) throw new TooDeepError();
  if (!isFields(any)) return any ?? null;
  const has = (name: string) => Object.hasOwn(any, name) && any[name] !== null && any[name] !== undefined;
  if (has('stringValue')) return any.stringValue;
  if (has('boolValue')) return any.boolValue;
  if (has('intValue')) return wholeNumber(any.intValue);
  if (has('doubleValue')) return Number.isFinite(any.doubleValue) ? any.doubleValue : String(any.doubleValue);
  if (has('arrayValue')) {
    return asList((any.arrayValue as Fields).values).map((value) => plainValue(value, depth + 1));
  }
  if (has('kvlistValue')) return plainFields((any.kvlistValue as Fields).values, depth + 1);
  return has('bytesValue') ? bytesAsText(any.bytesValue) : null;
}

/** A list of KeyValue as an object. */
function plainFields(list: unknown, depth = 0): Fields {
  const fields: Fields = Object.create(null) as Fields;
  for (const item of asList(list)) {
    if (isFields(item)) fields[String(item.key ?? '')] = plainValue(item.value, depth);
  }
  return { ...fields };
}

function hexOf(id: unknown): string | undefined {
  if (id instanceof Uint8Array) return id.length > 0 ? Buffer.from(id).toString('hex') : undefined;
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function millis(nanos: unknown): number | undefined {
  const digits = String(nanos ?? '');
  const ms = /^\d{1,20}$/.test(digits) ? Math.floor(Number(BigInt(digits) / 1_000_000n)) : 0;
  return ms > 0 ? ms : undefined;
}

/** The words of EventSeverity for the numbers 1 (trace) to 24 (fatal) of OpenTelemetry. */
function severityOf(number: unknown): string | undefined {
  const level = Number(number ?? 0);
  if (!(level >= 1 && level <= 24)) return undefined;
  if (level >= 21) return 'Critical';
  if (level >= 17) return 'High';
  return level >= 13 ? 'Medium' : 'Informational';
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''),
  );
}

/** A record in the names of protobuf, whose parts are those of JSON too. */
function recordOf(record: Fields, shared: Fields): CarriedRecord {
  const attributes = plainFields(record.attributes);
  const body = plainValue(record.body);
  const severity = severityOf(record.severityNumber);
  const around = {
    ...shared,
    ...attributes,
    ...withoutEmpty({
      SeverityText: record.severityText,
      SeverityNumber: Number(record.severityNumber ?? 0) || undefined,
      EventName: record.eventName,
      TraceId: hexOf(record.traceId),
      SpanId: hexOf(record.spanId),
    }),
  };
  const timeMs = millis(record.timeUnixNano) ?? millis(record.observedTimeUnixNano);
  const rest = {
    around,
    ...(timeMs === undefined ? {} : { timeMs }),
    ...(severity === undefined ? {} : { columns: { EventSeverity: severity } }),
  };
  if (typeof body === 'string' && body !== '')
    return { text: body, isDamaged: body.includes('\ufffd'), ...rest };
  if (isFields(body)) return { text: JSON.stringify(body), fields: body, ...rest };
  if (body !== null && body !== '') return { text: JSON.stringify(body), ...rest };
  // Without a body the attributes are the event.
  return { text: JSON.stringify(withoutEmpty(attributes)), fields: attributes, ...rest };
}

function unreadRecord(text: string, error: unknown): CarriedRecord {
  const isTooDeep = error instanceof TooDeepError || /recursion|depth|stack/i.test((error as Error).message);
  const fault = isTooDeep
    ? { mark: 'too-deep' as const, reason: RECORD_FAULT_WORDS['too-deep'] }
    : { reason: `not a log record of OTLP: ${(error as Error).message}` };
  return { text: text.slice(0, MAX_RECORD_CHARS), fault };
}

/** What resource and scope say of all their records; nothing when they cannot be read. */
function sharedOf(resource: unknown, scope: unknown): Fields {
  const read = (name: 'Resource' | 'InstrumentationScope', part: unknown): Fields => {
    if (part instanceof Uint8Array) return readOtlpMessage(name, part);
    return isFields(part) ? part : {};
  };
  try {
    const by = read('InstrumentationScope', scope);
    return {
      ...plainFields(read('Resource', resource).attributes),
      ...plainFields(by.attributes),
      ...withoutEmpty({ ScopeName: by.name, ScopeVersion: by.version }),
    };
  } catch {
    return {};
  }
}

function* recordsOf(request: Fields): Generator<CarriedRecord> {
  for (const ofResource of asList(request.resourceLogs)) {
    if (!isFields(ofResource)) continue;
    for (const ofScope of asList(ofResource.scopeLogs)) {
      if (!isFields(ofScope)) continue;
      const shared = sharedOf(ofResource.resource, ofScope.scope);
      for (const written of asList(ofScope.logRecords)) yield oneRecord(written, shared);
    }
  }
}

function oneRecord(written: unknown, shared: Fields): CarriedRecord {
  try {
    if (written instanceof Uint8Array) return recordOf(readOtlpMessage('LogRecord', written), shared);
    if (isFields(written)) return recordOf(written, shared);
    throw new Error('not an object');
  } catch (error) {
    return unreadRecord(textOfUnread(written), error);
  }
}

function textOfUnread(written: unknown): string {
  if (written instanceof Uint8Array) return Buffer.from(written).toString('base64');
  return writeDeepJson(written, MAX_RECORD_CHARS);
}

function malformed(error: unknown, what: string): BodyFaultError {
  return new BodyFaultError({ fault: 'malformed', message: `${what}: ${(error as Error).message}` });
}

/** The records of an export in protobuf. BodyFaultError when the body is none. */
export function readOtlpProtobuf(bytes: Uint8Array): Iterable<CarriedRecord> {
  try {
    return recordsOf(readOtlpMessage('ExportLogsServiceRequest', bytes));
  } catch (error) {
    throw malformed(error, 'not an ExportLogsServiceRequest');
  }
}

/** The records of an export in JSON. BodyFaultError when the body is none. */
export function readOtlpJson(bytes: Uint8Array): Iterable<CarriedRecord> {
  let request: unknown;
  try {
    request = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'));
  } catch (error) {
    throw malformed(error, 'not JSON');
  }
  if (isFields(request) && (request.resourceLogs === undefined || Array.isArray(request.resourceLogs)))
    return recordsOf(request);
  throw new BodyFaultError({ fault: 'malformed', message: 'not an object with resourceLogs' });
}
