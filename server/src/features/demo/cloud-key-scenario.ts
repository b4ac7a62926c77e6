import { type AttackScenario, scenarioClock } from './attack-scenario.ts';
import type { Employee } from './demo-company.ts';
import { type CloudCall, cloudCall, type DemoLine, type DemoWorld, signIn } from './demo-line.ts';

// Theft of cloud keys: after a run of guesses an engineer's account is entered from a new country without a second
// factor; the intruder makes an access key, looks around with it, stops the audit trail, takes what the
// buckets hold, and leaves a user with all rights behind.

const BUCKETS = ['hv-customer-contracts', 'hv-payroll-archive', 'hv-customs-documents'] as const;
const PLACES = [
  ['BR', 'Recife'],
  ['VN', 'Da Nang'],
  ['KZ', 'Almaty'],
] as const;
const DOWNLOADS = 140;

export const cloudKeyScenario: AttackScenario = {
  name: 'Theft of cloud keys',
  lastsMs: 30 * 60_000,
  tell: (world, startMs) => {
    const { company, random } = world;
    const later = scenarioClock(world, startMs);
    const victim = random.pick(company.employees.filter((person) => person.department === 'Engineering'));
    const ip = `192.0.2.${random.whole(20, 240)}`;
    const key = `AKIA${random.hex(16).toUpperCase()}`;
    const call = (seconds: number, service: string, name: string, rest: Partial<CloudCall> = {}): DemoLine =>
      cloudCall(world, later(seconds), {
        user: victim.account,
        eventSource: `${service}.amazonaws.com`,
        eventName: name,
        sourceIp: ip,
        userAgent: 'aws-cli/2.31.4 md/Botocore#1.40 os/linux',
        accessKeyId: key,
        ...rest,
      });
    return [
      ...entry(world, victim, ip, later),
      ...keysAndDiscovery(call, victim, key),
      ...hiding(call),
      ...collection(world, call),
      ...backdoor(call),
    ];
  },
};

type Call = (seconds: number, service: string, name: string, rest?: Partial<CloudCall>) => DemoLine;

function entry(
  world: DemoWorld,
  victim: Employee,
  ip: string,
  later: (seconds: number) => number,
): DemoLine[] {
  const [country, city] = world.random.pick(PLACES);
  const attempt = (seconds: number, code: number, reason?: string): DemoLine =>
    signIn(world, later(seconds), {
      person: victim,
      ip,
      country,
      city,
      app: 'Cloud Console',
      code,
      ...(reason ? { reason } : {}),
      mfa: false,
    });
  return [
    ...Array.from({ length: 12 }, () => attempt(7, 50126, 'Invalid username or password')),
    attempt(20, 0),
    cloudCall(world, later(15), {
      user: victim.account,
      eventSource: 'signin.amazonaws.com',
      eventName: 'ConsoleLogin',
      eventType: 'AwsConsoleSignIn',
      region: 'us-east-1',
      sourceIp: ip,
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0',
      responseElements: { ConsoleLogin: 'Success' },
      additionalEventData: { LoginTo: 'https://console.cloud.example/', MobileVersion: 'No', MFAUsed: 'No' },
      readOnly: false,
    }),
  ];
}

function keysAndDiscovery(call: Call, victim: Employee, key: string): DemoLine[] {
  const reads: readonly (readonly [string, string])[] = [
    ['sts', 'GetCallerIdentity'],
    ['iam', 'ListUsers'],
    ['iam', 'ListAttachedUserPolicies'],
    ['iam', 'GetAccountAuthorizationDetails'],
    ['s3', 'ListBuckets'],
    ['ec2', 'DescribeInstances'],
    ['secretsmanager', 'ListSecrets'],
    ['cloudtrail', 'DescribeTrails'],
  ];
  return [
    call(60, 'iam', 'CreateAccessKey', {
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0',
      requestParameters: { userName: victim.account },
      responseElements: { accessKey: { accessKeyId: key, status: 'Active', userName: victim.account } },
      readOnly: false,
    }),
    ...reads.map(([service, name]) => call(9, service, name, { readOnly: true })),
    call(8, 'secretsmanager', 'GetSecretValue', { errorCode: 'AccessDenied', readOnly: true }),
    call(6, 'organizations', 'ListAccounts', { errorCode: 'AccessDenied', readOnly: true }),
  ];
}

function hiding(call: Call): DemoLine[] {
  const trail = 'arn:aws:cloudtrail:eu-central-1:111122223333:trail/company-trail';
  return [
    call(45, 'cloudtrail', 'StopLogging', { requestParameters: { name: trail }, readOnly: false }),
    call(12, 'guardduty', 'DeleteDetector', {
      requestParameters: { detectorId: 'b2c4d6e8' },
      readOnly: false,
    }),
  ];
}

function collection({ random }: DemoWorld, call: Call): DemoLine[] {
  const bucket = random.pick(BUCKETS);
  return [
    call(10, 's3', 'ListObjects', { requestParameters: { bucketName: bucket }, readOnly: true }),
    ...Array.from({ length: DOWNLOADS }, (_, index) =>
      call(1.5, 's3', 'GetObject', {
        requestParameters: { bucketName: bucket, key: `2026/${random.hex(8)}-${index}.pdf` },
        additionalEventData: { bytesTransferredOut: random.whole(80_000, 9_000_000) },
        readOnly: true,
      }),
    ),
    call(5, 's3', 'PutBucketPolicy', {
      requestParameters: {
        bucketName: bucket,
        bucketPolicy: { Statement: [{ Effect: 'Allow', Principal: '*', Action: 's3:GetObject' }] },
      },
      readOnly: false,
    }),
  ];
}

function backdoor(call: Call): DemoLine[] {
  const userName = 'svc-metrics-sync';
  return [
    call(30, 'iam', 'CreateUser', { requestParameters: { userName }, readOnly: false }),
    call(6, 'iam', 'AttachUserPolicy', {
      requestParameters: { userName, policyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' },
      readOnly: false,
    }),
    call(6, 'iam', 'CreateLoginProfile', { requestParameters: { userName }, readOnly: false }),
  ];
}
