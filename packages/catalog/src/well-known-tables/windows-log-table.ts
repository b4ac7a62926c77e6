import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// The Windows event log by the tables of Sentinel. What a shipper names in the event data stays under that name, in a
// typed column or below `Ext`, so most columns need no word here.

const SECURITY =
  'SourceType == "windows-event" and (Channel =~ "Security" or (Channel == "" and Provider has "Security-Auditing"))';

export const WINDOWS_LOG_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('SecurityEvent', 'Windows security log', {
    stream: 'WindowsEvent',
    from: `Events | where (${SECURITY}) or $named`,
    values: `
Computer = DvcHostname
EventID = EventID
Channel = Channel
EventSourceName = Provider
SourceComputerId = tostring(Ext.SourceComputerId)
Level = coalesce(tostring(Ext.Level), tostring(Ext.SeverityValue))
Activity = coalesce(tostring(Ext.Activity), strcat(tostring(EventID), " - ", coalesce(extract(@"^([^\\r\\n]+)", 1, Message), EventType)))
Account = coalesce(tostring(Ext.Account), case(EventID in (4624, 4625, 4634, 4647, 4768, 4769, 4771, 4776), iff(isempty(TargetDomain), TargetUsername, strcat(TargetDomain, @"\\", TargetUsername)), iff(isempty(ActorDomain), ActorUsername, strcat(ActorDomain, @"\\", ActorUsername))))
AccountType = coalesce(tostring(Ext.AccountType), iff(iff(EventID in (4624, 4625, 4634, 4768, 4769, 4776), TargetUsername, ActorUsername) endswith "$", "Machine", "User"))
AccountName = coalesce(tostring(Ext.AccountName), ActorUsername)
AccountDomain = coalesce(tostring(Ext.AccountDomain), ActorDomain)
SubjectAccount = coalesce(tostring(Ext.SubjectAccount), iff(isempty(ActorDomain), ActorUsername, strcat(ActorDomain, @"\\", ActorUsername)))
SubjectUserName = ActorUsername
SubjectUserSid = ActorUserId
SubjectDomainName = ActorDomain
SubjectLogonId = coalesce(tostring(Ext.SubjectLogonId), iff(EventID in (4624, 4627, 4634, 4647), "", LogonId))
TargetAccount = coalesce(tostring(Ext.TargetAccount), iff(isempty(TargetDomain), coalesce(TargetUsername, GroupName), strcat(TargetDomain, @"\\", coalesce(TargetUsername, GroupName))))
TargetUserName = coalesce(tostring(Ext.TargetUserName), GroupName, TargetUsername)
TargetUserSid = TargetUserId
TargetSid = coalesce(tostring(Ext.TargetSid), iff(EventID between (4727 .. 4767), TargetUserId, ""))
TargetDomainName = TargetDomain
TargetLogonId = coalesce(tostring(Ext.TargetLogonId), iff(EventID in (4624, 4627, 4634, 4647), LogonId, ""))
MemberName = coalesce(tostring(Ext.MemberName), iff(isnotempty(GroupName), TargetUsername, ""))
MemberSid = coalesce(tostring(Ext.MemberSid), iff(isnotempty(GroupName), TargetUserId, ""))
LogonType = LogonType
LogonTypeName = coalesce(tostring(Ext.LogonTypeName), case(LogonType == 2, "2 - Interactive", LogonType == 3, "3 - Network", LogonType == 4, "4 - Batch", LogonType == 5, "5 - Service", LogonType == 7, "7 - Unlock", LogonType == 8, "8 - NetworkCleartext", LogonType == 9, "9 - NewCredentials", LogonType == 10, "10 - RemoteInteractive", LogonType == 11, "11 - CachedInteractive", ""))
LogonID = coalesce(tostring(Ext.LogonID), LogonId)
AuthenticationPackageName = LogonProtocol
IpAddress = SrcIpAddr
IpPort = coalesce(tostring(Ext.IpPort), tostring(SrcPortNumber))
WorkstationName = SrcHostname
Workstation = coalesce(tostring(Ext.Workstation), SrcHostname)
ClientAddress = coalesce(tostring(Ext.ClientAddress), SrcIpAddr)
CommandLine = CommandLine
NewProcessName = coalesce(tostring(Ext.NewProcessName), iff(EventID == 4688, ProcessName, ""))
NewProcessId = coalesce(tostring(Ext.NewProcessId), iff(EventID == 4688 and isnotnull(ProcessId), strcat("0x", tohex(ProcessId)), ""))
Process = coalesce(tostring(Ext.Process), extract(@"[^\\\\/]*$", 0, ProcessName))
ProcessName = ProcessName
ProcessId = coalesce(tostring(Ext.ProcessId), iff(EventID == 4688, iff(isnotnull(ParentProcessId), strcat("0x", tohex(ParentProcessId)), ""), iff(isnotnull(ProcessId), strcat("0x", tohex(ProcessId)), "")))
ParentProcessName = ParentProcessName
MandatoryLabel = ProcessIntegrityLevel
FileHash = coalesce(tostring(Ext.FileHash), FileHashSha256)
ObjectName = coalesce(tostring(Ext.ObjectName), Object, FilePath, RegistryKey)
NewValue = RegistryValueData
ServiceName = ServiceName
ServiceFileName = ServiceFileName
ShareName = ShareName
RelativeTargetName = coalesce(tostring(Ext.RelativeTargetName), iff(EventID == 5145, FilePath, ""))
Status = coalesce(tostring(Ext.Status), iff(EventID in (4625, 4768, 4769, 4771, 4776), EventResultDetails, ""))
TargetServerName = coalesce(tostring(Ext.TargetServerName), iff(EventID == 4648, DstHostname, ""))
PackageName = coalesce(tostring(Ext.PackageName), iff(EventID == 4776, LogonProtocol, ""))
AccessMask = coalesce(AccessMask, tostring(Ext.AccessMask))
ObjectType = coalesce(ObjectType, tostring(Ext.ObjectType))
ObjectServer = coalesce(ObjectServer, tostring(Ext.ObjectServer))
Properties = coalesce(ObjectProperties, tostring(Ext.Properties))
PrivilegeList = coalesce(PrivilegeList, tostring(Ext.PrivilegeList))
EnabledPrivilegeList = coalesce(tostring(Ext.EnabledPrivilegeList), iff(EventID == 4703, PrivilegeList, ""))
EventData = coalesce(tostring(Ext.EventData), Raw)
`,
    columns: `
TimeGenerated:datetime SourceSystem Account AccountType Computer EventSourceName Channel Task:int Level EventData
EventID:int Activity SourceComputerId EventOriginId MG TimeCollected:datetime ManagementGroupName AccessMask
AccountDomain AccountExpires AccountName AccountSessionIdentifier AdditionalInfo AdditionalInfo2 AllowedToDelegateTo
Attributes AuditPolicyChanges AuditsDiscarded:int AuthenticationLevel:int AuthenticationPackageName
AuthenticationProvider AuthenticationServer AuthenticationService:int AuthenticationType CACertificateHash
CalledStationID CallerProcessId CallerProcessName CallingStationID CAPublicKeyHash CategoryId CertificateDatabaseHash
ClassId ClassName ClientAddress ClientIPAddress ClientName CommandLine CompatibleIds DCDNSName DeviceDescription
DeviceId DisplayName Disposition DomainBehaviorVersion DomainName DomainPolicyChanged DomainSid EAPType ElevatedToken
ErrorCode:int ExtendedQuarantineState FailureReason FileHash FilePath FilePathNoUser Filter ForceLogoff Fqbn
FullyQualifiedSubjectMachineName FullyQualifiedSubjectUserName GroupMembership HandleId HardwareIds HomeDirectory
HomePath InterfaceUuid IpAddress IpPort KeyLength:int LmPackageName LocationInformation LockoutDuration
LockoutObservationWindow LockoutThreshold LoggingResult LogonGuid LogonHours LogonID LogonProcessName LogonType:int
LogonTypeName MachineAccountQuota MachineInventory MachineLogon MandatoryLabel MaxPasswordAge MemberName MemberSid
MinPasswordAge MinPasswordLength MixedDomainMode NASIdentifier NASIPv4Address NASIPv6Address NASPort NASPortType
NetworkPolicyName NewDate NewMaxUsers NewProcessId NewProcessName NewRemark NewShareFlags NewTime NewUacValue
NewValue NewValueType ObjectName ObjectServer ObjectType ObjectValueName OemInformation OldMaxUsers OldRemark
OldShareFlags OldUacValue OldValue OldValueType OperationType PackageName ParentProcessName PasswordHistoryLength
PasswordLastSet PasswordProperties PreviousDate PreviousTime PrimaryGroupId PrivateKeyUsageCount PrivilegeList Process
ProcessId ProcessName Properties ProfilePath ProtocolSequence ProxyPolicyName QuarantineHelpURL QuarantineSessionID
QuarantineSessionIdentifier QuarantineState QuarantineSystemHealthResult RelativeTargetName RemoteIpAddress RemotePort
Requester RequestId RestrictedAdminMode RowsDeleted SamAccountName ScriptPath SecurityDescriptor ServiceAccount
ServiceFileName ServiceName ServiceStartType:int ServiceType SessionName ShareLocalPath ShareName SidHistory Status
SubjectAccount SubcategoryGuid SubcategoryId Subject SubjectDomainName SubjectKeyIdentifier SubjectLogonId
SubjectMachineName SubjectMachineSID SubjectUserName SubjectUserSid SubStatus TableId TargetAccount TargetDomainName
TargetInfo TargetLinkedLogonId TargetLogonGuid TargetLogonId TargetOutboundDomainName TargetOutboundUserName
TargetServerName TargetSid TargetUser TargetUserName TargetUserSid TemplateContent TemplateDSObjectFQDN
TemplateInternalName TemplateOID TemplateSchemaVersion TemplateVersion TokenElevationType TransmittedServices
UserAccountControl UserParameters UserPrincipalName UserWorkstations VirtualAccount VendorIds Workstation
WorkstationName StorageAccount AzureDeploymentID AzureTableName PartitionKey RowKey TenantId Type _IsBillable
_BilledSize:real _ResourceId _SubscriptionId`,
  }),
  wellKnownTable('Event', 'Windows event logs other than the security log', {
    stream: 'WindowsEvent',
    from: `Events | where (SourceType in ("windows-event", "sysmon") and not(${SECURITY})) or $named`,
    values: `
Source = Provider
EventLog = Channel
Computer = DvcHostname
EventLevel = coalesce(toint(tostring(Ext.EventLevel)), toint(tostring(Ext.Level)))
EventLevelName = coalesce(tostring(Ext.EventLevelName), EventSeverity)
EventID = EventID
RenderedDescription = Message
Message = Message
UserName = coalesce(tostring(Ext.UserName), ActorUsername)
EventData = coalesce(tostring(Ext.EventData), Raw)
ParameterXml = coalesce(tostring(Ext.ParameterXml), Raw)
`,
    columns: `
SourceSystem TimeGenerated:datetime Source EventLog Computer EventLevel:int EventLevelName ParameterXml EventData
EventID:int RenderedDescription AzureDeploymentID Role EventCategory:int UserName Message MG ManagementGroupName
TenantId Type _IsBillable _BilledSize:real _ResourceId _SubscriptionId`,
  }),
];
