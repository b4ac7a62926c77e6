import { EVENT_COLUMNS, tableMark, WELL_KNOWN_TABLES, type WellKnownTable } from '@tyrian/catalog';
import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { setColumn } from '../normalise/field-columns.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';
import { jsonFault } from '../record-limits.ts';

// Records that say to which table of Sentinel or Defender they belong: rows of Log Analytics (`Type`), the streaming
// of Defender and diagnostic settings (`category`, fields below `properties`), and the audit log of Office 365. They
// are stored so that the view of that table reads every documented column back.

const tables = new Map(WELL_KNOWN_TABLES.map((table) => [table.name, table]));
/** These have decoders of their own; their tables are views over what those write. */
const DECODED_ELSEWHERE = new Set(['SigninLogs', 'SecurityEvent', 'Event', 'Syslog', 'WindowsEvent']);
const CUSTOM_LOG = /^[A-Za-z]\w*_CL$/;
const STREAMED = /^AdvancedHunting-(\w+)$/;

const CATEGORY_TABLES = lookupTable<string>({
  NonInteractiveUserSignInLogs: 'AADNonInteractiveUserSignInLogs',
  ServicePrincipalSignInLogs: 'AADServicePrincipalSignInLogs',
  ManagedIdentitySignInLogs: 'AADManagedIdentitySignInLogs',
  ADFSSignInLogs: 'ADFSSignInLogs',
  AuditLogs: 'AuditLogs',
  UserRiskEvents: 'AADUserRiskEvents',
  RiskyUsers: 'AADRiskyUsers',
  MicrosoftGraphActivityLogs: 'MicrosoftGraphActivityLogs',
});

const TIMES = ['TimeGenerated', 'Timestamp', 'time', 'CreationTime', 'activityDateTime'] as const;
const TYPES = ['ActionType', 'OperationName', 'operationName', 'Operation', 'RiskEventType'] as const;

interface Target {
  /** Documented names by their lower-case form. */
  readonly names: ReadonlyMap<string, string>;
  /** Columns of the event by documented name. */
  readonly columns: ReadonlyMap<string, string>;
}

const eventColumns = new Set(EVENT_COLUMNS.map(({ name }) => name));
const targets = new Map<string, Target>();

function targetOf(table: WellKnownTable): Target {
  const known = targets.get(table.name);
  if (known) return known;
  const target = {
    names: new Map(table.columns.map(({ name }) => [name.toLowerCase(), name])),
    columns: new Map(
      table.columns
        .filter(({ value }) => eventColumns.has(value) && value !== 'TimeGenerated')
        .map(({ name, value }) => [name, value]),
    ),
  };
  targets.set(table.name, target);
  return target;
}

function tableOf(record: Fields): string | undefined {
  const { Type: type, category, Category: cased } = record;
  if (typeof type === 'string' && (tables.has(type) || CUSTOM_LOG.test(type))) return type;
  for (const one of [category, cased]) {
    if (typeof one !== 'string') continue;
    const streamed = STREAMED.exec(one)?.[1];
    if (streamed !== undefined && tables.has(streamed)) return streamed;
    const named = CATEGORY_TABLES[one];
    if (named !== undefined) return named;
  }
  const { Operation, Workload, RecordType, UserId } = record;
  const isOffice = typeof Operation === 'string' && typeof Workload === 'string' && UserId !== undefined;
  if (isOffice && RecordType !== undefined) return 'OfficeActivity';
  return directoryAudit(record) ?? deviceTable(record);
}

/** An entry of the directory's audit log as Microsoft Graph gives it, without the name of a table. */
function directoryAudit(record: Fields): string | undefined {
  const name = record.activityDisplayName ?? record.ActivityDisplayName;
  const by = record.initiatedBy ?? record.InitiatedBy;
  const targets = record.targetResources ?? record.TargetResources;
  return typeof name === 'string' && (by !== undefined || targets !== undefined) ? 'AuditLogs' : undefined;
}

const DEVICE_ACTIONS = lookupTable<string>({
  ProcessCreated: 'DeviceProcessEvents',
  ConnectionSuccess: 'DeviceNetworkEvents',
  ConnectionFailed: 'DeviceNetworkEvents',
  ConnectionAttempt: 'DeviceNetworkEvents',
  ConnectionRequest: 'DeviceNetworkEvents',
  InboundConnectionAccepted: 'DeviceNetworkEvents',
  ListeningConnectionCreated: 'DeviceNetworkEvents',
  FileCreated: 'DeviceFileEvents',
  FileModified: 'DeviceFileEvents',
  FileDeleted: 'DeviceFileEvents',
  FileRenamed: 'DeviceFileEvents',
  ImageLoaded: 'DeviceImageLoadEvents',
  RegistryKeyCreated: 'DeviceRegistryEvents',
  RegistryKeyDeleted: 'DeviceRegistryEvents',
  RegistryValueSet: 'DeviceRegistryEvents',
  RegistryValueDeleted: 'DeviceRegistryEvents',
  LogonSuccess: 'DeviceLogonEvents',
  LogonFailed: 'DeviceLogonEvents',
  LogonAttempted: 'DeviceLogonEvents',
});

/** A row of Defender's hunting tables without its name, as an export of a query has it. */
function deviceTable(record: Fields): string | undefined {
  const { DeviceName, ActionType } = record;
  const isRow = typeof DeviceName === 'string' && typeof ActionType === 'string';
  if (!isRow || (record.DeviceId === undefined && record.InitiatingProcessFileName === undefined))
    return undefined;
  return DEVICE_ACTIONS[ActionType] ?? 'DeviceEvents';
}

const RESULTS = lookupTable<string>({
  success: 'Success',
  succeeded: 'Success',
  true: 'Success',
  failure: 'Failure',
  failed: 'Failure',
  false: 'Failure',
  partiallysucceeded: 'Partial',
});

/** Objects may come as text of JSON. */
function objectOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^[[{]/.test(value) || jsonFault(value) !== undefined) return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return value;
  }
}

/** Who, what and how of the audit logs of Entra ID and Office 365, which say it deeper than the columns of their tables. */
function finishAudit(event: DecodedEvent, fields: Fields): void {
  if (event.sourceType === tableMark('AuditLogs')) {
    const by = objectOf(fields.InitiatedBy ?? fields.initiatedBy);
    const user = isJsonObject(by) && isJsonObject(by.user) ? by.user : undefined;
    const app = isJsonObject(by) && isJsonObject(by.app) ? by.app : undefined;
    setColumn(event, 'ActorUsername', user?.userPrincipalName ?? app?.displayName);
    setColumn(event, 'ActorUserId', user?.id ?? app?.servicePrincipalId);
    setColumn(event, 'SrcIpAddr', user?.ipAddress);
    const targets = objectOf(fields.TargetResources ?? fields.targetResources);
    const target = Array.isArray(targets) ? (targets[0] as unknown) : targets;
    if (isJsonObject(target)) {
      setColumn(event, 'Object', target.displayName ?? target.userPrincipalName ?? target.id);
      setColumn(event, 'TargetUsername', target.userPrincipalName);
    }
    setColumn(event, 'Operation', fields.activityDisplayName ?? fields.OperationName ?? fields.operationName);
  } else if (event.sourceType !== tableMark('OfficeActivity')) return;
  const result = fields.Result ?? fields.result ?? fields.ResultStatus;
  setColumn(event, 'EventResult', RESULTS[String(result ?? '').toLowerCase()]);
  for (const name of ['ClientIP', 'Client_IPAddress', 'ClientIPAddress', 'ActorIpAddress'])
    setColumn(event, 'SrcIpAddr', bareAddress(fields[name]));
}

/** Office 365 writes `192.0.2.1:4711` and `[2001:db8::1]:4711`. */
function bareAddress(value: unknown): unknown {
  if (typeof value !== 'string' || value.length > 80) return undefined;
  return /^\[([^\]]+)\](?::\d+)?$/.exec(value)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(value)?.[1] ?? value;
}

/** Decodes a record that names its table; undefined for any other. */
export function decodeWellKnownRecord(record: Fields, nowMs: number): DecodedEvent | undefined {
  const name = tableOf(record);
  if (name === undefined || DECODED_ELSEWHERE.has(name)) return undefined;
  const table = tables.get(name);
  const properties = isJsonObject(record.properties) ? record.properties : undefined;
  const fields: Fields = properties ? Object.assign({}, record, { properties: null }, properties) : record;
  const event = newEvent(tableMark(name), table?.stream ?? 'Generic');
  for (const field in fields) {
    const value = fields[field];
    if (value === null || value === undefined) continue;
    const target = table ? targetOf(table) : undefined;
    const own = target?.names.get(field.toLowerCase()) ?? field;
    const column = target?.columns.get(own);
    if (column === undefined || !setColumn(event, column, value)) event.ext[own] ??= value;
  }
  finish(event, fields, nowMs);
  return event;
}

function finish(event: DecodedEvent, fields: Fields, nowMs: number): void {
  finishAudit(event, fields);
  for (const name of TYPES) setColumn(event, 'EventType', fields[name]);
  if (!event.sourceType.endsWith('_CL')) {
    setColumn(event, 'EventVendor', 'Microsoft');
    setColumn(event, 'EventProduct', event.sourceType.slice(tableMark('').length));
  }
  for (const name of TIMES) {
    const at = parseEventTime(fields[name], nowMs);
    if (at === undefined) continue;
    event.time = at;
    return;
  }
}
