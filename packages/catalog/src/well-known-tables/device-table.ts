import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// What happens on devices, by the tables of Microsoft Defender for Endpoint. Events of Sysmon and of the Windows
// security log are rows of them too; they are read from the typed columns.

const leaf = (column: string): string => `extract(@"[^\\\\/]*$", 0, ${column})`;
const account = (column: string): string => `extract(@"[^\\\\]*$", 0, ${column})`;
const domain = (own: string, column: string): string =>
  `coalesce(${own}, extract(@"^([^\\\\]+)\\\\", 1, ${column}))`;

const REMOTE_SESSION = `InitiatingProcessSessionId:long IsInitiatingProcessRemoteSession:bool
InitiatingProcessRemoteSessionDeviceName InitiatingProcessRemoteSessionIP`;
const CREATED_SESSION = `CreatedProcessSessionId:long IsProcessRemoteSession:bool ProcessRemoteSessionDeviceName
ProcessRemoteSessionIP`;
const WORKSPACE = `MachineGroup TenantId TimeGenerated:datetime SourceSystem Type _IsBillable _BilledSize:real`;
const ACCOUNT = `InitiatingProcessAccountDomain InitiatingProcessAccountName InitiatingProcessAccountSid
InitiatingProcessAccountUpn InitiatingProcessAccountObjectId`;
const VERSION = `InitiatingProcessVersionInfoCompanyName InitiatingProcessVersionInfoProductName
InitiatingProcessVersionInfoProductVersion InitiatingProcessVersionInfoInternalFileName
InitiatingProcessVersionInfoOriginalFileName InitiatingProcessVersionInfoFileDescription`;
const HASHES = 'InitiatingProcessSHA1 InitiatingProcessSHA256 InitiatingProcessMD5';
const UNIQUE = 'InitiatingProcessUniqueId InitiatingProcessParentUniqueId';
const STARTED = `InitiatingProcessId:long InitiatingProcessCommandLine InitiatingProcessCreationTime:datetime
InitiatingProcessFolderPath`;
const PARENT = `InitiatingProcessParentId:long InitiatingProcessParentFileName
InitiatingProcessParentCreationTime:datetime`;
const ELEVATION = 'InitiatingProcessIntegrityLevel InitiatingProcessTokenElevation';
const REPORT = 'ReportId:long AppGuardContainerId';
const DEVICE = 'Timestamp:datetime DeviceId DeviceName ActionType';

const DEVICE_VALUES = `
DeviceName = DvcHostname
ReportId = coalesce(tolong(tostring(Ext.ReportId)), EventRecordId)
`;
/** The acting process of an event that one process causes: it is the process of the event. */
const ACTING_PROCESS = `
InitiatingProcessFolderPath = ProcessName
InitiatingProcessFileName = ${leaf('ProcessName')}
InitiatingProcessId = ProcessId
InitiatingProcessCommandLine = CommandLine
InitiatingProcessParentFileName = ${leaf('ParentProcessName')}
InitiatingProcessParentId = ParentProcessId
InitiatingProcessAccountName = coalesce(tostring(Ext.InitiatingProcessAccountName), tolower(${account('ActorUsername')}))
InitiatingProcessAccountDomain = coalesce(tostring(Ext.InitiatingProcessAccountDomain), tolower(${domain('ActorDomain', 'ActorUsername')}))
InitiatingProcessAccountSid = ActorUserId
`;

export const DEVICE_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('DeviceProcessEvents', 'Processes created on devices', {
    stream: 'ProcessEvent',
    from: 'ProcessEvent | where EventType == "ProcessCreated" or $named',
    values: `${DEVICE_VALUES}
ActionType = coalesce(tostring(Ext.ActionType), EventType)
FolderPath = ProcessName
FileName = ${leaf('ProcessName')}
ProcessId = ProcessId
ProcessCommandLine = CommandLine
ProcessIntegrityLevel = ProcessIntegrityLevel
ProcessVersionInfoOriginalFileName = OriginalFileName
ProcessCreationTime = coalesce(todatetime(tostring(Ext.ProcessCreationTime)), TimeGenerated)
SHA1 = FileHashSha1
SHA256 = FileHashSha256
MD5 = FileHashMd5
AccountName = coalesce(tostring(Ext.AccountName), tolower(${account('ActorUsername')}))
AccountDomain = coalesce(tostring(Ext.AccountDomain), tolower(${domain('ActorDomain', 'ActorUsername')}))
AccountSid = ActorUserId
InitiatingProcessFolderPath = ParentProcessName
InitiatingProcessFileName = ${leaf('ParentProcessName')}
InitiatingProcessId = ParentProcessId
InitiatingProcessCommandLine = ParentCommandLine
`,
    columns: `
${DEVICE} FileName FolderPath SHA1 SHA256 MD5 FileSize:long ProcessVersionInfoCompanyName
ProcessVersionInfoProductName ProcessVersionInfoProductVersion ProcessVersionInfoInternalFileName
ProcessVersionInfoOriginalFileName ProcessVersionInfoFileDescription ProcessId:long ProcessCommandLine
ProcessIntegrityLevel ProcessTokenElevation ProcessCreationTime:datetime AccountDomain AccountName AccountSid
AccountUpn AccountObjectId LogonId:long ${ACCOUNT} InitiatingProcessLogonId:long ${ELEVATION} ${HASHES}
InitiatingProcessFileName InitiatingProcessFileSize:long ${VERSION} ${STARTED} ${PARENT}
InitiatingProcessSignerType InitiatingProcessSignatureStatus ${REPORT} AdditionalFields:dynamic ${REMOTE_SESSION}
${CREATED_SESSION} ${UNIQUE} ProcessUniqueId ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceNetworkEvents', 'Network connections of devices', {
    stream: 'NetworkSession',
    from: 'NetworkSession | where SourceType in ("sysmon", "windows-event") or $named',
    values: `${DEVICE_VALUES}${ACTING_PROCESS}
ActionType = coalesce(tostring(Ext.ActionType), case(EventType == "ConnectionBlocked", "ConnectionFailed", NetworkDirection == "Inbound", "InboundConnectionAccepted", "ConnectionSuccess"))
RemoteIP = coalesce(tostring(Ext.RemoteIP), iff(NetworkDirection == "Inbound", SrcIpAddr, DstIpAddr))
RemotePort = coalesce(toint(tostring(Ext.RemotePort)), iff(NetworkDirection == "Inbound", SrcPortNumber, DstPortNumber))
RemoteUrl = coalesce(tostring(Ext.RemoteUrl), iff(NetworkDirection == "Inbound", SrcHostname, DstHostname))
LocalIP = coalesce(tostring(Ext.LocalIP), iff(NetworkDirection == "Inbound", DstIpAddr, SrcIpAddr))
LocalPort = coalesce(toint(tostring(Ext.LocalPort)), iff(NetworkDirection == "Inbound", DstPortNumber, SrcPortNumber))
Protocol = coalesce(tostring(Ext.Protocol), case(NetworkProtocol =~ "tcp", "Tcp", NetworkProtocol =~ "udp", "Udp", NetworkProtocol))
`,
    columns: `
${DEVICE} RemoteIP RemotePort:int RemoteUrl LocalIP LocalPort:int Protocol LocalIPType RemoteIPType ${HASHES}
InitiatingProcessFileName InitiatingProcessFileSize:long ${VERSION} ${STARTED} InitiatingProcessParentFileName
InitiatingProcessParentId:long InitiatingProcessParentCreationTime:datetime ${ACCOUNT} ${ELEVATION} ${REPORT}
AdditionalFields:dynamic ${REMOTE_SESSION} ${UNIQUE} ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceFileEvents', 'Files created, changed and deleted on devices', {
    stream: 'FileEvent',
    from: 'FileEvent | where SourceType in ("sysmon", "windows-event") or $named',
    values: `${DEVICE_VALUES}${ACTING_PROCESS}
ActionType = coalesce(tostring(Ext.ActionType), case(EventType startswith "FileDeleted", "FileDeleted", EventType == "FileCreated", "FileCreated", EventType))
FolderPath = FilePath
FileName = ${leaf('FilePath')}
SHA1 = FileHashSha1
SHA256 = FileHashSha256
MD5 = FileHashMd5
ShareName = ShareName
`,
    columns: `
${DEVICE} FileName FolderPath SHA1 SHA256 MD5 FileOriginUrl FileOriginReferrerUrl FileOriginIP PreviousFolderPath
PreviousFileName FileSize:long ${ACCOUNT} InitiatingProcessMD5 InitiatingProcessSHA1 InitiatingProcessSHA256
InitiatingProcessFolderPath InitiatingProcessFileName InitiatingProcessFileSize:long ${VERSION}
InitiatingProcessId:long InitiatingProcessCommandLine InitiatingProcessCreationTime:datetime ${ELEVATION} ${PARENT}
RequestProtocol RequestSourceIP RequestSourcePort:int RequestAccountName RequestAccountDomain RequestAccountSid
ShareName SensitivityLabel SensitivitySubLabel IsAzureInfoProtectionApplied:bool ${REPORT} AdditionalFields:dynamic
${REMOTE_SESSION} ${UNIQUE} ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceRegistryEvents', 'Registry keys and values changed on devices', {
    stream: 'RegistryEvent',
    from: 'RegistryEvent | where SourceType in ("sysmon", "windows-event") or $named',
    values: `${DEVICE_VALUES}${ACTING_PROCESS}
ActionType = coalesce(tostring(Ext.ActionType), case(EventType == "RegistryObjectRenamed", "RegistryKeyRenamed", EventType))
RegistryKey = coalesce(tostring(Ext.RegistryKey), iff(EventType == "RegistryValueSet" and Provider has "Sysmon", extract(@"^(.*)\\\\[^\\\\]*$", 1, RegistryKey), RegistryKey))
RegistryValueName = coalesce(tostring(Ext.RegistryValueName), iff(EventType == "RegistryValueSet" and Provider has "Sysmon", ${leaf('RegistryKey')}, ""))
RegistryValueData = RegistryValueData
`,
    columns: `
${DEVICE} RegistryKey RegistryValueType RegistryValueName RegistryValueData PreviousRegistryKey
PreviousRegistryValueName PreviousRegistryValueData ${ACCOUNT} ${HASHES} InitiatingProcessFileName
InitiatingProcessFileSize:long ${VERSION} ${STARTED} ${PARENT} ${ELEVATION} ${REPORT} ${REMOTE_SESSION} ${UNIQUE}
${WORKSPACE}`,
  }),
  wellKnownTable('DeviceImageLoadEvents', 'Modules loaded on devices', {
    stream: 'ModuleLoad',
    from: 'ModuleLoad | where SourceType in ("sysmon", "windows-event") or $named',
    values: `${DEVICE_VALUES}${ACTING_PROCESS}
ActionType = coalesce(tostring(Ext.ActionType), iff(EventType == "DriverLoaded", "DriverLoad", "ImageLoaded"))
FolderPath = ModulePath
FileName = ${leaf('ModulePath')}
SHA1 = FileHashSha1
SHA256 = FileHashSha256
MD5 = FileHashMd5
`,
    columns: `
${DEVICE} FileName FolderPath SHA1 SHA256 MD5 FileSize:long ${ACCOUNT} ${ELEVATION} ${HASHES}
InitiatingProcessFileName InitiatingProcessFileSize:long ${VERSION} ${STARTED} ${PARENT} ${REPORT} ${REMOTE_SESSION}
${UNIQUE} ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceLogonEvents', 'Sign-ins on devices', {
    stream: 'Authentication',
    from: 'Authentication | where (SourceType == "windows-event" and EventID in (4624, 4625)) or $named',
    values: `${DEVICE_VALUES}${ACTING_PROCESS}
ActionType = coalesce(tostring(Ext.ActionType), iff(EventResult == "Failure", "LogonFailed", "LogonSuccess"))
LogonType = coalesce(tostring(Ext.LogonType), case(LogonType == 2, "Interactive", LogonType == 3, "Network", LogonType == 4, "Batch", LogonType == 5, "Service", LogonType == 7, "Unlock", LogonType == 10, "RemoteInteractive", LogonType == 11, "CachedInteractive", ""))
AccountName = TargetUsername
AccountDomain = TargetDomain
AccountSid = TargetUserId
Protocol = LogonProtocol
FailureReason = coalesce(tostring(Ext.FailureReason), iff(EventResult == "Failure", EventResultDetails, ""))
RemoteDeviceName = SrcHostname
RemoteIP = SrcIpAddr
RemotePort = SrcPortNumber
`,
    columns: `
${DEVICE} LogonType AccountDomain AccountName AccountSid Protocol FailureReason IsLocalAdmin:bool LogonId:long
RemoteDeviceName RemoteIP RemoteIPType RemotePort:int ${ACCOUNT} ${ELEVATION} ${HASHES} InitiatingProcessFileName
InitiatingProcessFileSize:long ${VERSION} ${STARTED} ${PARENT} ${REPORT} AdditionalFields:dynamic ${REMOTE_SESSION}
${UNIQUE} ${WORKSPACE}`,
  }),
  wellKnownTable(
    'DeviceEvents',
    'Other events on devices: antivirus, exploit protection, named pipes, USB ...',
    {
      stream: 'AuditEvent',
      values: `
DeviceName = DvcHostname
`,
      columns: `
${DEVICE} FileName FolderPath SHA1 SHA256 MD5 FileSize:long AccountDomain AccountName AccountSid RemoteUrl
RemoteDeviceName ProcessId:long ProcessCommandLine ProcessCreationTime:datetime ProcessTokenElevation LogonId:long
RegistryKey RegistryValueName RegistryValueData RemoteIP RemotePort:int LocalIP LocalPort:int FileOriginUrl
FileOriginIP ${HASHES} InitiatingProcessFileName InitiatingProcessFileSize:long InitiatingProcessFolderPath
InitiatingProcessId:long InitiatingProcessCommandLine InitiatingProcessCreationTime:datetime ${ACCOUNT} ${VERSION}
${PARENT} InitiatingProcessLogonId:long ${REPORT} AdditionalFields:dynamic ${REMOTE_SESSION} ${CREATED_SESSION}
${UNIQUE} ProcessUniqueId ${WORKSPACE}`,
    },
  ),
  wellKnownTable('DeviceFileCertificateInfo', 'Certificates of signed files', {
    stream: 'Generic',
    values: `
DeviceName = DvcHostname
`,
    columns: `
Timestamp:datetime DeviceId DeviceName SHA1 IsSigned:bool SignatureType Signer SignerHash Issuer IssuerHash
CertificateSerialNumber CrlDistributionPointUrls CertificateCreationTime:datetime CertificateExpirationTime:datetime
CertificateCountersignatureTime:datetime IsTrusted:bool IsRootSignerMicrosoft:bool ReportId:long ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceInfo', 'Devices with their operating system, owner and health', {
    stream: 'Generic',
    values: `
DeviceName = DvcHostname
`,
    columns: `
Timestamp:datetime DeviceId DeviceName ClientVersion PublicIP OSArchitecture OSPlatform OSBuild:long
IsAzureADJoined:bool JoinType AadDeviceId LoggedOnUsers:dynamic RegistryDeviceTag OSVersion MachineGroup
ReportId:long OnboardingStatus AdditionalFields:dynamic DeviceCategory DeviceType DeviceSubtype Model Vendor
OSDistribution OSVersionInfo MergedDeviceIds MergedToDeviceId IsInternetFacing:bool SensorHealthState IsExcluded:bool
ExclusionReason ExposureLevel AssetValue DeviceManualTags:dynamic DeviceDynamicTags:dynamic ConnectivityType
HostDeviceId AzureResourceId AwsResourceName GcpFullResourceName MitigationStatus HardwareUuid CloudPlatforms:dynamic
AzureVmId AzureVmSubscriptionId DiscoverySources:dynamic FirstSeen:datetime IsTransient:bool OsBuildRevision
DeviceObjectId TenantId TimeGenerated:datetime SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('DeviceNetworkInfo', 'Network adapters and addresses of devices', {
    stream: 'Generic',
    values: `
DeviceName = DvcHostname
`,
    columns: `
Timestamp:datetime DeviceId DeviceName NetworkAdapterName MacAddress NetworkAdapterType NetworkAdapterStatus
TunnelType ConnectedNetworks:dynamic DnsAddresses:dynamic IPv4Dhcp IPv6Dhcp DefaultGateways:dynamic
IPAddresses:dynamic ReportId:long NetworkAdapterVendor ${WORKSPACE}`,
  }),
];
