import type { StreamName } from '@tyrian/catalog';

// What each Windows event is: its stream, its name, and where its fields differ from windows-field-columns.ts.

export interface WindowsEventKind {
  readonly stream: StreamName;
  readonly type: string;
  readonly result?: 'Success' | 'Failure';
  /** Overrides of the field mapping; an empty column keeps the field in `Ext`. */
  readonly fields?: Readonly<Record<string, string>>;
}

type Row = readonly [stream: StreamName, type: string, options?: Omit<WindowsEventKind, 'stream' | 'type'>];

function kinds(rows: Readonly<Record<number, Row>>): ReadonlyMap<number, WindowsEventKind> {
  return new Map(
    Object.entries(rows).map(([id, [stream, type, options]]) => [Number(id), { stream, type, ...options }]),
  );
}

const SIGNED_IN = { TargetLogonId: 'LogonId', SubjectLogonId: '' } as const;
const KERBEROS = { ServiceName: 'Object', Status: 'EventResultDetails', ServiceSid: '' } as const;
const MEMBER = {
  TargetUserName: 'GroupName',
  MemberName: 'TargetUsername',
  MemberSid: 'TargetUserId',
  TargetSid: '',
} as const;
const GROUP = { TargetUserName: 'GroupName', TargetSid: '' } as const;
const success = 'Success' as const;
const failure = 'Failure' as const;

/** Version information of an executable; elsewhere these words mean other things. */
const VERSION = {
  Company: 'FileCompany',
  Product: 'FileProduct',
  Description: 'FileDescription',
} as const;
/** Sysmon says with `EventType` which of several things the event is; other records say with it how bad they are. */
const SUB_TYPE = { EventType: 'EventSubType' } as const;
/** Who ran a script, as the header of the record says it. */
const RUN_BY = {
  AccountName: 'ActorUsername',
  Domain: 'ActorDomain',
  UserID: 'ActorUserId',
  SecurityUserID: 'ActorUserId',
} as const;

export const SYSMON_EVENTS = kinds({
  1: ['ProcessEvent', 'ProcessCreated', { fields: VERSION }],
  2: ['FileEvent', 'FileCreationTimeChanged'],
  3: ['NetworkSession', 'NetworkConnection'],
  4: ['AuditEvent', 'SysmonStateChanged'],
  5: ['ProcessEvent', 'ProcessTerminated'],
  6: ['ModuleLoad', 'DriverLoaded'],
  7: ['ModuleLoad', 'ModuleLoaded', { fields: { OriginalFileName: 'OriginalFileName', ...VERSION } }],
  8: ['ProcessEvent', 'RemoteThreadCreated'],
  9: ['FileEvent', 'RawAccessRead', { fields: { Device: 'FilePath' } }],
  10: ['ProcessEvent', 'ProcessAccessed'],
  11: ['FileEvent', 'FileCreated'],
  12: ['RegistryEvent', 'RegistryObjectCreatedOrDeleted', { fields: SUB_TYPE }],
  13: ['RegistryEvent', 'RegistryValueSet', { fields: SUB_TYPE }],
  14: ['RegistryEvent', 'RegistryObjectRenamed', { fields: { NewName: 'RegistryValueData', ...SUB_TYPE } }],
  15: ['FileEvent', 'FileStreamCreated'],
  16: ['AuditEvent', 'SysmonConfigChanged'],
  17: ['ProcessEvent', 'PipeCreated', { fields: SUB_TYPE }],
  18: ['ProcessEvent', 'PipeConnected', { fields: SUB_TYPE }],
  19: ['AuditEvent', 'WmiFilterChanged', { fields: { Query: 'Object', ...SUB_TYPE } }],
  20: ['AuditEvent', 'WmiConsumerChanged', { fields: { Destination: 'Object', ...SUB_TYPE } }],
  21: ['AuditEvent', 'WmiBindingChanged', { fields: { Consumer: 'Object', ...SUB_TYPE } }],
  22: ['Dns', 'DnsQuery'],
  23: ['FileEvent', 'FileDeletedArchived'],
  24: ['ProcessEvent', 'ClipboardChanged'],
  25: ['ProcessEvent', 'ProcessTampered'],
  26: ['FileEvent', 'FileDeleted'],
  27: ['FileEvent', 'FileExecutableBlocked'],
  28: ['FileEvent', 'FileShreddingBlocked'],
  29: ['FileEvent', 'FileExecutableDetected'],
  255: ['AuditEvent', 'SysmonError'],
});

export const SECURITY_EVENTS = kinds({
  1100: ['AuditEvent', 'EventLogStopped'],
  1102: ['AuditEvent', 'EventLogCleared'],
  4608: ['AuditEvent', 'SystemStarted'],
  4616: ['AuditEvent', 'SystemTimeChanged'],
  4624: ['Authentication', 'Logon', { result: success, fields: SIGNED_IN }],
  4625: ['Authentication', 'Logon', { result: failure, fields: { Status: 'EventResultDetails' } }],
  4627: ['Authentication', 'LogonGroups', { result: success, fields: SIGNED_IN }],
  4634: ['Authentication', 'Logoff', { result: success, fields: SIGNED_IN }],
  4647: ['Authentication', 'Logoff', { result: success, fields: SIGNED_IN }],
  4648: ['Authentication', 'LogonWithExplicitCredentials', { fields: { TargetServerName: 'DstHostname' } }],
  4656: ['FileEvent', 'HandleRequested'],
  4657: ['RegistryEvent', 'RegistryValueSet'],
  4658: ['FileEvent', 'HandleClosed'],
  4660: ['FileEvent', 'FileDeleted'],
  4661: ['AuditEvent', 'HandleRequested', { fields: { Properties: 'ObjectProperties' } }],
  4662: ['AuditEvent', 'DirectoryObjectAccessed', { fields: { Properties: 'ObjectProperties' } }],
  4663: ['FileEvent', 'ObjectAccessed'],
  4664: ['FileEvent', 'HardLinkCreated', { fields: { FileName: 'FilePath' } }],
  4670: ['AuditEvent', 'PermissionsChanged'],
  4672: ['Authentication', 'SpecialPrivilegesAssigned', { result: success }],
  4673: ['AuditEvent', 'PrivilegedServiceCalled', { fields: { Service: 'Object' } }],
  4674: ['AuditEvent', 'PrivilegedOperation'],
  4688: ['ProcessEvent', 'ProcessCreated', { fields: { ProcessId: 'ParentProcessId', TargetLogonId: '' } }],
  4689: ['ProcessEvent', 'ProcessTerminated'],
  4690: ['AuditEvent', 'HandleDuplicated'],
  4697: ['AuditEvent', 'ServiceInstalled'],
  4698: ['AuditEvent', 'ScheduledTaskCreated', { fields: { TaskContent: 'Object' } }],
  4699: ['AuditEvent', 'ScheduledTaskDeleted'],
  4700: ['AuditEvent', 'ScheduledTaskEnabled'],
  4701: ['AuditEvent', 'ScheduledTaskDisabled'],
  4702: ['AuditEvent', 'ScheduledTaskUpdated', { fields: { TaskContentNew: 'Object' } }],
  4703: ['AuditEvent', 'UserRightAdjusted', { fields: { EnabledPrivilegeList: 'PrivilegeList' } }],
  4704: ['UserManagement', 'UserRightAssigned'],
  4705: ['UserManagement', 'UserRightRemoved'],
  4713: ['AuditEvent', 'KerberosPolicyChanged'],
  4719: ['AuditEvent', 'AuditPolicyChanged'],
  4720: ['UserManagement', 'UserCreated'],
  4722: ['UserManagement', 'UserEnabled'],
  4723: ['UserManagement', 'PasswordChanged'],
  4724: ['UserManagement', 'PasswordReset'],
  4725: ['UserManagement', 'UserDisabled'],
  4726: ['UserManagement', 'UserDeleted'],
  4727: ['UserManagement', 'GroupCreated', { fields: GROUP }],
  4728: ['UserManagement', 'UserAddedToGroup', { fields: MEMBER }],
  4729: ['UserManagement', 'UserRemovedFromGroup', { fields: MEMBER }],
  4730: ['UserManagement', 'GroupDeleted', { fields: GROUP }],
  4731: ['UserManagement', 'GroupCreated', { fields: GROUP }],
  4732: ['UserManagement', 'UserAddedToGroup', { fields: MEMBER }],
  4733: ['UserManagement', 'UserRemovedFromGroup', { fields: MEMBER }],
  4734: ['UserManagement', 'GroupDeleted', { fields: GROUP }],
  4735: ['UserManagement', 'GroupChanged', { fields: GROUP }],
  4737: ['UserManagement', 'GroupChanged', { fields: GROUP }],
  4738: ['UserManagement', 'UserChanged'],
  4739: ['AuditEvent', 'DomainPolicyChanged'],
  4740: ['UserManagement', 'UserLockedOut'],
  4741: ['UserManagement', 'ComputerAccountCreated'],
  4742: ['UserManagement', 'ComputerAccountChanged'],
  4743: ['UserManagement', 'ComputerAccountDeleted'],
  4754: ['UserManagement', 'GroupCreated', { fields: GROUP }],
  4755: ['UserManagement', 'GroupChanged', { fields: GROUP }],
  4756: ['UserManagement', 'UserAddedToGroup', { fields: MEMBER }],
  4757: ['UserManagement', 'UserRemovedFromGroup', { fields: MEMBER }],
  4758: ['UserManagement', 'GroupDeleted', { fields: GROUP }],
  4765: ['UserManagement', 'SidHistoryAdded'],
  4767: ['UserManagement', 'UserUnlocked'],
  4768: ['Authentication', 'KerberosTicketRequested', { fields: KERBEROS }],
  4769: ['Authentication', 'KerberosServiceTicketRequested', { fields: KERBEROS }],
  4770: ['Authentication', 'KerberosServiceTicketRenewed', { fields: KERBEROS }],
  4771: ['Authentication', 'KerberosPreAuthentication', { result: failure, fields: KERBEROS }],
  4776: [
    'Authentication',
    'CredentialValidation',
    { fields: { PackageName: 'LogonProtocol', Status: 'EventResultDetails' } },
  ],
  4778: [
    'Authentication',
    'SessionReconnected',
    { fields: { AccountName: 'TargetUsername', ClientAddress: 'SrcIpAddr', ClientName: 'SrcHostname' } },
  ],
  4779: [
    'Authentication',
    'SessionDisconnected',
    { fields: { AccountName: 'TargetUsername', ClientAddress: 'SrcIpAddr', ClientName: 'SrcHostname' } },
  ],
  4781: ['UserManagement', 'AccountRenamed', { fields: { OldTargetUserName: 'TargetUsername' } }],
  4794: ['UserManagement', 'RestoreModePasswordSet'],
  4798: ['UserManagement', 'UserGroupsEnumerated'],
  4799: ['UserManagement', 'GroupMembersEnumerated', { fields: GROUP }],
  4800: ['Authentication', 'WorkstationLocked'],
  4801: ['Authentication', 'WorkstationUnlocked'],
  4904: ['AuditEvent', 'EventSourceRegistered'],
  4905: ['AuditEvent', 'EventSourceUnregistered'],
  4907: ['AuditEvent', 'AuditSettingsChanged'],
  4946: ['AuditEvent', 'FirewallRuleAdded', { fields: { RuleName: 'NetworkRuleName' } }],
  4947: ['AuditEvent', 'FirewallRuleChanged', { fields: { RuleName: 'NetworkRuleName' } }],
  4948: ['AuditEvent', 'FirewallRuleDeleted', { fields: { RuleName: 'NetworkRuleName' } }],
  5136: ['AuditEvent', 'DirectoryObjectChanged', { fields: { ObjectDN: 'Object' } }],
  5137: ['AuditEvent', 'DirectoryObjectCreated', { fields: { ObjectDN: 'Object' } }],
  5140: ['FileEvent', 'ShareAccessed'],
  5142: ['AuditEvent', 'ShareAdded'],
  5145: ['FileEvent', 'ShareObjectChecked', { fields: { RelativeTargetName: 'FilePath' } }],
  5152: ['NetworkSession', 'PacketBlocked', { result: failure }],
  5154: ['NetworkSession', 'ListenPermitted', { result: success, fields: { ProcessID: 'ProcessId' } }],
  5156: ['NetworkSession', 'ConnectionPermitted', { result: success, fields: { ProcessID: 'ProcessId' } }],
  5157: ['NetworkSession', 'ConnectionBlocked', { result: failure, fields: { ProcessID: 'ProcessId' } }],
  5158: ['NetworkSession', 'BindPermitted', { result: success, fields: { ProcessID: 'ProcessId' } }],
  5159: ['NetworkSession', 'BindBlocked', { result: failure, fields: { ProcessID: 'ProcessId' } }],
  5379: ['AuditEvent', 'CredentialsRead', { fields: { TargetName: 'Object' } }],
  6416: ['AuditEvent', 'DeviceRecognised'],
});

/** Channels beside Security and Sysmon, each with the events that have a stream of their own. */
export const CHANNEL_EVENTS: ReadonlyMap<string, ReadonlyMap<number, WindowsEventKind>> = new Map([
  [
    'system',
    kinds({
      104: ['AuditEvent', 'EventLogCleared'],
      7034: ['AuditEvent', 'ServiceCrashed', { fields: { param1: 'ServiceName' } }],
      7036: ['AuditEvent', 'ServiceStateChanged', { fields: { param1: 'ServiceName' } }],
      7040: ['AuditEvent', 'ServiceStartTypeChanged', { fields: { param1: 'ServiceName' } }],
      7045: ['AuditEvent', 'ServiceInstalled', { fields: { AccountName: 'TargetUsername' } }],
    }),
  ],
  [
    'microsoft-windows-powershell/operational',
    kinds({
      4103: ['ProcessEvent', 'PowerShellPipeline', { fields: { Payload: 'ScriptBlockText', ...RUN_BY } }],
      4104: ['ProcessEvent', 'PowerShellScriptBlock', { fields: { Path: 'FilePath', ...RUN_BY } }],
      4105: ['ProcessEvent', 'PowerShellScriptBlockStarted', { fields: RUN_BY }],
      4106: ['ProcessEvent', 'PowerShellScriptBlockStopped', { fields: RUN_BY }],
    }),
  ],
  [
    'windows powershell',
    kinds({
      400: ['ProcessEvent', 'PowerShellEngineStarted', { fields: { HostApplication: 'CommandLine' } }],
      403: ['ProcessEvent', 'PowerShellEngineStopped', { fields: { HostApplication: 'CommandLine' } }],
      600: ['ProcessEvent', 'PowerShellProviderStarted', { fields: { HostApplication: 'CommandLine' } }],
      800: ['ProcessEvent', 'PowerShellPipeline'],
    }),
  ],
  [
    'microsoft-windows-taskscheduler/operational',
    kinds({
      106: ['AuditEvent', 'ScheduledTaskCreated', { fields: { UserContext: 'ActorUsername' } }],
      129: ['ProcessEvent', 'ScheduledTaskProcessCreated', { fields: { Path: 'ProcessName' } }],
      140: ['AuditEvent', 'ScheduledTaskUpdated', { fields: { UserName: 'ActorUsername' } }],
      141: ['AuditEvent', 'ScheduledTaskDeleted', { fields: { UserName: 'ActorUsername' } }],
      200: ['ProcessEvent', 'ScheduledTaskActionStarted', { fields: { ActionName: 'ProcessName' } }],
    }),
  ],
  [
    'microsoft-windows-dns-client/operational',
    kinds({ 3006: ['Dns', 'DnsQuery'], 3008: ['Dns', 'DnsQuery'], 3020: ['Dns', 'DnsResponse'] }),
  ],
  [
    'microsoft-windows-terminalservices-localsessionmanager/operational',
    kinds({
      21: [
        'Authentication',
        'Logon',
        { result: success, fields: { User: 'TargetUsername', Address: 'SrcIpAddr' } },
      ],
      23: ['Authentication', 'Logoff', { result: success, fields: { User: 'TargetUsername' } }],
      24: [
        'Authentication',
        'SessionDisconnected',
        { fields: { User: 'TargetUsername', Address: 'SrcIpAddr' } },
      ],
      25: [
        'Authentication',
        'SessionReconnected',
        { fields: { User: 'TargetUsername', Address: 'SrcIpAddr' } },
      ],
    }),
  ],
  [
    'microsoft-windows-bits-client/operational',
    kinds({
      3: ['AuditEvent', 'BitsJobCreated', { fields: { string: 'Object' } }],
      59: ['WebSession', 'BitsTransferStarted', { fields: { url: 'Url' } }],
      60: ['WebSession', 'BitsTransferStopped', { fields: { url: 'Url' } }],
    }),
  ],
  [
    'microsoft-windows-windows defender/operational',
    kinds({
      1006: ['Alert', 'MalwareDetected', { fields: { 'Threat Name': 'ThreatName', Path: 'FilePath' } }],
      1116: ['Alert', 'MalwareDetected', { fields: { 'Threat Name': 'ThreatName', Path: 'FilePath' } }],
      1117: ['Alert', 'MalwareActionTaken', { fields: { 'Threat Name': 'ThreatName', Path: 'FilePath' } }],
      5001: ['AuditEvent', 'RealTimeProtectionDisabled'],
      5007: ['AuditEvent', 'ConfigurationChanged', { fields: { 'New Value': 'RegistryValueData' } }],
    }),
  ],
]);
