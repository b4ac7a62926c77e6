import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { CEF_FIELD_COLUMNS } from '../mapping/cef-columns.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { severityFromCef } from '../normalise/severity-names.ts';
import { deviceStream } from './device-stream.ts';

// ArcSight Common Event Format: seven header fields between pipes, then key=value pairs whose values may
// hold spaces. LEEF, IBM's relative, differs in the header and in what separates the pairs.

const MAPPING = new FieldColumns(CEF_FIELD_COLUMNS);
const TIMES = ['rt', 'devTime', 'start', 'end', 'deviceReceiptTime'] as const;

/** Splits at the first `count` unescaped pipes; undefined when there are fewer. */
function splitHeader(text: string, count: number): string[] | undefined {
  const parts: string[] = [];
  let part = '';
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '\\' && (text[i + 1] === '|' || text[i + 1] === '\\')) {
      part += text[i + 1];
      i += 1;
    } else if (char === '|') {
      parts.push(part);
      part = '';
      if (parts.length === count) return [...parts, text.slice(i + 1)];
    } else part += char;
  }
  return undefined;
}

const CEF_KEY = /(?:^|\s)([A-Za-z0-9_.[\]-]+)=/g;

function unescapeValue(value: string): string {
  if (!value.includes('\\')) return value;
  return value.replace(/\\([=\\nr|])/g, (_, char: string) =>
    char === 'n' ? '\n' : char === 'r' ? '\r' : char,
  );
}

/** Pairs whose values run to the next ` key=`; `\=` inside of a value does not start one. */
function readExtension(text: string): Fields {
  const fields: Fields = {};
  let name: string | undefined;
  let from = 0;
  for (const match of text.matchAll(CEF_KEY)) {
    if (name !== undefined) fields[name] = unescapeValue(text.slice(from, match.index).trim());
    name = match[1];
    from = match.index + match[0].length;
  }
  if (name !== undefined) fields[name] = unescapeValue(text.slice(from).trim());
  return fields;
}

/** `cs1=x cs1Label=Rule` is the field Rule. */
function applyLabels(fields: Fields): void {
  for (const key of Object.keys(fields)) {
    if (!key.endsWith('Label')) continue;
    const base = key.slice(0, -5);
    const label = fields[key];
    if (
      fields[base] === undefined ||
      typeof label !== 'string' ||
      label === '' ||
      fields[label] !== undefined
    )
      continue;
    fields[label] = fields[base];
    delete fields[base];
    delete fields[key];
  }
}

function finish(event: DecodedEvent, fields: Fields, nowMs: number): DecodedEvent {
  applyLabels(fields);
  applyFieldColumns(fields, MAPPING, event);
  event.stream = deviceStream(event);
  for (const name of TIMES) {
    const at = parseEventTime(fields[name], nowMs);
    if (at === undefined) continue;
    event.time = at;
    break;
  }
  return event;
}

interface CefRecord {
  readonly header: readonly string[];
  readonly fields: Fields;
}

function readCef(text: string): CefRecord | undefined {
  const header = splitHeader(text, 7);
  return header === undefined ? undefined : { header, fields: readExtension(header[7] ?? '') };
}

/** The fields of a CEF or LEEF record, those of its header under the names of the columns; undefined when it is none. */
export function readCefFields(text: string, separator?: string): Fields | undefined {
  const start = text.search(/(?:CEF:\d|LEEF:[12])/);
  if (start < 0 || start > 200) return undefined;
  const record = text.slice(start);
  const isCef = record.startsWith('CEF');
  const read = isCef ? readCef(record) : readLeef(record, separator);
  if (read === undefined) return undefined;
  const [, vendor, product, version, id, name, severity] = read.header;
  const about = isCef ? { EventType: name, EventSeverity: severityFromCef(severity ?? '') } : {};
  const header = {
    EventVendor: vendor,
    EventProduct: product,
    DeviceVersion: version,
    DeviceEventClassID: id,
  };
  applyLabels(read.fields);
  return { ...header, ...about, ...read.fields };
}

function decodeCefText(text: string, nowMs: number): DecodedEvent | undefined {
  const read = readCef(text);
  if (read === undefined) return undefined;
  const [, vendor, product, version, signature, name, severity = ''] = read.header;
  const event = newEvent('cef', 'NetworkSession');
  setColumn(event, 'EventVendor', vendor);
  setColumn(event, 'EventProduct', product);
  setColumn(event, 'EventType', name);
  setColumn(event, 'EventSeverity', severityFromCef(severity));
  Object.assign(event.ext, { DeviceVersion: version, DeviceEventClassID: signature, LogSeverity: severity });
  return finish(event, read.fields, nowMs);
}

function leefPairs(text: string, separator: string): Fields {
  const fields: Fields = {};
  for (const pair of text.split(separator)) {
    const at = pair.indexOf('=');
    if (at > 0) fields[pair.slice(0, at).trim()] = pair.slice(at + 1);
  }
  return fields;
}

/** LEEF 2.0 may name its separator, as a character or in hexadecimal; LEEF 1.0 uses the tab. */
function leefSeparator(written: string): string {
  const hex = /^(?:0x|\\x|x)([0-9a-f]{2,4})$/i.exec(written);
  if (hex) return String.fromCharCode(Number.parseInt(hex[1] ?? '09', 16));
  return written === '' ? '\t' : written;
}

function readLeef(text: string, separator?: string): CefRecord | undefined {
  const second = text.startsWith('LEEF:2');
  const header = splitHeader(text, second ? 6 : 5);
  if (header === undefined) return undefined;
  const written = second ? leefSeparator(header[5] ?? '') : '\t';
  return { header, fields: leefPairs(header.at(-1) ?? '', separator ?? written) };
}

function decodeLeefText(text: string, nowMs: number): DecodedEvent | undefined {
  const read = readLeef(text);
  if (read === undefined) return undefined;
  const { fields } = read;
  const [, vendor, product, version, id] = read.header;
  const event = newEvent('leef', 'NetworkSession');
  setColumn(event, 'EventVendor', vendor);
  setColumn(event, 'EventProduct', product);
  setColumn(event, 'EventType', fields.cat ?? id);
  setColumn(event, 'EventSeverity', severityFromCef(String(fields.sev ?? '')));
  Object.assign(event.ext, { DeviceVersion: version, DeviceEventClassID: id });
  return finish(event, fields, nowMs);
}

/** Decodes a CEF or LEEF record, which may stand behind a syslog header; undefined when there is none. */
export function decodeCef(text: string, nowMs: number): DecodedEvent | undefined {
  const start = text.search(/(?:CEF:\d|LEEF:[12])/);
  if (start < 0 || start > 200) return undefined;
  const record = text.slice(start);
  return record.startsWith('CEF') ? decodeCefText(record, nowMs) : decodeLeefText(record, nowMs);
}
