import type { StreamName } from '@tyrian/catalog';

// Lines of well-known programs that are neither JSON nor pairs. All groups that capture are named. The names are
// columns of the catalog; a group that no column has (`bytes` …) goes to `Ext`, and `time` is the time of the event.
// Where a repetition could be read in several ways it has an upper limit: anybody may write such a line, and it must not
// cost more than reading it once.

export interface MessagePattern {
  readonly name: string;
  readonly stream: StreamName;
  readonly pattern: RegExp;
  readonly columns: Readonly<Record<string, string>>;
}

const IP = '[0-9A-Fa-f:.]+';

const LINUX = { EventVendor: 'Linux' } as const;
const SSH = { ...LINUX, EventProduct: 'sshd', NetworkApplication: 'ssh' } as const;

export const MESSAGE_PATTERNS: readonly MessagePattern[] = [
  {
    name: 'sshd',
    stream: 'Authentication',
    pattern: new RegExp(
      `^Failed (?<LogonProtocol>\\S+) for (?:invalid user )?(?<TargetUsername>\\S*) from (?<SrcIpAddr>${IP}) port (?<SrcPortNumber>\\d+)`,
    ),
    columns: { ...SSH, EventType: 'Logon', EventResult: 'Failure' },
  },
  {
    name: 'sshd',
    stream: 'Authentication',
    pattern: new RegExp(
      `^Accepted (?<LogonProtocol>\\S+) for (?<TargetUsername>\\S+) from (?<SrcIpAddr>${IP}) port (?<SrcPortNumber>\\d+)`,
    ),
    columns: { ...SSH, EventType: 'Logon', EventResult: 'Success' },
  },
  {
    name: 'sshd',
    stream: 'Authentication',
    pattern: new RegExp(
      `^Invalid user (?<TargetUsername>\\S*) from (?<SrcIpAddr>${IP})(?: port (?<SrcPortNumber>\\d+))?`,
    ),
    columns: { ...SSH, EventType: 'Logon', EventResult: 'Failure', EventResultDetails: 'Invalid user' },
  },
  {
    name: 'pam',
    stream: 'Authentication',
    pattern: /^pam_unix\((?<service>[\w-]+):session\): session opened for user (?<TargetUsername>[^\s(]+)/,
    columns: { ...LINUX, EventProduct: 'pam', EventType: 'SessionStarted', EventResult: 'Success' },
  },
  {
    name: 'pam',
    stream: 'Authentication',
    pattern: /^pam_unix\((?<service>[\w-]+):session\): session closed for user (?<TargetUsername>[^\s(]+)/,
    columns: { ...LINUX, EventProduct: 'pam', EventType: 'SessionEnded', EventResult: 'Success' },
  },
  {
    name: 'pam',
    stream: 'Authentication',
    pattern:
      /^pam_unix\((?<service>[\w-]+):auth\): authentication failure;(?: [a-z]{1,8}=\S{0,64}){0,8}? rhost=(?<SrcIpAddr>\S{0,256})(?:\s{1,8}user=(?<TargetUsername>\S{1,256}))?/,
    columns: { ...LINUX, EventProduct: 'pam', EventType: 'Logon', EventResult: 'Failure' },
  },
  {
    name: 'sudo',
    stream: 'ProcessEvent',
    pattern:
      /^\s{0,16}(?<ActorUsername>\S{1,256}) : (?:.{0,512}?; )?TTY=(?<tty>\S{1,256}) ; PWD=(?<ProcessCurrentDirectory>.{0,4096}?) ; USER=(?<TargetUsername>\S{1,256}) ; COMMAND=(?<CommandLine>.*)/,
    columns: { ...LINUX, EventProduct: 'sudo', EventType: 'PrivilegedCommand' },
  },
  {
    name: 'cron',
    stream: 'ProcessEvent',
    pattern: /^\((?<ActorUsername>[\w.-]+)\) CMD \((?<CommandLine>.*)\)$/,
    columns: { ...LINUX, EventProduct: 'cron', EventType: 'ScheduledCommand' },
  },
  {
    name: 'useradd',
    stream: 'UserManagement',
    pattern: /^new user: name=(?<TargetUsername>[^,\s]+), UID=(?<TargetUserId>\d+)/,
    columns: { ...LINUX, EventProduct: 'shadow', EventType: 'UserCreated' },
  },
  {
    name: 'usermod',
    stream: 'UserManagement',
    pattern: /^add '(?<TargetUsername>[^']+)' to (?:shadow )?group '(?<GroupName>[^']+)'/,
    columns: { ...LINUX, EventProduct: 'shadow', EventType: 'UserAddedToGroup' },
  },
  {
    name: 'systemd',
    stream: 'Syslog',
    pattern:
      /^(?<Operation>Started|Starting|Stopped|Stopping|Reached target|Stopped target|Finished|Listening on|Created slice|Removed slice|Mounted|Unmounted|Closed|Reloading|Reloaded) (?<ServiceName>.{1,200}?)\.{1,3}$/,
    columns: { ...LINUX, EventProduct: 'systemd', EventType: 'ServiceStateChanged' },
  },
  {
    name: 'systemd',
    stream: 'Syslog',
    pattern:
      /^(?<ServiceName>[\w@:\\-]{1,200}\.(?:service|timer|socket|scope|slice|mount|target)): (?<Operation>Deactivated|Succeeded|Failed|Main process exited|Consumed|Scheduled restart job|Start request repeated)\b/,
    columns: { ...LINUX, EventProduct: 'systemd', EventType: 'ServiceStateChanged' },
  },
  {
    name: 'access-log',
    stream: 'WebSession',
    pattern: new RegExp(
      `^(?<SrcIpAddr>${IP}) \\S+ (?<ActorUsername>\\S+) \\[(?<time>[^\\]]+)\\] "(?<HttpRequestMethod>[A-Z]+) (?<Url>\\S+)(?: HTTP/(?<version>[\\d.]+))?" (?<HttpStatusCode>\\d{3}) (?:(?<DstBytes>\\d+)|-)(?: "(?<HttpReferrer>[^"]*)" "(?<HttpUserAgent>(?:[^"\\\\]|\\\\.)*)")?`,
    ),
    columns: { EventProduct: 'web-server', EventType: 'HttpRequest' },
  },
  {
    name: 'squid',
    stream: 'WebSession',
    pattern: new RegExp(
      `^(?<time>\\d{9,10}\\.\\d{3})\\s+(?<NetworkDuration>\\d+) (?<SrcIpAddr>${IP}) (?<DvcAction>[A-Z_]+)/(?<HttpStatusCode>\\d{3}) (?<DstBytes>\\d+) (?<HttpRequestMethod>[A-Z]+) (?<Url>\\S+) (?<ActorUsername>\\S+) (?<hierarchy>[A-Z_]+)/(?<DstIpAddr>\\S+) (?<HttpContentType>\\S+)`,
    ),
    columns: { EventVendor: 'Squid', EventProduct: 'squid', EventType: 'HttpRequest' },
  },
  {
    name: 'bind',
    stream: 'Dns',
    pattern: new RegExp(
      `^(?:queries: )?(?:info: )?client (?:@0x[0-9a-f]+ )?(?<SrcIpAddr>${IP})#(?<SrcPortNumber>\\d+) \\([^)]*\\): query: (?<DnsQuery>\\S+) IN (?<DnsQueryTypeName>\\S+)`,
    ),
    columns: { EventVendor: 'ISC', EventProduct: 'BIND', EventType: 'DnsQuery' },
  },
  {
    name: 'dnsmasq',
    stream: 'Dns',
    pattern: new RegExp(`^query\\[(?<DnsQueryTypeName>\\w+)\\] (?<DnsQuery>\\S+) from (?<SrcIpAddr>${IP})$`),
    columns: { EventProduct: 'dnsmasq', EventType: 'DnsQuery' },
  },
  {
    name: 'dhcpd',
    stream: 'Dhcp',
    pattern: new RegExp(
      `^DHCPACK on (?<SrcIpAddr>${IP}) to (?<SrcMacAddr>[0-9a-f:]{17})(?: \\((?<SrcHostname>[^)]+)\\))?`,
    ),
    columns: { EventProduct: 'dhcpd', EventType: 'DhcpAck' },
  },
];
