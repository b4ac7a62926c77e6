import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Two tables of Sentinel have the names of streams, and hold more than those: `Syslog` every message that came as
// syslog, `WindowsEvent` every Windows event, also those that the decoders put into a stream of their own kind. By name
// they are views over all events; a union of all streams takes the streams, so that every event counts once.

/** Decoders of programs that write to syslog and nowhere else: their lines are syslog, with a priority in front or not. */
const SYSLOG_PROGRAMS = '"sshd", "pam", "sudo", "cron", "useradd", "usermod", "dnsmasq", "dhcpd"';
/** What came as syslog and is in a table of its own in Sentinel, which then leaves it out of `Syslog`. */
const OWN_TABLE = '"cef", "leef", "windows-event", "azure-sign-in", "aws-cloudtrail"';
const SYSLOG = `Stream == "Syslog" or SourceType in (${SYSLOG_PROGRAMS}) or (isnotempty(Facility) and SourceType !in (${OWN_TABLE}) and SourceType !startswith "table:")`;

/** Priority, version, time, host and tag in front of a message whose words are in no column of their own. */
const HEADER = String.raw`^(?:<\d{1,3}>)?(?:1 (?:\S+ ){5}(?:-|(?:\[[^\]]*\])+) ?|(?:[A-Z][a-z]{2} +\d{1,2}(?: \d{4})? [0-9:.]+ +|\d{4}-\d\d-\d\dT\S+ +)?(?:[\w.:-]*[\w.-] +)?(?:[\w./()-]{1,64}(?:\[\d+\])?: ?)?)`;

/** Fields of Windows events that have typed columns, by the names that `EventData` gives them. */
const EVENT_DATA = [
  ['SubjectUserName', 'ActorUsername'],
  ['SubjectUserSid', 'ActorUserId'],
  ['SubjectDomainName', 'ActorDomain'],
  ['TargetUserName', 'TargetUsername'],
  ['TargetUserSid', 'TargetUserId'],
  ['TargetDomainName', 'TargetDomain'],
  ['LogonType', 'LogonType'],
  ['IpAddress', 'SrcIpAddr'],
  ['WorkstationName', 'SrcHostname'],
  ['NewProcessName', 'iff(EventID == 4688, ProcessName, "")'],
  ['ProcessName', 'iff(EventID == 4688, "", ProcessName)'],
  ['ParentProcessName', 'iff(EventID == 4688, ParentProcessName, "")'],
  ['CommandLine', 'CommandLine'],
  ['ServiceName', 'ServiceName'],
  ['ShareName', 'ShareName'],
  ['Image', 'iff(SourceType == "sysmon", ProcessName, "")'],
  ['ParentImage', 'iff(SourceType == "sysmon", ParentProcessName, "")'],
  ['ParentCommandLine', 'ParentCommandLine'],
  ['DestinationIp', 'iff(SourceType == "sysmon", DstIpAddr, "")'],
  ['TargetFilename', 'iff(SourceType == "sysmon", FilePath, "")'],
  ['TargetObject', 'iff(SourceType == "sysmon", RegistryKey, "")'],
  ['QueryName', 'DnsQuery'],
]
  .map(([name, value]) => `"${name}", ${value}`)
  .join(', ');

/** The tables that have the name of a stream, with the columns that they have beside those of an event. */
export const WIDENED_STREAMS: readonly WellKnownTable[] = [
  wellKnownTable('Syslog', 'Syslog messages', {
    stream: 'Syslog',
    from: `Events | where ${SYSLOG}`,
    values: `
ProcessName = coalesce(tostring(Ext.AppName), ProcessName)
Computer = DvcHostname
HostName = coalesce(tostring(Ext.HostName), DvcHostname)
HostIP = coalesce(DvcIpAddr, SourceAddress)
SeverityLevel = coalesce(tostring(Ext.SeverityLevel), tolower(EventSeverity))
SyslogMessage = coalesce(Message, tostring(Ext.SyslogMessage), replace_regex(Raw, @'${HEADER}', ''))
ProcessID = toint(ProcessId)
EventTime = TimeGenerated
CollectorHostName = coalesce(tostring(Ext.CollectorHostName), SourceName)
`,
    columns: `
SourceSystem Computer EventTime:datetime ProcessName HostName SeverityLevel SyslogMessage ProcessID:int HostIP CollectorHostName
TenantId Type _IsBillable _BilledSize:real _ResourceId _SubscriptionId`,
  }),
  wellKnownTable('WindowsEvent', 'Windows events', {
    stream: 'WindowsEvent',
    from: 'Events | where Stream == "WindowsEvent" or SourceType in ("windows-event", "sysmon")',
    values: `
Computer = DvcHostname
EventLevel = coalesce(toint(tostring(Ext.EventLevel)), toint(tostring(Ext.Level)))
EventLevelName = coalesce(tostring(Ext.EventLevelName), EventSeverity)
EventData = bag_merge(Ext, bag_pack(${EVENT_DATA}))
RawEventData = Raw
SystemUserId = ActorUserId
`,
    columns: `
Computer Task:int EventLevel:int EventLevelName ManagementGroupName SystemUserId Version:int Opcode Keywords
Correlation SystemProcessId:int SystemThreadId:int EventData:dynamic RawEventData EventOriginId TenantId Type
_IsBillable _BilledSize:real _ResourceId _SubscriptionId`,
  }),
];
