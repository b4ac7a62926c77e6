import { EVENT_COLUMNS, type KqlType } from '@tyrian/catalog';
import type { SignalDetail } from '@tyrian/contract';

// The overview of a signal in the order in which an analyst asks: who, where, what ran, over which connection, to
// which thing, with what outcome; then what the rule counted; and what describes the record rather than the act, last.

type Field = SignalDetail['fields'][number];

const ASKED_FIRST = `ActorUsername ActorDomain TargetUsername TargetDomain GroupName DvcHostname DvcIpAddr
  ProcessName CommandLine ScriptBlockText ParentProcessName ParentCommandLine TargetProcessName
  SrcIpAddr SrcHostname SrcPortNumber DstIpAddr DstHostname DstPortNumber NetworkProtocol NetworkApplication
  NetworkDirection DnsQuery DnsResponseName Url HttpRequestMethod HttpStatusCode HttpUserAgent
  FilePath FileHashSha256 FileHashSha1 FileHashMd5 RegistryKey RegistryValueData ServiceName ServiceFileName
  ShareName PipeName Operation Object CloudService CloudRegion CloudAccountId EmailSender EmailRecipient
  EmailSubject ThreatName EventResult EventResultDetails LogonType GrantedAccess DvcAction EventID Message`.split(
  /\s+/,
);
/** Names for them in words, in the locale files under `field.`. */
export const FIELD_NAMES: ReadonlySet<string> = new Set(ASKED_FIRST);

const ABOUT_THE_RECORD: ReadonlySet<string> = new Set(
  `Stream Scope ParseStatus ParseError SourceName SourceType SourceAddress EventVendor EventProduct EventType
   EventSeverity EventUid EventUids EventRecordId Channel Provider Facility TimeGenerated IngestedTime
   FirstIngested StartTime EndTime FirstTime LastTime ActorUserId TargetUserId LogonId LogonProtocol ProcessGuid
   ParentProcessGuid ProcessId ParentProcessId Hashes FileHashImphash Raw Ext`.split(/\s+/),
);
const TYPES: ReadonlyMap<string, KqlType> = new Map(EVENT_COLUMNS.map(({ name, type }) => [name, type]));
const UTC_TIME = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

export interface OrderedFields {
  readonly first: readonly Field[];
  /** What the rule itself computed, in its order. */
  readonly counted: readonly Field[];
  readonly record: readonly Field[];
}

/** The fields of a signal in groups. */
export function orderFields(fields: readonly Field[]): OrderedFields {
  const known = new Map(fields.map((field) => [field.field, field]));
  const first = ASKED_FIRST.flatMap((name) => known.get(name) ?? []);
  const others = fields.filter(({ field }) => !FIELD_NAMES.has(field));
  const isRecord = ({ field }: Field) => ABOUT_THE_RECORD.has(field);
  const isCounted = (field: Field) => !isRecord(field) && !TYPES.has(field.field);
  return {
    first,
    counted: others.filter(isCounted),
    record: others.filter((field) => !isCounted(field)),
  };
}

const MAX_COLUMNS = 8;

/** The columns of a table of events: when, and what an analyst asks first. */
export function eventColumns(fields: readonly string[]): readonly string[] {
  const known = new Set(fields);
  return ['TimeGenerated', ...ASKED_FIRST].filter((name) => known.has(name)).slice(0, MAX_COLUMNS);
}

/** KQL type of a column; text where the schema does not have it. */
export const columnType = (name: string): KqlType => TYPES.get(name) ?? 'string';

/** Epoch milliseconds of a time as events carry it, whatever its decimals; null for other text. */
export function timeOf(value: string): number | null {
  if (!UTC_TIME.test(value)) return null;
  const time = Date.parse(value.replace(/(\.\d{3})\d+Z$/, '$1Z'));
  return Number.isNaN(time) ? null : time;
}
