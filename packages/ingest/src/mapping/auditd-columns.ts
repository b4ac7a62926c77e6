import type { StreamName } from '@tyrian/catalog';

// Records of the Linux audit log: which fields have columns, and the stream of each record type.

export const AUDITD_FIELD_COLUMNS: Readonly<Record<string, string>> = {
  exe: 'ProcessName',
  pid: 'ProcessId',
  ppid: 'ParentProcessId',
  cwd: 'ProcessCurrentDirectory',
  cmd: 'CommandLine',
  name: 'FilePath',
  uid: 'ActorUserId',
  acct: 'TargetUsername',
  addr: 'SrcIpAddr',
  laddr: 'SrcIpAddr',
  saddr: 'SrcIpAddr',
  lport: 'SrcPortNumber',
  rport: 'DstPortNumber',
  ses: 'LogonId',
  terminal: 'LogonProtocol',
  unit: 'ServiceName',
  grp: 'GroupName',
  hostname: 'SrcHostname',
};

interface AuditdKind {
  readonly stream: StreamName;
  readonly type: string;
}

const kind = (stream: StreamName, type: string): AuditdKind => ({ stream, type });

export const AUDITD_KINDS: Readonly<Record<string, AuditdKind>> = {
  SYSCALL: kind('ProcessEvent', 'SystemCall'),
  EXECVE: kind('ProcessEvent', 'ProcessCreated'),
  AUOMS_EXECVE: kind('ProcessEvent', 'ProcessCreated'),
  AUOMS_SYSCALL: kind('ProcessEvent', 'SystemCall'),
  AUOMS_PROCESS_INVENTORY: kind('ProcessEvent', 'ProcessInventory'),
  PROCTITLE: kind('ProcessEvent', 'ProcessTitle'),
  CWD: kind('ProcessEvent', 'WorkingDirectory'),
  USER_CMD: kind('ProcessEvent', 'PrivilegedCommand'),
  BPRM_FCAPS: kind('ProcessEvent', 'CapabilitiesRaised'),
  ANOM_ABEND: kind('ProcessEvent', 'ProcessCrashed'),
  PATH: kind('FileEvent', 'PathAccessed'),
  SOCKADDR: kind('NetworkSession', 'SocketAddress'),
  NETFILTER_PKT: kind('NetworkSession', 'Packet'),
  USER_AUTH: kind('Authentication', 'Authentication'),
  USER_LOGIN: kind('Authentication', 'Logon'),
  USER_START: kind('Authentication', 'SessionStarted'),
  USER_END: kind('Authentication', 'SessionEnded'),
  USER_LOGOUT: kind('Authentication', 'Logoff'),
  USER_ACCT: kind('Authentication', 'AccountChecked'),
  USER_ERR: kind('Authentication', 'AuthenticationError'),
  CRED_ACQ: kind('Authentication', 'CredentialsAcquired'),
  CRED_DISP: kind('Authentication', 'CredentialsDisposed'),
  CRED_REFR: kind('Authentication', 'CredentialsRefreshed'),
  LOGIN: kind('Authentication', 'LoginIdSet'),
  ADD_USER: kind('UserManagement', 'UserCreated'),
  DEL_USER: kind('UserManagement', 'UserDeleted'),
  ADD_GROUP: kind('UserManagement', 'GroupCreated'),
  DEL_GROUP: kind('UserManagement', 'GroupDeleted'),
  USER_MGMT: kind('UserManagement', 'UserChanged'),
  USER_CHAUTHTOK: kind('UserManagement', 'PasswordChanged'),
  CONFIG_CHANGE: kind('AuditEvent', 'AuditConfigChanged'),
  SERVICE_START: kind('AuditEvent', 'ServiceStarted'),
  SERVICE_STOP: kind('AuditEvent', 'ServiceStopped'),
  DAEMON_START: kind('AuditEvent', 'AuditStarted'),
  DAEMON_END: kind('AuditEvent', 'AuditStopped'),
  AVC: kind('AuditEvent', 'AccessVectorDecision'),
  KERN_MODULE: kind('ModuleLoad', 'KernelModuleLoaded'),
};
