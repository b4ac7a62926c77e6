import type { StreamName } from '@tyrian/catalog';

// The fields that an analyst wants to see first, per stream, in the order of a table.

const ALWAYS = ['TimeGenerated', 'Stream', 'DvcHostname', 'EventType'] as const;

const BY_STREAM: Readonly<Record<StreamName, readonly string[]>> = {
  Authentication: [
    'TargetUsername',
    'ActorUsername',
    'SrcIpAddr',
    'EventResult',
    'LogonType',
    'EventResultDetails',
  ],
  ProcessEvent: ['ActorUsername', 'ProcessName', 'CommandLine', 'ParentProcessName', 'TargetProcessName'],
  NetworkSession: [
    'SrcIpAddr',
    'DstIpAddr',
    'DstPortNumber',
    'NetworkProtocol',
    'DvcAction',
    'SrcBytes',
    'DstBytes',
  ],
  Dns: ['SrcIpAddr', 'DnsQuery', 'DnsQueryTypeName', 'DnsResponseCodeName', 'DnsResponseName'],
  WebSession: ['SrcIpAddr', 'ActorUsername', 'Url', 'HttpRequestMethod', 'HttpStatusCode', 'HttpUserAgent'],
  FileEvent: ['ActorUsername', 'ProcessName', 'FilePath', 'FileHashSha256'],
  RegistryEvent: ['ActorUsername', 'ProcessName', 'RegistryKey', 'RegistryValueData'],
  ModuleLoad: ['ProcessName', 'ModulePath', 'FileHashSha256'],
  AuditEvent: ['ActorUsername', 'Operation', 'Object', 'ServiceName', 'EventResult'],
  UserManagement: ['ActorUsername', 'TargetUsername', 'GroupName', 'EventResult'],
  Dhcp: ['SrcIpAddr', 'SrcHostname', 'SrcMacAddr'],
  Alert: ['ThreatName', 'EventSeverity', 'ActorUsername', 'FilePath', 'DvcAction'],
  CloudAudit: ['ActorUsername', 'Operation', 'CloudService', 'SrcIpAddr', 'EventResult', 'CloudRegion'],
  Email: ['EmailSender', 'EmailRecipient', 'EmailSubject', 'DvcAction'],
  Syslog: ['ProcessName', 'Facility', 'EventSeverity', 'Message'],
  WindowsEvent: ['EventID', 'Channel', 'Provider', 'ActorUsername', 'Message'],
  Generic: ['SourceName', 'SourceType', 'ParseStatus', 'Message', 'Raw'],
  Signals: ['DetectionName', 'DetectionScore', 'DetectionTactic', 'DetectionTechnique', 'ActorUsername'],
};

/** Names of the columns to show first for these streams; for none, those of every stream. */
export function recommendedFields(streams: readonly string[]): ReadonlySet<string> {
  const own = streams.flatMap((stream) =>
    Object.hasOwn(BY_STREAM, stream) ? BY_STREAM[stream as StreamName] : [],
  );
  const fallback = ['SourceName', 'ActorUsername', 'SrcIpAddr', 'DstIpAddr', 'Message'];
  return new Set([...ALWAYS, ...(own.length > 0 ? own : fallback)]);
}
