import { auditLine, cloudCall, type DemoLine, type DemoWorld, signIn, syslogLine } from './demo-line.ts';
import { accessLogLine } from './network-noise.ts';

// An ordinary day on the Linux servers, at the identity provider and in the cloud account.

const AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 Safari/537.36';
const SHOP_PATHS = ['/', '/track', '/track?id=88121', '/api/rates', '/login', '/assets/site.css', '/contact'];
const COMMANDS = [
  { exe: '/usr/bin/rsync', args: ['rsync', '-a', '/srv/www', 'bkp01:/mirror'] },
  { exe: '/usr/bin/find', args: ['find', '/var/log', '-mtime', '+14', '-delete'] },
  { exe: '/usr/bin/systemctl', args: ['systemctl', 'reload', 'apache2'] },
  { exe: '/usr/bin/git', args: ['git', 'fetch', '--all'] },
  { exe: '/usr/bin/apt-get', args: ['apt-get', 'update', '-qq'] },
] as const;

/** One record of the audit log: programs run by services and administrators. */
export function auditNoise({ company, random }: DemoWorld, timeMs: number): DemoLine {
  const host = random.pick(company.linuxServers);
  const serial = 10_000 + (Math.floor(timeMs / 10) % 900_000);
  const command = random.zipf(COMMANDS);
  const pid = random.whole(1000, 32_000);
  if (random.chance(0.5)) {
    const args = command.args.map((arg, index) => `a${index}="${arg}"`).join(' ');
    return auditLine(timeMs, host, 'EXECVE', serial, `argc=${command.args.length} ${args}`);
  }
  const comm = command.exe.slice(command.exe.lastIndexOf('/') + 1);
  return auditLine(
    timeMs,
    host,
    'SYSCALL',
    serial,
    `arch=c000003e syscall=59 success=yes exit=0 items=2 ppid=${random.whole(1, 900)} pid=${pid} auid=1001 uid=0 gid=0 ` +
      `euid=0 suid=0 fsuid=0 tty=(none) ses=${random.whole(2, 90)} comm="${comm}" exe="${command.exe}" key="exec"`,
  );
}

/** One syslog message: web requests, sessions, jobs. */
export function syslogNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const kind = random.next();
  if (kind < 0.6) {
    return accessLogLine(timeMs, random.pick(company.webServers), {
      client: random.zipf(company.externalAddresses),
      method: random.chance(0.92) ? 'GET' : 'POST',
      path: random.zipf(SHOP_PATHS),
      status: random.chance(0.96) ? 200 : random.pick([302, 404]),
      bytes: random.whole(300, 60_000),
      agent: AGENT,
    });
  }
  const host = random.pick(company.linuxServers);
  const person = random.pick(company.administrators);
  if (kind < 0.75) {
    const message = `pam_unix(cron:session): session ${random.chance(0.5) ? 'opened' : 'closed'} for user root`;
    return syslogLine(
      'linux-syslog',
      timeMs,
      host,
      { name: 'CRON', processId: random.whole(900, 32_000), priority: 86 },
      message,
    );
  }
  if (kind < 0.85) {
    const message = `Accepted publickey for ${person.account.split('.')[0]} from ${person.workstation.ip} port ${random.whole(40_000, 60_000)} ssh2: ED25519`;
    return syslogLine(
      'linux-syslog',
      timeMs,
      host,
      { name: 'sshd', processId: random.whole(900, 32_000), priority: 86 },
      message,
    );
  }
  const message = random.pick([
    'Started Daily apt download activities.',
    'logrotate.service: Deactivated successfully.',
    'Reached target Timers.',
  ]);
  return syslogLine('linux-syslog', timeMs, host, { name: 'systemd', processId: 1, priority: 30 }, message);
}

const APPS = ['Mail', 'Office Portal', 'Freight Desk', 'Expenses', 'HR Self-Service', 'Wiki'] as const;

/** One sign-in at the identity provider; now and then a mistyped password. */
export function signInNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const person = random.zipf(company.employees);
  const failed = random.chance(0.03);
  return signIn(world, timeMs, {
    person,
    ip: random.chance(0.8) ? '203.0.113.10' : random.zipf(company.externalAddresses),
    country: 'DE',
    city: 'Hamburg',
    app: random.zipf(APPS),
    code: failed ? 50126 : 0,
    ...(failed ? { reason: 'Invalid username or password' } : {}),
    mfa: true,
  });
}

const CALLS = [
  { eventSource: 'ec2.amazonaws.com', eventName: 'DescribeInstances', user: 'svc-inventory' },
  { eventSource: 'sts.amazonaws.com', eventName: 'AssumeRole', user: 'svc-deploy' },
  { eventSource: 'monitoring.amazonaws.com', eventName: 'GetMetricData', user: 'svc-inventory' },
  { eventSource: 's3.amazonaws.com', eventName: 'PutObject', user: 'svc-backup' },
  { eventSource: 's3.amazonaws.com', eventName: 'GetObject', user: 'svc-deploy' },
  { eventSource: 'ecr.amazonaws.com', eventName: 'BatchGetImage', user: 'svc-deploy' },
] as const;

/** One call in the cloud account by the services of the company. */
export function cloudNoise(world: DemoWorld, timeMs: number): DemoLine {
  const { random } = world;
  const call = random.zipf(CALLS);
  return cloudCall(world, timeMs, {
    ...call,
    sourceIp: '203.0.113.10',
    userAgent: 'aws-sdk-go-v2/1.38 os/linux',
    readOnly: call.eventName !== 'PutObject',
    ...(call.eventSource === 's3.amazonaws.com'
      ? { requestParameters: { bucketName: 'hv-artifacts', key: `build/${random.whole(1, 4000)}.tar.gz` } }
      : {}),
  });
}
