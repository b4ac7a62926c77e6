import { type DecodedEvent, type Fields, newEvent } from '../event-row.ts';
import {
  CHANNEL_EVENTS,
  SECURITY_EVENTS,
  SYSMON_EVENTS,
  type WindowsEventKind,
} from '../mapping/windows-event-kinds.ts';
import { WINDOWS_FIELD_COLUMNS } from '../mapping/windows-field-columns.ts';
import { toWholeNumber } from '../normalise/convert-cell.ts';
import { parseEventTime } from '../normalise/event-time.ts';
import { applyFieldColumns, FieldColumns, setColumn } from '../normalise/field-columns.ts';
import { lookupTable } from '../normalise/lookup-table.ts';
import { severityFromWindowsLevel } from '../normalise/severity-names.ts';
import { splitHashes } from '../normalise/split-hashes.ts';
import { readPowerShellContext } from './powershell-context.ts';

// A Windows event as a flat list of fields: header and event data side by side, as most shippers write it.
// windows-event-shapes.ts brings the other shapes (nested, Winlogbeat, XML) to this one.

const BASE = new FieldColumns(WINDOWS_FIELD_COLUMNS);
const PLAIN: WindowsEventKind = { stream: 'WindowsEvent', type: '' };
const mappings = new Map<WindowsEventKind, FieldColumns>();

function mappingOf(kind: WindowsEventKind): FieldColumns {
  if (kind.fields === undefined) return BASE;
  const known = mappings.get(kind);
  if (known !== undefined) return known;
  const mapping = new FieldColumns(WINDOWS_FIELD_COLUMNS, kind.fields);
  mappings.set(kind, mapping);
  return mapping;
}

/** True for the Sysmon of Windows and of Linux. */
function isSysmon(channel: string, provider: string): boolean {
  return channel.includes('sysmon') || provider.includes('sysmon');
}

function kindOf(eventId: number | undefined, channel: string, provider: string): WindowsEventKind {
  if (eventId === undefined) return PLAIN;
  if (isSysmon(channel, provider)) return SYSMON_EVENTS.get(eventId) ?? PLAIN;
  const own = CHANNEL_EVENTS.get(channel);
  if (own !== undefined) return own.get(eventId) ?? PLAIN;
  const isSecurity = channel === 'security' || (channel === '' && provider.includes('security-auditing'));
  return isSecurity ? (SECURITY_EVENTS.get(eventId) ?? PLAIN) : PLAIN;
}

/** The clocks of a record, best first; NXLog's EventTime is local time without a zone and comes last. */
const TIME_FIELDS = ['TimeCreated', 'UtcTime', 'TimeGenerated', '@timestamp', 'EventTime'] as const;

const ZONED = /(?:Z|UTC|[+-]\d\d:?\d\d)$/;

function timeOf(fields: Fields, nowMs: number): number | undefined {
  const { TimeCreated: created, UtcTime: utc } = fields;
  // A TimeCreated without a zone may be local time; where Sysmon says it in UTC, that is known.
  if (utc !== undefined && typeof created === 'string' && !ZONED.test(created)) {
    const at = parseEventTime(utc, nowMs);
    if (at !== undefined) return at;
  }
  for (const name of TIME_FIELDS) {
    const value = fields[name];
    if (value === undefined) continue;
    const at = parseEventTime(value, nowMs);
    if (at !== undefined) return at;
  }
  return undefined;
}

const AUDIT_SUCCESS = /^0x80?2|^audit success$/i;
const AUDIT_FAILURE = /^0x80?1|^audit failure$/i;

function resultOf(kind: WindowsEventKind, fields: Fields): string | undefined {
  if (kind.result !== undefined) return kind.result;
  const { Status: status, Keywords: keywords, EventType: type } = fields;
  if (kind.stream === 'Authentication' && typeof status === 'string') {
    return /^0x0+$/i.test(status) ? 'Success' : 'Failure';
  }
  if (type === 'AUDIT_SUCCESS') return 'Success';
  if (type === 'AUDIT_FAILURE') return 'Failure';
  if (typeof keywords !== 'string') return undefined;
  if (AUDIT_SUCCESS.test(keywords)) return 'Success';
  return AUDIT_FAILURE.test(keywords) ? 'Failure' : undefined;
}

const PROTOCOL_NUMBERS = lookupTable<string>({ 1: 'icmp', 6: 'tcp', 17: 'udp', 58: 'icmpv6' });

function finishNetwork({ columns, ext }: DecodedEvent, fields: Fields): void {
  const protocol = columns.NetworkProtocol;
  if (typeof protocol === 'string') columns.NetworkProtocol = PROTOCOL_NUMBERS[protocol] ?? protocol;
  const { Initiated: initiated, Direction: direction } = fields;
  if (initiated !== undefined)
    columns.NetworkDirection = /^true$/i.test(String(initiated)) ? 'Outbound' : 'Inbound';
  else if (direction === '%%14593') columns.NetworkDirection = 'Outbound';
  else if (direction === '%%14592') columns.NetworkDirection = 'Inbound';
  if (direction === '%%14592') swapEnds(columns, ext);
}

/** The filtering platform calls the local end "source", also of inbound connections; a source is who connects. */
function swapEnds(columns: Record<string, string | number>, ext: Fields): void {
  const { SrcIpAddr, SrcPortNumber, DstIpAddr, DstPortNumber } = columns;
  if (SrcIpAddr === undefined || DstIpAddr === undefined) return;
  Object.assign(columns, { SrcIpAddr: DstIpAddr, DstIpAddr: SrcIpAddr });
  if (SrcPortNumber !== undefined && DstPortNumber !== undefined) {
    Object.assign(columns, { SrcPortNumber: DstPortNumber, DstPortNumber: SrcPortNumber });
  }
  ext.EndsSwapped = true;
}

/** Files and registry keys that an object access names go where their own events would put them. */
function finishObject({ columns }: DecodedEvent, objectType: unknown): void {
  const object = columns.Object;
  if (typeof object !== 'string') return;
  if (objectType === 'File') columns.FilePath ??= object;
  if (objectType === 'Key') columns.RegistryKey ??= object;
}

/**
 * Decodes a Windows event whose fields lie side by side. `nowMs` is the time of arrival.
 * Fields without a column stay in `ext` under their names.
 */
export function decodeWindowsFields(fields: Fields, nowMs: number): DecodedEvent {
  const eventId = toWholeNumber(fields.EventID ?? fields.EventId);
  const channel = String(fields.Channel ?? '').toLowerCase();
  const provider = String(
    fields.Provider_Name ?? fields.SourceName ?? fields.EventSourceName ?? fields.ProviderName ?? '',
  );
  const kind = kindOf(eventId, channel, provider.toLowerCase());
  const event = newEvent(isSysmon(channel, provider.toLowerCase()) ? 'sysmon' : 'windows-event', kind.stream);
  applyFieldColumns(fields, mappingOf(kind), event);
  const { columns } = event;
  setColumn(event, 'Provider', provider);
  columns.EventVendor = 'Microsoft';
  columns.EventProduct = event.sourceType === 'sysmon' ? 'Sysmon' : 'Windows';
  setColumn(event, 'EventType', kind.type);
  setColumn(event, 'EventResult', resultOf(kind, fields));
  const level = toWholeNumber(fields.Level);
  if (level !== undefined) columns.EventSeverity = severityFromWindowsLevel(level);
  if (kind.stream === 'NetworkSession') finishNetwork(event, fields);
  if (kind.stream === 'FileEvent' || kind.stream === 'RegistryEvent') finishObject(event, fields.ObjectType);
  if (event.stream === 'ProcessEvent' && channel.includes('powershell')) readPowerShellContext(event, fields);
  splitHashes(event);
  const at = timeOf(fields, nowMs);
  if (at !== undefined) event.time = at;
  return event;
}
