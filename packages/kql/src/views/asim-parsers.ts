import type { SavedFunction } from './saved-function.ts';

// The parsers of ASIM, under the names that hunters call them by: `_Im_Dns` and `imDns` filter before they read,
// `_ASim_Dns` and `ASimDns` give all rows. Each is a function over the table of its schema, and a filter that is not
// given lets everything through.

interface Schema {
  /** `Dns` of `_Im_Dns`. */
  readonly names: readonly string[];
  readonly table: string;
  readonly description: string;
  /** `parameter: condition`, one a line; the condition stands for rows that pass. */
  readonly filters: string;
}

const any = (parameter: string, ...columns: string[]): string =>
  `${parameter}: ${columns.map((column) => `${column} has_any (${parameter})`).join(' or ')}`;
const among = (parameter: string, column: string): string => `${parameter}: ${column} in~ (${parameter})`;
const prefix = (parameter: string, ...columns: string[]): string =>
  `${parameter}: ${columns.map((column) => `has_any_ipv4_prefix(${column}, ${parameter})`).join(' or ')}`;
const RESULT = 'eventresult=*: EventResult =~ eventresult';

const SCHEMAS: readonly Schema[] = [
  {
    names: ['Authentication'],
    table: 'ASimAuthenticationEventLogs',
    description: 'Sign-ins, sign-outs and failures, normalised',
    filters: [
      any('username_has_any', 'TargetUsername', 'ActorUsername'),
      any('targetusername_has_any', 'TargetUsername'),
      any('targetappname_has_any', 'TargetAppName'),
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      any('srchostname_has_any', 'SrcHostname'),
      among('eventtype_in', 'EventType'),
      among('eventresultdetails_in', 'EventResultDetails'),
      RESULT,
    ].join('\n'),
  },
  {
    names: ['Dns'],
    table: 'ASimDnsActivityLogs',
    description: 'Name look-ups and answers, normalised',
    filters: [
      'srcipaddr=*: SrcIpAddr == srcipaddr',
      any('domain_has_any', 'DnsQuery'),
      'responsecodename=*: EventResultDetails =~ responsecodename',
      'response_has_ipv4=*: has_ipv4(DnsResponseName, response_has_ipv4)',
      prefix('response_has_any_prefix', 'DnsResponseName'),
      'eventtype=*: EventType =~ eventtype or (eventtype in~ ("lookup", "Query") and EventType in~ ("", "lookup", "Query"))',
    ].join('\n'),
  },
  {
    names: ['NetworkSession'],
    table: 'ASimNetworkSessionLogs',
    description: 'Connections and flows, normalised',
    filters: [
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      prefix('dstipaddr_has_any_prefix', 'DstIpAddr'),
      prefix('ipaddr_has_any_prefix', 'SrcIpAddr', 'DstIpAddr'),
      'dstportnumber:int: DstPortNumber == dstportnumber',
      any('hostname_has_any', 'SrcHostname', 'DstHostname', 'DvcHostname'),
      among('dvcaction', 'DvcAction'),
      RESULT,
    ].join('\n'),
  },
  {
    names: ['WebSession'],
    table: 'ASimWebSessionLogs',
    description: 'Requests through proxies and to web servers, normalised',
    filters: [
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      prefix('ipaddr_has_any_prefix', 'SrcIpAddr', 'DstIpAddr'),
      any('url_has_any', 'Url'),
      any('httpuseragent_has_any', 'HttpUserAgent'),
      among('eventresultdetails_in', 'EventResultDetails'),
      any('eventresultdetails_has_any', 'EventResultDetails'),
      RESULT,
    ].join('\n'),
  },
  ...(['', 'ProcessCreated', 'ProcessTerminated'] as const).map(processSchema),
  {
    names: ['FileEvent'],
    table: 'ASimFileEventLogs',
    description: 'Files created, changed, renamed, read or deleted, normalised',
    filters: [
      among('eventtype_in', 'EventType'),
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      any('actorusername_has_any', 'ActorUsername'),
      any('targetfilepath_has_any', 'TargetFilePath'),
      any('srcfilepath_has_any', 'SrcFilePath'),
      any('hashes_has_any', 'TargetFileMD5', 'TargetFileSHA1', 'TargetFileSHA256', 'TargetFileSHA512'),
      any('dvchostname_has_any', 'DvcHostname'),
    ].join('\n'),
  },
  {
    names: ['RegistryEvent', 'Registry'],
    table: 'ASimRegistryEventLogs',
    description: 'Registry keys and values changed, normalised',
    filters: [
      among('eventtype_in', 'EventType'),
      any('actorusername_has_any', 'ActorUsername'),
      any('registrykey_has_any', 'RegistryKey'),
      any('registryvalue_has_any', 'RegistryValue'),
      any('registrydata_has_any', 'RegistryValueData'),
      any('registryvaluedata_has_any', 'RegistryValueData'),
      any('dvchostname_has_any', 'DvcHostname'),
    ].join('\n'),
  },
  {
    names: ['AuditEvent'],
    table: 'ASimAuditEventLogs',
    description: 'Changes to configuration, services, tasks and policies, normalised',
    filters: [
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      among('eventtype_in', 'EventType'),
      RESULT,
      any('actorusername_has_any', 'ActorUsername'),
      any('operation_has_any', 'Operation'),
      any('object_has_any', 'Object'),
      any('value_has_any', 'OldValue', 'NewValue'),
      any('newvalue_has_any', 'NewValue'),
    ].join('\n'),
  },
  {
    names: ['UserManagement'],
    table: 'ASimUserManagementActivityLogs',
    description: 'Accounts and groups created, changed or deleted, normalised',
    filters: [
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      any('targetusername_has_any', 'TargetUsername'),
      any('actorusername_has_any', 'ActorUsername'),
      among('eventtype_in', 'EventType'),
    ].join('\n'),
  },
  {
    names: ['DhcpEvent', 'Dhcp'],
    table: 'ASimDhcpEventLogs',
    description: 'Address leases, normalised',
    filters: [
      prefix('srcipaddr_has_any_prefix', 'SrcIpAddr'),
      any('srchostname_has_any', 'SrcHostname'),
      any('srcusername_has_any', 'SrcUsername'),
      RESULT,
    ].join('\n'),
  },
  {
    names: ['AlertEvent'],
    table: 'ASimAlertEventLogs',
    description: 'Findings of security products, normalised',
    filters: [
      prefix('ipaddr_has_any_prefix', 'DvcIpAddr', 'IpAddr'),
      any('hostname_has_any', 'DvcHostname'),
      any('username_has_any', 'Username'),
      any('attacktactics_has_any', 'AttackTactics'),
      any('attacktechniques_has_any', 'AttackTechniques'),
      any('threatcategory_has_any', 'ThreatCategory'),
      any('alertverdict_has_any', 'AlertVerdict'),
      any('eventseverity_has_any', 'EventSeverity'),
    ].join('\n'),
  },
];

function processSchema(eventType: '' | 'ProcessCreated' | 'ProcessTerminated'): Schema {
  const name = eventType === '' ? 'ProcessEvent' : eventType.replace(/d$/, '').replace(/e?$/, 'e');
  const rows = eventType === '' ? '' : ` | where EventType == "${eventType}"`;
  return {
    names: [name],
    table: `ASimProcessEventLogs${rows}`,
    description: 'Processes started and ended, normalised',
    filters: [
      any('commandline_has_any', 'CommandLine'),
      'commandline_has_all: CommandLine has_all (commandline_has_all)',
      prefix('commandline_has_any_ip_prefix', 'CommandLine'),
      any('actingprocess_has_any', 'ActingProcessName'),
      any('targetprocess_has_any', 'TargetProcessName'),
      any('parentprocess_has_any', 'ParentProcessName'),
      'targetusername_has=*: TargetUsername has targetusername_has',
      'actorusername_has=*: ActorUsername has actorusername_has',
      any('targetusername_has_any', 'TargetUsername'),
      any('actorusername_has_any', 'ActorUsername'),
      prefix('dvcipaddr_has_any_prefix', 'DvcIpAddr'),
      any('dvchostname_has_any', 'DvcHostname'),
      'eventtype=*: EventType =~ eventtype',
      any(
        'hashes_has_any',
        'TargetProcessMD5',
        'TargetProcessSHA1',
        'TargetProcessSHA256',
        'TargetProcessIMPHASH',
      ),
    ].join('\n'),
  };
}

const LINE = /^(\w+)(=\*|:int)?: (.*)$/gm;

function parsersOf({ names, table, description, filters }: Schema): SavedFunction[] {
  const parameters = ['starttime: datetime = datetime(null)', 'endtime: datetime = datetime(null)'];
  const body = [
    table,
    '| where isnull(starttime) or TimeGenerated >= starttime',
    '| where isnull(endtime) or TimeGenerated <= endtime',
  ];
  for (const [, name = '', kind = '', condition = ''] of filters.matchAll(LINE)) {
    const given = { '=*': 'string = "*"', ':int': 'int = int(null)', '': 'dynamic = dynamic([])' }[kind];
    const absent = { '=*': `${name} == "*"`, ':int': `isnull(${name})`, '': `array_length(${name}) == 0` }[
      kind
    ];
    parameters.push(`${name}: ${given}`);
    body.push(`| where ${absent} or ${condition}`);
  }
  // What a source says beyond the schema stands in AdditionalFields in any case, so `pack` changes nothing.
  parameters.push('pack: bool = false');
  return names.flatMap((name): SavedFunction[] => [
    ...[`_Im_${name}`, `im${name}`].map((own) => ({
      name: own,
      parameters: parameters.join(', '),
      body: body.join('\n'),
      description: `${description}; filtered by its parameters`,
    })),
    ...[`_ASim_${name}`, `ASim${name}`].map((own) => ({
      name: own,
      parameters: '',
      body: table,
      description,
    })),
  ]);
}

/** Every parser, under each of its names. */
export const ASIM_PARSERS: readonly SavedFunction[] = SCHEMAS.flatMap(parsersOf);
