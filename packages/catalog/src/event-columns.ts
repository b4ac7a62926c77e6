import { type Column, column } from './column.ts';
import { ENRICHED } from './enriched-columns.ts';

// The typed columns of every tenant's table `events`. Names follow the ASIM schemas; what a source says
// beyond them is kept in `Ext`, and the whole text in `Raw`. A string is never null, only empty; numbers may be null.

/**
 * Milliseconds that an event's own time may lie ahead of its arrival: a device whose clock is further ahead is not
 * believed, and the event gets the time of arrival. So whatever happened at or after a moment also came in at or after
 * that moment less this lead.
 */
export const MAX_CLOCK_LEAD_MS = 10 * 60_000;

const high = { cardinality: 'high' } as const;

const ABOUT_THE_RECORD: readonly Column[] = [
  {
    ...column('TimeGenerated', 'datetime', 'When the event happened, by the clock of the source', {
      ecs: ['@timestamp'],
      ocsf: ['time'],
      cim: ['_time'],
    }),
    stored: "DateTime64(3, 'UTC')",
  },
  {
    ...column('IngestedTime', 'datetime', 'When Tyrian stored the event; ingestion_time() in KQL', {
      ecs: ['event.ingested'],
    }),
    stored: "DateTime64(3, 'UTC')",
  },
  {
    ...column('EventUid', 'guid', 'Unique ID of the stored event', { ocsf: ['metadata.uid'] }),
    stored: 'UUID',
  },
  column('Stream', 'string', 'Stream (table) that the event belongs to'),
  column('Scope', 'string', 'Scope of the tenant that holds the event'),
  column('ParseStatus', 'string', 'PAD: parsed; PER: parse error; NLF: unknown format'),
  column('ParseError', 'string', 'Why the event could not be parsed, when ParseStatus is PER', high),
  column('SourceName', 'string', 'Name of the source, as given by its sender', { cim: ['source'] }),
  column('SourceType', 'string', 'Format that the decoder recognized, e.g. windows-event', {
    cim: ['sourcetype'],
  }),
  column('SourceAddress', 'string', 'Network address that sent the event to Tyrian'),
  column(
    'ExtractorId',
    'int',
    'Number of the extractor that read the event, or no value when only a built-in decoder did',
  ),
];

const ABOUT_THE_EVENT: readonly Column[] = [
  column('EventVendor', 'string', 'Vendor of the product that wrote the event', {
    ecs: ['observer.vendor'],
    ocsf: ['metadata.product.vendor_name'],
    cim: ['vendor'],
  }),
  column('EventProduct', 'string', 'Product that wrote the event', {
    ecs: ['observer.product', 'event.module'],
    ocsf: ['metadata.product.name'],
    cim: ['product'],
  }),
  column('EventType', 'string', 'What happened, in the terms of the schema, e.g. ProcessCreated, Logon', {
    ecs: ['event.action'],
    ocsf: ['activity_name'],
  }),
  column(
    'EventSubType',
    'string',
    'What happened more closely, in the words of the source, e.g. SetValue or CreateKey',
  ),
  column('EventResult', 'string', 'Result: Success, Failure, Partial or NA', {
    ecs: ['event.outcome'],
    ocsf: ['status'],
    cim: ['status'],
  }),
  column('EventResultDetails', 'string', 'Reason for the result, as given by the source', {
    ocsf: ['status_detail'],
  }),
  column('EventSeverity', 'string', 'Severity: Informational, Low, Medium, High or Critical', {
    ecs: ['log.level'],
    ocsf: ['severity'],
    cim: ['severity'],
  }),
  column('EventID', 'int', 'Windows event ID, e.g. 4625', {
    ecs: ['event.code', 'winlog.event_id'],
    cim: ['EventCode'],
    sigma: ['EventID'],
  }),
  column('Channel', 'string', 'Windows event log (channel), e.g. Security', {
    ecs: ['winlog.channel'],
    sigma: ['Channel'],
  }),
  column('Provider', 'string', 'Windows event provider', {
    ecs: ['winlog.provider_name', 'event.provider'],
    sigma: ['Provider_Name'],
  }),
  column('EventRecordId', 'long', 'Record number at the source', { ecs: ['winlog.record_id'] }),
  column('Message', 'string', 'Readable message of the event', {
    ...high,
    ecs: ['message'],
    ocsf: ['message'],
  }),
  column('Facility', 'string', 'Syslog facility, e.g. authpriv', { ecs: ['log.syslog.facility.name'] }),
];

const DEVICE: readonly Column[] = [
  column('DvcHostname', 'string', 'Host that the event is about', {
    index: 'bloom',
    ecs: ['host.name', 'host.hostname'],
    ocsf: ['device.hostname'],
    cim: ['host', 'dvc'],
    sigma: ['Computer', 'ComputerName'],
  }),
  column('DvcIpAddr', 'string', 'IP address of the host that the event is about', {
    ...high,
    ecs: ['host.ip'],
    ocsf: ['device.ip'],
  }),
  column('DvcDomain', 'string', 'Domain of the host that the event is about', { ecs: ['host.domain'] }),
  column(
    'DvcAction',
    'string',
    'What the device did with traffic or a threat: Allow, Deny, Drop, Block ...',
    {
      ocsf: ['disposition'],
      cim: ['action'],
    },
  ),
];

const PEOPLE: readonly Column[] = [
  column('ActorUsername', 'string', 'Account that acted', {
    index: 'bloom',
    ecs: ['user.name'],
    ocsf: ['actor.user.name'],
    cim: ['src_user'],
    sigma: ['User', 'SubjectUserName'],
  }),
  column('ActorUserId', 'string', 'ID of the acting account: SID, uid or ARN', {
    ecs: ['user.id'],
    ocsf: ['actor.user.uid'],
    sigma: ['SubjectUserSid'],
  }),
  column('ActorDomain', 'string', 'Domain of the acting account', {
    ecs: ['user.domain'],
    sigma: ['SubjectDomainName'],
  }),
  column('TargetUsername', 'string', 'Account acted upon, or the account that signed in', {
    index: 'bloom',
    ecs: ['user.target.name'],
    ocsf: ['user.name'],
    cim: ['user'],
    sigma: ['TargetUserName'],
  }),
  column('TargetUserId', 'string', 'ID of the target account', {
    ecs: ['user.target.id'],
    sigma: ['TargetUserSid', 'TargetSid'],
  }),
  column('TargetDomain', 'string', 'Domain of the target account', {
    ecs: ['user.target.domain'],
    sigma: ['TargetDomainName'],
  }),
  column('LogonType', 'int', 'Windows logon type, e.g. 3 for network', {
    ecs: ['winlog.logon.type'],
    sigma: ['LogonType'],
  }),
  column('LogonId', 'string', 'ID of the logon session', {
    ...high,
    ecs: ['winlog.logon.id'],
    sigma: ['LogonId', 'TargetLogonId', 'SubjectLogonId'],
  }),
  column('LogonProtocol', 'string', 'Authentication package or method, e.g. NTLM', {
    sigma: ['AuthenticationPackageName'],
  }),
  column('GroupName', 'string', 'Group or role that was changed', { ecs: ['group.name'] }),
];

const NETWORK: readonly Column[] = [
  column('SrcIpAddr', 'string', 'Source IP address of the connection or request', {
    ...high,
    index: 'bloom',
    ecs: ['source.ip', 'client.ip'],
    ocsf: ['src_endpoint.ip'],
    cim: ['src_ip', 'src'],
    sigma: ['SourceIp', 'IpAddress', 'src_ip'],
  }),
  column('SrcPortNumber', 'int', 'Source port', {
    ecs: ['source.port'],
    ocsf: ['src_endpoint.port'],
    cim: ['src_port'],
    sigma: ['SourcePort', 'IpPort', 'src_port'],
  }),
  column('SrcHostname', 'string', 'Source host name', {
    index: 'bloom',
    ecs: ['source.domain'],
    ocsf: ['src_endpoint.hostname'],
    sigma: ['SourceHostname', 'WorkstationName', 'Workstation'],
  }),
  column('DstIpAddr', 'string', 'Destination IP address', {
    ...high,
    index: 'bloom',
    ecs: ['destination.ip', 'server.ip'],
    ocsf: ['dst_endpoint.ip'],
    cim: ['dest_ip', 'dest'],
    sigma: ['DestinationIp', 'dst_ip'],
  }),
  column('DstPortNumber', 'int', 'Destination port', {
    ecs: ['destination.port'],
    ocsf: ['dst_endpoint.port'],
    cim: ['dest_port'],
    sigma: ['DestinationPort', 'dst_port'],
  }),
  column('DstHostname', 'string', 'Destination host name', {
    index: 'bloom',
    ecs: ['destination.domain'],
    ocsf: ['dst_endpoint.hostname'],
    sigma: ['DestinationHostname'],
  }),
  column('NetworkProtocol', 'string', 'Transport protocol, e.g. TCP', {
    ecs: ['network.transport'],
    ocsf: ['connection_info.protocol_name'],
    cim: ['transport', 'protocol'],
    sigma: ['Protocol'],
  }),
  column('NetworkApplication', 'string', 'Application or application protocol, e.g. ssl', {
    ecs: ['network.protocol', 'network.application'],
    cim: ['app'],
  }),
  column('NetworkDirection', 'string', 'Direction: Inbound, Outbound or Local', {
    ecs: ['network.direction'],
    cim: ['direction'],
    sigma: ['Initiated'],
  }),
  column('SrcBytes', 'long', 'Bytes sent by the source', { ecs: ['source.bytes'], cim: ['bytes_out'] }),
  column('DstBytes', 'long', 'Bytes sent by the destination', {
    ecs: ['destination.bytes'],
    cim: ['bytes_in'],
  }),
  column('NetworkDuration', 'long', 'Duration of the session in milliseconds', { cim: ['duration'] }),
  column('NetworkRuleName', 'string', 'Rule by which the device allowed or blocked the traffic', {
    ecs: ['rule.name'],
    cim: ['rule'],
  }),
  column('SrcMacAddr', 'string', 'MAC address of the source', { ecs: ['source.mac'] }),
];

const DNS_AND_WEB: readonly Column[] = [
  column('DnsQuery', 'string', 'Domain name that was queried', {
    ...high,
    index: 'bloom',
    ecs: ['dns.question.name'],
    ocsf: ['query.hostname'],
    cim: ['query'],
    sigma: ['QueryName', 'query'],
  }),
  column('DnsQueryTypeName', 'string', 'Type of the DNS record, e.g. A or TXT', {
    ecs: ['dns.question.type'],
    ocsf: ['query.type'],
    cim: ['record_type'],
    sigma: ['record_type'],
  }),
  column('DnsResponseName', 'string', 'Content of the DNS answer', {
    ...high,
    ecs: ['dns.answers.data'],
    cim: ['answer'],
    sigma: ['QueryResults', 'answer'],
  }),
  column('DnsResponseCodeName', 'string', 'DNS response code, e.g. NOERROR or NXDOMAIN', {
    ecs: ['dns.response_code'],
    ocsf: ['rcode'],
    cim: ['reply_code'],
    sigma: ['QueryStatus'],
  }),
  column('Url', 'string', 'Requested URL', {
    ...high,
    ecs: ['url.full', 'url.original'],
    ocsf: ['http_request.url.url_string'],
    cim: ['url'],
    sigma: ['c-uri', 'cs-uri'],
  }),
  column('HttpRequestMethod', 'string', 'HTTP method, e.g. GET or POST', {
    ecs: ['http.request.method'],
    ocsf: ['http_request.http_method'],
    cim: ['http_method'],
    sigma: ['cs-method'],
  }),
  column('HttpStatusCode', 'int', 'HTTP status code of the response', {
    ecs: ['http.response.status_code'],
    ocsf: ['http_response.code'],
    sigma: ['sc-status'],
  }),
  column('HttpUserAgent', 'string', 'User agent of the client', {
    ...high,
    ecs: ['user_agent.original'],
    ocsf: ['http_request.user_agent'],
    cim: ['http_user_agent'],
    sigma: ['c-useragent', 'cs-user-agent'],
  }),
  column('HttpReferrer', 'string', 'URL of the page that led to the request (referrer)', {
    ...high,
    ecs: ['http.request.referrer'],
    cim: ['http_referrer'],
    sigma: ['cs-referer'],
  }),
  column('HttpContentType', 'string', 'Content type of the response', {
    ecs: ['http.response.mime_type'],
    cim: ['http_content_type'],
  }),
];

const PROCESS: readonly Column[] = [
  column('ProcessName', 'string', 'Path of the executable of the process that the event is about', {
    index: 'bloom',
    ecs: ['process.executable'],
    ocsf: ['process.file.path'],
    cim: ['process_path'],
    sigma: ['Image', 'NewProcessName', 'SourceImage', 'exe'],
  }),
  column('ProcessId', 'long', 'Process ID', {
    ecs: ['process.pid'],
    ocsf: ['process.pid'],
    cim: ['process_id'],
    sigma: ['ProcessId', 'NewProcessId', 'pid'],
  }),
  column('ProcessGuid', 'string', 'Unique ID that the source gave the process', {
    ...high,
    ecs: ['process.entity_id'],
    ocsf: ['process.uid'],
    sigma: ['ProcessGuid', 'SourceProcessGuid'],
  }),
  column('CommandLine', 'string', 'Command line of the process', {
    ...high,
    ecs: ['process.command_line'],
    ocsf: ['process.cmd_line'],
    cim: ['process'],
    sigma: ['CommandLine', 'ProcessCommandLine'],
  }),
  column('ProcessCurrentDirectory', 'string', 'Working directory of the process', {
    ...high,
    ecs: ['process.working_directory'],
    sigma: ['CurrentDirectory', 'cwd'],
  }),
  column('ProcessIntegrityLevel', 'string', 'Windows integrity level of the process', {
    sigma: ['IntegrityLevel', 'MandatoryLabel'],
  }),
  column('OriginalFileName', 'string', 'Original file name in the version information of the executable', {
    ecs: ['process.pe.original_file_name'],
    sigma: ['OriginalFileName'],
  }),
  column('ParentProcessName', 'string', 'Path of the executable of the parent process', {
    ecs: ['process.parent.executable'],
    ocsf: ['process.parent_process.file.path'],
    cim: ['parent_process_path'],
    sigma: ['ParentImage', 'ParentProcessName'],
  }),
  column('ParentProcessId', 'long', 'Process ID of the parent', {
    ecs: ['process.parent.pid'],
    ocsf: ['process.parent_process.pid'],
    sigma: ['ParentProcessId', 'ppid'],
  }),
  column('ParentProcessGuid', 'string', 'Unique ID that the source gave the parent process', {
    ...high,
    ecs: ['process.parent.entity_id'],
    sigma: ['ParentProcessGuid'],
  }),
  column('ParentCommandLine', 'string', 'Command line of the parent process', {
    ...high,
    ecs: ['process.parent.command_line'],
    cim: ['parent_process'],
    sigma: ['ParentCommandLine'],
  }),
  column('ParentUsername', 'string', 'Account of the parent process', {
    sigma: ['ParentUser'],
    ecs: ['process.parent.user.name'],
  }),
  column(
    'TargetProcessName',
    'string',
    'Path of the executable of the process that was accessed or injected into',
    {
      ecs: ['Target.process.executable'],
      sigma: ['TargetImage'],
    },
  ),
  column('TargetProcessId', 'long', 'Process ID of the process that was accessed or injected into', {
    sigma: ['TargetProcessId'],
  }),
  column(
    'TargetProcessGuid',
    'string',
    'Unique ID that the source gave the process that was accessed or injected into',
    { ...high, sigma: ['TargetProcessGUID'] },
  ),
  column('GrantedAccess', 'string', 'Access rights granted to the process (access mask)', {
    sigma: ['GrantedAccess'],
  }),
  column('CallTrace', 'string', 'Modules on the call stack of the access to a process', {
    ...high,
    sigma: ['CallTrace'],
  }),
  column('ScriptBlockText', 'string', 'Text of the PowerShell script block', {
    ...high,
    ecs: ['powershell.file.script_block_text'],
    sigma: ['ScriptBlockText'],
  }),
  column('PipeName', 'string', 'Name of the pipe', { ecs: ['file.name'], sigma: ['PipeName'] }),
  column('FileCompany', 'string', 'Company in the version information of the executable or module', {
    sigma: ['Company'],
    ecs: ['process.pe.company'],
  }),
  column('FileProduct', 'string', 'Product in the version information of the executable or module', {
    sigma: ['Product'],
    ecs: ['process.pe.product'],
  }),
  column('FileDescription', 'string', 'Description in the version information of the executable or module', {
    sigma: ['Description'],
    ecs: ['process.pe.description'],
  }),
  column('Signed', 'string', 'Whether the module or driver is signed: true or false', {
    sigma: ['Signed'],
    ecs: ['dll.code_signature.exists'],
  }),
  column('Signature', 'string', 'Who signed the module or driver', {
    sigma: ['Signature'],
    ecs: ['dll.code_signature.subject_name'],
  }),
  column('SignatureStatus', 'string', 'State of the signature, e.g. Valid', {
    sigma: ['SignatureStatus'],
    ecs: ['dll.code_signature.status'],
  }),
];

const OBJECTS: readonly Column[] = [
  column('FilePath', 'string', 'Path of the file acted upon', {
    ...high,
    ecs: ['file.path'],
    ocsf: ['file.path'],
    cim: ['file_path'],
    sigma: ['TargetFilename', 'FileName'],
  }),
  column('ModulePath', 'string', 'Path of the module or driver that was loaded', {
    ...high,
    ecs: ['dll.path'],
    ocsf: ['module.file.path'],
    sigma: ['ImageLoaded'],
  }),
  column('FileHashMd5', 'string', 'MD5 hash of the file or executable', {
    ...high,
    index: 'bloom',
    ecs: ['file.hash.md5', 'process.hash.md5'],
    cim: ['file_hash'],
  }),
  column('FileHashSha1', 'string', 'SHA-1 hash of the file or executable', {
    ...high,
    index: 'bloom',
    ecs: ['file.hash.sha1', 'process.hash.sha1'],
  }),
  column('FileHashSha256', 'string', 'SHA-256 hash of the file or executable', {
    ...high,
    index: 'bloom',
    ecs: ['file.hash.sha256', 'process.hash.sha256'],
  }),
  column('FileHashImphash', 'string', 'Import hash (imphash) of the executable', {
    ...high,
    ecs: ['process.pe.imphash'],
    sigma: ['Imphash'],
  }),
  column('Hashes', 'string', 'All hashes, as written by the source', { ...high, sigma: ['Hashes'] }),
  column('RegistryKey', 'string', 'Path of the registry key or value', {
    ...high,
    ecs: ['registry.path'],
    cim: ['registry_path'],
    sigma: ['TargetObject', 'ObjectName'],
  }),
  column('RegistryValueData', 'string', 'Data written to the registry value', {
    ...high,
    ecs: ['registry.data.strings'],
    cim: ['registry_value_data'],
    sigma: ['Details', 'NewValue'],
  }),
  column('ServiceName', 'string', 'Name of the service, scheduled task or daemon', {
    ecs: ['service.name'],
    cim: ['service'],
    sigma: ['ServiceName', 'TaskName'],
  }),
  column('ServiceFileName', 'string', 'Program that the service runs', {
    ...high,
    sigma: ['ServiceFileName', 'ImagePath'],
  }),
  column('ShareName', 'string', 'Name of the network share', { sigma: ['ShareName'] }),
  column('Operation', 'string', 'Operation in an audit log, e.g. the API call', {
    ecs: ['event.action'],
    ocsf: ['api.operation'],
    cim: ['command'],
    sigma: ['eventName'],
  }),
  column('Object', 'string', 'Object of the operation', {
    ...high,
    ocsf: ['resources.name'],
    cim: ['object'],
  }),
  column(
    'ObjectType',
    'string',
    'Type of the object, e.g. File, Key or the GUID of a class of the directory',
    { sigma: ['ObjectType'] },
  ),
  column('ObjectServer', 'string', 'Part of Windows that guards the object, e.g. Security or DS', {
    sigma: ['ObjectServer'],
  }),
  column('AccessMask', 'string', 'Access rights that were asked for or used, e.g. 0x100', {
    sigma: ['AccessMask'],
  }),
  column(
    'ObjectProperties',
    'string',
    'Properties of the object that were accessed, as GUIDs of the directory',
    { ...high, sigma: ['Properties'] },
  ),
  column('PrivilegeList', 'string', 'Privileges that were assigned or used', { sigma: ['PrivilegeList'] }),
  column('CloudService', 'string', 'Cloud service, e.g. s3.amazonaws.com', {
    ecs: ['cloud.service.name'],
    ocsf: ['api.service.name'],
    sigma: ['eventSource'],
  }),
  column('CloudRegion', 'string', 'Cloud region, e.g. eu-west-1', {
    ecs: ['cloud.region'],
    ocsf: ['cloud.region'],
    sigma: ['awsRegion'],
  }),
  column('CloudAccountId', 'string', 'Cloud account or subscription', {
    ecs: ['cloud.account.id'],
    ocsf: ['cloud.account.uid'],
  }),
  column('ThreatName', 'string', 'Name of the threat, as given by the source', {
    ecs: ['threat.indicator.name'],
    cim: ['signature'],
  }),
  column('EmailSender', 'string', 'Sender of the email', {
    ...high,
    ecs: ['email.from.address'],
    cim: ['src_user'],
  }),
  column('EmailRecipient', 'string', 'Recipient of the email', {
    ...high,
    ecs: ['email.to.address'],
    cim: ['recipient'],
  }),
  column('EmailSubject', 'string', 'Subject of the email', {
    ...high,
    ecs: ['email.subject'],
    cim: ['subject'],
  }),
];

const SIGNAL: readonly Column[] = [
  column('SignalId', 'string', 'Signal that the event records; in the stream Signals', high),
  column('DetectionName', 'string', 'Name of the detection that raised the signal'),
  column('DetectionTactic', 'string', 'ATT&CK tactic of the detection', { ecs: ['threat.tactic.name'] }),
  column('DetectionTechnique', 'string', 'ATT&CK technique of the detection, e.g. T1059.001', {
    ecs: ['threat.technique.id'],
  }),
  column('DetectionScore', 'int', 'Score of the signal, from 1 to 10', { ecs: ['event.risk_score'] }),
  column('DetectionConfidence', 'string', 'Confidence of the detection: Low, Medium or High'),
];

const THE_REST: readonly Column[] = [
  column('Ext', 'dynamic', 'All fields of the source that have no typed column'),
  column('Raw', 'string', 'The event as it was received', {
    ...high,
    ecs: ['event.original'],
    cim: ['_raw'],
  }),
];

/** Every typed column of the events table, in stored order. */
export const EVENT_COLUMNS: readonly Column[] = [
  ...ABOUT_THE_RECORD,
  ...ABOUT_THE_EVENT,
  ...DEVICE,
  ...PEOPLE,
  ...NETWORK,
  ...DNS_AND_WEB,
  ...PROCESS,
  ...OBJECTS,
  ...SIGNAL,
  ...ENRICHED,
  ...THE_REST,
];

/**
 * A column behind those of the catalog, which no query names: the days for which the stream of the event was kept when
 * it came in, 0 where nobody had said. Partitions are made by it.
 */
export const RETENTION_COLUMN = { name: 'RetentionDays', stored: 'UInt32' } as const;

/** Another one: 0 for an event as it came in, else the number of the run that read it again; both stand side by side for a while. */
export const READING_COLUMN = { name: 'Reading', stored: 'UInt32' } as const;
