import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Tables of Sentinel itself, of Microsoft 365 and further ones of Defender: behaviour, watch lists, indicators, apps,
// clouds, messages and baselines.

const END = 'SourceSystem TenantId Type _IsBillable _BilledSize:real _ResourceId _SubscriptionId';
const XDR = 'TenantId TimeGenerated:datetime SourceSystem Type _IsBillable _BilledSize:real';
const audit = { stream: 'AuditEvent' } as const;
const mail = { stream: 'Email' } as const;
const other = { stream: 'Generic' } as const;
const ACTOR_VALUES = `
ActorName = ActorUsername
SrcIpAddr = SrcIpAddr
UserAgent = HttpUserAgent
`;

export const SENTINEL_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('BehaviorAnalytics', 'Activity enriched by user and entity behavior analytics (UEBA)', {
    stream: 'Alert',
    values: `
SourceIPAddress = SrcIpAddr
SourceDevice = SrcHostname
DestinationIPAddress = DstIpAddr
DestinationDevice = DstHostname
UserName = ActorUsername
EventVendor = EventVendor
`,
    columns: `
TimeGenerated:datetime TimeProcessed:datetime ActivityType ActionType UserName UserPrincipalName ActorName
ActorPrincipalName TargetName TargetPrincipalName Device SourceIPAddress SourceIPLocation SourceDevice
DestinationIPAddress DestinationIPLocation DestinationDevice EventSource EventVendor EventProductVersion
NativeTableName SourceRecordId InvestigationPriority:int UsersInsights:dynamic DevicesInsights:dynamic
ActivityInsights:dynamic WorkspaceId ${END}`,
  }),
  wellKnownTable('UserPeerAnalytics', 'Peers of users', {
    ...other,
    columns: `
TimeGenerated:datetime AADTenantId UserId UserName UserPrincipalName PeerUserId PeerUserName PeerUserPrincipalName
Rank:int ${END}`,
  }),
  wellKnownTable('UserAccessAnalytics', 'What users have access to', {
    ...other,
    columns: `
TimeGenerated:datetime AADTenantId SourceEntityId SourceEntityName SourceEntityType TargetEntityId TargetEntityName
TargetEntityType AccessLevel AccessType AccessId Score:int ${END}`,
  }),
  wellKnownTable('Watchlist', 'Watchlist items', {
    ...other,
    columns: `
TimeGenerated:datetime AzureTenantId CorrelationId CreatedBy:dynamic CreatedTimeUTC:datetime DTItemId DTItemStatus
DTItemType DTTimestamp:datetime EntityMapping:dynamic LastUpdatedTimeUTC:datetime Notes Provider SearchKey Source
Tags TimeToLive:datetime UpdatedBy:dynamic WatchlistAlias WatchlistCategory WatchlistId WatchlistItem:dynamic
WatchlistItemId WatchlistName DefaultDuration ${END}`,
  }),
  wellKnownTable('HuntingBookmark', 'Bookmarked results of hunts', {
    ...other,
    columns: `
TimeGenerated:datetime BookmarkId BookmarkName BookmarkType CreatedBy CreatedTime:datetime LastUpdatedTime:datetime
UpdatedBy EventTime:datetime QueryText QueryResultRow QueryStartTime:datetime QueryEndTime:datetime Notes Tags
SoftDeleted:bool Entities ${END}`,
  }),
  wellKnownTable('SentinelAudit', 'Changes made in Sentinel', {
    ...audit,
    values: `
OperationName = Operation
`,
    columns: `
TimeGenerated:datetime OperationName SentinelResourceId SentinelResourceName Status Description WorkspaceId
SentinelResourceType SentinelResourceKind CorrelationId ExtendedProperties:dynamic ${END}`,
  }),
  wellKnownTable('ThreatIntelIndicators', 'Threat indicators in STIX', {
    ...other,
    columns: `
TimeGenerated:datetime WorkspaceId AzureTenantId Id LastUpdateMethod IsDeleted:bool AdditionalFields:dynamic
Data:dynamic IsActive:bool Revoked:bool ValidFrom:datetime ValidUntil:datetime Created:datetime Modified:datetime
Tags Confidence:int Pattern ObservableKey ObservableValue ${END}`,
  }),
  wellKnownTable('ThreatIntelObjects', 'Threat actors, campaigns and other objects in STIX', {
    ...other,
    columns: `
TimeGenerated:datetime WorkspaceId AzureTenantId Id StixType LastUpdateMethod IsDeleted:bool AdditionalFields:dynamic
Data:dynamic ${END}`,
  }),
  wellKnownTable('AADProvisioningLogs', 'Accounts provisioned by Entra', {
    stream: 'UserManagement',
    values: `
OperationName = Operation
`,
    columns: `
TimeGenerated:datetime AADTenantId OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId Action ChangeId CycleId Id InitiatedBy JobId ModifiedProperties
ProvisioningSteps ServicePrincipal SourceIdentity StatusInfo TargetIdentity TargetSystem ProvisioningAction
ProvisioningStatusInfo ${END}`,
  }),
  wellKnownTable('AADRiskyServicePrincipals', 'Applications at risk', {
    ...other,
    columns: `
TimeGenerated:datetime Id AccountEnabled:bool AppId DisplayName IsProcessing:bool RiskDetail
RiskLastUpdatedDateTime:datetime RiskLevel RiskState ServicePrincipalType OperationName CorrelationId ${END}`,
  }),
  wellKnownTable('PowerBIActivity', 'Activity in Power BI', {
    ...audit,
    values: `${ACTOR_VALUES}
Activity = Operation
`,
    columns: `
TimeGenerated:datetime EventOriginalUid RecordType EventOriginalType OrganizationId UserType ActorUserType ActorUserId
EventResult ObjectId ActorName SrcIpAddr Scope TargetAppName DashboardName DataClassification DatasetName
MembershipInformation OrgAppPermission ReportName SharingInformation SwitchState PbiWorkspaceName EventProduct
EventVendor UserAgent Activity ItemName WorkspaceId DashboardId IsSuccess RequestId Workload ActivityId
DistributionMethod ${END}`,
  }),
  wellKnownTable('ProjectActivity', 'Activity in Microsoft Project', {
    ...audit,
    values: ACTOR_VALUES,
    columns: `
TimeGenerated:datetime Workload EventOriginalUid OrganizationId UserType ActorUserType ActorUserId EventResult
ObjectId ActorName SrcIpAddr Scope TargetAppName Entity Action OnBehalfOfResId EventProduct EventVendor UserAgent
RecordType EventOriginalType ${END}`,
  }),
  wellKnownTable('Dynamics365Activity', 'Activity in Dynamics 365', {
    ...audit,
    values: `
ClientIP = SrcIpAddr
UserId = ActorUsername
UserAgent = HttpUserAgent
`,
    columns: `
TimeGenerated:datetime CrmOrganizationUniqueName EntityName EntityId InstanceUrl ItemType ItemUrl UserAgent
OriginalObjectId UserId UserKey UserUpn UserType ClientIP CorrelationId Message Fields PrimaryFieldValue
PrimaryFieldSchemaName OrganizationId Query QueryResults ServiceContextId ServiceContextIdType ServiceName
SystemUserId ResultStatus RecordType Workload EventType ${END}`,
  }),
  wellKnownTable('McasShadowItReporting', 'Cloud applications found in traffic', {
    stream: 'WebSession',
    columns: `
TimeGenerated:datetime MachineName MachineId AppName AppId AppInstance AppCategory AppScore:int AppTags:dynamic
IpAddress UserName EnrichedUserName StreamName TotalEvents:int BlockedEvents:int UploadedBytes:long
TotalBytes:long DownloadedBytes:long ${END}`,
  }),
  wellKnownTable('MicrosoftPurviewInformationProtection', 'Labels and protection of documents', {
    ...audit,
    values: `
Operation = Operation
UserId = ActorUsername
ClientIP = SrcIpAddr
`,
    columns: `
TimeGenerated:datetime Operation OrganizationId RecordType RecordTypeName UserId UserKey UserType UserTypeName
Workload ClientIP ResultStatus ObjectId Scope Application ApplicationMode ProcessName DeviceName Platform
IrmContentId LabelName:string LabelId SensitivityLabelId SensitivityLabelOwnerEmail OldSensitivityLabelId
SensitivityLabelEventData:dynamic SensitiveInfoTypeData:dynamic ExecutionRuleId ItemName ItemSize:long Justification
Location ContentType PolicyId PolicyName PolicyVersion RuleMode Severity SharePointMetaData:dynamic
ExchangeMetaData:dynamic EmailInfo:dynamic ProtectionEventData:dynamic CommonPlatform ${END}`,
  }),
  wellKnownTable('EnrichedMicrosoft365AuditLogs', 'Microsoft 365 audit log with sign-in context', {
    ...audit,
    values: `
Operation = Operation
UserId = ActorUsername
ClientIp = SrcIpAddr
SourceIp = SrcIpAddr
`,
    columns: `
TimeGenerated:datetime Id UserId UserKey UserType Operation OrganizationId RecordType Workload ObjectId ClientIp
SourceIp DeviceId DeviceOperatingSystem DeviceOperatingSystemVersion ResultStatus Scope UniqueTokenId
AdditionalProperties:dynamic ${END}`,
  }),
  wellKnownTable('CloudProcessEvents', 'Processes in cloud containers', {
    stream: 'ProcessEvent',
    values: `
FileName = extract(@"[^\\\\/]*$", 0, ProcessName)
FolderPath = ProcessName
ProcessId = ProcessId
ProcessCommandLine = CommandLine
AccountName = ActorUsername
ParentProcessName = ParentProcessName
ParentProcessId = ParentProcessId
`,
    columns: `
Timestamp:datetime AzureResourceId AwsResourceName GcpFullResourceName ContainerImageName KubernetesNamespace
KubernetesPodName KubernetesResource ContainerName ContainerId ActionType FileName FolderPath ProcessId:long
ProcessName ParentProcessName ParentProcessId:long ProcessCommandLine ProcessCreationTime:datetime
ProcessCurrentWorkingDirectory AccountName LogonId:long InitiatingProcessId AdditionalFields ${XDR}`,
  }),
  wellKnownTable('CloudStorageAggregatedEvents', 'Use of cloud storage, by hour', {
    stream: 'CloudAudit',
    values: `
IPAddress = SrcIpAddr
UserAgentHeader = HttpUserAgent
`,
    columns: `
Timestamp:datetime AggregatedEventStartTime:datetime AggregatedEventEndTime:datetime DataAggregationStartTime:datetime
DataAggregationEndTime:datetime ReportId:long OperationNamesList:dynamic AuthenticationType StorageAccount
StorageContainer StorageFileShare ServiceType SubscriptionId ResourceGroup AzureResourceId IPAddress Location
UserAgentHeader AccountObjectId AccountTenantId AccountUpn AccountApplicationId StatusCode OperationsCount:long
SuccessfulOperationsCount:long FailedOperationsCount:long TotalResponseLength:long TotalRequestLength:long
AdditionalFields:dynamic ${XDR}`,
  }),
  wellKnownTable('CloudDnsEvents', 'DNS queries in cloud containers', {
    stream: 'Dns',
    values: `
DnsQuery = DnsQuery
DnsQueryTypeName = DnsQueryTypeName
DnsResponseCodeName = DnsResponseCodeName
SrcIpAddr = SrcIpAddr
`,
    columns: `
Timestamp:datetime AzureResourceId AwsResourceName GcpFullResourceName KubernetesNamespace KubernetesPodName
KubernetesResource ContainerImageName ContainerName ContainerId ProcessName ProcessId:long ProcessCommandLine
ActionType DnsQuery DnsQueryTypeName DnsResponseCodeName DnsResponseName SrcIpAddr AdditionalFields ${XDR}`,
  }),
  wellKnownTable('FileMaliciousContentInfo', 'Malicious files in SharePoint, OneDrive and Teams', {
    stream: 'Alert',
    values: `
FileName = FilePath
SHA256 = FileHashSha256
`,
    columns: `
Timestamp:datetime Workload FileName FolderPath FileSize:long SHA256 FileOwnerDisplayName FileOwnerUpn
DocumentId ThreatTypes ThreatNames DetectionMethods LastModifyingAccountUpn LastModifiedTime:datetime
FileCreationTime:datetime ReportId ${XDR}`,
  }),
  wellKnownTable('MessageEvents', 'Messages in Teams', {
    ...mail,
    values: `
SenderEmailAddress = EmailSender
RecipientEmailAddress = EmailRecipient
Subject = EmailSubject
`,
    columns: `
Timestamp:datetime TeamsMessageId IsOwnedThread:bool IsExternalThread:bool ThreadId ThreadName ThreadType ThreadSubType
MessageType MessageSubtype SenderDisplayName SenderEmailAddress SenderObjectId SenderType RecipientDetails:dynamic
GroupId GroupName MessageId MessageVersion Subject DeliveryAction DeliveryLocation ThreatTypes ConfidenceLevel
DetectionMethods SafetyTip LastEditedTime:datetime RecipientEmailAddress ReportId ${XDR}`,
  }),
  wellKnownTable('MessageUrlInfo', 'URLs in Teams messages', {
    ...mail,
    values: `
Url = Url
`,
    columns: `Timestamp:datetime TeamsMessageId Url UrlDomain ReportId ${XDR}`,
  }),
  wellKnownTable('MessagePostDeliveryEvents', 'Actions on Teams messages after their delivery', {
    ...mail,
    columns: `
Timestamp:datetime TeamsMessageId MessageId MessageVersion Action ActionType ActionTrigger ActionResult
RecipientDetails:dynamic IsExternalThread:bool SenderEmailAddress SenderType ThreatTypes DetectionMethods
ConfidenceLevel LatestDeliveryLocation ReportId ${XDR}`,
  }),
  wellKnownTable('DataSecurityEvents', 'Activity that violates data policies', {
    ...audit,
    columns: `
Timestamp:datetime ActionType Application DeviceId DeviceName AadDeviceId IsManagedDevice:bool DlpPolicyMatchInfo:dynamic
DlpPolicyEnforcementMode DlpPolicyRuleMatchInfo:dynamic FileRenameInfo PhysicalAccessPointId PhysicalAccessPointName
PhysicalAccessStatus PhysicalAssetTag RemovableMediaManufacturer RemovableMediaModel RemovableMediaSerialNumber
TeamsChannelName TeamsChannelType TeamsChatId TeamsMessageId AccountUpn AccountObjectId Department SourceCodeInfo
CcPolicyMatchInfo IPAddress ObjectFileType ObjectFileName ObjectFileExtension ObjectFileSize:long ObjectId
IsHiddenContent:bool ActivityId ActionSource SensitivityLabelId SharepointMetadata:dynamic
SensitiveInfoTypeInfo:dynamic InsiderRiskPolicyMatchInfo:dynamic ReportId ${XDR}`,
  }),
  wellKnownTable('DisruptionAndResponseEvents', 'Automatic disruption of attacks', {
    stream: 'Alert',
    columns: `
Timestamp:datetime ActionType ReportId DeviceId SourceDeviceId TargetDeviceId TargetDeviceName TargetDomainName
DeviceName DomainName InitiatingProcessId:long InitiatingProcessFileName SourceUserSid SourceUserName SourceUserDomainName
SourceIpAddress SourcePort:int TargetIpAddress TargetPort:int SourceDeviceName SourceDomainName AuthenticationProtocol
Service InterfaceUuid InterfaceFriendlyName FileName ShareName LogonType SourceUserLogonId IsPolicyOn:bool PolicyName
PolicyVersion PolicyHash DataSources CompromisedAccountCount:int ${XDR}`,
  }),
  ...[
    'DeviceBaselineComplianceAssessment',
    'DeviceBaselineComplianceAssessmentKB',
    'DeviceBaselineComplianceProfiles',
  ].map((name) =>
    wellKnownTable(name, 'Compliance of devices with security baselines', {
      ...other,
      columns: `
Timestamp:datetime DeviceId DeviceName OSPlatform OSVersion ConfigurationId ProfileId ProfileName ProfileDescription
IsCompliant:bool IsApplicable:bool IsExempt:bool BenchmarkName BenchmarkVersion BenchmarkProfileLevels:dynamic
ConfigurationName ConfigurationDescription ConfigurationRationale ConfigurationCategory RemediationOptions
CCEReference Source:dynamic RecommendedValue:dynamic CurrentValue:dynamic BaseBenchmark Status CreatedBy
CreatedOnTimestamp:datetime LastUpdatedOnTimestamp:datetime ${XDR}`,
    }),
  ),
];
