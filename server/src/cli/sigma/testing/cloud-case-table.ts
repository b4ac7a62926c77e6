import { type SigmaCase, sigmaCase } from './sigma-case.ts';

// Records of clouds and services, with nested fields, lists and names with dots.

const text = String.raw;
const CASES: SigmaCase[] = [];
export const CLOUD_CASES: readonly SigmaCase[] = CASES;

const cloud = [
  {
    eventVersion: '1.08',
    eventSource: 'iam.amazonaws.com',
    eventName: 'CreateUser',
    awsRegion: 'us-east-1',
    sourceIPAddress: '203.0.113.5',
    userAgent: 'aws-cli/2.0 Python/3',
    eventTime: '2026-01-05T03:04:05Z',
    userIdentity: {
      type: 'IAMUser',
      userName: 'ana',
      arn: 'arn:aws:iam::123:user/ana',
      sessionContext: { attributes: { mfaAuthenticated: 'false' } },
    },
    requestParameters: { userName: 'evil' },
    responseElements: null,
    eventType: 'AwsApiCall',
    recipientAccountId: '123',
  },
  {
    eventVersion: '1.08',
    eventSource: 'signin.amazonaws.com',
    eventName: 'ConsoleLogin',
    awsRegion: 'us-east-1',
    sourceIPAddress: '203.0.113.5',
    userAgent: 'Mozilla',
    eventTime: '2026-01-05T03:04:05Z',
    userIdentity: { type: 'Root' },
    additionalEventData: { MFAUsed: 'No' },
    responseElements: { ConsoleLogin: 'Success' },
    eventType: 'AwsConsoleSignIn',
    recipientAccountId: '123',
  },
  {
    eventVersion: '1.08',
    eventSource: 'ec2.amazonaws.com',
    eventName: 'AuthorizeSecurityGroupIngress',
    awsRegion: 'eu-west-1',
    sourceIPAddress: 'cloudformation.amazonaws.com',
    userAgent: 'x',
    eventTime: '2026-01-05T03:04:05Z',
    userIdentity: { type: 'AssumedRole' },
    requestParameters: {
      ipPermissions: { items: [{ ipRanges: { items: [{ cidrIp: '0.0.0.0/0' }] }, toPort: 22 }] },
    },
    errorCode: 'AccessDenied',
    errorMessage: 'no',
  },
  {
    eventVersion: '1.08',
    eventSource: 's3.amazonaws.com',
    eventName: 'PutBucketLogging',
    awsRegion: 'eu-west-1',
    sourceIPAddress: '1.2.3.4',
    eventTime: '2026-01-05T03:04:05Z',
    userIdentity: { type: 'IAMUser' },
    requestParameters: { BucketLoggingStatus: { LoggingEnabled: '' } },
    readOnly: false,
  },
];
CASES.push(
  sigmaCase('cloudtrail', { product: 'aws', service: 'cloudtrail' }, cloud, [
    [text`{s: {eventSource: iam.amazonaws.com, eventName: CreateUser}, condition: s}`, [0]],
    [text`{s: {userIdentity.type: Root}, condition: s}`, [1]],
    [text`{s: {userIdentity.type: Root}, f: {eventType: AwsServiceEvent}, condition: s and not f}`, [1]],
    [
      text`{s: {additionalEventData.MFAUsed: 'No', responseElements.ConsoleLogin: Success}, condition: s}`,
      [1],
    ],
    [text`{s: {errorCode: AccessDenied}, condition: s}`, [2]],
    [text`{s: {errorCode|exists: false, eventSource|startswith: iam}, condition: s}`, [0]],
    [text`{s: {errorCode: null}, condition: s}`, [0, 1, 3]],
    [text`{s: {userIdentity.sessionContext.attributes.mfaAuthenticated: 'false'}, condition: s}`, [0]],
    [text`{s: {userIdentity.sessionContext.attributes.mfaAuthenticated: false}, condition: s}`, [0]],
    [text`{s: {userIdentity.arn|contains: ':user/ANA'}, condition: s}`, [0]],
    [text`{s: {requestParameters.userName: evil}, condition: s}`, [0]],
    [text`{s: {requestParameters|contains: evil}, condition: s}`, [0]],
    [text`{s: {requestParameters.ipPermissions|contains: '0.0.0.0/0'}, condition: s}`, [2]],
    [text`{s: {sourceIPAddress|cidr: '203.0.113.0/24'}, condition: s}`, [0, 1]],
    [text`{s: {sourceIPAddress: 'cloudformation.amazonaws.com'}, condition: s}`, [2]],
    [text`{s: {userAgent|startswith: 'aws-cli'}, condition: s}`, [0]],
    [text`{s: {awsRegion: 'eu-west-1'}, condition: s}`, [2, 3]],
    [text`{s: {readOnly: false}, condition: s}`, [3]],
    [text`{s: {readOnly: 'false'}, condition: s}`, [3]],
    [text`{s: {responseElements.ConsoleLogin: '*'}, condition: s}`, [1]],
    [text`{k: ['CreateUser','nothing'], condition: k}`, [0]],
    [text`{s: {requestParameters.BucketLoggingStatus.LoggingEnabled: ''}, condition: s}`, [3]],
    [text`{s: {userIdentity.userName|neq: ana, userIdentity.type: IAMUser}, condition: s}`, [3]],
    [text`{s: {errorMessage: NO}, condition: s}`, [2]],
  ]),
);
const okta = [
  {
    uuid: '1',
    published: '2026-01-05T03:04:05.000Z',
    eventType: 'user.session.start',
    displayMessage: 'User login to Okta',
    severity: 'INFO',
    actor: { id: 'a', type: 'User', alternateId: 'ana@corp.example', displayName: 'Ana' },
    client: { ipAddress: '203.0.113.5', userAgent: { rawUserAgent: 'Mozilla/5.0', os: 'Windows' } },
    outcome: { result: 'FAILURE', reason: 'INVALID_CREDENTIALS' },
    securityContext: { isProxy: true, asNumber: 1234 },
    debugContext: { debugData: { requestUri: '/api/v1/authn', threatSuspected: 'true' } },
    target: [{ id: 't', type: 'AppInstance', displayName: 'Okta Admin Console' }],
  },
  {
    uuid: '2',
    published: '2026-01-05T03:04:05.000Z',
    eventType: 'policy.lifecycle.delete',
    displayMessage: 'Delete policy',
    severity: 'INFO',
    actor: { alternateId: 'bob@corp.example' },
    outcome: { result: 'SUCCESS' },
    securityContext: { isProxy: false },
    target: null,
  },
];
CASES.push(
  sigmaCase('okta', { product: 'okta', service: 'okta' }, okta, [
    [text`{s: {eventtype: user.session.start}, condition: s}`, [0]],
    [text`{s: {eventType: [policy.lifecycle.delete, policy.lifecycle.update]}, condition: s}`, [1]],
    [text`{s: {outcome.result: FAILURE}, condition: s}`, [0]],
    [text`{s: {outcome.result: SUCCESS}, condition: s}`, [1]],
    [text`{s: {outcome.reason: INVALID_CREDENTIALS}, condition: s}`, [0]],
    [text`{s: {actor.alternateId|endswith: '@corp.example'}, condition: s}`, [0, 1]],
    [text`{s: {securityContext.isProxy: 'true'}, condition: s}`, [0]],
    [text`{s: {securityContext.isProxy: true}, condition: s}`, [0]],
    [text`{s: {securityContext.asNumber|gt: 1000}, condition: s}`, [0]],
    [text`{s: {debugContext.debugData.requestUri: '/api/v1/authn'}, condition: s}`, [0]],
    [text`{s: {target.displayName: 'Okta Admin Console'}, condition: s}`, [0]],
    [text`{s: {target.displayName|contains: 'admin console'}, condition: s}`, [0]],
    [text`{s: {displaymessage: 'User login to Okta'}, condition: s}`, [0]],
    [text`{s: {client.userAgent.rawUserAgent|startswith: Mozilla}, condition: s}`, [0]],
    [text`{s: {client.ipAddress|cidr: '203.0.113.0/24'}, condition: s}`, [0]],
  ]),
);
const azureSign = [
  {
    time: '2026-01-05T03:04:05Z',
    category: 'SignInLogs',
    operationName: 'Sign-in activity',
    resultType: '50126',
    properties: {
      id: '1',
      createdDateTime: '2026-01-05T03:04:05Z',
      userPrincipalName: 'ana@corp.example',
      appDisplayName: 'Azure Portal',
      appId: 'a1',
      ipAddress: '203.0.113.5',
      clientAppUsed: 'Browser',
      conditionalAccessStatus: 'failure',
      deviceDetail: { deviceId: '', trustType: '' },
      authenticationRequirement: 'singleFactorAuthentication',
      status: { errorCode: 50126, failureReason: 'Invalid' },
      riskState: 'atRisk',
    },
  },
  {
    TimeGenerated: '2026-01-05T03:04:05Z',
    Type: 'SigninLogs',
    Category: 'SignInLogs',
    OperationName: 'Sign-in activity',
    ResultType: '0',
    UserPrincipalName: 'bob@corp.example',
    AppDisplayName: 'Office',
    IPAddress: '198.51.100.9',
    ClientAppUsed: 'IMAP4',
    ConditionalAccessStatus: 'success',
    AuthenticationRequirement: 'multiFactorAuthentication',
    ResultDescription: '',
    DeviceDetail: { trustType: 'Azure AD joined' },
  },
];
CASES.push(
  sigmaCase('azure signin', { product: 'azure', service: 'signinlogs' }, azureSign, [
    [text`{s: {ResultType: 50126}, condition: s}`, [0]],
    [text`{s: {ResultType: 0}, condition: s}`, [1]],
    [text`{s: {ResultType: '0'}, condition: s}`, [1]],
    [text`{s: {properties.authenticationRequirement: singleFactorAuthentication}, condition: s}`, [0]],
    [text`{s: {AuthenticationRequirement: singleFactorAuthentication}, condition: s}`, [0]],
    [text`{s: {ClientApp: [IMAP4, POP3]}, condition: s}`, [1]],
    [text`{s: {AppDisplayName|contains: Portal}, condition: s}`, [0]],
    [text`{s: {userPrincipalName: 'ana@corp.example'}, condition: s}`, [0]],
    [text`{s: {ConditionalAccessStatus: failure}, condition: s}`, [0]],
    [text`{s: {DeviceDetail.trusttype: 'Azure AD joined'}, condition: s}`, [1]],
  ]),
);
const aad = [
  {
    time: '2026-01-05T03:04:05Z',
    category: 'AuditLogs',
    operationName: 'Add member to role',
    properties: {
      activityDisplayName: 'Add member to role',
      category: 'RoleManagement',
      loggedByService: 'Core Directory',
      result: 'success',
      initiatedBy: { user: { userPrincipalName: 'ana@corp.example' } },
      targetResources: [
        {
          type: 'User',
          displayName: 'x',
          modifiedProperties: [{ displayName: 'Role.DisplayName', newValue: '"Global Administrator"' }],
        },
      ],
    },
  },
  {
    TimeGenerated: '2026-01-05T03:04:05Z',
    Type: 'AuditLogs',
    OperationName: 'Consent to application',
    Category: 'ApplicationManagement',
    Result: 'success',
    LoggedByService: 'Core Directory',
    TargetResources: '[{"displayName":"evil app"}]',
  },
  {
    time: '2026-01-05T03:04:05Z',
    category: 'Administrative',
    operationName: 'MICROSOFT.COMPUTE/VIRTUALMACHINES/DELETE',
    resultType: 'Success',
    callerIpAddress: '203.0.113.7',
    properties: { message: 'Microsoft.Compute/virtualMachines/delete' },
  },
];
CASES.push(
  sigmaCase('azure audit', { product: 'azure', service: 'auditlogs' }, aad, [
    [text`{s: {properties.message: 'Add member to role'}, condition: s}`, [0]],
    [text`{s: {properties.message: 'Consent to application'}, condition: s}`, [1]],
    [text`{s: {OperationName: 'add member to role'}, condition: s}`, [0]],
    [text`{s: {operationName: 'Consent to application'}, condition: s}`, [1]],
    [text`{s: {ActivityDisplayName: 'Add member to role'}, condition: s}`, [0]],
    [text`{s: {Category: RoleManagement}, condition: s}`, [0]],
    [text`{s: {LoggedByService: 'Core Directory'}, condition: s}`, [0, 1]],
    [text`{s: {TargetResources|contains: 'Global Administrator'}, condition: s}`, [0]],
    [text`{k: ['Global Administrator'], condition: k}`, [0]],
  ]),
);
CASES.push(
  sigmaCase('azure activity', { product: 'azure', service: 'activitylogs' }, aad, [
    [text`{s: {operationName: MICROSOFT.COMPUTE/VIRTUALMACHINES/DELETE}, condition: s}`, [2]],
    [
      text`{s: {operationName|startswith: 'MICROSOFT.Compute', operationName|endswith: '/DELETE'}, condition: s}`,
      [2],
    ],
    [text`{s: {callerIpAddress|cidr: '203.0.113.0/24'}, condition: s}`, [2]],
  ]),
);
CASES.push(
  sigmaCase(
    'gcp',
    { product: 'gcp', service: 'gcp.audit' },
    [
      {
        protoPayload: {
          '@type': 'type.googleapis.com/google.cloud.audit.AuditLog',
          serviceName: 'iam.googleapis.com',
          methodName: 'google.iam.admin.v1.CreateServiceAccountKey',
          authenticationInfo: { principalEmail: 'ana@corp.example' },
          requestMetadata: { callerIp: '203.0.113.5' },
        },
        resource: { type: 'service_account' },
        logName: 'projects/x/logs/cloudaudit.googleapis.com%2Factivity',
        timestamp: '2026-01-05T03:04:05Z',
        severity: 'NOTICE',
      },
      {
        data: {
          protoPayload: {
            methodName: 'v1.compute.firewalls.delete',
            serviceName: 'compute.googleapis.com',
            logName: 'cloudaudit.googleapis.com',
          },
          resource: { type: 'gce_firewall_rule' },
        },
      },
    ],
    [
      [text`{s: {gcp.audit.method_name: google.iam.admin.v1.CreateServiceAccountKey}, condition: s}`, [0]],
      [
        text`{s: {gcp.audit.method_name|startswith: v, gcp.audit.method_name|endswith: .firewalls.delete}, condition: s}`,
        [1],
      ],
      [
        text`{s: {data.protoPayload.serviceName: compute.googleapis.com, data.protoPayload.resource.type: gce_firewall_rule}, condition: s}`,
        [1],
      ],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'm365',
    { product: 'm365', service: 'audit' },
    [
      {
        CreationTime: '2026-01-05T03:04:05',
        Operation: 'New-InboxRule',
        Workload: 'Exchange',
        UserId: 'ana@corp.example',
        ClientIP: '203.0.113.5:1234',
        ResultStatus: 'True',
        Parameters: [{ Name: 'ForwardTo', Value: 'x@evil.example' }],
        RecordType: 1,
      },
      {
        CreationTime: '2026-01-05T03:04:05',
        Operation: 'FileDownloaded',
        Workload: 'SharePoint',
        UserId: 'bob@corp.example',
        ObjectId: 'https://x/a.docx',
        RecordType: 6,
      },
    ],
    [
      [text`{s: {Operation: new-inboxrule}, condition: s}`, [0]],
      [text`{s: {Workload: Exchange, UserId|contains: ana}, condition: s}`, [0]],
      [text`{s: {Parameters|contains: 'evil.example'}, condition: s}`, [0]],
      [text`{s: {ObjectId|endswith: .docx}, condition: s}`, [1]],
      [text`{s: {eventSource: SharePoint, eventName: FileDownloaded}, condition: s}`, [1]],
      [text`{s: {RecordType: 6}, condition: s}`, [1]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'github',
    { product: 'github', service: 'audit' },
    [
      {
        action: 'repo.create',
        actor: 'ana',
        org: 'corp',
        created_at: 1767582245000,
        repo: 'corp/x',
        visibility: 'private',
      },
      {
        action: 'org.disable_two_factor_requirement',
        actor: 'bob',
        org: 'corp',
        '@timestamp': 1767582245000,
        public_repo: true,
      },
    ],
    [
      [text`{s: {action: repo.create}, condition: s}`, [0]],
      [text`{s: {action: ['org.disable_two_factor_requirement','x']}, condition: s}`, [1]],
      [text`{s: {actor: ANA}, condition: s}`, [0]],
      [text`{s: {visibility: private}, condition: s}`, [0]],
      [text`{s: {public_repo: 'true'}, condition: s}`, [1]],
      [text`{s: {public_repo: true}, condition: s}`, [1]],
      [text`{s: {repo|startswith: 'corp/'}, condition: s}`, [0]],
    ],
  ),
);
CASES.push(
  sigmaCase(
    'kubernetes',
    { product: 'kubernetes', category: 'application', service: 'audit' },
    [
      {
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        level: 'RequestResponse',
        auditID: '1',
        stage: 'ResponseComplete',
        requestURI: '/api/v1/namespaces/default/pods/x/exec?command=sh',
        verb: 'create',
        user: { username: 'ana', groups: ['system:masters', 'dev'] },
        sourceIPs: ['203.0.113.5'],
        objectRef: {
          resource: 'pods',
          namespace: 'default',
          name: 'x',
          subresource: 'exec',
          apiVersion: 'v1',
        },
        responseStatus: { code: 101 },
        requestReceivedTimestamp: '2026-01-05T03:04:05Z',
      },
      {
        kind: 'Event',
        apiVersion: 'audit.k8s.io/v1',
        verb: 'delete',
        user: { username: 'bob' },
        objectRef: { resource: 'deployments', namespace: 'kube-system', apiGroup: 'apps' },
        responseStatus: { code: 403 },
        requestObject: {
          spec: {
            hostNetwork: true,
            containers: [{ image: 'a', securityContext: { privileged: true } }, { image: 'b' }],
          },
        },
      },
    ],
    [
      [text`{s: {verb: create, objectRef.resource: pods, objectRef.subresource: exec}, condition: s}`, [0]],
      [text`{s: {objectRef.namespace: kube-system}, condition: s}`, [1]],
      [text`{s: {user.username|startswith: bo}, condition: s}`, [1]],
      [text`{s: {user.groups|contains: 'system:masters'}, condition: s}`, [0]],
      [text`{s: {user.groups: 'system:masters'}, condition: s}`, [0]],
      [text`{s: {responseStatus.code: 403}, condition: s}`, [1]],
      [text`{s: {user.groups: ['nope','DEV']}, condition: s}`, [0]],
      [text`{s: {user.groups|startswith: 'system:'}, condition: s}`, [0]],
      [text`{s: {user.groups|endswith: 'masters'}, condition: s}`, [0]],
      [text`{s: {user.groups|endswith: 'system'}, condition: s}`, []],
      [text`{s: {user.groups: 'dev*'}, condition: s}`, [0]],
      [text`{s: {user.groups: 'de'}, condition: s}`, []],
      [text`{s: {user.groups|contains|all: ['masters','dev']}, condition: s}`, [0]],
      [text`{s: {user.groups|neq: dev, verb: create}, condition: s}`, []],
      [text`{s: {user.groups|re: 'system:(masters|nodes)'}, condition: s}`, [0]],
      [text`{s: {user.groups: null}, condition: s}`, [1]],
      [text`{s: {requestObject.spec.containers.securityContext.privileged: true}, condition: s}`, [1]],
      [text`{s: {requestObject.spec.containers.image|exists: true}, condition: s}`, [1]],
      [text`{s: {requestURI|contains: '/exec?command'}, condition: s}`, [0]],
      [text`{s: {requestURI|contains: '/exec\?command'}, condition: s}`, [0]],
      [text`{s: {apiGroup: apps}, condition: s}`, [1]],
      [text`{s: {requestObject.spec.hostNetwork: true}, condition: s}`, [1]],
      [text`{s: {requestObject.spec.containers|contains: privileged}, condition: s}`, [1]],
      [text`{s: {requestObject.spec.containers.image: b}, condition: s}`, [1]],
      [text`{s: {sourceIPs|contains: '203.0.113.'}, condition: s}`, [0]],
    ],
  ),
);
