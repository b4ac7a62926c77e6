import type { DecodedEvent, Fields } from '../event-row.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';
import { decodeWindowsFields } from './windows-event.ts';

// The shapes in which Windows events travel as JSON: flat (NXLog, Logstash, OSSEM), nested as the XML is
// (`Event.System`, `Event.EventData`), and Winlogbeat's (`winlog.*`). Each is flattened, then decoded once.

/** Text of a value that XML-to-JSON converters may have wrapped: `"4688"`, `{"#text": 4688}`, `{"value": …}`. */
function unwrapped(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  return value['#text'] ?? value._ ?? value.value ?? value.content;
}

/** An attribute under the prefixes that converters use. */
function attribute(element: unknown, name: string): unknown {
  if (!isJsonObject(element)) return undefined;
  const attributes = element['#attributes'] ?? element.$ ?? element['@attributes'];
  if (isJsonObject(attributes) && attributes[name] !== undefined) return attributes[name];
  return element[name] ?? element[`@${name}`] ?? element[`@_${name}`];
}

/** `[{"Name": "Image", "#text": "…"}]`, `{"Data": […]}` and `{"Image": "…"}` alike, as names and values. */
function eventDataFields(data: unknown): Fields {
  if (!isJsonObject(data) && !Array.isArray(data)) return {};
  const list = Array.isArray(data) ? data : data.Data;
  if (!Array.isArray(list)) return { ...(data as Fields) };
  const fields: Fields = {};
  for (const [index, item] of list.entries()) {
    const name = attribute(item, 'Name');
    const value = unwrapped(item);
    if (value !== undefined) fields[typeof name === 'string' ? name : `param${index + 1}`] = value;
  }
  const rest = Array.isArray(data) ? {} : data;
  for (const [name, value] of Object.entries(rest)) if (name !== 'Data') fields[name] = value;
  return fields;
}

/** User data lies in one element with a name of its own, such as `EventXML` or `LogFileCleared`; its fields count. */
function userDataFields(data: unknown): Fields {
  const fields = eventDataFields(data);
  const inner = Object.entries(fields).filter(([name]) => name !== '#attributes' && name !== '$');
  const [only] = inner;
  return inner.length === 1 && only && isJsonObject(only[1]) ? eventDataFields(only[1]) : fields;
}

const SYSTEM_SCALARS = ['Version', 'Level', 'Task', 'Opcode', 'Keywords', 'Channel', 'Computer'] as const;

/** The header of the nested shape, under the names of the flat one. */
function systemFields(system: Fields): Fields {
  const fields: Fields = {};
  const set = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) fields[name] = value;
  };
  set('EventID', unwrapped(system.EventID));
  set('Provider_Name', attribute(system.Provider, 'Name') ?? system.Provider_Name);
  set('ProviderGuid', attribute(system.Provider, 'Guid'));
  set('TimeCreated', attribute(system.TimeCreated, 'SystemTime') ?? unwrapped(system.TimeCreated));
  set('EventRecordID', unwrapped(system.EventRecordID));
  set('ExecutionProcessID', attribute(system.Execution, 'ProcessID'));
  set('ExecutionThreadID', attribute(system.Execution, 'ThreadID'));
  set('SecurityUserID', attribute(system.Security, 'UserID') ?? attribute(system.Security, 'UserId'));
  for (const name of SYSTEM_SCALARS) set(name, unwrapped(system[name]));
  return fields;
}

function nestedFields(record: Fields): Fields | undefined {
  const root = isJsonObject(record.Event) ? record.Event : record;
  const system = root.System;
  if (!isJsonObject(system) || system.EventID === undefined) return undefined;
  const data = root.EventData ? eventDataFields(root.EventData) : userDataFields(root.UserData);
  const around: Fields = {};
  for (const [name, value] of Object.entries(record)) {
    if (!['Event', 'System', 'EventData', 'UserData', '#attributes', '$'].includes(name))
      around[name] = value;
  }
  return Object.assign(around, data, systemFields(system));
}

/** Header fields of Winlogbeat, under the names of the flat shape. */
const WINLOG_HEADER = lookupTable<string>({
  event_id: 'EventID',
  channel: 'Channel',
  provider_name: 'Provider_Name',
  provider_guid: 'ProviderGuid',
  record_id: 'EventRecordID',
  computer_name: 'Computer',
  keywords: 'Keywords',
  task: 'Task',
  opcode: 'Opcode',
  version: 'Version',
});

function winlogbeatFields(record: Fields): Fields | undefined {
  const winlog = record.winlog;
  if (!isJsonObject(winlog) || winlog.event_id === undefined) return undefined;
  const fields: Fields = {};
  for (const [name, value] of Object.entries(record))
    if (name !== 'winlog' && name !== 'message') fields[name] = value;
  if (record.message !== undefined) fields.Message = record.message;
  for (const [name, value] of Object.entries(winlog)) {
    if (name === 'event_data' || name === 'user_data') Object.assign(fields, eventDataFields(value));
    else if (name === 'process' && isJsonObject(value)) fields.ExecutionProcessID = value.pid;
    else if (name === 'keywords' && Array.isArray(value)) fields.Keywords = value.join(', ');
    else fields[WINLOG_HEADER[name] ?? `winlog.${name}`] = value;
  }
  // Sysmon's and the kernel's clock is in the event data; Winlogbeat's own is the record's.
  if (fields.TimeCreated === undefined && record['@timestamp'] !== undefined) {
    fields.TimeCreated = record['@timestamp'];
    delete fields['@timestamp'];
  }
  return fields;
}

function isFlat(record: Fields): boolean {
  const id = record.EventID ?? record.EventId;
  if (typeof id !== 'number' && !(typeof id === 'string' && /^\d{1,5}$/.test(id))) return false;
  return (
    record.Channel !== undefined ||
    record.ProviderGuid !== undefined ||
    record.Provider_Name !== undefined ||
    record.EventSourceName !== undefined ||
    String(record.SourceName ?? '').startsWith('Microsoft-Windows')
  );
}

/** A row of the table `Event` of Log Analytics: the log and its provider have names of their own there. */
function logAnalyticsFields(record: Fields): Fields | undefined {
  if (record.Type !== 'Event') return undefined;
  const { EventLog, Source, UserName, RenderedDescription, ...rest } = record;
  if (typeof EventLog !== 'string' || typeof Source !== 'string') return undefined;
  return { ...rest, Channel: EventLog, Provider_Name: Source, Message: RenderedDescription, User: UserName };
}

/** Decodes a JSON record that is a Windows event in any of the shapes; undefined when it is none. */
export function decodeWindowsEvent(record: Fields, nowMs: number): DecodedEvent | undefined {
  if (isFlat(record)) return decodeWindowsFields(record, nowMs);
  const fields = nestedFields(record) ?? winlogbeatFields(record) ?? logAnalyticsFields(record);
  return fields === undefined ? undefined : decodeWindowsFields(fields, nowMs);
}
