import { JSON_TIME_FIELDS, type StreamName } from '@tyrian/catalog';
import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import { JSON_FIELD_TABLES } from '../mapping/json-field-columns.ts';
import { toCell } from '../normalise/convert-cell.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { isJsonObject } from '../normalise/parse-json-record.ts';
import { severityFromWord } from '../normalise/severity-names.ts';
import { splitHashes } from '../normalise/split-hashes.ts';
import { deviceStream } from './device-stream.ts';

// JSON of any product: fields that have a known name fill columns, wherever they are nested; the others stay in
// `Ext` as they are. The stream follows from ECS's categories, or else from the columns that were filled.

const MAPPING = new FieldColumns(...JSON_FIELD_TABLES);
/** Names below this depth are not looked up; the values are kept. */
const DEEPEST_NAME = 4;

const ECS_CATEGORY_STREAMS = lookupTable<StreamName>({
  authentication: 'Authentication',
  session: 'Authentication',
  process: 'ProcessEvent',
  network: 'NetworkSession',
  web: 'WebSession',
  file: 'FileEvent',
  registry: 'RegistryEvent',
  driver: 'ModuleLoad',
  library: 'ModuleLoad',
  iam: 'UserManagement',
  configuration: 'AuditEvent',
  email: 'Email',
  malware: 'Alert',
  intrusion_detection: 'Alert',
});

function textOfList(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return value.every((item) => typeof item === 'string' || typeof item === 'number')
    ? value.join(',')
    : value;
}

/** Whether the column will say the same in another word: then the word of the record stays beside it. */
function isReworded(column: string, cell: string | number): boolean {
  const word = String(cell).toLowerCase();
  const ours =
    column === 'EventResult'
      ? RESULTS[word]
      : column === 'EventSeverity'
        ? severityFromWord(cell)
        : undefined;
  return ours !== undefined && ours.toLowerCase() !== word;
}

/** Moves the fields of `record` that have columns out of it; answers what is left, or undefined for nothing. */
function liftFields(record: Fields, prefix: string, depth: number, event: DecodedEvent): Fields | undefined {
  let rest: Fields | undefined;
  for (const name in record) {
    const value = record[name];
    if (value === null) continue;
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const column = MAPPING.columnOf(path);
    if (column !== undefined && event.columns[column] === undefined) {
      const cell = toCell(column, textOfList(value));
      if (cell !== undefined) {
        if (cell !== '') event.columns[column] = cell;
        if (!isReworded(column, cell)) continue;
      }
    }
    const kept =
      isJsonObject(value) && depth < DEEPEST_NAME ? liftFields(value, path, depth + 1, event) : value;
    if (kept === undefined) continue;
    rest ??= {};
    rest[name] = kept;
  }
  return rest;
}

function categoryOf(record: Fields): string | undefined {
  const nested = isJsonObject(record.event) ? record.event.category : record['event.category'];
  const category = Array.isArray(nested) ? nested[0] : nested;
  return typeof category === 'string' ? category : undefined;
}

function timeOf(record: Fields, event: DecodedEvent, nowMs: number): void {
  for (const name of JSON_TIME_FIELDS) {
    if (record[name] === undefined) continue;
    const at = parseEventTime(record[name], nowMs);
    if (at === undefined) continue;
    event.time = at;
    delete event.ext[name];
    return;
  }
}

const RESULTS = lookupTable<string>({
  success: 'Success',
  succeeded: 'Success',
  allow: 'Success',
  failure: 'Failure',
  failed: 'Failure',
  denied: 'Failure',
});

/**
 * Fills columns from the fields that bear a name of theirs in any vocabulary; what is filled already stays. The others
 * go to `ext`.
 */
export function knownJsonNames(record: Fields, event: DecodedEvent, nowMs: number): void {
  const rest = liftFields(record, '', 1, event) ?? {};
  for (const name in rest) event.ext[name] ??= rest[name];
  const { columns } = event;
  const severity = severityFromWord(columns.EventSeverity);
  if (severity !== undefined) columns.EventSeverity = severity;
  const result = RESULTS[String(columns.EventResult ?? '').toLowerCase()];
  if (result !== undefined) columns.EventResult = result;
  splitHashes(event);
  if (event.time === undefined) timeOf(record, event, nowMs);
}

/** Records in the words of ECS, OCSF or ASIM say what happened; of any other it is a guess what a field means. */
function isOfKnownSchema(record: Fields): boolean {
  if (record.ecs !== undefined || record['ecs.version'] !== undefined || categoryOf(record) !== undefined)
    return true;
  return typeof record.class_uid === 'number' || typeof record.EventSchema === 'string';
}

/** Decodes a JSON object of any product. Always succeeds. */
export function decodeJsonEvent(record: Fields, nowMs: number): DecodedEvent {
  const event = newEvent('json', 'Generic');
  knownJsonNames(record, event, nowMs);
  const category = ECS_CATEGORY_STREAMS[categoryOf(record) ?? ''];
  // A resolver's log says `network` in ECS; its question tells more.
  const byColumns = deviceStream(event);
  event.stream =
    category === undefined || (category === 'NetworkSession' && byColumns === 'Dns') ? byColumns : category;
  if (event.stream === 'Generic' && event.columns.Facility !== undefined) event.stream = 'Syslog';
  setColumn(event, 'EventProduct', record.sourcetype);
  if (!isOfKnownSchema(record)) event.status = 'NLF';
  return event;
}
