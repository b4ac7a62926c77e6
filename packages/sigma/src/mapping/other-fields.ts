import type { FieldTable } from './source-condition.ts';

// Fields of the products beside Windows: the names that ingest lifts into columns, and the other names by which rules
// and records call the same. What stands in no table is looked for below `Ext` under its own name.

export const AUDITD_FIELDS: FieldTable = {
  id: 'auditd',
  isClosed: true,
  sure: { type: 'Operation' },
  also: {
    exe: 'ProcessName',
    pid: 'ProcessId',
    ppid: 'ParentProcessId',
    cwd: 'ProcessCurrentDirectory',
    cmd: 'CommandLine',
    proctitle: 'CommandLine',
    name: 'FilePath',
    uid: 'ActorUserId',
    acct: 'TargetUsername',
    addr: 'SrcIpAddr',
    unit: 'ServiceName',
    hostname: 'SrcHostname',
    terminal: 'LogonProtocol',
    USER: 'ActorUsername',
  },
};

export const CLOUDTRAIL_FIELDS: FieldTable = {
  id: 'aws-cloudtrail',
  isClosed: true,
  sure: { eventName: 'Operation', eventSource: 'CloudService' },
  also: {
    eventType: 'EventType',
    awsRegion: 'CloudRegion',
    recipientAccountId: 'CloudAccountId',
    sourceIPAddress: 'SrcIpAddr|SrcHostname',
    src_ip: 'SrcIpAddr',
    userAgent: 'HttpUserAgent',
    errorCode: 'EventResultDetails',
    errorMessage: 'Message|EventResultDetails',
    status: 'EventResult',
  },
};

export const AZURE_FIELDS: FieldTable = {
  id: 'azure',
  sure: {},
  also: {
    operationName: 'Operation|EventType|Ext.OperationName|Ext.OperationNameValue',
    OperationName: 'Operation|EventType|Ext.operationName|Ext.OperationNameValue',
    OperationNameValue: 'Operation|EventType|Ext.operationName|Ext.OperationName',
    ActivityDisplayName: 'Ext.activityDisplayName|Ext.OperationName|Operation|EventType',
    'properties.message':
      'Message|Operation|EventType|Ext.message|Ext.OperationName|Ext.operationName|Ext.activityDisplayName',
    ResultType: 'Ext.resultType|Ext.status.errorCode',
    resultType: 'Ext.ResultType|Ext.status.errorCode',
    ResultDescription: 'EventResultDetails|Ext.resultDescription',
    Status: 'EventResult|Ext.status|Ext.status.errorCode|Ext.ActivityStatus|Ext.ActivityStatusValue',
    status: 'EventResult|Ext.Status|Ext.ActivityStatus',
    userAgent: 'HttpUserAgent|Ext.UserAgent',
    callerIpAddress: 'SrcIpAddr',
    IPAddress: 'SrcIpAddr',
    Username: 'TargetUsername|ActorUsername|Ext.userPrincipalName',
    userPrincipalName: 'TargetUsername|ActorUsername',
    ClientApp: 'LogonProtocol|Ext.clientAppUsed',
    ClientAppUsed: 'LogonProtocol',
    AppDisplayName: 'Object',
    CategoryValue: 'Ext.category|Ext.Category',
    ResourceProviderValue: 'Ext.resourceProvider|Ext.ResourceProvider',
    riskEventType: 'EventType|ThreatName|Ext.RiskEventType|Ext.properties.riskEventType',
    Initiatedby: 'Ext.InitiatedBy|Ext.initiatedBy',
    'Initiatied.By': 'Ext.InitiatedBy|Ext.initiatedBy',
    LoggedByService: 'Ext.loggedByService',
    activityType: 'Ext.ActivityType',
    Target: 'Ext.TargetResources|Ext.targetResources',
    'properties.appId': 'Ext.appId|Ext.AppId',
    'properties.authenticationRequirement': 'Ext.authenticationRequirement|Ext.AuthenticationRequirement',
    'properties.deviceDetail.deviceId': 'Ext.deviceDetail.deviceId|Ext.DeviceDetail.deviceId',
    'properties.result': 'EventResult|Ext.result|Ext.Result',
    'properties.initiatedBy': 'Ext.initiatedBy|Ext.InitiatedBy',
    'properties.targetResources': 'Ext.targetResources|Ext.TargetResources',
    'DeviceDetail.trusttype': 'Ext.DeviceDetail.trustType|Ext.deviceDetail.trustType',
    'DeviceDetail.isCompliant': 'Ext.deviceDetail.isCompliant',
    'DeviceDetail.deviceId': 'Ext.deviceDetail.deviceId',
    'TargetResources.ModifiedProperties.NewValue':
      'Ext.TargetResources[].newValue|Ext.targetResources[].newValue|Ext.TargetResources[].NewValue',
    'TargetResources.ModifiedProperties.DisplayName':
      'Ext.TargetResources[].displayName|Ext.targetResources[].displayName|Ext.TargetResources[].DisplayName',
  },
  lists: ['TargetResources', 'targetResources', 'additionalDetails', 'AdditionalDetails'],
  eitherCase: true,
};

export const M365_FIELDS: FieldTable = {
  id: 'm365',
  sure: {},
  also: {
    Operation: 'Operation|EventType',
    eventName: 'Operation|EventType|Ext.Operation|ThreatName|Ext.Name',
    eventSource: 'CloudService|Ext.Workload|Ext.Source',
    status: 'EventResult|Ext.ResultStatus|Ext.Status',
    ResultStatus: 'EventResult',
    ObjectId: 'Object',
    UserId: 'ActorUsername',
    Payload: 'Ext.Data',
    OperationProperties: 'Ext.OperationProperties',
    Workload: 'CloudService',
  },
  eitherCase: true,
};

export const GCP_FIELDS: FieldTable = {
  id: 'gcp',
  sure: {},
  also: {
    'gcp.audit.method_name': 'Operation|Ext.protoPayload.methodName|Ext.data.protoPayload.methodName',
    'data.protoPayload.methodName': 'Operation|Ext.protoPayload.methodName',
    'data.protoPayload.serviceName': 'CloudService|Ext.protoPayload.serviceName',
    'data.protoPayload.logName': 'Ext.logName|Ext.protoPayload.logName',
    'data.protoPayload.resource.type': 'Ext.resource.type|Ext.data.resource.type',
    'protoPayload.Servicename': 'Ext.protoPayload.serviceName',
    eventName: 'Operation|EventType|Ext.event_name|Ext.protoPayload.metadata.event.eventName',
    eventService: 'CloudService|Ext.protoPayload.serviceName',
    'data.protoPayload.authorizationInfo.permission': 'Ext.protoPayload.authorizationInfo[].permission',
    'data.protoPayload.authorizationInfo.granted': 'Ext.protoPayload.authorizationInfo[].granted',
  },
  lists: ['protoPayload.authorizationInfo', 'data.protoPayload.authorizationInfo'],
};

export const OKTA_FIELDS: FieldTable = {
  id: 'okta',
  sure: {},
  also: {
    eventType: 'EventType',
    eventtype: 'EventType|Ext.eventType',
    'actor.alternateId': 'ActorUsername',
    'actor.alternateid': 'ActorUsername',
    displayMessage: 'Message',
    displaymessage: 'Message|Ext.displayMessage',
    'outcome.result': 'EventResult',
    'outcome.reason': 'EventResultDetails',
    'target.user.display.name': 'Ext.target[].displayName',
    'securityContext.isProxy': 'Ext.securityContext.isProxy',
    'debugContext.debugData.requestUri': 'Ext.debugContext.debugData.requestUri',
  },
  lists: ['target'],
};

export const WEB_FIELDS: FieldTable = {
  id: 'web',
  sure: {},
  also: {
    'c-uri': 'Url',
    'cs-uri': 'Url',
    'cs-uri-query': 'Url',
    'c-uri-query': 'Url',
    'cs-uri-stem': 'Url',
    'c-uri-stem': 'Url',
    'cs-host': 'DstHostname|Url',
    'cs-method': 'HttpRequestMethod',
    'sc-status': 'HttpStatusCode',
    'c-useragent': 'HttpUserAgent',
    'cs-user-agent': 'HttpUserAgent',
    'cs-referer': 'HttpReferrer',
    'cs-content-type': 'HttpContentType',
    'cs-username': 'ActorUsername|TargetUsername',
    'c-ip': 'SrcIpAddr',
    's-ip': 'DstIpAddr',
    'r-dns': 'DstHostname',
    dst_ip: 'DstIpAddr',
    src_ip: 'SrcIpAddr',
  },
};

export const NETWORK_FIELDS: FieldTable = {
  id: 'network',
  sure: {},
  also: {
    query: 'DnsQuery',
    record_type: 'DnsQueryTypeName',
    answer: 'DnsResponseName',
    src_ip: 'SrcIpAddr',
    dst_ip: 'DstIpAddr',
    src_port: 'SrcPortNumber',
    dst_port: 'DstPortNumber',
    'destination.port': 'DstPortNumber',
    'source.port': 'SrcPortNumber',
    action: 'DvcAction',
    blocked: 'Ext.blocked',
    Signature: 'ThreatName',
    Filename: 'FilePath|Ext.FileName',
  },
};

export const ZEEK_FIELDS: FieldTable = {
  id: 'zeek',
  sure: {},
  also: {
    query: 'DnsQuery',
    answers: 'DnsResponseName',
    qtype_name: 'DnsQueryTypeName',
    'id.orig_h': 'SrcIpAddr',
    'id.orig_p': 'SrcPortNumber',
    'id.resp_h': 'DstIpAddr',
    'id.resp_p': 'DstPortNumber',
    'c-uri': 'Url|Ext.uri',
    uri: 'Url',
    'c-useragent': 'HttpUserAgent',
    user_agent: 'HttpUserAgent',
    method: 'HttpRequestMethod',
    status_code: 'HttpStatusCode',
    resp_mime_types: 'HttpContentType',
    host: 'DvcHostname|DstHostname',
    service: 'NetworkApplication|ServiceName',
    operation: 'Operation',
    name: 'FilePath',
    path: 'ShareName',
  },
};

export const APPLICATION_FIELDS: FieldTable = {
  id: 'application',
  sure: {},
  also: {
    userAgent: 'HttpUserAgent',
    requestURI: 'Url',
    apiGroup: 'Ext.objectRef.apiGroup',
    event_type: 'EventType',
    eventType: 'EventType',
    action: 'DvcAction|Operation|EventType',
    operation: 'Operation',
    reason: 'EventResultDetails',
    TargetFilename: 'FilePath',
  },
  lists: [
    'requestObject.spec.containers',
    'requestObject.spec.volumes',
    'requestObject.spec.template.spec.containers',
    'requestObject.rules',
    'requestObject.subjects',
    'responseObject.spec.containers',
    'target',
  ],
};
