import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { scanJsonObjects } from '../framing/json-values.ts';
import { CLOUDTRAIL_FIELD_COLUMNS } from '../mapping/cloudtrail-columns.ts';
import { toIpAddress } from '../normalise/convert-cell.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';

// A record of AWS CloudTrail: one call of the management interface. Console sign-ins are also CloudAudit
// events here, with the name of the call, so that one query sees everything that an identity did.

const MAPPING = new FieldColumns(CLOUDTRAIL_FIELD_COLUMNS);

function isCloudTrail(record: Fields): boolean {
  return (
    typeof record.eventSource === 'string' &&
    typeof record.eventName === 'string' &&
    (record.awsRegion !== undefined || record.userIdentity !== undefined)
  );
}

/** Who called: the user, the session's issuer for an assumed role, or the service itself. */
function actorName(identity: Fields): unknown {
  const session = identity.sessionContext;
  const issuer = isJsonObject(session) && isJsonObject(session.sessionIssuer) ? session.sessionIssuer : {};
  return identity.userName ?? issuer.userName ?? identity.invokedBy ?? identity.type;
}

function objectOf(parameters: unknown): unknown {
  if (!isJsonObject(parameters)) return undefined;
  const names = [
    'bucketName',
    'userName',
    'roleName',
    'groupName',
    'policyArn',
    'functionName',
    'keyId',
    'instanceId',
    'name',
  ];
  for (const name of names) if (typeof parameters[name] === 'string') return parameters[name];
  return undefined;
}

/** Decodes a record of CloudTrail; undefined when it is none. */
export function decodeCloudTrail(record: Fields, nowMs: number): DecodedEvent | undefined {
  if (!isCloudTrail(record)) return undefined;
  const event = newEvent('aws-cloudtrail', 'CloudAudit');
  applyFieldColumns(record, MAPPING, event);
  const { columns, ext } = event;
  const identity = isJsonObject(record.userIdentity) ? record.userIdentity : {};
  setColumn(event, 'ActorUsername', actorName(identity));
  setColumn(event, 'ActorUserId', identity.arn ?? identity.principalId);
  setColumn(event, 'CloudAccountId', identity.accountId);
  // Calls that a service makes name it instead of an address.
  const from = record.sourceIPAddress;
  if (toIpAddress(from) === undefined && setColumn(event, 'SrcHostname', from)) delete ext.sourceIPAddress;
  setColumn(event, 'Object', objectOf(record.requestParameters));
  const error = record.errorCode;
  const login = isJsonObject(record.responseElements) ? record.responseElements.ConsoleLogin : undefined;
  columns.EventResult = error !== undefined || login === 'Failure' ? 'Failure' : 'Success';
  setColumn(event, 'EventResultDetails', error ?? record.errorMessage);
  columns.EventVendor = 'AWS';
  columns.EventProduct = 'CloudTrail';
  const at = parseEventTime(record.eventTime, nowMs) ?? parseEventTime(record['@timestamp'], nowMs);
  if (at !== undefined) event.time = at;
  return event;
}

const FILE_START = '{"Records":';

/**
 * The records of a CloudTrail log file, `{"Records":[…]}`, each as it is written; undefined for anything else. Only
 * borders are looked for, so a record that cannot be read costs no other.
 */
export function cloudTrailRecordTexts(text: string): readonly string[] | undefined {
  if (!text.startsWith(FILE_START)) return undefined;
  const list = text.slice(FILE_START.length);
  if (!list.startsWith('[')) return undefined;
  const { slices, brokenAt } = scanJsonObjects(list);
  if (slices.length === 0 || brokenAt === undefined || list.slice(brokenAt).trim() !== '}') return undefined;
  return slices.map(({ start, end }) => list.slice(start, end));
}
