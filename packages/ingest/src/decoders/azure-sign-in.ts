import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';
import { jsonFault } from '../record-limits.ts';

// Sign-ins of Microsoft Entra ID, in the three shapes they come in: the rows of Log Analytics (SigninLogs),
// the objects of Microsoft Graph, and diagnostic settings with the object below `properties`.

const MAPPING = new FieldColumns({
  UserPrincipalName: 'TargetUsername',
  UserId: 'TargetUserId',
  IPAddress: 'SrcIpAddr',
  CallerIpAddress: 'SrcIpAddr',
  AppDisplayName: 'Object',
  ClientAppUsed: 'LogonProtocol',
  UserAgent: 'HttpUserAgent',
  OperationName: 'Operation',
  TenantId: 'CloudAccountId',
  AADTenantId: 'CloudAccountId',
  ResultDescription: 'EventResultDetails',
});

const TIMES = ['createdDateTime', 'CreatedDateTime', 'TimeGenerated', 'time'] as const;

function isSignIn(record: Fields): boolean {
  const category = String(record.category ?? record.Category ?? record.Type ?? '');
  if (/sign-?inlogs$/i.test(category)) return true;
  const user = record.userPrincipalName ?? record.UserPrincipalName;
  return user !== undefined && (record.appDisplayName ?? record.AppDisplayName) !== undefined;
}

function statusOf(record: Fields): { code: string | undefined; reason: unknown } {
  let status = record.status ?? record.Status;
  if (typeof status === 'string' && status.startsWith('{') && jsonFault(status) === undefined) {
    try {
      status = JSON.parse(status) as unknown;
    } catch {
      status = undefined;
    }
  }
  const fields = isJsonObject(status) ? status : {};
  const code = record.resultType ?? record.ResultType ?? fields.errorCode;
  return { code: code === undefined ? undefined : String(code), reason: fields.failureReason };
}

/** Decodes a sign-in of Entra ID; undefined when the record is none. */
export function decodeAzureSignIn(record: Fields, nowMs: number): DecodedEvent | undefined {
  if (!isSignIn(record)) return undefined;
  const properties = isJsonObject(record.properties) ? record.properties : {};
  const fields: Fields = Object.assign({}, record, properties);
  if (isJsonObject(record.properties)) delete fields.properties;
  const event = newEvent('azure-sign-in', 'Authentication');
  applyFieldColumns(fields, MAPPING, event);
  const { code, reason } = statusOf(fields);
  event.columns.EventType = 'Logon';
  if (code !== undefined) event.columns.EventResult = code === '0' ? 'Success' : 'Failure';
  if (code !== '0') setColumn(event, 'EventResultDetails', reason ?? code);
  event.columns.EventVendor = 'Microsoft';
  event.columns.EventProduct = 'Entra ID';
  for (const name of TIMES) {
    const at = parseEventTime(fields[name], nowMs);
    if (at === undefined) continue;
    event.time = at;
    break;
  }
  return event;
}
