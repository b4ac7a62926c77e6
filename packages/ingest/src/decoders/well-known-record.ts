import { EVENT_COLUMNS, tableMark, WELL_KNOWN_TABLES, type WellKnownTable } from '@tyrian/catalog';
import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { setColumn } from '../normalise/field-columns.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';

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
  return isOffice && RecordType !== undefined ? 'OfficeActivity' : undefined;
}

/** Decodes a record that names its table; undefined for any other. */
export function decodeWellKnownRecord(record: Fields, nowMs: number): DecodedEvent | undefined {
  const name = tableOf(record);
  if (name === undefined || DECODED_ELSEWHERE.has(name)) return undefined;
  const table = tables.get(name);
  const properties = isJsonObject(record.properties) ? record.properties : undefined;
  const { properties: _, ...around } = record;
  const fields: Fields = properties ? { ...around, ...properties } : record;
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
