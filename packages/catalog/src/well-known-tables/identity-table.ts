import { type WellKnownTable, wellKnownTable } from './well-known-table.ts';

// Sign-ins, directory audit and risk of Microsoft Entra ID, and what describes its people and apps.

const SIGN_IN = `
UserPrincipalName = TargetUsername
UserId = TargetUserId
IPAddress = SrcIpAddr
AppDisplayName = Object
ClientAppUsed = LogonProtocol
UserAgent = HttpUserAgent
AADTenantId = CloudAccountId
OperationName = Operation
ResultType = coalesce(tostring(Ext.ResultType), tostring(Ext.resultType), tostring(Ext.Status.errorCode), tostring(Ext.status.errorCode), iff(EventResult == "Success", "0", ""))
ResultDescription = coalesce(tostring(Ext.ResultDescription), tostring(Ext.resultDescription), EventResultDetails)
AppId = coalesce(tostring(Ext.AppId), tostring(Ext.appId))
Id = coalesce(tostring(Ext.Id), tostring(Ext.id))
Category = coalesce(tostring(Ext.Category), tostring(Ext.category))
CorrelationId = coalesce(tostring(Ext.CorrelationId), tostring(Ext.correlationId))
Location = coalesce(tostring(Ext.Location), tostring(Ext.location.countryOrRegion), tostring(Ext.location))
UserDisplayName = coalesce(tostring(Ext.UserDisplayName), tostring(Ext.userDisplayName))
UserType = coalesce(tostring(Ext.UserType), tostring(Ext.userType))
ConditionalAccessStatus = coalesce(tostring(Ext.ConditionalAccessStatus), tostring(Ext.conditionalAccessStatus))
AuthenticationRequirement = coalesce(tostring(Ext.AuthenticationRequirement), tostring(Ext.authenticationRequirement))
ResourceDisplayName = coalesce(tostring(Ext.ResourceDisplayName), tostring(Ext.resourceDisplayName))
RiskDetail = coalesce(tostring(Ext.RiskDetail), tostring(Ext.riskDetail))
RiskState = coalesce(tostring(Ext.RiskState), tostring(Ext.riskState))
RiskLevelAggregated = coalesce(tostring(Ext.RiskLevelAggregated), tostring(Ext.riskLevelAggregated))
RiskLevelDuringSignIn = coalesce(tostring(Ext.RiskLevelDuringSignIn), tostring(Ext.riskLevelDuringSignIn))
`;

const SIGN_IN_DYNAMIC = `
Status = parse_json(coalesce(tostring(Ext.Status), tostring(Ext.status)))
DeviceDetail = parse_json(coalesce(tostring(Ext.DeviceDetail), tostring(Ext.deviceDetail)))
LocationDetails = parse_json(coalesce(tostring(Ext.LocationDetails), tostring(Ext.location)))
ConditionalAccessPolicies = parse_json(coalesce(tostring(Ext.ConditionalAccessPolicies), tostring(Ext.appliedConditionalAccessPolicies)))
CreatedDateTime = coalesce(todatetime(tostring(Ext.CreatedDateTime)), TimeGenerated)
`;

const SERVICE_SIGN_IN = `
TenantId SourceSystem TimeGenerated:datetime OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId ResourceGroup Identity Level Location AppId
AuthenticationContextClassReferences AuthenticationProcessingDetails ConditionalAccessPolicies
ConditionalAccessStatus FederatedCredentialId Id IPAddress LocationDetails ResourceDisplayName ResourceIdentity
ResourceServicePrincipalId ServicePrincipalCredentialKeyId ServicePrincipalCredentialThumbprint ServicePrincipalId
ServicePrincipalName UniqueTokenIdentifier Type _IsBillable _BilledSize:real`;

const SERVICE_VALUES = `
IPAddress = SrcIpAddr
ServicePrincipalName = ActorUsername
ServicePrincipalId = ActorUserId
ResourceDisplayName = Object
OperationName = Operation
`;

const ADVANCED_SIGN_IN = `
Timestamp:datetime Application ApplicationId LogonType ErrorCode:int CorrelationId SessionId AccountDisplayName
AccountObjectId AccountUpn IsExternalUser:int IsGuestUser:bool AlternateSignInName
LastPasswordChangeTimestamp:datetime ResourceDisplayName ResourceId ResourceTenantId DeviceName AadDeviceId OSPlatform
DeviceTrustType IsManaged:int IsCompliant:int AuthenticationProcessingDetails AuthenticationRequirement
TokenIssuerType:int RiskLevelAggregated:int RiskLevelDuringSignIn:int RiskEventTypes RiskDetails:int RiskState:int UserAgent ClientAppUsed Browser
ConditionalAccessPolicies ConditionalAccessStatus:int IPAddress Country State City Latitude Longitude
NetworkLocationDetails RequestId ReportId`;

const ADVANCED_VALUES = `
AccountUpn = TargetUsername
AccountObjectId = TargetUserId
IPAddress = SrcIpAddr
Application = Object
ClientAppUsed = LogonProtocol
UserAgent = HttpUserAgent
DeviceName = DvcHostname
`;

const ADVANCED_SERVICE_SIGN_IN = `
Timestamp:datetime Application ApplicationId IsManagedIdentity:bool ErrorCode:int CorrelationId ServicePrincipalName
ServicePrincipalId ResourceDisplayName ResourceId ResourceTenantId IPAddress Country State City Latitude Longitude
RequestId ReportId`;

const auth = { stream: 'Authentication' } as const;
const audit = { stream: 'AuditEvent' } as const;

export const IDENTITY_TABLES: readonly WellKnownTable[] = [
  wellKnownTable('SigninLogs', 'Interactive sign-ins to Microsoft Entra ID', {
    ...auth,
    from: 'Authentication | where SourceType == "azure-sign-in" or $named',
    values: SIGN_IN + SIGN_IN_DYNAMIC,
    columns: `
SourceSystem TimeGenerated:datetime ResourceId OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId Resource ResourceGroup ResourceProvider Identity Level Location
AlternateSignInName AppDisplayName AppId AuthenticationContextClassReferences AuthenticationDetails
AppliedEventListeners:dynamic AuthenticationMethodsUsed AuthenticationProcessingDetails AuthenticationRequirement
AuthenticationRequirementPolicies ClientAppUsed ConditionalAccessPolicies:dynamic ConditionalAccessStatus
CreatedDateTime:datetime DeviceDetail:dynamic IsInteractive:bool Id IPAddress IsRisky:bool LocationDetails:dynamic
MfaDetail:dynamic NetworkLocationDetails OriginalRequestId ProcessingTimeInMilliseconds RiskDetail RiskEventTypes
RiskEventTypes_V2 RiskLevelAggregated RiskLevelDuringSignIn RiskState ResourceDisplayName ResourceIdentity
ResourceServicePrincipalId ServicePrincipalId ServicePrincipalName Status:dynamic TokenIssuerName TokenIssuerType
UserAgent UserDisplayName UserId UserPrincipalName AADTenantId UserType FlaggedForReview:bool
IPAddressFromResourceProvider SignInIdentifier SignInIdentifierType ResourceTenantId HomeTenantId
UniqueTokenIdentifier SessionLifetimePolicies AutonomousSystemNumber AuthenticationProtocol CrossTenantAccessType
AppliedConditionalAccessPolicies RiskLevel SessionId OriginalTransferMethod IncomingTokenType
IsTenantRestricted:bool TenantId Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('AADNonInteractiveUserSignInLogs', 'Sign-ins that a client made for a user', {
    ...auth,
    values: SIGN_IN,
    columns: `
TenantId SourceSystem TimeGenerated:datetime OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId ResourceGroup Identity Level Location AlternateSignInName
AppDisplayName AppId AppliedEventListeners:dynamic AuthenticationContextClassReferences AuthenticationDetails
AuthenticationMethodsUsed AuthenticationProcessingDetails AuthenticationProtocol AuthenticationRequirement
AuthenticationRequirementPolicies AutonomousSystemNumber ClientAppUsed ConditionalAccessPolicies
ConditionalAccessStatus CreatedDateTime:datetime CrossTenantAccessType DeviceDetail HomeTenantId Id IPAddress
IsInteractive:bool IsRisky:bool LocationDetails MfaDetail NetworkLocationDetails OriginalRequestId ProcessingTimeInMs
ResourceDisplayName ResourceIdentity ResourceServicePrincipalId ResourceTenantId RiskDetail RiskEventTypes
RiskEventTypes_V2 RiskLevelAggregated RiskLevelDuringSignIn RiskState ServicePrincipalId SessionLifetimePolicies
SignInEventTypes SignInIdentifierType Status TokenIssuerName TokenIssuerType UniqueTokenIdentifier UserAgent
UserDisplayName UserId UserPrincipalName UserType SessionId OriginalTransferMethod Type _IsBillable
_BilledSize:real`,
  }),
  wellKnownTable('AADServicePrincipalSignInLogs', 'Sign-ins of applications to Microsoft Entra ID', {
    ...auth,
    values: SERVICE_VALUES,
    columns: SERVICE_SIGN_IN,
  }),
  wellKnownTable('AADManagedIdentitySignInLogs', 'Sign-ins of managed identities', {
    ...auth,
    values: SERVICE_VALUES,
    columns: SERVICE_SIGN_IN,
  }),
  wellKnownTable('ADFSSignInLogs', 'Sign-ins through Active Directory Federation Services', {
    ...auth,
    values: SIGN_IN,
    columns: `
TenantId SourceSystem TimeGenerated:datetime OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId ResourceGroup Identity Level Location AlternateSignInName
AppDisplayName AppId AuthenticationContextClassReferences AuthenticationDetails AuthenticationProcessingDetails
AuthenticationRequirement AuthenticationRequirementPolicies ClientAppUsed ConditionalAccessPolicies
ConditionalAccessStatus CreatedDateTime:datetime DeviceDetail Id IPAddress IsInteractive:bool LocationDetails
NetworkLocationDetails ProcessingTimeInMs Requirement ResourceDisplayName ResourceIdentity ResourceTenantId Status
TokenIssuerName TokenIssuerType UniqueTokenIdentifier UserAgent UserDisplayName UserId UserPrincipalName UserType Type
_IsBillable _BilledSize:real`,
  }),
  wellKnownTable('AADSignInEventsBeta', 'Sign-ins of users, as in Defender advanced hunting', {
    ...auth,
    values: ADVANCED_VALUES,
    columns: `${ADVANCED_SIGN_IN} EndpointCall TimeGenerated:datetime`,
  }),
  wellKnownTable('EntraIdSignInEvents', 'Sign-ins of users, as in Defender advanced hunting', {
    ...auth,
    values: ADVANCED_VALUES,
    columns: `${ADVANCED_SIGN_IN} EndpointCall GatewayJA4 IsConfidentialClient:bool ResourceIdentity
UniqueTokenId IsSignInThroughGlobalSecureAccess:bool GlobalSecureAccessIpAddress AutonomousSystemNumber
TimeGenerated:datetime`,
  }),
  wellKnownTable('AADSpnSignInEventsBeta', 'Sign-ins of applications, as in Defender advanced hunting', {
    ...auth,
    values: SERVICE_VALUES,
    columns: `${ADVANCED_SERVICE_SIGN_IN} TimeGenerated:datetime`,
  }),
  wellKnownTable('EntraIdSpnSignInEvents', 'Sign-ins of applications, as in Defender advanced hunting', {
    ...auth,
    values: SERVICE_VALUES,
    columns: `${ADVANCED_SERVICE_SIGN_IN} GatewayJA4 IsConfidentialClient:bool ResourceIdentity UniqueTokenId
SessionId TimeGenerated:datetime`,
  }),
  wellKnownTable('AuditLogs', 'Changes in the directory of Microsoft Entra ID', {
    ...audit,
    values: `
OperationName = Operation
`,
    columns: `
SourceSystem TimeGenerated:datetime ResourceId OperationName OperationVersion Category ResultType ResultSignature
ResultDescription DurationMs:long CorrelationId Resource ResourceGroup ResourceProvider Identity Level Location
AdditionalDetails:dynamic Id InitiatedBy:dynamic LoggedByService Result ResultReason TargetResources:dynamic
AADTenantId ActivityDisplayName ActivityDateTime:datetime AADOperationType TenantId Type _IsBillable
_BilledSize:real`,
  }),
  wellKnownTable('AADUserRiskEvents', 'Risk detections for users', {
    stream: 'Alert',
    values: `
UserPrincipalName = TargetUsername
UserId = TargetUserId
IpAddress = SrcIpAddr
RiskEventType = ThreatName
`,
    columns: `
TenantId Activity ActivityDateTime:datetime AdditionalInfo:dynamic CorrelationId DetectedDateTime:datetime
DetectionTimingType Id IpAddress LastUpdatedDateTime:datetime Location:dynamic RequestId RiskDetail RiskEventType
RiskLevel RiskState Source TokenIssuerType UserDisplayName UserId UserPrincipalName TimeGenerated:datetime
OperationName SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('AADRiskyUsers', 'Users at risk', {
    stream: 'Alert',
    values: `
UserPrincipalName = TargetUsername
`,
    columns: `
TenantId Id IsDeleted:bool IsProcessing:bool RiskDetail RiskLastUpdatedDateTime:datetime RiskLevel RiskState
UserDisplayName UserPrincipalName TimeGenerated:datetime OperationName CorrelationId SourceSystem Type _IsBillable
_BilledSize:real`,
  }),
  wellKnownTable('AADServicePrincipalRiskEvents', 'Risk detections for applications', {
    stream: 'Alert',
    columns: `
TenantId Activity ActivityDateTime:datetime AdditionalInfo:dynamic AppId CorrelationId DetectedDateTime:datetime
DetectionTimingType Id IpAddress KeyIds:dynamic LastUpdatedDateTime:datetime Location:dynamic RequestId RiskDetail
RiskEventType RiskLevel RiskState ServicePrincipalDisplayName ServicePrincipalId Source TokenIssuerType
TimeGenerated:datetime OperationName SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('MicrosoftGraphActivityLogs', 'Microsoft Graph API calls', {
    stream: 'CloudAudit',
    values: `
IpAddress = SrcIpAddr
UserAgent = HttpUserAgent
RequestUri = Url
RequestMethod = HttpRequestMethod
UserId = ActorUserId
`,
    columns: `
TenantId TimeGenerated:datetime Location RequestId OperationId ClientRequestId ApiVersion RequestMethod
ResponseStatusCode:int AadTenantId IpAddress UserAgent RequestUri DurationMs:int ResponseSizeBytes:int
SignInActivityId Roles TokenIssuedAt:datetime AppId UserId ServicePrincipalId Scopes IdentityProvider
ClientAuthMethod:int Wids ATContent ATContentH ATContentP SessionId UniqueTokenId DeviceId SourceSystem Type
_IsBillable _BilledSize:real`,
  }),
  wellKnownTable('GraphAPIAuditEvents', 'Microsoft Graph API calls, as in Defender advanced hunting', {
    stream: 'CloudAudit',
    values: `
IpAddress = SrcIpAddr
RequestUri = Url
RequestMethod = HttpRequestMethod
AccountObjectId = ActorUserId
`,
    columns: `
Timestamp:datetime IdentityProvider ApiVersion ApplicationId IpAddress ClientRequestId EntityType RequestUri
AccountObjectId OperationId Location RequestDuration RequestId RequestMethod ResponseStatusCode Scopes
UniqueTokenIdentifier TargetWorkload ServicePrincipalId ReportId TenantId TimeGenerated:datetime SourceSystem Type`,
  }),
  wellKnownTable('OAuthAppInfo', 'Applications with OAuth consent', {
    stream: 'Generic',
    columns: `
Timestamp:datetime OAuthAppId ServicePrincipalId AppName AddedOnTime:datetime LastModifiedTime:datetime AppStatus
VerifiedPublisher:dynamic PrivilegeLevel Permissions:dynamic ConsentedUsersCount:long IsAdminConsented:bool AppOrigin
LastUsedTime:datetime AppOwnerTenantId ReportId TenantId TimeGenerated:datetime SourceSystem Type`,
  }),
  wellKnownTable('IdentityInfo', 'Users and their accounts', {
    stream: 'Generic',
    columns: `
Timestamp:datetime ReportId AccountObjectId AccountUpn OnPremSid AccountDisplayName AccountName AccountDomain Type
DistinguishedName CloudSid GivenName Surname Department JobTitle EmailAddress SipProxyAddress Address City Country
IsAccountEnabled:bool Manager Phone CreatedDateTime:datetime SourceProvider ChangeSource Tags:dynamic
AssignedRoles:dynamic PrivilegedEntraPimRoles:dynamic TenantId SourceSystem OnPremObjectId TenantMembershipType
RiskStatus RiskLevel RiskState RiskLevelDetails IdentityEnvironment SourceProviders:dynamic CriticalityLevel:int
DefenderRiskLevel EmployeeId OtherMailAddresses:dynamic AdditionalFields:dynamic
AccountCloudSID AccountCreationTime:datetime AccountSID AccountTenantId AccountUPN AdditionalMailAddresses:dynamic
Applications BlastRadius ChangeSourceId DeletedDateTime:datetime EntityRiskScore:int ExtensionProperty:dynamic
GroupMembership:dynamic InvestigationPriority:int InvestigationPriorityPercentile:int IsMFARegistered:bool
IsServiceAccount:bool LastSeenDate:datetime MailAddress OnPremisesDistinguishedName OnPremisesExtensionAttributes
RelatedAccounts:dynamic SAMAccountName ServicePrincipals:dynamic SourceSystemId State StreetAddress
TimeGenerated:datetime UserAccountControl:dynamic UserState UserStateChangedOn:datetime UserType _IsBillable
_BilledSize:real`,
    values: `
Type = tostring(Ext.Type)
`,
  }),
  wellKnownTable('EntraUsers', 'Users of the directory', {
    stream: 'Generic',
    columns: `
TimeGenerated:datetime id accountEnabled:bool ageGroup assignedLicenses:dynamic assignedPlans:dynamic
businessPhones:dynamic city companyName consentProvidedForMinor country createdDateTime:datetime creationType
deletedDateTime:datetime department displayName employeeHireDate:datetime employeeId employeeLeaveDateTime:datetime
employeeOrgData:dynamic employeeType externalUserState externalUserStateChangeDateTime:datetime faxNumber givenName
identities:dynamic imAddresses:dynamic isManagementRestricted:bool isResourceAccount:bool jobTitle
lastPasswordChangeDateTime:datetime legalAgeGroupClassification licenseAssignmentStates:dynamic mail mailNickname
mobilePhone officeLocation onPremisesDistinguishedName onPremisesDomainName onPremisesExtensionAttributes:dynamic
onPremisesImmutableId onPremisesLastSyncDateTime:datetime onPremisesSamAccountName onPremisesSecurityIdentifier
onPremisesSyncEnabled:bool onPremisesUserPrincipalName organizationId otherMails:dynamic passwordPolicies postalCode
preferredDataLocation preferredLanguage provisionedPlans:dynamic proxyAddresses:dynamic
refreshTokensValidFromDateTime:datetime securityIdentifier serviceProvisioningErrors:dynamic showInAddressList:bool
signInActivity:dynamic signInSessionsValidFromDateTime:datetime state streetAddress surname usageLocation
userPrincipalName userType TenantId SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('EntraGroups', 'Groups of the directory', {
    stream: 'Generic',
    columns: `
TimeGenerated:datetime id classification createdByAppId createdDateTime:datetime creationOptions:dynamic
deletedDateTime:datetime description displayName expirationDateTime:datetime groupTypes:dynamic infoCatalogs:dynamic
isAssignableToRole:bool isManagementRestricted:bool mail mailEnabled:bool mailNickname membershipRule
membershipRuleProcessingState onPremisesDomainName onPremisesLastSyncDateTime:datetime onPremisesNetBiosName
onPremisesSamAccountName onPremisesSecurityIdentifier onPremisesSyncEnabled:bool organizationId preferredDataLocation
preferredLanguage proxyAddresses:dynamic renewedDateTime:datetime resourceBehaviorOptions:dynamic
resourceProvisioningOptions:dynamic securityEnabled:bool securityIdentifier serviceProvisioningErrors:dynamic theme
uniqueName visibility TenantId SourceSystem Type _IsBillable _BilledSize:real`,
  }),
  wellKnownTable('EntraGroupMemberships', 'Members of the groups of the directory', {
    stream: 'Generic',
    columns: `
TimeGenerated:datetime sourceId sourceType targetId targetType organizationId TenantId SourceSystem Type _IsBillable
_BilledSize:real`,
  }),
];
