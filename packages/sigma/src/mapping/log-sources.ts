import type { LogSourceMapping, SourceCondition } from './source-condition.ts';
import { WINDOWS_SERVICES } from './windows-services.ts';

// Log sources of Sigma's taxonomy and how their events are found, ordered: the first mapping that agrees with all that a
// rule's log source says decides.

const WINDOWS: readonly SourceCondition[] = [
  { column: 'EventVendor', notAmong: ['Linux', 'Apple'] },
  { column: 'Provider', notAmong: ['Linux-Sysmon'] },
];
const LINUX: readonly SourceCondition[] = [
  {
    any: [
      { column: 'Provider', among: ['Linux-Sysmon'] },
      { column: 'EventVendor', notAmong: ['Microsoft', 'Apple'] },
    ],
  },
];
const MACOS: readonly SourceCondition[] = [{ column: 'EventVendor', notAmong: ['Microsoft', 'Linux'] }];
const NOT_WINDOWS: readonly SourceCondition[] = [{ column: 'EventVendor', notAmong: ['Microsoft'] }];

/** What runs on Linux and says so in lines of its own. */
const UNIX_VENDORS = [
  ...['Linux', 'Apache', 'nginx', 'HAProxy', 'Squid', 'Postfix', 'ISC', 'OpenVPN', 'OISF'],
  ...['Docker', 'Kubernetes', 'Falco', 'osquery'],
] as const;

/** Vendors that the decoders and extractors of ingest write into `EventVendor`. */
const VENDORS: readonly string[] = [
  ...UNIX_VENDORS,
  ...['Microsoft', 'Apple', 'Amazon', 'AWS', 'Google', 'Okta', 'GitHub', 'CrowdStrike'],
  ...['Cisco', 'Fortinet', 'Palo Alto Networks', 'Check Point', 'Sophos', 'Netgate', 'Zeek'],
];

/** An access log in the form that many servers write. */
const ANY_WEB_SERVER: SourceCondition = { column: 'EventProduct', notAmong: ['web-server'] };

/** Events of these vendors, and those of which ingest does not know who wrote them. */
const ofVendors = (...own: readonly string[]): readonly SourceCondition[] => [
  { column: 'EventVendor', notAmong: VENDORS.filter((vendor) => !own.includes(vendor)) },
  ...(own.includes('Apache') ? [] : [ANY_WEB_SERVER]),
];

type Kinds = readonly [category: string, stream: string, types: readonly string[]];

/** Categories of Windows with the kinds of events that ingest makes of Sysmon's, the Security log's and Defender's. */
const WINDOWS_CATEGORIES: readonly Kinds[] = [
  ['process_creation', 'ProcessEvent', ['ProcessCreated']],
  ['process_termination', 'ProcessEvent', ['ProcessTerminated']],
  ['process_access', 'ProcessEvent', ['ProcessAccessed']],
  ['process_tampering', 'ProcessEvent', ['ProcessTampered']],
  ['create_remote_thread', 'ProcessEvent', ['RemoteThreadCreated', 'CreateRemoteThreadApiCall']],
  ['pipe_created', 'ProcessEvent', ['PipeCreated', 'PipeConnected', 'NamedPipeEvent']],
  ['clipboard_capture', 'ProcessEvent', ['ClipboardChanged']],
  ['ps_module', 'ProcessEvent', ['PowerShellPipeline']],
  ['ps_script', 'ProcessEvent', ['PowerShellScriptBlock', 'PowerShellCommand']],
  ['ps_classic_start', 'ProcessEvent', ['PowerShellEngineStarted']],
  ['ps_classic_provider_start', 'ProcessEvent', ['PowerShellProviderStarted']],
  ['ps_classic_script', 'ProcessEvent', ['PowerShellPipeline']],
  ['file_event', 'FileEvent', ['FileCreated']],
  ['file_change', 'FileEvent', ['FileCreationTimeChanged', 'FileModified']],
  ['file_delete', 'FileEvent', ['FileDeletedArchived', 'FileDeleted']],
  ['file_rename', 'FileEvent', ['FileRenamed']],
  ['file_access', 'FileEvent', ['ObjectAccessed', 'HandleRequested', 'FileAccessed', 'FileOpened']],
  ['file_block_executable', 'FileEvent', ['FileExecutableBlocked']],
  ['file_block_shredding', 'FileEvent', ['FileShreddingBlocked']],
  ['file_executable_detected', 'FileEvent', ['FileExecutableDetected']],
  ['create_stream_hash', 'FileEvent', ['FileStreamCreated']],
  ['raw_access_thread', 'FileEvent', ['RawAccessRead']],
  ['registry_add', 'RegistryEvent', ['RegistryObjectCreatedOrDeleted', 'RegistryKeyCreated']],
  [
    'registry_delete',
    'RegistryEvent',
    ['RegistryObjectCreatedOrDeleted', 'RegistryKeyDeleted', 'RegistryValueDeleted'],
  ],
  ['registry_set', 'RegistryEvent', ['RegistryValueSet']],
  ['registry_rename', 'RegistryEvent', ['RegistryObjectRenamed', 'RegistryKeyRenamed']],
  ['image_load', 'ModuleLoad', ['ModuleLoaded', 'ImageLoaded']],
  ['driver_load', 'ModuleLoad', ['DriverLoaded', 'DriverLoad']],
  [
    'network_connection',
    'NetworkSession',
    [
      'NetworkConnection',
      'ConnectionPermitted',
      'ConnectionSuccess',
      'ConnectionAttempt',
      'ConnectionRequest',
    ],
  ],
  ['dns_query', 'Dns', ['DnsQuery', 'DnsQueryResponse']],
  ['wmi_event', 'AuditEvent', ['WmiFilterChanged', 'WmiConsumerChanged', 'WmiBindingChanged']],
  ['sysmon_status', 'AuditEvent', ['SysmonStateChanged', 'SysmonConfigChanged']],
  ['sysmon_error', 'AuditEvent', ['SysmonError']],
];

const windowsCategory = ([category, stream, types]: Kinds): LogSourceMapping => ({
  id: `windows-${category.replaceAll('_', '-')}`,
  product: 'windows',
  category,
  streams: [stream],
  where: [{ column: 'EventType', among: types }, ...WINDOWS],
  tables: ['windows-event-data'],
});

const WINDOWS_ALL: readonly LogSourceMapping[] = [
  {
    id: 'windows-registry-event',
    product: 'windows',
    category: 'registry_event',
    streams: ['RegistryEvent'],
    where: WINDOWS,
    tables: ['windows-event-data'],
  },
  {
    id: 'windows',
    product: 'windows',
    exact: true,
    streams: null,
    where: [{ column: 'EventVendor', among: ['Microsoft'] }],
    tables: ['windows-event-data'],
  },
];

type Unix = readonly [category: string, stream: string];
const UNIX: readonly Unix[] = [
  ['process_creation', 'ProcessEvent'],
  ['process_access', 'ProcessEvent'],
  ['file_event', 'FileEvent'],
  ['file_delete', 'FileEvent'],
  ['file_change', 'FileEvent'],
  ['network_connection', 'NetworkSession'],
  ['dns_query', 'Dns'],
];

/** The kinds of a category of Linux and macOS: products beside Sysmon have words of their own, so the stream tells. */
const unixCategory =
  (product: string, where: readonly SourceCondition[]) =>
  ([category, stream]: Unix): LogSourceMapping => ({
    id: `${product}-${category.replaceAll('_', '-')}`,
    product,
    category,
    streams: [stream],
    where,
    tables: ['windows-event-data'],
  });

const LINUX_SERVICES: readonly LogSourceMapping[] = [
  {
    id: 'linux-auditd',
    product: 'linux',
    service: 'auditd',
    streams: null,
    where: [{ column: 'EventProduct', among: ['auditd'] }],
    tables: ['auditd'],
  },
  // The lines of daemons: what they are about decides their stream.
  { id: 'linux', product: 'linux', streams: null, where: ofVendors(...UNIX_VENDORS), tables: ['auditd'] },
];

const source = (
  id: string,
  key: Pick<LogSourceMapping, 'product' | 'category' | 'service'>,
  streams: readonly string[] | null,
  tables: readonly string[],
  where: readonly SourceCondition[] = [],
): LogSourceMapping => ({ id, ...key, streams, where, tables });

const CLOUD: readonly LogSourceMapping[] = [
  source(
    'aws-cloudtrail',
    { product: 'aws', service: 'cloudtrail' },
    ['CloudAudit'],
    ['aws-cloudtrail'],
    [{ column: 'EventProduct', among: ['CloudTrail'] }],
  ),
  source(
    'azure-signin-logs',
    { product: 'azure', service: 'signinlogs' },
    null,
    ['azure'],
    ofVendors('Microsoft'),
  ),
  source('azure', { product: 'azure' }, null, ['azure'], ofVendors('Microsoft')),
  source('m365', { product: 'm365' }, null, ['m365'], ofVendors('Microsoft')),
  source('gcp', { product: 'gcp' }, null, ['gcp'], ofVendors('Google')),
  source('okta', { product: 'okta' }, null, ['okta'], ofVendors('Okta')),
  source('onelogin', { product: 'onelogin' }, null, ['application'], ofVendors()),
  source('github', { product: 'github' }, null, ['application'], ofVendors('GitHub')),
  source('bitbucket', { product: 'bitbucket' }, null, ['application'], ofVendors()),
  source('kubernetes', { product: 'kubernetes' }, null, ['application'], ofVendors('Kubernetes')),
];

const DEVICES: readonly LogSourceMapping[] = [
  source('zeek', { product: 'zeek' }, null, ['zeek', 'web'], ofVendors('Zeek')),
  source('cisco', { product: 'cisco' }, null, ['network', 'application'], ofVendors('Cisco')),
  source('fortigate', { product: 'fortigate' }, null, ['network'], ofVendors('Fortinet')),
  source('fortios', { product: 'fortios' }, null, ['network'], ofVendors('Fortinet')),
  source(
    'paloalto',
    { product: 'paloalto' },
    null,
    ['network', 'application'],
    ofVendors('Palo Alto Networks'),
  ),
  source('huawei', { product: 'huawei' }, null, ['network'], ofVendors()),
  source('juniper', { product: 'juniper' }, null, ['network'], ofVendors()),
  source('qualys', { product: 'qualys' }, null, ['application'], ofVendors()),
  source('opencanary', { product: 'opencanary' }, null, ['application'], ofVendors()),
  source('rpc-firewall', { product: 'rpc_firewall' }, null, ['windows-event-data']),
];

const KINDS: readonly LogSourceMapping[] = [
  source('proxy', { category: 'proxy' }, ['WebSession', 'Generic'], ['web', 'network'], []),
  source('webserver', { category: 'webserver' }, ['WebSession', 'Syslog', 'Generic'], ['web', 'network'], []),
  source('dns', { category: 'dns' }, ['Dns', 'Generic'], ['network'], []),
  source('firewall', { category: 'firewall' }, ['NetworkSession', 'Alert', 'Syslog'], ['network'], []),
  source(
    'antivirus',
    { category: 'antivirus' },
    ['Alert', 'FileEvent', 'WindowsEvent', 'Syslog'],
    ['network'],
    // Records of files that were made or opened are no finding of a scanner.
    [
      { column: 'EventProduct', notAmong: ['Sysmon'] },
      { column: 'Channel', notAmong: ['Security'] },
    ],
  ),
  source('database', { category: 'database' }, null, ['application'], NOT_WINDOWS),
  source('application', { category: 'application' }, null, ['application'], NOT_WINDOWS),
  source('apache', { service: 'apache' }, null, ['web'], ofVendors('Apache')),
  source('nginx', { service: 'nginx' }, null, ['web'], ofVendors('nginx', 'Apache')),
  source('netflow', { service: 'netflow' }, ['NetworkSession'], ['network'], []),
];

/** All mappings in the order in which they are asked. */
export const LOG_SOURCES: readonly LogSourceMapping[] = [
  ...WINDOWS_SERVICES,
  ...WINDOWS_CATEGORIES.map(windowsCategory),
  ...WINDOWS_ALL,
  ...UNIX.map(unixCategory('linux', LINUX)),
  ...UNIX.map(unixCategory('macos', MACOS)),
  ...LINUX_SERVICES,
  ...CLOUD,
  ...DEVICES,
  ...KINDS,
];
