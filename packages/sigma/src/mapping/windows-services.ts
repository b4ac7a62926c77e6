import type { LogSourceMapping } from './source-condition.ts';

// The channels of the Windows event log behind the services of Sigma's taxonomy (taxonomy appendix 2.1, "Service").

const CHANNELS: Readonly<Record<string, readonly string[]>> = {
  security: ['Security'],
  application: ['Application'],
  system: ['System'],
  sysmon: ['Microsoft-Windows-Sysmon/Operational'],
  powershell: ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational'],
  'powershell-classic': ['Windows PowerShell'],
  taskscheduler: ['Microsoft-Windows-TaskScheduler/Operational'],
  wmi: ['Microsoft-Windows-WMI-Activity/Operational'],
  windefend: ['Microsoft-Windows-Windows Defender/Operational'],
  'bits-client': ['Microsoft-Windows-Bits-Client/Operational'],
  'codeintegrity-operational': ['Microsoft-Windows-CodeIntegrity/Operational'],
  'firewall-as': ['Microsoft-Windows-Windows Firewall With Advanced Security/Firewall'],
  'dns-client': [
    'Microsoft-Windows-DNS-Client/Operational',
    'Microsoft-Windows-DNS Client Events/Operational',
  ],
  'dns-server': ['DNS Server'],
  'dns-server-audit': ['Microsoft-Windows-DNS-Server/Audit'],
  'dns-server-analytic': ['Microsoft-Windows-DNS-Server/Analytical'],
  'driver-framework': ['Microsoft-Windows-DriverFrameworks-UserMode/Operational'],
  ntlm: ['Microsoft-Windows-NTLM/Operational'],
  dhcp: ['Microsoft-Windows-DHCP-Server/Operational'],
  'msexchange-management': ['MSExchange Management'],
  'microsoft-servicebus-client': ['Microsoft-ServiceBus-Client', 'Microsoft-ServiceBus-Client/Admin'],
  'terminalservices-localsessionmanager': [
    'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
  ],
  'printservice-admin': ['Microsoft-Windows-PrintService/Admin'],
  'printservice-operational': ['Microsoft-Windows-PrintService/Operational'],
  'smbclient-security': ['Microsoft-Windows-SmbClient/Security'],
  'smbclient-connectivity': ['Microsoft-Windows-SmbClient/Connectivity'],
  'smbserver-connectivity': ['Microsoft-Windows-SMBServer/Connectivity'],
  ldap: ['Microsoft-Windows-LDAP-Client/Debug'],
  ldap_debug: ['Microsoft-Windows-LDAP-Client/Debug'],
  'lsa-server': ['Microsoft-Windows-LSA/Operational'],
  'shell-core': ['Microsoft-Windows-Shell-Core/Operational'],
  openssh: ['OpenSSH/Operational'],
  capi2: ['Microsoft-Windows-CAPI2/Operational'],
  'certificateservicesclient-lifecycle-system': [
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
  ],
  'diagnosis-scripted': ['Microsoft-Windows-Diagnosis-Scripted/Operational'],
  'appxdeployment-server': ['Microsoft-Windows-AppXDeploymentServer/Operational'],
  'appxpackaging-om': ['Microsoft-Windows-AppxPackaging/Operational'],
  'appmodel-runtime': ['Microsoft-Windows-AppModel-Runtime/Admin'],
  applocker: [
    'Microsoft-Windows-AppLocker/MSI and Script',
    'Microsoft-Windows-AppLocker/EXE and DLL',
    'Microsoft-Windows-AppLocker/Packaged app-Deployment',
    'Microsoft-Windows-AppLocker/Packaged app-Execution',
  ],
  'security-mitigations': [
    'Microsoft-Windows-Security-Mitigations/Kernel Mode',
    'Microsoft-Windows-Security-Mitigations/User Mode',
  ],
  'iis-configuration': ['Microsoft-IIS-Configuration/Operational'],
  vhdmp: ['Microsoft-Windows-VHDMP/Operational'],
  'kernel-event-tracing': ['Microsoft-Windows-Kernel-EventTracing'],
  'kernel-shimengine': ['Microsoft-Windows-Kernel-ShimEngine/Operational'],
  ntfs: ['Microsoft-Windows-Ntfs/Operational'],
  'hyper-v-worker': ['Microsoft-Windows-Hyper-V-Worker'],
  'user-profile-service': ['Microsoft-Windows-User Profile Service/Operational'],
};

/** Streams that records of a channel go to, where they are few; all others may go to any. */
const STREAMS: Readonly<Record<string, readonly string[]>> = {
  security: [
    'Authentication',
    'ProcessEvent',
    'NetworkSession',
    'FileEvent',
    'RegistryEvent',
    'AuditEvent',
    'UserManagement',
    'WindowsEvent',
  ],
  application: ['WindowsEvent'],
  system: ['AuditEvent', 'WindowsEvent'],
  'powershell-classic': ['ProcessEvent', 'WindowsEvent'],
  powershell: ['ProcessEvent', 'WindowsEvent'],
  taskscheduler: ['AuditEvent', 'ProcessEvent', 'WindowsEvent'],
  windefend: ['Alert', 'AuditEvent', 'WindowsEvent'],
  'bits-client': ['AuditEvent', 'WebSession', 'WindowsEvent'],
  'dns-client': ['Dns', 'WindowsEvent'],
  'terminalservices-localsessionmanager': ['Authentication', 'WindowsEvent'],
};

const TABLES: Readonly<Record<string, readonly string[]>> = {
  windefend: ['windows-defender', 'windows-event-data'],
};

/** One mapping for each service of Windows. */
export const WINDOWS_SERVICES: readonly LogSourceMapping[] = Object.entries(CHANNELS).map(
  ([service, channels]): LogSourceMapping => ({
    id: `windows-service-${service}`,
    product: 'windows',
    service,
    // A channel of which ingest knows no event has all of them in one stream.
    streams: service === 'sysmon' ? null : (STREAMS[service] ?? ['WindowsEvent']),
    where: [{ column: 'Channel', among: channels }],
    tables: TABLES[service] ?? ['windows-event-data'],
  }),
);
