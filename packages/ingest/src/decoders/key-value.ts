import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { KEY_VALUE_FIELD_COLUMNS } from '../mapping/key-value-columns.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { severityFromWord } from '../normalise/severity-names.ts';
import { deviceStream } from './device-stream.ts';

// `key=value` pairs as firewalls write them (FortiGate, iptables, Sophos, pf): values bare or quoted.

const MAPPING = new FieldColumns(KEY_VALUE_FIELD_COLUMNS);
const PAIR = /(?:^|[\s,;|])([A-Za-z_][A-Za-z0-9_.-]{0,63})=(?:"((?:[^"\\]|\\.)*)"|([^\s,;|"]*))/g;
/** Fewer pairs than this are prose that happens to hold an equals sign. */
const FEWEST_PAIRS = 3;

/** The pairs of a text by name, the first of each; empty when there are none. */
export function readKeyValues(text: string): Fields {
  const fields: Fields = {};
  PAIR.lastIndex = 0;
  for (let match = PAIR.exec(text); match !== null; match = PAIR.exec(text)) {
    const [, name = '', quoted, bare] = match;
    const value = quoted?.includes('\\') ? quoted.replace(/\\(["\\])/g, '$1') : (quoted ?? bare);
    if (value !== undefined && value !== '') fields[name] ??= value;
  }
  return fields;
}

function timeOf(fields: Fields, nowMs: number): number | undefined {
  const { date, time, tz } = fields;
  // FortiGate's eventtime counts nanoseconds and knows its zone; date and time are local to the device.
  const counted = parseEventTime(fields.eventtime ?? fields.timestamp ?? fields.ts, nowMs);
  if (counted !== undefined) return counted;
  if (typeof date === 'string' && typeof time === 'string') {
    return parseEventTime(`${date}T${time}${typeof tz === 'string' ? tz : ''}`, nowMs);
  }
  return parseEventTime(time ?? fields.datetime ?? fields.start_time, nowMs);
}

function resultOf(action: unknown): string | undefined {
  if (typeof action !== 'string') return undefined;
  if (/^(?:accept|allow|permit|pass|success|start|close)/i.test(action)) return 'Success';
  return /^(?:deny|denied|drop|block|reject|fail)/i.test(action) ? 'Failure' : undefined;
}

/** Fields by which devices whose keys we know can be told: FortiGate, iptables and its kin, Sophos. */
function isKnownDevice(fields: Fields): boolean {
  if (fields.logid !== undefined) return fields.devname !== undefined || fields.devid !== undefined;
  if (fields.SRC !== undefined) return fields.DST !== undefined && fields.PROTO !== undefined;
  return fields.log_id !== undefined && fields.device_name !== undefined;
}

/** Decodes a line of key=value pairs; undefined when it holds fewer than three. */
export function decodeKeyValue(text: string, nowMs: number): DecodedEvent | undefined {
  const first = text.indexOf('=');
  if (first < 0) return undefined;
  const fields = readKeyValues(text);
  if (Object.keys(fields).length < FEWEST_PAIRS) return undefined;
  const event = newEvent('key-value', 'NetworkSession');
  if (!isKnownDevice(fields)) event.status = 'NLF';
  applyFieldColumns(fields, MAPPING, event);
  setColumn(event, 'EventSeverity', severityFromWord(fields.level ?? fields.severity ?? fields.pri));
  setColumn(event, 'EventResult', resultOf(event.columns.DvcAction));
  event.stream = deviceStream(event);
  const at = timeOf(fields, nowMs);
  if (at !== undefined) event.time = at;
  return event;
}
