import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Network devices, clouds, office and platform logs by the tables of Sentinel and Log Analytics.

const STANDARD = 'SourceSystem Type _IsBillable _BilledSize:real';
const RESOURCE = '_ResourceId _SubscriptionId';
const cloud = { stream: 'CloudAudit' } as const;
const other = { stream: 'Generic' } as const;

export const CLOUD_LOG_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('CommonSecurityLog', 'Events of security appliances in the Common Event Format (CEF)', {
    stream: 'NetworkSession',
    from: 'Events | where SourceType in ("cef", "leef") or $named',
    values: `
DeviceVendor = EventVendor
DeviceProduct = EventProduct
DeviceVersion = coalesce(tostring(Ext.DeviceVersion), tostring(Ext.deviceVersion))
DeviceEventClassID = coalesce(tostring(Ext.DeviceEventClassID), tostring(Ext.SignatureId), tostring(Ext.deviceEventClassId))
Activity = EventType
EventType = toint(tostring(Ext.EventType))
LogSeverity = coalesce(tostring(Ext.LogSeverity), tostring(Ext.Severity), EventSeverity)
DeviceAction = DvcAction
ApplicationProtocol = NetworkApplication
CommunicationDirection = NetworkDirection
Computer = DvcHostname
DeviceName = coalesce(tostring(Ext.DeviceName), DvcHostname)
DeviceAddress = DvcIpAddr
DestinationIP = DstIpAddr
DestinationPort = DstPortNumber
DestinationHostName = DstHostname
DestinationUserName = TargetUsername
DestinationUserID = TargetUserId
DestinationNTDomain = TargetDomain
SourceIP = SrcIpAddr
SourcePort = SrcPortNumber
SourceHostName = SrcHostname
SourceMACAddress = SrcMacAddr
SourceUserName = ActorUsername
SourceUserID = ActorUserId
SourceNTDomain = ActorDomain
SourceProcessName = ProcessName
DestinationProcessName = TargetProcessName
ReceivedBytes = DstBytes
SentBytes = SrcBytes
EventOutcome = EventResult
Reason = EventResultDetails
Protocol = NetworkProtocol
RequestURL = Url
RequestMethod = HttpRequestMethod
RequestClientApplication = HttpUserAgent
RequestContext = HttpReferrer
FilePath = FilePath
FileName = coalesce(tostring(Ext.FileName), extract(@"[^\\\\/]*$", 0, FilePath))
FileHash = coalesce(tostring(Ext.FileHash), FileHashSha256, FileHashSha1, FileHashMd5)
Message = Message
AdditionalExtensions = coalesce(tostring(Ext.AdditionalExtensions), tostring(Ext))
SimplifiedDeviceAction = coalesce(tostring(Ext.SimplifiedDeviceAction), DvcAction)
DeviceFacility = coalesce(tostring(Ext.DeviceFacility), Facility)
DeviceExternalID = coalesce(tostring(Ext.DeviceExternalID), tostring(Ext.deviceExternalId))
DeviceEventCategory = coalesce(tostring(Ext.DeviceEventCategory), tostring(Ext.cat))
DeviceInboundInterface = coalesce(tostring(Ext.DeviceInboundInterface), tostring(Ext.deviceInboundInterface))
DeviceOutboundInterface = coalesce(tostring(Ext.DeviceOutboundInterface), tostring(Ext.deviceOutboundInterface))
EventCount = coalesce(toint(tostring(Ext.EventCount)), toint(tostring(Ext.cnt)))
DeviceCustomString1 = coalesce(tostring(Ext.DeviceCustomString1), tostring(Ext.cs1))
DeviceCustomString2 = coalesce(tostring(Ext.DeviceCustomString2), tostring(Ext.cs2))
DeviceCustomString3 = coalesce(tostring(Ext.DeviceCustomString3), tostring(Ext.cs3))
DeviceCustomString4 = coalesce(tostring(Ext.DeviceCustomString4), tostring(Ext.cs4))
DeviceCustomString5 = coalesce(tostring(Ext.DeviceCustomString5), tostring(Ext.cs5))
DeviceCustomString6 = coalesce(tostring(Ext.DeviceCustomString6), tostring(Ext.cs6))
DeviceCustomNumber1 = coalesce(toint(tostring(Ext.DeviceCustomNumber1)), toint(tostring(Ext.cn1)))
DeviceCustomNumber2 = coalesce(toint(tostring(Ext.DeviceCustomNumber2)), toint(tostring(Ext.cn2)))
DeviceCustomNumber3 = coalesce(toint(tostring(Ext.DeviceCustomNumber3)), toint(tostring(Ext.cn3)))
`,
    columns: `
TenantId TimeGenerated:datetime DeviceVendor DeviceProduct DeviceVersion DeviceEventClassID Activity LogSeverity
OriginalLogSeverity AdditionalExtensions DeviceAction ApplicationProtocol EventCount:int DestinationDnsDomain
DestinationServiceName DestinationTranslatedAddress DestinationTranslatedPort:int CommunicationDirection
DeviceDnsDomain DeviceExternalID DeviceFacility DeviceInboundInterface DeviceNtDomain DeviceOutboundInterface
DevicePayloadId ProcessName DeviceTranslatedAddress DestinationHostName DestinationMACAddress DestinationNTDomain
DestinationProcessId:int DestinationUserPrivileges DestinationProcessName DestinationPort:int DestinationIP
DeviceTimeZone DestinationUserID DestinationUserName DeviceAddress DeviceName DeviceMacAddress ProcessID:int
EndTime:datetime ExternalID:int ExtID FileCreateTime FileHash FileID FileModificationTime FilePath FilePermission
FileType FileName FileSize:int ReceivedBytes:long Message OldFileCreateTime OldFileHash OldFileID
OldFileModificationTime OldFileName OldFilePath OldFilePermission OldFileSize:int OldFileType SentBytes:long
EventOutcome Protocol Reason RequestURL RequestClientApplication RequestContext RequestCookies RequestMethod
ReceiptTime SourceHostName SourceMACAddress SourceNTDomain SourceDnsDomain SourceServiceName SourceTranslatedAddress
SourceTranslatedPort:int SourceProcessId:int SourceUserPrivileges SourceProcessName SourcePort:int SourceIP
StartTime:datetime SourceUserID SourceUserName EventType:int DeviceEventCategory DeviceCustomIPv6Address1
DeviceCustomIPv6Address1Label DeviceCustomIPv6Address2 DeviceCustomIPv6Address2Label DeviceCustomIPv6Address3
DeviceCustomIPv6Address3Label DeviceCustomIPv6Address4 DeviceCustomIPv6Address4Label DeviceCustomFloatingPoint1:real
DeviceCustomFloatingPoint1Label DeviceCustomFloatingPoint2:real DeviceCustomFloatingPoint2Label
DeviceCustomFloatingPoint3:real DeviceCustomFloatingPoint3Label DeviceCustomFloatingPoint4:real
DeviceCustomFloatingPoint4Label DeviceCustomNumber1:int FieldDeviceCustomNumber1:long DeviceCustomNumber1Label
DeviceCustomNumber2:int FieldDeviceCustomNumber2:long DeviceCustomNumber2Label DeviceCustomNumber3:int
FieldDeviceCustomNumber3:long DeviceCustomNumber3Label DeviceCustomString1 DeviceCustomString1Label
DeviceCustomString2 DeviceCustomString2Label DeviceCustomString3 DeviceCustomString3Label DeviceCustomString4
DeviceCustomString4Label DeviceCustomString5 DeviceCustomString5Label DeviceCustomString6 DeviceCustomString6Label
DeviceCustomDate1 DeviceCustomDate1Label DeviceCustomDate2 DeviceCustomDate2Label FlexDate1 FlexDate1Label
FlexNumber1:int FlexNumber1Label FlexNumber2:int FlexNumber2Label FlexString1 FlexString1Label FlexString2
FlexString2Label RemoteIP RemotePort MaliciousIP ThreatSeverity:int IndicatorThreatType ThreatDescription
ThreatConfidence ReportReferenceLink MaliciousIPLongitude:real MaliciousIPLatitude:real MaliciousIPCountry Computer
CollectorHostName SourceSystem SimplifiedDeviceAction Type _IsBillable _BilledSize:real ${RESOURCE}`,
  }),
  wellKnownTable('AWSCloudTrail', 'AWS API calls (CloudTrail)', {
    ...cloud,
    from: 'CloudAudit | where SourceType == "aws-cloudtrail" or $named',
    values: `
AwsEventId = coalesce(tostring(Ext.AwsEventId), tostring(Ext.eventID))
EventVersion = coalesce(tostring(Ext.EventVersion), tostring(Ext.eventVersion))
EventSource = CloudService
EventTypeName = EventType
EventName = Operation
UserIdentityType = coalesce(tostring(Ext.UserIdentityType), tostring(Ext.userIdentity.type))
UserIdentityPrincipalid = coalesce(tostring(Ext.UserIdentityPrincipalid), tostring(Ext.userIdentity.principalId))
UserIdentityArn = coalesce(tostring(Ext.UserIdentityArn), tostring(Ext.userIdentity.arn))
UserIdentityAccountId = coalesce(tostring(Ext.UserIdentityAccountId), tostring(Ext.userIdentity.accountId))
UserIdentityInvokedBy = coalesce(tostring(Ext.UserIdentityInvokedBy), tostring(Ext.userIdentity.invokedBy))
UserIdentityAccessKeyId = coalesce(tostring(Ext.UserIdentityAccessKeyId), tostring(Ext.userIdentity.accessKeyId))
UserIdentityUserName = coalesce(tostring(Ext.UserIdentityUserName), tostring(Ext.userIdentity.userName))
SessionMfaAuthenticated = coalesce(tobool(tostring(Ext.SessionMfaAuthenticated)), tobool(tostring(Ext.userIdentity.sessionContext.attributes.mfaAuthenticated)))
SessionCreationDate = coalesce(todatetime(tostring(Ext.SessionCreationDate)), todatetime(tostring(Ext.userIdentity.sessionContext.attributes.creationDate)))
SessionIssuerType = coalesce(tostring(Ext.SessionIssuerType), tostring(Ext.userIdentity.sessionContext.sessionIssuer.type))
SessionIssuerPrincipalId = coalesce(tostring(Ext.SessionIssuerPrincipalId), tostring(Ext.userIdentity.sessionContext.sessionIssuer.principalId))
SessionIssuerArn = coalesce(tostring(Ext.SessionIssuerArn), tostring(Ext.userIdentity.sessionContext.sessionIssuer.arn))
SessionIssuerAccountId = coalesce(tostring(Ext.SessionIssuerAccountId), tostring(Ext.userIdentity.sessionContext.sessionIssuer.accountId))
SessionIssuerUserName = coalesce(tostring(Ext.SessionIssuerUserName), tostring(Ext.userIdentity.sessionContext.sessionIssuer.userName))
AWSRegion = CloudRegion
SourceIpAddress = coalesce(SrcIpAddr, SrcHostname)
UserAgent = HttpUserAgent
ErrorCode = coalesce(tostring(Ext.ErrorCode), tostring(Ext.errorCode), EventResultDetails)
ErrorMessage = Message
RequestParameters = coalesce(tostring(Ext.RequestParameters), tostring(Ext.requestParameters))
ResponseElements = coalesce(tostring(Ext.ResponseElements), tostring(Ext.responseElements))
AdditionalEventData = coalesce(tostring(Ext.AdditionalEventData), tostring(Ext.additionalEventData))
AwsRequestId = coalesce(tostring(Ext.AwsRequestId), tostring(Ext.requestID))
Resources = coalesce(tostring(Ext.Resources), tostring(Ext.resources))
APIVersion = coalesce(tostring(Ext.APIVersion), tostring(Ext.apiVersion))
ReadOnly = coalesce(tobool(tostring(Ext.ReadOnly)), tobool(tostring(Ext.readOnly)))
RecipientAccountId = coalesce(tostring(Ext.RecipientAccountId), tostring(Ext.recipientAccountId), CloudAccountId)
ServiceEventDetails = coalesce(tostring(Ext.ServiceEventDetails), tostring(Ext.serviceEventDetails))
SharedEventId = coalesce(tostring(Ext.SharedEventId), tostring(Ext.sharedEventID))
VpcEndpointId = coalesce(tostring(Ext.VpcEndpointId), tostring(Ext.vpcEndpointId))
ManagementEvent = coalesce(tobool(tostring(Ext.ManagementEvent)), tobool(tostring(Ext.managementEvent)))
OperationName = coalesce(tostring(Ext.OperationName), "CloudTrail")
Category = coalesce(tostring(Ext.Category), tostring(Ext.eventCategory))
TlsVersion = coalesce(tostring(Ext.TlsVersion), tostring(Ext.tlsDetails.tlsVersion))
CipherSuite = coalesce(tostring(Ext.CipherSuite), tostring(Ext.tlsDetails.cipherSuite))
ClientProvidedHostHeader = coalesce(tostring(Ext.ClientProvidedHostHeader), tostring(Ext.tlsDetails.clientProvidedHostHeader))
`,
    columns: `
TimeGenerated:datetime AwsEventId EventVersion EventSource EventTypeName EventName UserIdentityType
UserIdentityPrincipalid UserIdentityArn UserIdentityAccountId UserIdentityInvokedBy UserIdentityAccessKeyId
UserIdentityUserName SessionMfaAuthenticated:bool SessionCreationDate:datetime SessionIssuerType
SessionIssuerPrincipalId SessionIssuerArn SessionIssuerAccountId SessionIssuerUserName AWSRegion SourceIpAddress
UserAgent ErrorCode ErrorMessage RequestParameters ResponseElements AdditionalEventData AwsRequestId AwsRequestId_
Resources APIVersion ReadOnly:bool RecipientAccountId ServiceEventDetails SharedEventId VpcEndpointId
ManagementEvent:bool TenantId SourceSystem OperationName Category EC2RoleDelivery TlsVersion CipherSuite
ClientProvidedHostHeader Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('OfficeActivity', 'Activity in Exchange, SharePoint, OneDrive and Teams', {
    ...cloud,
    values: `
Operation = Operation
UserId = ActorUsername
ClientIP = SrcIpAddr
UserAgent = HttpUserAgent
OfficeWorkload = coalesce(tostring(Ext.OfficeWorkload), tostring(Ext.Workload))
OfficeObjectId = coalesce(tostring(Ext.OfficeObjectId), tostring(Ext.ObjectId))
OfficeId = coalesce(tostring(Ext.OfficeId), tostring(Ext.Id))
Site_Url = coalesce(tostring(Ext.Site_Url), tostring(Ext.SiteUrl))
Client_IPAddress = coalesce(tostring(Ext.Client_IPAddress), tostring(Ext.ClientIPAddress))
Logon_Type = coalesce(tostring(Ext.Logon_Type), tostring(Ext.LogonType))
Event_Data = coalesce(tostring(Ext.Event_Data), tostring(Ext.EventData))
`,
    columns: `
TenantId Application UserDomain Activity UserAgent RecordType TimeGenerated:datetime Operation OrganizationId UserType
UserKey OfficeWorkload ResultStatus ResultReasonType OfficeObjectId UserId ClientIP Site_ ItemType EventSource
Source_Name MachineDomainInfo MachineId Site_Url SourceRelativeUrl SourceFileName SourceFileExtension
DestinationRelativeUrl DestinationFileName DestinationFileExtension UserSharedWith SharingType CustomEvent Event_Data
ModifiedObjectResolvedName Parameters ExternalAccess OriginatingServer OrganizationName Logon_Type
InternalLogonType:int MailboxGuid MailboxOwnerUPN MailboxOwnerSid MailboxOwnerMasterAccountSid LogonUserSid
LogonUserDisplayName ClientInfoString Client_IPAddress ClientMachineName ClientProcessName ClientVersion Folder
CrossMailboxOperations:bool DestMailboxId DestMailboxOwnerUPN DestMailboxOwnerSid DestMailboxOwnerMasterAccountSid
DestFolder Folders AffectedItems Item ModifiedProperties SendAsUserSmtp SendAsUserMailboxGuid SendOnBehalfOfUserSmtp
SendonBehalfOfUserMailboxGuid ExtendedProperties Client LoginStatus:int Actor ActorContextId ActorIpAddress
InterSystemsId IntraSystemId SupportTicketId TargetContextId DataCenterSecurityEventType:int EffectiveOrganization
ElevationTime:datetime ElevationApprover ElevationApprovedTime:datetime ElevationRequestId ElevationRole
ElevationDuration:int GenericInfo SourceSystem OfficeId SourceRecordId AzureActiveDirectory_EventType AADTarget
Start_Time:datetime OfficeTenantId TargetUserOrGroupName TargetUserOrGroupType MessageId Members:dynamic TeamName
TeamGuid ChannelType ChannelName ChannelGuid ExtraProperties:dynamic AddOnType AddonName TabType Name OldValue
NewValue ItemName ChatThreadId ChatName CommunicationType AADGroupId AddOnGuid AppDistributionMode TargetUserId
OperationScope AzureADAppId OperationProperties:dynamic AppId ClientAppId ApplicationId SRPolicyId SRPolicyName
SRRuleMatchDetails:dynamic IsManagedDevice:bool AppAccessContext:dynamic Type _IsBillable _BilledSize:real
${RESOURCE}`,
  }),
  wellKnownTable('AzureActivity', 'Azure management API calls', {
    ...cloud,
    values: `
CallerIpAddress = SrcIpAddr
Caller = ActorUsername
OperationNameValue = Operation
OperationName = coalesce(tostring(Ext.OperationName), Operation)
SubscriptionId = CloudAccountId
ActivityStatusValue = coalesce(tostring(Ext.ActivityStatusValue), tostring(Ext.resultType))
CategoryValue = coalesce(tostring(Ext.CategoryValue), tostring(Ext.category))
Authorization_d = parse_json(coalesce(tostring(Ext.Authorization_d), tostring(Ext.Authorization)))
Claims_d = parse_json(coalesce(tostring(Ext.Claims_d), tostring(Ext.Claims)))
Properties_d = parse_json(coalesce(tostring(Ext.Properties_d), tostring(Ext.Properties)))
`,
    columns: `
SourceSystem CallerIpAddress CategoryValue CorrelationId Authorization Authorization_d:dynamic Claims Claims_d:dynamic
Level OperationNameValue Properties Properties_d:dynamic Caller EventDataId EventSubmissionTimestamp:datetime
HTTPRequest OperationId ResourceGroup ResourceProviderValue ActivityStatusValue ActivitySubstatusValue Hierarchy
TimeGenerated:datetime SubscriptionId OperationName ActivityStatus ActivitySubstatus Category ResourceId
ResourceProvider Resource TenantId Type _IsBillable _BilledSize:real ${RESOURCE}`,
  }),
  wellKnownTable('AzureDiagnostics', 'Logs of Azure resources that have no table in Sentinel', {
    ...cloud,
    values: `
OperationName = Operation
SubscriptionId = CloudAccountId
CallerIPAddress = SrcIpAddr
`,
    columns: `
TenantId TimeGenerated:datetime ResourceId Category ResourceGroup SubscriptionId ResourceProvider Resource
ResourceType OperationName ResultType CorrelationId ResultDescription CallerIPAddress Level DurationMs:long
OperationVersion ResultSignature Tenant_g StatusCode_d:real SourceSystem Type _IsBillable _BilledSize:real
${RESOURCE}`,
  }),
  wellKnownTable('MicrosoftAzureBastionAuditLogs', 'Sessions through Azure Bastion', {
    ...cloud,
    values: `
UserName = ActorUsername
ClientIpAddress = SrcIpAddr
ClientPort = SrcPortNumber
TargetVMIPAddress = DstIpAddr
`,
    columns: `
TenantId SourceSystem TimeGenerated:datetime Time:datetime OperationName Location UserAgent UserName ClientIpAddress
ClientPort:int Protocol ResourceType TargetResourceId Message TargetVMIPAddress UserEmail TunnelId
SessionStartTime:datetime SessionEndTime Duration:int Type _IsBillable _BilledSize:real ${RESOURCE}`,
  }),
  wellKnownTable('CloudAuditEvents', 'Audit events of cloud services and Kubernetes', {
    ...cloud,
    values: `
IPAddress = SrcIpAddr
UserAgent = HttpUserAgent
OperationName = Operation
`,
    columns: `
Timestamp:datetime ReportId DataSource ActionType OperationName ResourceId IPAddress IsAnonymousProxy:bool CountryCode
City Isp UserAgent RawEventData:dynamic AdditionalFields:dynamic TenantId TimeGenerated:datetime SourceSystem Type`,
  }),
  wellKnownTable('DnsEvents', 'Queries and registrations on Windows DNS servers', {
    stream: 'Dns',
    from: 'Dns | where SourceType in ("sysmon", "windows-event") or $named',
    values: `
Computer = DvcHostname
ClientIP = SrcIpAddr
Name = DnsQuery
QueryType = DnsQueryTypeName
IPAddresses = DnsResponseName
Result = DnsResponseCodeName
EventId = EventID
SubType = coalesce(tostring(Ext.SubType), "LookupQuery")
`,
    columns: `
TenantId SourceSystem TimeGenerated:datetime Computer SubType ClientIP Name QueryType IPAddresses Message
ResultCode:int Result EventId:int TaskCategory Confidence Description IndicatorThreatType MaliciousIP
RemoteIPCountry RemoteIPLatitude:real RemoteIPLongitude:real Severity:int ReportReferenceLink Type _IsBillable
_BilledSize:real _ResourceId _SubscriptionId`,
  }),
  wellKnownTable('Heartbeat', 'Heartbeats of agents', {
    ...other,
    values: `
Computer = DvcHostname
ComputerIP = DvcIpAddr
`,
    columns: `
SourceSystem TimeGenerated:datetime MG ManagementGroupName SourceComputerId ComputerIP Computer Category OSType OSName
OSMajorVersion OSMinorVersion Version SCAgentChannel IsGatewayInstalled:bool RemoteIPLongitude:real
RemoteIPLatitude:real RemoteIPCountry SubscriptionId ResourceGroup ResourceProvider Resource ResourceId ResourceType
ComputerEnvironment Solutions VMUUID ComputerPrivateIPs:dynamic TenantId Type _IsBillable _BilledSize:real
${RESOURCE}`,
  }),
  wellKnownTable('Usage', 'Data volume by type', {
    ...other,
    columns: `
TenantId Computer TimeGenerated:datetime SourceSystem StartTime:datetime EndTime:datetime ResourceUri
LinkedResourceUri DataType Solution BatchesWithinSla:long BatchesOutsideSla:long BatchesCapped:long TotalBatches:long
AvgLatencyInSeconds:real Quantity:real QuantityUnit IsBillable:bool MeterId LinkedMeterId Type _IsBillable
_BilledSize:real`,
  }),
  wellKnownTable('LAQueryLogs', 'Queries that users ran in Log Analytics', {
    stream: 'AuditEvent',
    columns: `
TenantId TimeGenerated:datetime CorrelationId AADObjectId AADTenantId AADEmail AADClientId
QueryTimeRangeStart:datetime QueryTimeRangeEnd:datetime QueryText RequestClientApp RequestTarget
RequestContext:dynamic RequestContextFilters:dynamic ResponseCode:int ResponseRowCount:int ResponseDurationMs:real
StatsCPUTimeMs:real StatsDataProcessedKB:real StatsDataProcessedStart:datetime StatsDataProcessedEnd:datetime
StatsWorkspaceCount:int StatsRegionCount:int IsBillableQuery:bool ScannedGB:real SourceSystem Type _IsBillable
_BilledSize:real ${RESOURCE}`,
  }),
  wellKnownTable('IntuneDevices', 'Devices managed by Intune', {
    ...other,
    values: `
DeviceName = DvcHostname
`,
    columns: `
TenantId TimeGenerated:datetime OperationName Result SourceSystem DeviceId DeviceName UPN LastContact OSVersion OS
CompliantState Ownership ManagedBy Model SerialNumber Manufacturer CreatedDate DeviceState UserEmail UserName IMEI
PhoneNumber DeviceRegistrationState ReferenceId ManagedDeviceName GraphDeviceIsManaged:bool CategoryName
EncryptionStatusString SubscriberCarrierNetwork JoinType SupervisedStatusString WifiMacAddress StorageTotal:long
StorageFree:long AndroidPatchLevel MEID InGracePeriodUntil JailBroken SkuFamily EasID PrimaryUser BatchId
IntuneAccountId AADTenantId Stats:dynamic Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('IntuneAuditLogs', 'Changes made in Intune', {
    stream: 'AuditEvent',
    values: `
OperationName = Operation
Identity = ActorUsername
`,
    columns: `
SourceSystem TimeGenerated:datetime OperationName Category ResultType ResultDescription CorrelationId Identity
Properties TenantId Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('SentinelHealth', "Health of Sentinel's connectors and automation", {
    ...other,
    columns: `
TenantId TimeGenerated:datetime OperationName SentinelResourceId SentinelResourceName Status Description Reason
WorkspaceId SentinelResourceType SentinelResourceKind RecordId ExtendedProperties:dynamic ${STANDARD}`,
  }),
  wellKnownTable('InformationProtectionEvents', 'Sensitivity labels of Microsoft Purview', {
    stream: 'AuditEvent',
    columns: `
TenantId TimeGenerated:datetime User ItemPath ItemName Activity ResultStatus LabelName LabelNameBefore ProtectionType
ProtectionTypeBefore ProtectionTime:datetime Platform Machine MachineIP Version Application ProcessName
ProcessVersion ApplicationId DataState DiscoveredInformationTypes LabelingMethod LabelId LabelIdBefore Justification
Workload MatchedInformationTypes RequiresAttention:bool SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('ThreatIntelligenceIndicator', 'Threat indicators', {
    ...other,
    columns: `
TenantId TimeGenerated:datetime Action ActivityGroupNames AdditionalInformation ConfidenceScore:real Description
DiamondModel ExternalIndicatorId ExpirationDateTime:datetime IndicatorId ThreatType Active:bool KillChainActions:bool
KillChainC2:bool KillChainDelivery:bool KillChainExploitation:bool KillChainReconnaissance:bool
KillChainWeaponization:bool KnownFalsePositives MalwareNames PassiveOnly:bool ThreatSeverity:int Tags
TrafficLightProtocolLevel EmailEncoding EmailLanguage EmailRecipient EmailSenderAddress EmailSenderName
EmailSourceDomain EmailSourceIpAddress EmailSubject EmailXMailer FileCompileDateTime:datetime
FileCreatedDateTime:datetime FileHashType FileHashValue FileMutexName FileName FilePacker FilePath FileSize:int
FileType DomainName NetworkIP NetworkPort:int NetworkDestinationAsn:int NetworkDestinationCidrBlock
NetworkDestinationIP NetworkCidrBlock NetworkDestinationPort:int NetworkProtocol:int NetworkSourceAsn:int
NetworkSourceCidrBlock NetworkSourceIP NetworkSourcePort:int Url UserAgent IndicatorProvider AzureTenantId
ApplicationId SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('Anomalies', 'Anomalies in the behavior of users and hosts', {
    stream: 'Alert',
    columns: `
TenantId Id WorkspaceId VendorName TimeGenerated:datetime AnomalyTemplateId AnomalyTemplateName
AnomalyTemplateVersion RuleId RuleStatus RuleName RuleConfigVersion Score:real Description StartTime:datetime
EndTime:datetime ExtendedLinks:dynamic Tactics Techniques UserName UserPrincipalName SourceIpAddress
SourceLocation:dynamic SourceDevice DestinationIpAddress DestinationLocation:dynamic DestinationDevice
ActivityInsights:dynamic DeviceInsights:dynamic UserInsights:dynamic AnomalyReasons:dynamic Entities:dynamic
ExtendedProperties:dynamic AnomalyDetails:dynamic ${STANDARD}`,
  }),
];
