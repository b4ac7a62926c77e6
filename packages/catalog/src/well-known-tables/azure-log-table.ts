import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Logs of Azure and of other clouds by the tables of Sentinel: network, storage, vaults, containers, web applications
// and machines. A record that names its table is read back whole; what means the same as a typed column stands there.

const END = 'SourceSystem TenantId Type _IsBillable _BilledSize:real _ResourceId _SubscriptionId';
const CALL =
  'OperationName OperationVersion Category ResultType ResultSignature ResultDescription CorrelationId';
const STORAGE = `TimeGenerated:datetime AccountName Location Protocol OperationName AuthenticationType StatusCode
StatusText DurationMs:real ServerLatencyMs:real Uri CallerIpAddress CorrelationId SchemaVersion OperationVersion
AuthenticationHash RequesterObjectId RequesterTenantId RequesterAppId RequesterAudience RequesterTokenIssuer
RequesterUpn AuthorizationDetails:dynamic UserAgentHeader ReferrerHeader ClientRequestId Etag ServiceType
OperationCount:int RequestHeaderSize:long RequestBodySize:long ResponseHeaderSize:long ResponseBodySize:long RequestMd5
ResponseMd5 LastModifiedTime:datetime ConditionsUsed ContentLengthHeader:long Category TlsVersion`;
const FIREWALL = 'TimeGenerated:datetime Action ActionReason Policy RuleCollectionGroup RuleCollection Rule';
const APP = `TimeGenerated:datetime OperationName OperationId ParentId SyntheticSource SessionId UserId
UserAuthenticatedId UserAccountId AppVersion AppRoleName AppRoleInstance ClientType ClientModel ClientOS ClientIP
ClientCity ClientStateOrProvince ClientCountryOrRegion ClientBrowser ResourceGUID IKey SDKVersion ItemCount:int
Properties:dynamic Measurements:dynamic`;

const STORAGE_VALUES = `
CallerIpAddress = SrcIpAddr
RequesterUpn = ActorUsername
UserAgentHeader = HttpUserAgent
Uri = Url
OperationName = Operation
`;
const FIREWALL_VALUES = `
SourceIp = SrcIpAddr
SourcePort = SrcPortNumber
DestinationIp = DstIpAddr
DestinationPort = DstPortNumber
Protocol = NetworkProtocol
Action = DvcAction
Fqdn = DstHostname
TargetUrl = Url
`;

const audit = { stream: 'CloudAudit' } as const;
const network = { stream: 'NetworkSession' } as const;
const other = { stream: 'Generic' } as const;

const storage = (service: string): WellKnownTable =>
  wellKnownTable(`Storage${service}Logs`, `Requests to Azure ${service.toLowerCase()} storage`, {
    ...audit,
    values: STORAGE_VALUES,
    columns: `${STORAGE} ${END}`,
  });
const firewall = (name: string, description: string, columns: string): WellKnownTable =>
  wellKnownTable(name, description, {
    ...network,
    values: FIREWALL_VALUES,
    columns: `${FIREWALL} ${columns} ${END}`,
  });
const app = (name: string, description: string, columns: string): WellKnownTable =>
  wellKnownTable(name, description, { ...other, columns: `${APP} ${columns} ${END}` });

export const AZURE_LOG_TABLES: readonly WellKnownTable[] = [
  storage('Blob'),
  storage('File'),
  storage('Queue'),
  storage('Table'),
  wellKnownTable('AZKVAuditLogs', 'Operations on Azure key vaults', {
    ...audit,
    values: `
CallerIpAddress = SrcIpAddr
OperationName = Operation
HttpStatusCode = HttpStatusCode
RequestUri = Url
`,
    columns: `
TimeGenerated:datetime ${CALL} CallerIpAddress DurationMs:int Identity:dynamic Properties:dynamic Nsp:dynamic
KeyProperties:dynamic SecretProperties:dynamic CertificateProperties:dynamic CertificatePolicyProperties:dynamic
CertificateIssuerProperties:dynamic CertificateRequestProperties:dynamic StorageAccountProperties:dynamic
StorageSasDefinitionProperties:dynamic Id Algorithm ClientInfo SubnetId HttpStatusCode:int RequestUri
IsAddressAuthorized:bool AddressAuthorizationType IsAccessPolicyMatch:bool IsRbacAuthorized:bool AppliedAssignmentId
TrustedService Tlsversion VaultProperties:dynamic Sku:dynamic NetworkAcls:dynamic EnabledForDeployment:bool
EnabledForDiskEncryption:bool EnabledForTemplateDeployment:bool EnableSoftDelete:bool SoftDeleteRetentionInDays:int
EnableRbacAuthorization:bool EnablePurgeProtection:bool HsmPoolResourceId ${END}`,
  }),
  firewall(
    'AZFWNetworkRule',
    "Decisions of Azure Firewall's network rules",
    'Protocol SourceIp SourcePort:int DestinationIp DestinationPort:int',
  ),
  firewall(
    'AZFWApplicationRule',
    "Decisions of Azure Firewall's application rules",
    `Protocol SourceIp SourcePort:int DestinationPort:int Fqdn TargetUrl IsTlsInspected:bool
IsExplicitProxyRequest:bool WebCategory`,
  ),
  firewall(
    'AZFWNatRule',
    'Address translations by Azure Firewall',
    `Protocol SourceIp SourcePort:int DestinationIp DestinationPort:int TranslatedIp TranslatedPort:int`,
  ),
  firewall(
    'AZFWThreatIntel',
    'Matches of threat intelligence in Azure Firewall',
    `Protocol SourceIp SourcePort:int DestinationIp DestinationPort:int Fqdn TargetUrl IsTlsInspected:bool
ThreatDescription`,
  ),
  firewall(
    'AZFWIdpsSignature',
    'Matches of intrusion signatures in Azure Firewall',
    `Protocol SourceIp SourcePort:int DestinationIp DestinationPort:int SignatureId Category Description Severity:int`,
  ),
  wellKnownTable('AZFWDnsQuery', 'DNS queries through the proxy of Azure Firewall', {
    stream: 'Dns',
    values: `
SourceIp = SrcIpAddr
SourcePort = SrcPortNumber
QueryName = DnsQuery
QueryType = DnsQueryTypeName
ResponseCode = DnsResponseCodeName
Protocol = NetworkProtocol
`,
    columns: `
TimeGenerated:datetime SourceIp SourcePort:int QueryId:int QueryType QueryClass QueryName Protocol RequestSize:int
DnssecOkBit:bool EDNS0BufferSize:int ResponseCode ResponseFlags ResponseSize:int RequestDurationSecs:real
ErrorNumber:int ErrorMessage ${END}`,
  }),
  wellKnownTable('NetworkAccessTraffic', 'Traffic through Global Secure Access', {
    ...network,
    values: `
SourceIp = SrcIpAddr
SourcePort = SrcPortNumber
DestinationIp = DstIpAddr
DestinationPort = DstPortNumber
DestinationFqdn = DstHostname
DestinationUrl = Url
UserPrincipalName = ActorUsername
TransportProtocol = NetworkProtocol
NetworkProtocol = NetworkApplication
SentBytes = SrcBytes
ReceivedBytes = DstBytes
HttpMethod = HttpRequestMethod
ResponseCode = HttpStatusCode
HttpUserAgent = HttpUserAgent
Action = DvcAction
`,
    columns: `
TimeGenerated:datetime TransactionId ConnectionId SessionId TrafficType DeviceCategory DestinationIp
DestinationPort:int DestinationFqdn SourceIp SourcePort:int DeviceOperatingSystem DeviceOperatingSystemVersion
AgentVersion DeviceId UserId UserPrincipalName TransportProtocol NetworkProtocol Action PolicyRuleId PolicyId
SentBytes:long ReceivedBytes:long ReferrerHeader OriginHeader XForwardedFor FilteringProfileId FilteringProfileName
PolicyName RuleName InitiatingProcessName ResourceTenantId ThreatType DestinationUrl Description
DestinationWebCategories AppId ConnectionStatus ConnectorId ConnectorName ConnectorIp AccessType ProcessingRegion
AppSegmentId RemoteNetworkId HttpMethod ResponseCode:int TlsAction TlsStatus TlsPolicyId TlsPolicyName UniqueTokenId
VendorNames CloudAppCatalogId CloudAppName CloudAppCategory CloudAppGeneralScore:int CloudAppRiskScore:int
CloudAppComplianceScore:int CloudAppLegalScore:int CloudAppLoginUser HttpRequestContentType HttpResponseContentType
HttpUserAgent TlsRuleId TlsRuleName DnsResponseOrigin ${END}`,
  }),
  wellKnownTable('AWSVPCFlow', 'Flow logs of Amazon VPC', {
    ...network,
    values: `
SrcAddr = SrcIpAddr
DstAddr = DstIpAddr
SrcPort = SrcPortNumber
DstPort = DstPortNumber
Bytes = SrcBytes
Action = DvcAction
AccountId = CloudAccountId
Region = CloudRegion
`,
    columns: `
TimeGenerated:datetime Version:int AccountId InterfaceId SrcAddr DstAddr SrcPort:int DstPort:int Protocol:int
Packets:int Bytes:long End:datetime Action LogStatus VpcId SubnetId InstanceId TcpFlags:int TrafficType PktSrcAddr
PktDstAddr Region AzId SublocationType SublocationId PktSrcAwsService PktDstAwsService FlowDirection TrafficPath
${END}`,
  }),
  wellKnownTable('AWSGuardDuty', 'Findings of Amazon GuardDuty', {
    stream: 'Alert',
    values: `
Title = ThreatName
Region = CloudRegion
AccountId = CloudAccountId
Description = coalesce(tostring(Ext.Description), Message)
`,
    columns: `
TimeGenerated:datetime SchemaVersion AccountId Region Partition Id Arn ActivityType ResourceDetails:dynamic
ServiceDetails:dynamic Severity:int TimeCreated:datetime Title Description ${END}`,
  }),
  wellKnownTable('AWSCloudWatch', 'Log events of Amazon CloudWatch', {
    ...other,
    values: `
Message = Message
`,
    columns: `TimeGenerated:datetime ExtractedTime:datetime Message ${END}`,
  }),
  wellKnownTable('AWSWAF', 'Decisions of the web application firewall AWS WAF', {
    stream: 'WebSession',
    values: `
Action = DvcAction
`,
    columns: `
TimeGenerated:datetime FormatVersion:int WebAclId TerminatingRuleId TerminatingRuleType Action
TerminatingRuleMatchDetails:dynamic HttpSourceName HttpSourceId RuleGroupList:dynamic RateBasedRuleList:dynamic
NonTerminatingMatchingRules:dynamic RequestHeadersInserted:dynamic ResponseCodeSent HttpRequest:dynamic
CaptchaResponse:dynamic ChallengeResponse:dynamic Labels:dynamic Ja3Fingerprint ${END}`,
  }),
  wellKnownTable('GCPAuditLogs', 'Audit logs of Google Cloud', {
    ...audit,
    values: `
MethodName = Operation
ServiceName = CloudService
PrincipalEmail = ActorUsername
ProjectId = CloudAccountId
GCPResourceName = Object
`,
    columns: `
TimeGenerated:datetime Timestamp:datetime ProjectId LogName GCPResourceType GCPResourceName InsertId Severity
ServiceName MethodName PrincipalEmail AuthenticationInfo:dynamic AuthorizationInfo:dynamic RequestMetadata:dynamic
Request:dynamic Response:dynamic ResourceLocation:dynamic ResourceOriginalState:dynamic ServiceData:dynamic
Metadata:dynamic NumResponseItems Status:dynamic StatusMessage Subscription ${END}`,
  }),
  wellKnownTable('W3CIISLog', 'Requests to Internet Information Services (IIS)', {
    stream: 'WebSession',
    values: `
Computer = DvcHostname
cIP = SrcIpAddr
sIP = DstIpAddr
sPort = DstPortNumber
csMethod = HttpRequestMethod
csUserAgent = HttpUserAgent
csReferer = HttpReferrer
csUserName = ActorUsername
csHost = DstHostname
scStatus = tostring(HttpStatusCode)
csBytes = SrcBytes
scBytes = DstBytes
csUriStem = coalesce(tostring(Ext.csUriStem), extract(@"^(?:\\w+://[^/]*)?([^?]*)", 1, Url))
csUriQuery = coalesce(tostring(Ext.csUriQuery), extract(@"\\?(.*)$", 1, Url))
`,
    columns: `
TimeGenerated:datetime Date Time sSiteName sComputerName sIP csMethod csUriStem csUriQuery sPort:int csUserName cIP
csVersion csUserAgent csCookie csReferer csHost scStatus scSubStatus scWin32Status scBytes:long csBytes:long
TimeTaken:long StorageAccount AzureDeploymentID Role RoleInstance Computer MG ManagementGroupName FileOffset:long
FileUri Confidence Description FirstReportedDateTime IndicatorThreatType IsActive LastReportedDateTime MaliciousIP
RemoteIPCountry RemoteIPLatitude:real RemoteIPLongitude:real ReportReferenceLink Severity:int TLPLevel ${END}`,
  }),
  wellKnownTable('WindowsFirewall', 'Log of the Windows firewall', {
    ...network,
    values: `
Computer = DvcHostname
SourceIP = SrcIpAddr
SourcePort = SrcPortNumber
DestinationIP = DstIpAddr
DestinationPort = DstPortNumber
Protocol = NetworkProtocol
CommunicationDirection = NetworkDirection
FirewallAction = DvcAction
`,
    columns: `
TimeGenerated:datetime Computer FirewallAction Protocol SourceIP DestinationIP SourcePort:int DestinationPort:int
CommunicationDirection FullDestinationAddress Info Description IndicatorThreatType Confidence Severity:int
MaliciousIP RemoteIP RemoteIPCountry RemoteIPLatitude:real RemoteIPLongitude:real RemotePort:int ReportReferenceLink
TLPLevel FirstReportedDateTime LastReportedDateTime IsActive MG ManagementGroupName ${END}`,
  }),
  wellKnownTable('VMConnection', 'Connections of virtual machines', {
    ...network,
    values: `
Computer = DvcHostname
SourceIp = SrcIpAddr
DestinationIp = DstIpAddr
DestinationPort = DstPortNumber
ProcessName = ProcessName
BytesSent = SrcBytes
BytesReceived = DstBytes
Protocol = NetworkProtocol
`,
    columns: `
TimeGenerated:datetime Computer Direction ProcessName SourceIp DestinationIp DestinationPort:int Protocol RemoteIp
RemoteDnsQuestions:dynamic RemoteDnsCanonicalNames:dynamic RemoteClassification RemoteCountry RemoteLatitude:real
RemoteLongitude:real MaliciousIp IndicatorThreatType Description TLPLevel Confidence Severity:int
FirstReportedDateTime LastReportedDateTime IsActive ReportReferenceLink AdditionalInformation Machine Process Port
ConnectionId AgentId BytesSent:long BytesReceived:long LinksLive:long LinksEstablished:long LinksTerminated:long
LinksFailed:long Responses:long ResponseTimeMin:long ResponseTimeMax:long ResponseTimeSum:long ${END}`,
  }),
  wellKnownTable('ContainerLogV2', 'Output of containers', {
    ...other,
    columns: `
TimeGenerated:datetime Computer ContainerId ContainerName PodName PodNamespace LogMessage:dynamic LogSource LogLevel
KubernetesMetadata:dynamic ${END}`,
  }),
  wellKnownTable('KubeEvents', 'Kubernetes events', {
    ...other,
    columns: `
TimeGenerated:datetime Computer ClusterId ClusterName FirstSeen:datetime LastSeen:datetime Count:real KubeEventType
Message Name Namespace ObjectKind Reason SourceComponent ${END}`,
  }),
  ...['AKSAudit', 'AKSAuditAdmin'].map((name) =>
    wellKnownTable(name, 'Kubernetes API calls', {
      ...audit,
      values: `
RequestUri = Url
UserAgent = HttpUserAgent
Verb = Operation
`,
      columns: `
TimeGenerated:datetime Level AuditId Stage RequestUri Verb User:dynamic ImpersonatedUser:dynamic SourceIps:dynamic
UserAgent ObjectRef:dynamic ResponseStatus:dynamic RequestObject:dynamic ResponseObject:dynamic
RequestReceivedTime:datetime StageReceivedTime:datetime Annotations:dynamic PodName ${END}`,
    }),
  ),
  wellKnownTable('AppServiceHTTPLogs', 'Requests to Azure App Service', {
    stream: 'WebSession',
    values: `
CIp = SrcIpAddr
CsMethod = HttpRequestMethod
CsHost = DstHostname
CsUsername = ActorUsername
UserAgent = HttpUserAgent
Referer = HttpReferrer
ScStatus = HttpStatusCode
ScBytes = DstBytes
CsBytes = SrcBytes
`,
    columns: `
TimeGenerated:datetime Category CsMethod CsUriStem SPort CIp UserAgent CsHost ScStatus:int ScSubStatus ScWin32Status
ScBytes:long CsBytes:long TimeTaken:int Result Cookie CsUriQuery CsUsername Referer ComputerName Protocol ${END}`,
  }),
  app(
    'AppRequests',
    'Requests to applications',
    'Id Source Name Url Success:bool ResultCode DurationMs:real',
  ),
  app('AppTraces', 'Log messages of applications', 'Message SeverityLevel:int'),
  app(
    'AppExceptions',
    'Exceptions in applications',
    `ProblemId HandledAt ExceptionType Assembly Method OuterType OuterMessage OuterAssembly OuterMethod InnermostType
InnermostMessage InnermostAssembly InnermostMethod SeverityLevel:int Details:dynamic`,
  ),
  app(
    'AppDependencies',
    'Calls that applications make to other services',
    'Id Target DependencyType Name Data Success:bool ResultCode DurationMs:real PerformanceBucket',
  ),
  app('AppEvents', 'Events that applications record', 'Name'),
  wellKnownTable('Perf', 'Performance counters of machines', {
    ...other,
    columns: `
TimeGenerated:datetime Computer ObjectName CounterName InstanceName Min:real Max:real SampleCount:int CounterValue:real
BucketStartTime:datetime BucketEndTime:datetime StandardDeviation:real CounterPath ${END}`,
  }),
  wellKnownTable('AzureMetrics', 'Metrics of Azure resources', {
    ...other,
    columns: `
TimeGenerated:datetime ResourceId OperationName OperationVersion Category ResultType ResultSignature ResultDescription
DurationMs:long CallerIpAddress CorrelationId Resource ResourceGroup ResourceProvider SubscriptionId MetricName
Total:real Count:real Maximum:real Minimum:real Average:real TimeGrain UnitName RemoteIPCountry RemoteIPLatitude:real
RemoteIPLongitude:real MaliciousIP IndicatorThreatType Description TLPLevel Confidence Severity:int
FirstReportedDateTime LastReportedDateTime IsActive ReportReferenceLink AdditionalInformation ${END}`,
  }),
  wellKnownTable('ProtectionStatus', 'Malware protection of machines', {
    ...other,
    columns: `
TimeGenerated:datetime Computer DeviceName DetectionId TypeofProtection Threat ThreatStatusRank ThreatStatus
ThreatStatusDetails ProtectionStatusRank ProtectionStatus ProtectionStatusDetails SignatureVersion ScanDate:datetime
DateCollected:datetime AMProductVersion OSName ResourceId Resource ResourceGroup ResourceProvider ResourceType
SubscriptionId VMUUID SourceComputerId MG ManagementGroupName ComputerEnvironment ComputerIP_Hidden ${END}`,
  }),
  wellKnownTable('ConfigurationChange', 'Changes to software, files and services of machines', {
    stream: 'AuditEvent',
    columns: `
TimeGenerated:datetime Computer ConfigChangeType ChangeCategory SoftwareName SoftwareType SoftwareDescription
Publisher Current Previous SvcName SvcDisplayName SvcDescription SvcState SvcPreviousState SvcAccount
SvcPreviousAccount SvcStartupType SvcPreviousStartupType SvcPath SvcPreviousPath SvcChangeType FileSystemPath
FieldsChanged Size:long PreviousSize:long DateCreated:datetime DateModified:datetime FileContentChecksum
FileContentBlobLink RegistryKey Hive ValueName ValueData ValueType PreviousValueData Name Path SourceComputerId
VMUUID ${END}`,
  }),
  wellKnownTable('SecurityRecommendation', 'Recommendations of Defender for Cloud', {
    ...other,
    columns: `
TimeGenerated:datetime AssessedResourceId RecommendationAdditionalData:dynamic RecommendationDisplayName
RecommendationId RecommendationLink RecommendationName RecommendationSeverity RecommendationState StatusDescription
Description RemediationDescription PolicyDefinitionId ResourceRegion Environment DeviceId DiscoveredTimeUTC:datetime
NotApplicableReason FirstEvaluationDate:datetime StatusChangeDate:datetime IsSnapshot:bool Properties:dynamic
ResourceTenantId ProviderName ${END}`,
  }),
];
