import type { KqlType } from '../column.ts';
import { EVENT_COLUMNS } from '../event-columns.ts';
import type { StreamName } from '../streams.ts';
import { extField, type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// The normalised tables of ASIM. The streams have ASIM's names, so most columns are the typed column of that name; a
// parser of ASIM (`_Im_Dns`, `imDns`) is a function over the table of its schema.

const EVENT = `TimeGenerated:datetime EventMessage EventCount:int EventStartTime:datetime EventEndTime:datetime
EventType EventSubType EventResult EventResultDetails EventUid EventOriginalUid EventOriginalType EventOriginalSubType
EventOriginalResultDetails EventSeverity EventOriginalSeverity EventProduct EventProductVersion EventVendor EventSchema
EventSchemaVersion EventOwner EventReportUrl`;
const DVC = `Dvc DvcIpAddr DvcHostname DvcDomain DvcDomainType DvcFQDN DvcDescription DvcId DvcIdType DvcMacAddr DvcZone
DvcOs DvcOsVersion DvcAction DvcOriginalAction DvcInterface DvcSubscriptionId DvcScopeId DvcScope`;
const RULE = `RuleName RuleNumber:int Rule`;
const THREAT = `ThreatId ThreatName ThreatCategory ThreatRiskLevel:int ThreatOriginalRiskLevel ThreatConfidence:int
ThreatOriginalConfidence ThreatIsActive:bool ThreatFirstReportedTime:datetime ThreatLastReportedTime:datetime
ThreatField`;
const ACTOR = `ActorUserId ActorUserIdType ActorScopeId ActorScope ActorUsername ActorUsernameType ActorUserType
ActorOriginalUserType ActorSessionId`;
const TARGET_USER = `TargetUserId TargetUserIdType TargetScopeId TargetScope TargetUsername TargetUsernameType
TargetUserType TargetOriginalUserType`;
const device = (side: string): string =>
  `${side} ${side}IpAddr ${side}PortNumber:int ${side}Hostname ${side}Domain ${side}DomainType ${side}FQDN
${side}Description ${side}DvcId ${side}DvcIdType ${side}DvcScopeId ${side}DvcScope ${side}DeviceType ${side}GeoCountry
${side}GeoLatitude:real ${side}GeoLongitude:real ${side}GeoRegion ${side}GeoCity ${side}RiskLevel:int
${side}OriginalRiskLevel`;
const user = (side: string): string =>
  `${side}UserId ${side}UserIdType ${side}UserScopeId ${side}UserScope ${side}Username ${side}UsernameType
${side}UserType ${side}OriginalUserType`;
const wire = (side: string): string =>
  `${side}Bytes:long ${side}Packets:long ${side}Zone ${side}InterfaceName ${side}InterfaceGuid ${side}MacAddr
${side}VlanId ${side}SubscriptionId ${side}AppName ${side}AppId ${side}AppType ${side}NatIpAddr
${side}NatPortNumber:int`;
const process = (side: string): string =>
  `${side}ProcessName ${side}ProcessCommandLine ${side}ProcessFilename ${side}ProcessFileCompany
${side}ProcessFileDescription ${side}ProcessFileProduct ${side}ProcessFileVersion ${side}ProcessFileInternalName
${side}ProcessFileOriginalName ${side}ProcessFileSize:long ${side}ProcessIsHidden:bool ${side}ProcessInjectedAddress
${side}ProcessId ${side}ProcessGuid ${side}ProcessIntegrityLevel ${side}ProcessTokenElevation
${side}ProcessCreationTime:datetime ${side}ProcessMD5 ${side}ProcessSHA1 ${side}ProcessSHA256 ${side}ProcessSHA512
${side}ProcessIMPHASH`;
const ACTING_APP = 'ActingAppId ActingAppName ActingAppType HttpUserAgent';
const TARGET_APP = 'TargetAppId TargetAppName TargetAppType TargetUrl';
const STANDARD = `AdditionalFields:dynamic TenantId SourceSystem Type _ItemId _ResourceId _SubscriptionId`;
const NETWORK = `NetworkApplicationProtocol NetworkProtocol NetworkProtocolVersion NetworkDirection
NetworkDuration:int NetworkIcmpType NetworkIcmpCode:int NetworkConnectionHistory NetworkBytes:long NetworkPackets:long
NetworkSessionId NetworkRuleName NetworkRuleNumber:int`;

const leaf = (column: string): string => `extract(@"[^\\\\/]*$", 0, ${column})`;
const folder = (column: string): string => `extract(@"^(.*)[\\\\/]", 1, ${column})`;

const EVERY_SCHEMA = `
EventMessage = Message
AdditionalFields = coalesce(parse_json(tostring(Ext.AdditionalFields)), Ext)
EventCount = coalesce(toint(tostring(Ext.EventCount)), int(1))
EventStartTime = coalesce(todatetime(tostring(Ext.EventStartTime)), TimeGenerated)
EventEndTime = coalesce(todatetime(tostring(Ext.EventEndTime)), TimeGenerated)
EventUid = tostring(EventUid)
EventOriginalType = coalesce(tostring(Ext.EventOriginalType), tostring(EventID))
Dvc = coalesce(DvcHostname, DvcIpAddr)
NetworkApplicationProtocol = NetworkApplication
Src = coalesce(SrcHostname, SrcIpAddr)
Dst = coalesce(DstHostname, DstIpAddr)
IpAddr = SrcIpAddr
Rule = coalesce(tostring(Ext.RuleName), NetworkRuleName)
`;
/** What an event of a file, a key or a look-up says of the process that caused it. */
const ACTING_PROCESS = `
ActingProcessName = ProcessName
ActingProcessCommandLine = CommandLine
ActingProcessId = tostring(ProcessId)
ActingProcessGuid = ProcessGuid
ParentProcessId = tostring(ParentProcessId)
User = ActorUsername
Process = ProcessName
`;

const typed = new Set(EVENT_COLUMNS.map(({ name }) => name));

/** A table of ASIM: columns that a stream has under the same name are those. */
function asimTable(
  name: string,
  schema: string,
  parts: { stream: StreamName; from?: string; columns: string; values?: string },
): WellKnownTable {
  const columns = `${EVENT} ${DVC} ${parts.columns} ${RULE} ${THREAT} ${STANDARD}`;
  const types = new Map(
    columns.split(/\s+/).map((column): [string, KqlType] => {
      const [own = '', type = 'string'] = column.split(':');
      return [own, type as KqlType];
    }),
  );
  const values = `${EVERY_SCHEMA}\nEventSchema = "${schema}"\n${parts.values ?? ''}`.replace(
    /^(\w+) = (.*)$/gm,
    (line, own: string, value: string) =>
      typed.has(value) || value.includes(`Ext.${own})`)
        ? line
        : `${own} = coalesce(${extField(own, types.get(own))}, ${value})`,
  );
  const own = [...types.keys()]
    .filter((column) => typed.has(column))
    .map((column) => `${column} = ${column}`)
    .join('\n');
  const from = parts.from ?? parts.stream;
  return wellKnownTable(name, `Events in the ASIM schema ${schema}`, {
    stream: parts.stream,
    from,
    columns,
    values: `${own}\n${values}`,
  });
}

export const ASIM_TABLES: readonly WellKnownTable[] = [
  asimTable('ASimAuthenticationEventLogs', 'Authentication', {
    stream: 'Authentication',
    columns: `${ACTOR} ${ACTING_APP} ${TARGET_USER} TargetSessionId ${TARGET_APP} ${device('Src')} SrcIsp SrcDvcOs
${device('Target')} TargetDvcOs LogonMethod LogonProtocol User IpAddr Application LogonTarget`,
    values: `
TargetHostname = coalesce(DstHostname, DvcHostname)
TargetIpAddr = DstIpAddr
TargetPortNumber = DstPortNumber
TargetSessionId = LogonId
TargetAppName = coalesce(tostring(Ext.TargetAppName), CloudService, NetworkApplication)
Application = coalesce(tostring(Ext.TargetAppName), CloudService, NetworkApplication)
EventSubType = coalesce(tostring(Ext.EventSubType), case(LogonType in (2, 7, 11), "Interactive", LogonType == 3, "RemoteInteractive", LogonType == 10, "RemoteInteractive", LogonType in (4, 5), "Service", ""))
Target = coalesce(DstHostname, DvcHostname)
LogonTarget = coalesce(DstHostname, DvcHostname)
User = TargetUsername
`,
  }),
  asimTable('ASimDnsActivityLogs', 'Dns', {
    stream: 'Dns',
    columns: `${device('Src')} ${user('Src')} SrcUserSessionId SrcProcessName SrcProcessId SrcProcessGuid
${device('Dst')} DnsQuery DnsQueryType:int DnsQueryTypeName DnsResponseName DnsResponseCode:int DnsResponseCodeName
TransactionIdHex DnsResponseIpCountry DnsResponseIpRegion DnsResponseIpCity DnsResponseIpLatitude:real
DnsResponseIpLongitude:real NetworkProtocol NetworkProtocolVersion DnsQueryClass:int DnsQueryClassName
DnsNetworkDuration:int DnsFlags DnsFlagsAuthenticated:bool DnsFlagsAuthoritative:bool DnsFlagsCheckingDisabled:bool
DnsFlagsRecursionAvailable:bool DnsFlagsRecursionDesired:bool DnsFlagsTruncated:bool DnsFlagsZ:bool DnsSessionId
UrlCategory ThreatIpAddr Domain DomainCategory User Process IpAddr`,
    values: `
EventResultDetails = coalesce(DnsResponseCodeName, EventResultDetails)
DnsNetworkDuration = toint(NetworkDuration)
SrcUsername = ActorUsername
SrcUserId = ActorUserId
SrcProcessName = ProcessName
SrcProcessId = tostring(ProcessId)
SrcProcessGuid = ProcessGuid
Domain = DnsQuery
User = ActorUsername
Process = ProcessName
`,
  }),
  asimTable('ASimNetworkSessionLogs', 'NetworkSession', {
    stream: 'NetworkSession',
    columns: `${NETWORK} ${device('Dst')} ${user('Dst')} ${wire('Dst')} ${device('Src')} ${user('Src')} ${wire('Src')}
DvcInboundInterface DvcOutboundInterface ThreatIpAddr TcpFlagsAck:bool TcpFlagsFin:bool TcpFlagsPsh:bool
TcpFlagsRst:bool TcpFlagsUrg:bool TcpFlagsSyn:bool SessionId Hostname User IpAddr SrcProcessName SrcProcessId`,
    values: `
NetworkBytes = coalesce(SrcBytes, 0) + coalesce(DstBytes, 0)
SrcUsername = ActorUsername
SrcUserId = ActorUserId
DstUsername = TargetUsername
SrcProcessName = ProcessName
SrcProcessId = tostring(ProcessId)
Hostname = DstHostname
User = ActorUsername
Rule = NetworkRuleName
`,
  }),
  asimTable('ASimWebSessionLogs', 'WebSession', {
    stream: 'WebSession',
    columns: `${NETWORK} ${device('Dst')} ${user('Dst')} ${wire('Dst')} ${device('Src')} ${user('Src')} ${wire('Src')}
DvcInboundInterface DvcOutboundInterface ThreatIpAddr Url UrlCategory UrlOriginal HttpVersion HttpRequestMethod
HttpContentType HttpContentFormat HttpReferrer HttpUserAgent HttpRequestXff HttpRequestTime:int HttpResponseTime:int
HttpHost HttpStatusCode FileName FileMD5 FileSHA1 FileSHA256 FileSHA512 FileHashType FileSize:int FileContentType
UserAgent SessionId Hostname User IpAddr`,
    values: `
EventResultDetails = coalesce(tostring(HttpStatusCode), EventResultDetails)
NetworkBytes = coalesce(SrcBytes, 0) + coalesce(DstBytes, 0)
SrcUsername = ActorUsername
HttpHost = coalesce(tostring(Ext.HttpHost), DstHostname)
FileName = ${leaf('FilePath')}
FileMD5 = FileHashMd5
FileSHA1 = FileHashSha1
FileSHA256 = FileHashSha256
UserAgent = HttpUserAgent
Hostname = DstHostname
User = ActorUsername
`,
  }),
  asimTable('ASimProcessEventLogs', 'ProcessEvent', {
    stream: 'ProcessEvent',
    from: 'ProcessEvent | where EventType in ("ProcessCreated", "ProcessTerminated") or $named',
    columns: `${ACTOR} ${TARGET_USER} TargetUserSessionId TargetUserSessionGuid ${process('Acting')}
${process('Parent')} ${process('Target')} TargetProcessCurrentDirectory TargetProcessStatusCode User Process
CommandLine Hash HashType`,
    values: `
TargetUsername = coalesce(TargetUsername, ActorUsername)
TargetProcessName = coalesce(ProcessName, TargetProcessName)
TargetProcessCommandLine = CommandLine
TargetProcessFilename = ${leaf('ProcessName')}
TargetProcessId = tostring(coalesce(ProcessId, TargetProcessId))
TargetProcessGuid = ProcessGuid
TargetProcessIntegrityLevel = ProcessIntegrityLevel
TargetProcessCurrentDirectory = ProcessCurrentDirectory
TargetProcessFileOriginalName = OriginalFileName
TargetProcessCreationTime = coalesce(todatetime(tostring(Ext.TargetProcessCreationTime)), TimeGenerated)
TargetProcessMD5 = FileHashMd5
TargetProcessSHA1 = FileHashSha1
TargetProcessSHA256 = FileHashSha256
TargetProcessIMPHASH = FileHashImphash
TargetUserSessionId = LogonId
ActingProcessName = ParentProcessName
ActingProcessFilename = ${leaf('ParentProcessName')}
ActingProcessCommandLine = ParentCommandLine
ActingProcessId = tostring(ParentProcessId)
ActingProcessGuid = ParentProcessGuid
ParentProcessName = tostring(Ext.ParentProcessName)
ParentProcessId = tostring(Ext.ParentProcessId)
ParentProcessGuid = tostring(Ext.ParentProcessGuid)
User = coalesce(TargetUsername, ActorUsername)
Process = ProcessName
CommandLine = CommandLine
Hash = coalesce(FileHashSha256, FileHashSha1, FileHashMd5, FileHashImphash)
HashType = case(isnotempty(FileHashSha256), "SHA256", isnotempty(FileHashSha1), "SHA1", isnotempty(FileHashMd5), "MD5", isnotempty(FileHashImphash), "IMPHASH", "")
`,
  }),
  asimTable('ASimFileEventLogs', 'FileEvent', {
    stream: 'FileEvent',
    columns: `TargetFileCreationTime:datetime TargetFileDirectory TargetFileExtension TargetFileMimeType TargetFileName
TargetFilePath TargetFilePathType TargetFileMD5 TargetFileSHA1 TargetFileSHA256 TargetFileSHA512 TargetFileSize:long
SrcFileCreationTime:datetime SrcFileDirectory SrcFileExtension SrcFileMimeType SrcFileName SrcFilePath SrcFilePathType
SrcFileMD5 SrcFileSHA1 SrcFileSHA256 SrcFileSHA512 SrcFileSize:long HashType Hash ${ACTOR} ActingProcessCommandLine
ActingProcessName ActingProcessId ActingProcessGuid HttpUserAgent NetworkApplicationProtocol ${device('Src')}
${TARGET_APP} ThreatFilePath User Process FilePath FileName CommandLine IpAddr`,
    values: `${ACTING_PROCESS}
TargetFilePath = FilePath
TargetFileName = ${leaf('FilePath')}
TargetFileDirectory = ${folder('FilePath')}
TargetFileExtension = extract(@"\\.([^.\\\\/]+)$", 1, FilePath)
TargetFileMD5 = FileHashMd5
TargetFileSHA1 = FileHashSha1
TargetFileSHA256 = FileHashSha256
FileName = ${leaf('FilePath')}
Hash = coalesce(FileHashSha256, FileHashSha1, FileHashMd5)
HashType = case(isnotempty(FileHashSha256), "SHA256", isnotempty(FileHashSha1), "SHA1", isnotempty(FileHashMd5), "MD5", "")
`,
  }),
  asimTable('ASimRegistryEventLogs', 'RegistryEvent', {
    stream: 'RegistryEvent',
    columns: `RegistryKey RegistryValue RegistryValueType RegistryValueData RegistryPreviousKey RegistryPreviousValue
RegistryPreviousValueType RegistryPreviousValueData ${ACTOR} ActorUserAadId ActorUserSid ActingProcessName
ActingProcessId ActingProcessCommandLine ActingProcessGuid ParentProcessName ParentProcessId ParentProcessCommandLine
ParentProcessGuid User Process`,
    values: `${ACTING_PROCESS}
RegistryKey = iff(EventType == "RegistryValueSet" and Provider has "Sysmon", ${folder('RegistryKey')}, RegistryKey)
RegistryValue = coalesce(tostring(Ext.RegistryValue), iff(EventType == "RegistryValueSet" and Provider has "Sysmon", ${leaf('RegistryKey')}, ""))
ParentProcessCommandLine = ParentCommandLine
`,
  }),
  asimTable('ASimAuditEventLogs', 'AuditEvent', {
    stream: 'AuditEvent',
    columns: `${ACTOR} ActorUserAadId ActorUserSid ${TARGET_APP} ${ACTING_APP} ${device('Src')} ${device('Target')}
TargetDvcOs Operation ObjectId Object ObjectType OldValue NewValue Value ValueType ThreatIpAddr User IpAddr
Application`,
    values: `
TargetHostname = coalesce(DstHostname, DvcHostname)
TargetIpAddr = DstIpAddr
Target = coalesce(DstHostname, DvcHostname)
Object = coalesce(Object, ServiceName)
Operation = coalesce(Operation, EventType)
User = ActorUsername
`,
  }),
  asimTable('ASimUserManagementActivityLogs', 'UserManagement', {
    stream: 'UserManagement',
    columns: `${ACTOR} ${TARGET_USER} GroupId GroupIdType GroupName GroupNameType GroupType GroupOriginalType
${device('Src')} ${ACTING_APP} PreviousPropertyValue NewPropertyValue User Hostname IpAddr`,
    values: `
User = ActorUsername
Hostname = DvcHostname
`,
  }),
  asimTable('ASimDhcpEventLogs', 'Dhcp', {
    stream: 'Dhcp',
    columns: `${device('Src')} SrcMacAddr ${user('Src')} SrcUserSessionId SrcUserUid DhcpCircuitId DhcpLeaseDuration:int
DhcpSessionDuration:int DhcpSessionId DhcpSrcDHCId DhcpSubscriberId DhcpUserClass DhcpUserClassId DhcpVendorClass
DhcpVendorClassId RequestedIpAddr SessionId User IpAddr Hostname`,
    values: `
SrcUsername = ActorUsername
User = ActorUsername
Hostname = SrcHostname
`,
  }),
  asimTable('ASimAlertEventLogs', 'AlertEvent', {
    stream: 'Alert',
    columns: `AdditionalEntities:dynamic AlertDescription AlertId AlertName AlertOriginalStatus AlertStatus AlertVerdict
AttackRemediationSteps AttackTactics AttackTechniques DetectionMethod DvcEntityKey EmailMessageId EmailSubject
FileEntityKey FileMD5 FileName FilePath FileSHA1 FileSHA256 FileSize IndicatorAssociation IndicatorType
OriginalUserType ProcessCommandLine ProcessEntityKey ProcessFileCompany ProcessId ProcessName RegistryKey RegistryValue
RegistryValueData RegistryValueType RuleDescription ThreatOriginalCategory Url User UserAdditionalIds:dynamic
UserEntityKey UserId UserIdType UserScope UserScopeId UserSessionId UserType Username UsernameType IpAddr`,
    values: `
AlertName = coalesce(tostring(Ext.AlertName), ThreatName)
AlertDescription = coalesce(tostring(Ext.AlertDescription), Message)
AttackTactics = coalesce(tostring(Ext.AttackTactics), DetectionTactic)
AttackTechniques = coalesce(tostring(Ext.AttackTechniques), DetectionTechnique)
FileName = ${leaf('FilePath')}
FileMD5 = FileHashMd5
FileSHA1 = FileHashSha1
FileSHA256 = FileHashSha256
ProcessCommandLine = CommandLine
User = coalesce(TargetUsername, ActorUsername)
Username = coalesce(TargetUsername, ActorUsername)
UserId = coalesce(TargetUserId, ActorUserId)
`,
  }),
];
