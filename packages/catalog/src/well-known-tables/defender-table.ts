import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Alerts, mail, identities, apps, exposure and vulnerabilities by the tables of Microsoft Defender and Sentinel.

const WORKSPACE = 'TenantId TimeGenerated:datetime SourceSystem Type _IsBillable _BilledSize:real';
const alert = { stream: 'Alert' } as const;
const mail = { stream: 'Email' } as const;
const other = { stream: 'Generic' } as const;

const IDENTITY_VALUES = `
AccountUpn = ActorUsername
AccountSid = ActorUserId
AccountDomain = ActorDomain
DeviceName = SrcHostname
IPAddress = SrcIpAddr
DestinationDeviceName = DstHostname
DestinationIPAddress = DstIpAddr
TargetAccountUpn = TargetUsername
Protocol = NetworkApplication
`;
const IDENTITY_ACCOUNT = 'AccountName AccountDomain AccountUpn AccountSid AccountObjectId AccountDisplayName';
const DESTINATION = 'DestinationDeviceName DestinationIPAddress DestinationPort';

export const DEFENDER_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('SecurityAlert', 'Alerts of security products', {
    ...alert,
    values: `
AlertName = ThreatName
AlertSeverity = coalesce(tostring(Ext.AlertSeverity), EventSeverity)
ProductName = EventProduct
VendorName = EventVendor
`,
    columns: `
TenantId TimeGenerated:datetime DisplayName AlertName AlertSeverity Description ProviderName VendorName
VendorOriginalId SystemAlertId ResourceId SourceComputerId AlertType ConfidenceLevel ConfidenceScore:real
IsIncident:bool StartTime:datetime EndTime:datetime ProcessingEndTime:datetime RemediationSteps ExtendedProperties
Entities SourceSystem WorkspaceSubscriptionId WorkspaceResourceGroup ExtendedLinks ProductName ProductComponentName
AlertLink Status CompromisedEntity Tactics Techniques SubTechniques Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('SecurityIncident', 'Incidents composed of alerts', {
    ...alert,
    columns: `
TenantId TimeGenerated:datetime IncidentName Title Description Severity Status Classification ClassificationComment
ClassificationReason Owner:dynamic ProviderName ProviderIncidentId FirstActivityTime:datetime
LastActivityTime:datetime FirstModifiedTime:datetime LastModifiedTime:datetime CreatedTime:datetime
ClosedTime:datetime IncidentNumber:int RelatedAnalyticRuleIds:dynamic AlertIds:dynamic BookmarkIds:dynamic
Comments:dynamic Tasks:dynamic Labels:dynamic IncidentUrl AdditionalData:dynamic ModifiedBy SourceSystem Type
_IsBillable _BilledSize:real`,
  }),
  wellKnownTable('AlertInfo', 'Alerts of Microsoft Defender', {
    ...alert,
    values: `
Title = ThreatName
`,
    columns: `
Timestamp:datetime AlertId Title Category Severity ServiceSource DetectionSource AttackTechniques ${WORKSPACE}`,
  }),
  wellKnownTable('AlertEvidence', 'Files, accounts, addresses and devices named in alerts', {
    ...alert,
    values: `
Title = ThreatName
DeviceName = DvcHostname
`,
    columns: `
Timestamp:datetime AlertId Title Categories AttackTechniques ServiceSource DetectionSource EntityType EvidenceRole
EvidenceDirection FileName FolderPath SHA1 SHA256 FileSize:long ThreatFamily RemoteIP RemoteUrl AccountName
AccountDomain AccountSid AccountObjectId AccountUpn DeviceId DeviceName LocalIP NetworkMessageId EmailSubject
Application ApplicationId:int OAuthApplicationId ProcessCommandLine RegistryKey RegistryValueName RegistryValueData
AdditionalFields:dynamic Severity CloudResource CloudPlatform ResourceType ResourceID SubscriptionId ${WORKSPACE}`,
  }),
  wellKnownTable('BehaviorInfo', 'Behaviors that Defender observed', {
    ...alert,
    columns: `
Timestamp:datetime BehaviorId ActionType Description Categories AttackTechniques ServiceSource DetectionSource
DataSources DeviceId AccountUpn AccountObjectId StartTime:datetime EndTime:datetime AdditionalFields:dynamic
${WORKSPACE}`,
  }),
  wellKnownTable('BehaviorEntities', 'Files, accounts, addresses and devices named in behaviors', {
    ...alert,
    columns: `
Timestamp:datetime BehaviorId ActionType Categories ServiceSource DetectionSource DataSources EntityType EntityRole
DetailedEntityRole FileName FolderPath SHA1 SHA256 FileSize:long ThreatFamily RemoteIP RemoteUrl AccountName
AccountDomain AccountSid AccountObjectId AccountUpn DeviceId DeviceName LocalIP NetworkMessageId EmailSubject
EmailClusterId Application ApplicationId:int OAuthApplicationId ProcessCommandLine RegistryKey RegistryValueName
RegistryValueData AdditionalFields:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('CloudAppEvents', 'Activity in cloud applications', {
    stream: 'CloudAudit',
    values: `
IPAddress = SrcIpAddr
UserAgent = HttpUserAgent
AccountObjectId = ActorUserId
AccountDisplayName = ActorUsername
`,
    columns: `
Timestamp:datetime ActionType Application ApplicationId:int AppInstanceId:int AccountObjectId AccountId
AccountDisplayName IsAdminOperation:bool DeviceType OSPlatform IPAddress IsAnonymousProxy:bool CountryCode City ISP
UserAgent ActivityType ActivityObjects:dynamic ObjectName ObjectType ObjectId ReportId AccountType
IsExternalUser:bool IsImpersonated:bool IPTags:dynamic IPCategory UserAgentTags:dynamic RawEventData:dynamic
AdditionalFields:dynamic LastSeenForUser:dynamic UncommonForUser:dynamic AuditSource SessionData:dynamic OAuthAppId
${WORKSPACE}`,
  }),
  wellKnownTable('EmailEvents', 'Emails delivered, moved to junk or blocked', {
    ...mail,
    values: `
SenderFromAddress = EmailSender
RecipientEmailAddress = EmailRecipient
Subject = EmailSubject
SenderIPv4 = SrcIpAddr
`,
    columns: `
Timestamp:datetime NetworkMessageId InternetMessageId SenderMailFromAddress SenderFromAddress SenderDisplayName
SenderObjectId SenderMailFromDomain SenderFromDomain SenderIPv4 SenderIPv6 RecipientEmailAddress RecipientObjectId
Subject EmailClusterId:long EmailDirection DeliveryAction DeliveryLocation ThreatTypes ThreatNames DetectionMethods
ConfidenceLevel BulkComplaintLevel:int EmailAction EmailActionPolicy EmailActionPolicyGuid AuthenticationDetails
AttachmentCount:int UrlCount:int EmailLanguage Connectors OrgLevelAction OrgLevelPolicy UserLevelAction
UserLevelPolicy ReportId AdditionalFields:dynamic LatestDeliveryLocation LatestDeliveryAction
ThreatClassification ExchangeTransportRule DistributionList ForwardingInformation Context To Cc EmailSize:int
IsFirstContact:bool RecipientDomain ${WORKSPACE}`,
  }),
  wellKnownTable('EmailAttachmentInfo', 'Email attachments', {
    ...mail,
    values: `
SenderFromAddress = EmailSender
RecipientEmailAddress = EmailRecipient
`,
    columns: `
Timestamp:datetime NetworkMessageId SenderFromAddress SenderDisplayName SenderObjectId RecipientEmailAddress
RecipientObjectId FileName FileType SHA256 FileSize:long ThreatTypes ThreatNames DetectionMethods ReportId
FileExtension ${WORKSPACE}`,
  }),
  wellKnownTable('EmailUrlInfo', 'URLs in emails', {
    ...mail,
    values: `
Url = Url
`,
    columns: `Timestamp:datetime NetworkMessageId Url UrlDomain UrlLocation ReportId ${WORKSPACE}`,
  }),
  wellKnownTable('EmailPostDeliveryEvents', 'Actions on emails after their delivery', {
    ...mail,
    values: `
RecipientEmailAddress = EmailRecipient
`,
    columns: `
Timestamp:datetime NetworkMessageId InternetMessageId Action ActionType ActionTrigger ActionResult
RecipientEmailAddress DeliveryLocation ThreatTypes DetectionMethods ReportId ${WORKSPACE}`,
  }),
  wellKnownTable('UrlClickEvents', 'Clicks on links protected by Safe Links', {
    stream: 'WebSession',
    values: `
Url = Url
AccountUpn = ActorUsername
IPAddress = SrcIpAddr
`,
    columns: `
Timestamp:datetime Url ActionType AccountUpn Workload NetworkMessageId ThreatTypes DetectionMethods IPAddress
IsClickedThrough:bool UrlChain ReportId AppName AppVersion SourceId ${WORKSPACE}`,
  }),
  wellKnownTable('IdentityLogonEvents', 'Sign-ins to Active Directory and online services', {
    stream: 'Authentication',
    values: `${IDENTITY_VALUES}
AccountUpn = TargetUsername
AccountSid = TargetUserId
AccountDomain = TargetDomain
Application = Object
`,
    columns: `
Timestamp:datetime ActionType Application LogonType Protocol FailureReason ${IDENTITY_ACCOUNT} DeviceName DeviceType
OSPlatform IPAddress Port ${DESTINATION} TargetDeviceName TargetAccountDisplayName Location ISP ReportId
AdditionalFields:dynamic LastSeenForUser:dynamic UncommonForUser:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('IdentityDirectoryEvents', 'Changes and events on domain controllers', {
    stream: 'AuditEvent',
    values: IDENTITY_VALUES,
    columns: `
Timestamp:datetime ActionType Application TargetAccountUpn TargetAccountDisplayName TargetDeviceName ${DESTINATION}
Protocol ${IDENTITY_ACCOUNT} DeviceName IPAddress Port Location ISP ReportId AdditionalFields:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('IdentityQueryEvents', 'Queries to Active Directory', {
    stream: 'AuditEvent',
    values: IDENTITY_VALUES,
    columns: `
Timestamp:datetime ActionType Application QueryType QueryTarget Query Protocol ${IDENTITY_ACCOUNT} DeviceName
IPAddress Port ${DESTINATION} TargetDeviceName TargetAccountUpn TargetAccountDisplayName Location ReportId
AdditionalFields:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('ExposureGraphNodes', 'Assets in the exposure graph', {
    ...other,
    columns:
      'NodeId NodeLabel NodeName Categories:dynamic NodeProperties:dynamic EntityIds:dynamic TimeGenerated:datetime',
  }),
  wellKnownTable('ExposureGraphEdges', 'Relations in the exposure graph', {
    ...other,
    columns: `
EdgeId EdgeLabel SourceNodeId SourceNodeName SourceNodeLabel SourceNodeCategories:dynamic TargetNodeId
TargetNodeName TargetNodeLabel TargetNodeCategories:dynamic EdgeProperties:dynamic TimeGenerated:datetime`,
  }),
  wellKnownTable('DeviceTvmSoftwareInventory', 'Software on devices', {
    ...other,
    values: `
DeviceName = DvcHostname
`,
    columns: `
DeviceId DeviceName OSPlatform OSVersion OSArchitecture SoftwareVendor SoftwareName SoftwareVersion
EndOfSupportStatus EndOfSupportDate:datetime ProductCodeCpe ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmSoftwareVulnerabilities', 'Vulnerabilities of the software on devices', {
    ...other,
    values: `
DeviceName = DvcHostname
`,
    columns: `
DeviceId DeviceName OSPlatform OSVersion OSArchitecture SoftwareVendor SoftwareName SoftwareVersion CveId
VulnerabilitySeverityLevel RecommendedSecurityUpdate RecommendedSecurityUpdateId CveTags:dynamic
CveMitigationStatus AdditionalFields:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmSoftwareVulnerabilitiesKB', 'Reference data on vulnerabilities', {
    ...other,
    columns: `
CveId CvssScore:real CvssVector CveSupportability IsExploitAvailable:bool VulnerabilitySeverityLevel
LastModifiedTime:datetime PublishedDate:datetime VulnerabilityDescription AffectedSoftware:dynamic EpssScore:real
${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmSecureConfigurationAssessment', 'Assessment of the configuration of devices', {
    ...other,
    values: `
DeviceName = DvcHostname
`,
    columns: `
DeviceId DeviceName OSPlatform Timestamp:datetime ConfigurationId ConfigurationCategory ConfigurationSubcategory
ConfigurationImpact:real IsCompliant:bool IsApplicable:bool Context:dynamic IsExpectedUserImpact:bool ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmSecureConfigurationAssessmentKB', 'Reference data on configurations', {
    ...other,
    columns: `
ConfigurationId ConfigurationImpact:real ConfigurationName ConfigurationDescription RiskDescription
ConfigurationCategory ConfigurationSubcategory ConfigurationBenchmarks:dynamic Tags:dynamic RemediationOptions
${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmInfoGathering', 'Additional facts gathered about devices', {
    ...other,
    values: `
DeviceName = DvcHostname
`,
    columns: `
Timestamp:datetime LastSeenTime:datetime DeviceId DeviceName OSPlatform AdditionalFields:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmInfoGatheringKB', 'Reference data on the facts gathered about devices', {
    ...other,
    columns: `IgId FieldName Description Categories:dynamic DataStructure ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmBrowserExtensions', 'Browser extensions on devices', {
    ...other,
    columns: `
DeviceId BrowserName ExtensionId ExtensionName ExtensionDescription ExtensionVersion ExtensionRisk ExtensionVendor
IsActivated:bool InstallationTime:datetime ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmBrowserExtensionsKB', 'Reference data on browser extensions', {
    ...other,
    columns: `
BrowserName ExtensionId ExtensionName ExtensionDescription ExtensionVersion PermissionId PermissionName
PermissionDescription PermissionRisk IsPermissionRequired:bool ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmCertificateInfo', 'Certificates on devices', {
    ...other,
    columns: `
DeviceId Thumbprint Path:dynamic SerialNumber IssuedTo:dynamic IssuedBy:dynamic FriendlyName SignatureAlgorithm
KeySize ExpirationDate IssueDate SubjectType KeyUsage:dynamic ExtendedKeyUsage:dynamic ${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmHardwareFirmware', 'Hardware and firmware of devices', {
    ...other,
    columns: `
DeviceId DeviceName ComponentType Manufacturer ComponentName ComponentFamily ComponentVersion AdditionalFields:dynamic
${WORKSPACE}`,
  }),
  wellKnownTable('DeviceTvmSoftwareEvidenceBeta', 'Where software was found on devices', {
    ...other,
    columns: `
DeviceId SoftwareVendor SoftwareName SoftwareVersion RegistryPaths:dynamic DiskPaths:dynamic LastSeenTime
${WORKSPACE}`,
  }),
];
