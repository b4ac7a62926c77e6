import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { leadingTime, parseEventTime } from '../normalise/event-time.ts';
import { setColumn } from '../normalise/field-columns.ts';
import { severityFromSyslog } from '../normalise/severity-names.ts';

// The header of a syslog message, by RFC 5424 or RFC 3164 and what is usual beside them (no PRI in files,
// ISO times of rsyslog). The message behind it is decoded by whoever calls, through `decodeMessage`.

const FACILITIES = [
  'kern',
  'user',
  'mail',
  'daemon',
  'auth',
  'syslog',
  'lpr',
  'news',
  'uucp',
  'cron',
  'authpriv',
  'ftp',
  'ntp',
  'audit',
  'alert',
  'clock',
  'local0',
  'local1',
  'local2',
  'local3',
  'local4',
  'local5',
  'local6',
  'local7',
] as const;

const PRI = /^<(\d{1,3})>/;
const RFC5424 = /^1 (\S+) (\S+) (\S+) (\S+) (\S+) /;
const BSD_TIME = /^((?:[A-Z][a-z]{2})\s+\d{1,2}(?: \d{4})? \d\d:\d\d:\d\d(?:\.\d+)?)\s+/;
const ISO_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?)\s+/;
const HOST = /^([\w.:-]{1,255})\s+/;
const TAG = /^([\w./()-]{1,64})(?:\[(\d+)\])?:\s?/;

/** What stands in front of a syslog message. */
export interface SyslogHeader {
  readonly priority?: number;
  readonly timeText?: string;
  readonly host?: string;
  readonly app?: string;
  readonly processId?: string;
  readonly messageId?: string;
  readonly structuredData?: Record<string, Record<string, string>>;
  readonly message: string;
}

const ELEMENT = /\[([^\s=\]"]{1,255})((?:\s+[^\s=\]"]{1,255}="(?:[^"\\\]]|\\.)*")*)\s*\]/y;
const PARAM = /\s+([^\s=\]"]{1,255})="((?:[^"\\\]]|\\.)*)"/g;

function readStructuredData(text: string): { data: Record<string, Record<string, string>>; rest: string } {
  const data: Record<string, Record<string, string>> = {};
  if (text.startsWith('-')) return { data, rest: text.slice(1).trimStart() };
  let at = 0;
  for (;;) {
    ELEMENT.lastIndex = at;
    const found = ELEMENT.exec(text);
    if (found === null) break;
    const params: Record<string, string> = {};
    for (const [, name = '', value = ''] of (found[2] ?? '').matchAll(PARAM))
      params[name] = value.replace(/\\(["\]\\])/g, '$1');
    data[found[1] ?? ''] = params;
    at += found[0].length;
  }
  return { data, rest: text.slice(at).trimStart() };
}

function said(value: string | undefined): string | undefined {
  return value === undefined || value === '-' ? undefined : value;
}

function read5424(text: string, priority: number): SyslogHeader | undefined {
  const header = RFC5424.exec(text);
  if (header === null) return undefined;
  const [whole, time, host, app, processId, messageId] = header;
  const { data, rest } = readStructuredData(text.slice(whole.length));
  return {
    priority,
    timeText: said(time),
    host: said(host),
    app: said(app),
    processId: said(processId),
    messageId: said(messageId),
    structuredData: data,
    message: rest.replace(/^\ufeff/, ''),
  };
}

function read3164(text: string, priority: number | undefined): SyslogHeader | undefined {
  const time = BSD_TIME.exec(text) ?? ISO_TIME.exec(text);
  if (time === null) return priority === undefined ? undefined : readTag(text, { priority });
  let rest = text.slice(time[0].length);
  const host = HOST.exec(rest);
  // Some devices leave out the host and go on with the tag.
  const named = host !== null && !(host[1] ?? '').endsWith(':') ? host[1] : undefined;
  if (named !== undefined) rest = rest.slice(host?.[0].length);
  return readTag(rest, { priority, timeText: time[1], host: named });
}

function readTag(rest: string, known: Omit<SyslogHeader, 'message'>): SyslogHeader {
  const tag = TAG.exec(rest);
  if (tag === null || /^(?:CEF|LEEF)$/.test(tag[1] ?? '')) return { ...known, message: rest };
  const { priority, timeText, host } = known;
  const [whole, app, processId] = tag;
  return { priority, timeText, host, app, processId, message: rest.slice(whole.length) };
}

/** Reads a syslog header; undefined when the text has neither a priority nor a time in front. */
export function readSyslogHeader(text: string): SyslogHeader | undefined {
  const pri = PRI.exec(text);
  const priority = pri === null ? undefined : Number(pri[1]);
  if (priority !== undefined && priority > 191) return undefined;
  const rest = pri === null ? text : text.slice(pri[0].length);
  const modern = priority === undefined ? undefined : read5424(rest, priority);
  return modern ?? read3164(rest, priority);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' ? String(value) : undefined;

/**
 * The header of a message of the journal of systemd, whose fields a collector sends beside it; undefined for any other
 * record. https://www.freedesktop.org/software/systemd/man/latest/systemd.journal-fields.html
 */
export function readJournalHeader(record: Fields, message: string): SyslogHeader | undefined {
  const app = textOf(record.SYSLOG_IDENTIFIER) ?? textOf(record._COMM);
  if (record.MESSAGE !== message || app === undefined) return undefined;
  const priority = Number(record.SYSLOG_FACILITY ?? 3) * 8 + Number(record.PRIORITY ?? 6);
  return {
    app,
    message,
    ...(Number.isInteger(priority) && priority >= 0 && priority <= 191 ? { priority } : {}),
    host: textOf(record._HOSTNAME),
    processId: textOf(record._PID) ?? textOf(record.SYSLOG_PID),
  };
}

/** Adds what the header says to an event of the message; the message's own columns and time win. */
export function applySyslogHeader(event: DecodedEvent, header: SyslogHeader, nowMs: number): void {
  const { ext, columns } = event;
  setColumn(event, 'DvcHostname', header.host);
  if (header.priority !== undefined) {
    setColumn(event, 'Facility', FACILITIES[header.priority >> 3]);
    setColumn(event, 'EventSeverity', severityFromSyslog(header.priority & 7));
  }
  if (header.app !== undefined) {
    ext.AppName = header.app;
    if (event.stream === 'Syslog') setColumn(event, 'ProcessName', header.app);
  }
  if (header.processId !== undefined && columns.ProcessId === undefined) {
    if (!setColumn(event, 'ProcessId', header.processId)) ext.ProcId = header.processId;
  }
  if (header.messageId !== undefined) ext.MsgId = header.messageId;
  if (header.structuredData !== undefined && Object.keys(header.structuredData).length > 0) {
    ext.StructuredData = header.structuredData;
  }
  if (event.time === undefined) {
    const at = parseEventTime(header.timeText, nowMs) ?? leadingTime(header.message, nowMs);
    if (at !== undefined) event.time = at;
  }
}

/** The event of a syslog message that no decoder knows: the header and the words. */
export function plainSyslogEvent(message: string): DecodedEvent {
  const event = newEvent('syslog', 'Syslog');
  event.status = 'NLF';
  setColumn(event, 'Message', message);
  return event;
}
