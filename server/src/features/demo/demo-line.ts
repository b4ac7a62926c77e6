import { COMPANY, type Company, type Employee, type Machine } from './demo-company.ts';
import type { Random } from './seeded-random.ts';

// A line as a source of the company would send it, and the writers of the formats that several generators use.

/** The sources of the demo: each is what one collector or device sends. */
export const DEMO_SOURCES = [
  'windows-agents',
  'linux-audit',
  'linux-syslog',
  'edge-firewall',
  'dns-resolver',
  'web-proxy',
  'identity-provider',
  'cloud-trail',
  'mail-gateway',
] as const;
export type DemoSource = (typeof DEMO_SOURCES)[number];

export interface DemoLine {
  readonly source: DemoSource;
  readonly timeMs: number;
  readonly text: string;
}

/** What a generator draws from. */
export interface DemoWorld {
  readonly company: Company;
  readonly random: Random;
}

type WindowsFields = Readonly<Record<string, string | number>>;

/** A Windows event as an agent sends it: header and event data side by side. */
export function windowsEvent(
  timeMs: number,
  host: Machine,
  header: { readonly id: number; readonly channel: string; readonly provider: string },
  fields: WindowsFields,
): DemoLine {
  const text = JSON.stringify({
    TimeCreated: new Date(timeMs).toISOString(),
    EventID: header.id,
    Channel: header.channel,
    Provider_Name: header.provider,
    Computer: host.fqdn,
    HostIP: host.ip,
    EventRecordID: 100_000 + (timeMs % 900_000_000),
    ...fields,
  });
  return { source: 'windows-agents', timeMs, text };
}

const SYSMON = { channel: 'Microsoft-Windows-Sysmon/Operational', provider: 'Microsoft-Windows-Sysmon' };
const SECURITY = { channel: 'Security', provider: 'Microsoft-Windows-Security-Auditing' };

/** A Sysmon event; `UtcTime` is filled. */
export function sysmonEvent(timeMs: number, host: Machine, id: number, fields: WindowsFields): DemoLine {
  const utc = new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '');
  return windowsEvent(timeMs, host, { id, ...SYSMON }, { UtcTime: utc, ...fields });
}

/** An event of the Security log. */
export function securityEvent(timeMs: number, host: Machine, id: number, fields: WindowsFields): DemoLine {
  return windowsEvent(timeMs, host, { id, ...SECURITY }, { Keywords: '0x8020000000000000', ...fields });
}

export interface ProcessStart {
  readonly image: string;
  readonly commandLine: string;
  readonly parentImage: string;
  readonly parentCommandLine?: string;
  readonly user: string;
  readonly integrity?: 'Low' | 'Medium' | 'High' | 'System';
  readonly originalFileName?: string;
  readonly directory?: string;
}

/** Sysmon's event 1. */
export function processStart(
  { random }: DemoWorld,
  timeMs: number,
  host: Machine,
  start: ProcessStart,
): DemoLine {
  return sysmonEvent(timeMs, host, 1, {
    ProcessGuid: `{${random.uuid()}}`,
    ProcessId: random.whole(1000, 19_999),
    Image: start.image,
    OriginalFileName: start.originalFileName ?? start.image.slice(start.image.lastIndexOf('\\') + 1),
    CommandLine: start.commandLine,
    CurrentDirectory: start.directory ?? 'C:\\Windows\\system32\\',
    User: start.user,
    LogonId: `0x${random.hex(6)}`,
    IntegrityLevel: start.integrity ?? 'Medium',
    Hashes: `SHA256=${random.hex(64).toUpperCase()}`,
    ParentProcessGuid: `{${random.uuid()}}`,
    ParentProcessId: random.whole(400, 9999),
    ParentImage: start.parentImage,
    ParentCommandLine: start.parentCommandLine ?? start.parentImage,
  });
}

/** `HALDENVANE\mira.okafor`. */
export function domainUser(person: Employee): string {
  return `${COMPANY.windowsDomain}\\${person.account}`;
}

/** A syslog message of RFC 5424. */
export function syslogLine(
  source: DemoSource,
  timeMs: number,
  host: Machine,
  app: { readonly name: string; readonly processId?: number; readonly priority: number },
  message: string,
): DemoLine {
  const time = new Date(timeMs).toISOString();
  const text = `<${app.priority}>1 ${time} ${host.name.toLowerCase()} ${app.name} ${app.processId ?? '-'} - - ${message}`;
  return { source, timeMs, text };
}

/** A record of the Linux audit log. */
export function auditLine(
  timeMs: number,
  host: Machine,
  type: string,
  serial: number,
  fields: string,
): DemoLine {
  const seconds = (timeMs / 1000).toFixed(3);
  const text = `node=${host.name.toLowerCase()} type=${type} msg=audit(${seconds}:${serial}): ${fields}`;
  return { source: 'linux-audit', timeMs, text };
}

export interface CloudCall {
  readonly user: string;
  readonly eventSource: string;
  readonly eventName: string;
  readonly sourceIp: string;
  readonly userAgent: string;
  readonly region?: string;
  readonly accessKeyId?: string;
  readonly requestParameters?: Readonly<Record<string, unknown>>;
  readonly responseElements?: Readonly<Record<string, unknown>>;
  readonly additionalEventData?: Readonly<Record<string, unknown>>;
  readonly errorCode?: string;
  readonly readOnly?: boolean;
  readonly eventType?: string;
}

/** A record of the cloud's audit trail. */
export function cloudCall({ random }: DemoWorld, timeMs: number, call: CloudCall): DemoLine {
  const { user, sourceIp, accessKeyId, region = 'eu-central-1', eventType = 'AwsApiCall', ...rest } = call;
  const text = JSON.stringify({
    eventVersion: '1.09',
    userIdentity: {
      type: 'IAMUser',
      principalId: `AIDA${random.hex(17).toUpperCase()}`,
      arn: `arn:aws:iam::${COMPANY.cloudAccount}:user/${user}`,
      accountId: COMPANY.cloudAccount,
      userName: user,
      ...(accessKeyId ? { accessKeyId } : {}),
    },
    eventTime: new Date(timeMs).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    awsRegion: region,
    sourceIPAddress: sourceIp,
    ...rest,
    requestID: random.uuid(),
    eventID: random.uuid(),
    eventType,
    managementEvent: call.eventSource !== 's3.amazonaws.com',
    recipientAccountId: COMPANY.cloudAccount,
  });
  return { source: 'cloud-trail', timeMs, text };
}

export interface SignIn {
  readonly person: Employee;
  readonly ip: string;
  readonly country: string;
  readonly city: string;
  readonly app: string;
  /** 0 for success; otherwise the error. */
  readonly code: number;
  readonly reason?: string;
  readonly mfa: boolean;
}

/** A sign-in at the identity provider. */
export function signIn({ random }: DemoWorld, timeMs: number, entry: SignIn): DemoLine {
  const { person, code } = entry;
  const text = JSON.stringify({
    time: new Date(timeMs).toISOString(),
    category: 'SignInLogs',
    operationName: 'Sign-in activity',
    resultType: String(code),
    ...(entry.reason ? { resultDescription: entry.reason } : {}),
    properties: {
      id: random.uuid(),
      createdDateTime: new Date(timeMs).toISOString(),
      userPrincipalName: person.email,
      userId: person.sid,
      appDisplayName: entry.app,
      ipAddress: entry.ip,
      clientAppUsed: 'Browser',
      authenticationRequirement: entry.mfa ? 'multiFactorAuthentication' : 'singleFactorAuthentication',
      location: { city: entry.city, countryOrRegion: entry.country },
      status: { errorCode: code, failureReason: entry.reason ?? 'None' },
      deviceDetail: { operatingSystem: 'Windows 11', browser: 'Edge 142' },
    },
  });
  return { source: 'identity-provider', timeMs, text };
}
