import { EVENT_COLUMNS } from '@tyrian/catalog';

// Fields of JSON that no special decoder knows. First come the names of the catalog and the names by which ECS,
// OCSF, CIM and Sigma know its columns; then names that products use (Zeek, Suricata, Okta, proxies, resolvers).

/** Columns that only Tyrian itself fills, whatever an event claims. */
const OURS = new Set([
  'TimeGenerated',
  'IngestedTime',
  'EventUid',
  'Stream',
  'Scope',
  'ParseStatus',
  'ParseError',
  'SourceName',
  'SourceType',
  'SourceAddress',
  'Ext',
  'Raw',
  'SignalId',
  'DetectionName',
  'DetectionTactic',
  'DetectionTechnique',
  'DetectionScore',
  'DetectionConfidence',
]);

function catalogNames(): Record<string, string> {
  const table: Record<string, string> = {};
  const columns = EVENT_COLUMNS.filter(({ name }) => !OURS.has(name));
  const add = (name: string, column: string) => {
    table[name] ??= column;
  };
  for (const { name } of columns) add(name, name);
  for (const { name, aliases } of columns) for (const alias of aliases.ecs ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.ocsf ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.cim ?? []) add(alias, name);
  for (const { name, aliases } of columns) for (const alias of aliases.sigma ?? []) add(alias, name);
  return table;
}

const PRODUCT_NAMES: Readonly<Record<string, string>> = {
  // The ECS name of a pipe is the name of any file.
  'file.name': '',
  status: '',
  // Addresses.
  'id.orig_h': 'SrcIpAddr',
  'id.orig_p': 'SrcPortNumber',
  'id.resp_h': 'DstIpAddr',
  'id.resp_p': 'DstPortNumber',
  client_ip: 'SrcIpAddr',
  clientIp: 'SrcIpAddr',
  ClientIP: 'SrcIpAddr',
  'client.ipAddress': 'SrcIpAddr',
  ipAddress: 'SrcIpAddr',
  IPAddress: 'SrcIpAddr',
  callerIpAddress: 'SrcIpAddr',
  remote_addr: 'SrcIpAddr',
  srcip: 'SrcIpAddr',
  source_ip: 'SrcIpAddr',
  dstip: 'DstIpAddr',
  dest_ip: 'DstIpAddr',
  destination_ip: 'DstIpAddr',
  server_ip: 'DstIpAddr',
  srcport: 'SrcPortNumber',
  dest_port: 'DstPortNumber',
  dstport: 'DstPortNumber',
  proto: 'NetworkProtocol',
  service: 'NetworkApplication',
  app_proto: 'NetworkApplication',
  orig_bytes: 'SrcBytes',
  resp_bytes: 'DstBytes',
  bytes_sent: 'SrcBytes',
  bytes_received: 'DstBytes',
  duration_ms: 'NetworkDuration',
  // Names.
  hostname: 'DvcHostname',
  host_name: 'DvcHostname',
  computer: 'DvcHostname',
  username: 'ActorUsername',
  user_name: 'ActorUsername',
  userPrincipalName: 'TargetUsername',
  UserPrincipalName: 'TargetUsername',
  UserId: 'ActorUsername',
  'actor.alternateId': 'ActorUsername',
  'actor.id': 'ActorUserId',
  'outcome.result': 'EventResult',
  'outcome.reason': 'EventResultDetails',
  displayMessage: 'Message',
  msg: 'Message',
  log: 'Message',
  eventType: 'EventType',
  event_type: 'EventType',
  event_name: 'EventType',
  vendor: 'EventVendor',
  product: 'EventProduct',
  // DNS.
  qname: 'DnsQuery',
  query_name: 'DnsQuery',
  'dns.rrname': 'DnsQuery',
  'dns.rrtype': 'DnsQueryTypeName',
  'dns.rcode': 'DnsResponseCodeName',
  qtype: 'DnsQueryTypeName',
  qtype_name: 'DnsQueryTypeName',
  query_type: 'DnsQueryTypeName',
  rcode: 'DnsResponseCodeName',
  rcode_name: 'DnsResponseCodeName',
  response_code: 'DnsResponseCodeName',
  answers: 'DnsResponseName',
  // Web.
  uri: 'Url',
  'http.url': 'Url',
  request_url: 'Url',
  method: 'HttpRequestMethod',
  'http.http_method': 'HttpRequestMethod',
  status_code: 'HttpStatusCode',
  'http.status': 'HttpStatusCode',
  user_agent: 'HttpUserAgent',
  userAgent: 'HttpUserAgent',
  'http.http_user_agent': 'HttpUserAgent',
  referrer: 'HttpReferrer',
  referer: 'HttpReferrer',
  content_type: 'HttpContentType',
  'http.hostname': 'DstHostname',
  server_name: 'DstHostname',
  // Processes, files, threats.
  command_line: 'CommandLine',
  commandLine: 'CommandLine',
  cmdline: 'CommandLine',
  process_path: 'ProcessName',
  process_name: 'ProcessName',
  parent_process_name: 'ParentProcessName',
  parent_command_line: 'ParentCommandLine',
  file_path: 'FilePath',
  sha256: 'FileHashSha256',
  sha1: 'FileHashSha1',
  md5: 'FileHashMd5',
  'alert.signature': 'ThreatName',
  threat_name: 'ThreatName',
  signature: 'ThreatName',
  rule_name: 'NetworkRuleName',
  policy_name: 'NetworkRuleName',
  from: 'EmailSender',
  sender: 'EmailSender',
  to: 'EmailRecipient',
  subject: 'EmailSubject',
};

export const JSON_FIELD_TABLES = [catalogNames(), PRODUCT_NAMES] as const;

/** Fields that may hold the time of a JSON event, the surest first. */
export const JSON_TIME_FIELDS = [
  'TimeGenerated',
  '@timestamp',
  'timestamp',
  'Timestamp',
  'time',
  'ts',
  'eventTime',
  'event_time',
  'EventTime',
  'createdDateTime',
  'CreatedDateTime',
  'activityDateTime',
  'CreationTime',
  'published',
  '_time',
  'datetime',
  'date',
  'start_time',
  // Kubernetes audit, osquery, journald, and records that say when they were made or changed.
  'requestReceivedTimestamp',
  'stageTimestamp',
  'unixTime',
  'calendarTime',
  '__REALTIME_TIMESTAMP',
  'createdAt',
  'created_at',
  'updatedAt',
  'updated_at',
] as const;
