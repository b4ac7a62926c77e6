import { COMPANY, type Employee, type Machine } from './demo-company.ts';
import {
  type DemoLine,
  type DemoWorld,
  domainUser,
  type ProcessStart,
  processStart,
  securityEvent,
  sysmonEvent,
} from './demo-line.ts';

// An ordinary day on the Windows machines: programs, sign-ins, files, updates, and what administrators do.

type Program = Pick<ProcessStart, 'image' | 'parentImage'> & { readonly commandLine: (n: number) => string };

const EXPLORER = 'C:\\Windows\\explorer.exe';
const SERVICES = 'C:\\Windows\\System32\\services.exe';
const SVCHOST = 'C:\\Windows\\System32\\svchost.exe';
const OFFICE = 'C:\\Program Files\\Microsoft Office\\root\\Office16\\';
const EDGE = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe';
const PAYROLL = 'C:\\Program Files\\Meridian\\Payroll\\payroll.exe';

const DESK_PROGRAMS: readonly Program[] = [
  {
    image: EDGE,
    parentImage: EDGE,
    commandLine: (n) => `"${EDGE}" --type=renderer --lang=en-GB --renderer-client-id=${n}`,
  },
  { image: `${OFFICE}OUTLOOK.EXE`, parentImage: EXPLORER, commandLine: () => `"${OFFICE}OUTLOOK.EXE"` },
  {
    image: `${OFFICE}EXCEL.EXE`,
    parentImage: EXPLORER,
    commandLine: (n) => `"${OFFICE}EXCEL.EXE" "S:\\Planning\\route-plan-${n}.xlsx"`,
  },
  {
    image: `${OFFICE}WINWORD.EXE`,
    parentImage: EXPLORER,
    commandLine: (n) => `"${OFFICE}WINWORD.EXE" /n "S:\\Contracts\\carrier-${n}.docx" /o ""`,
  },
  {
    image: 'C:\\Program Files\\Teams\\teams.exe',
    parentImage: EXPLORER,
    commandLine: (n) => `"C:\\Program Files\\Teams\\teams.exe" --type=utility --field=${n}`,
  },
  {
    image: 'C:\\Windows\\System32\\notepad.exe',
    parentImage: EXPLORER,
    commandLine: (n) => `"C:\\Windows\\System32\\notepad.exe" C:\\Users\\Public\\Documents\\notes-${n}.txt`,
  },
  { image: PAYROLL, parentImage: EXPLORER, commandLine: (n) => `"${PAYROLL}" /batch ${n}` },
];

const SYSTEM_PROGRAMS: readonly Program[] = [
  { image: SVCHOST, parentImage: SERVICES, commandLine: () => `${SVCHOST} -k netsvcs -p -s Schedule` },
  {
    image: 'C:\\Windows\\System32\\taskhostw.exe',
    parentImage: SVCHOST,
    commandLine: () => 'taskhostw.exe Install $(Arg0)',
  },
  {
    image: 'C:\\Windows\\System32\\conhost.exe',
    parentImage: SVCHOST,
    commandLine: () => '\\??\\C:\\Windows\\system32\\conhost.exe 0xffffffff -ForceV1',
  },
  {
    image: 'C:\\Windows\\System32\\wbem\\WmiPrvSE.exe',
    parentImage: SVCHOST,
    commandLine: () => 'C:\\Windows\\system32\\wbem\\wmiprvse.exe -secured -Embedding',
  },
  {
    image: 'C:\\Program Files\\Windows Defender\\MpCmdRun.exe',
    parentImage: SVCHOST,
    commandLine: (n) =>
      `"C:\\Program Files\\Windows Defender\\MpCmdRun.exe" SignatureUpdate -ScheduleJob -RestrictPrivileges ${n}`,
  },
  {
    image: 'C:\\Program Files\\Coppervale\\Backup\\cvagent.exe',
    parentImage: SERVICES,
    commandLine: (n) => `"C:\\Program Files\\Coppervale\\Backup\\cvagent.exe" --job ${n} --incremental`,
  },
];

const ADMIN_COMMANDS: readonly string[] = [
  'powershell.exe -ExecutionPolicy RemoteSigned -File C:\\Scripts\\Get-DiskReport.ps1',
  'powershell.exe -ExecutionPolicy RemoteSigned -File C:\\Scripts\\Sync-Printers.ps1',
  'cmd.exe /c gpupdate /force',
  'cmd.exe /c ipconfig /flushdns',
  'cmd.exe /c robocopy S:\\Planning D:\\Mirror\\Planning /MIR /R:1',
  'mmc.exe C:\\Windows\\system32\\dsa.msc',
];
const ADMIN_IMAGES: Readonly<Record<string, string>> = {
  'powershell.exe': 'C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe',
  'cmd.exe': 'C:\\Windows\\System32\\cmd.exe',
  'mmc.exe': 'C:\\Windows\\System32\\mmc.exe',
};

function deskProcess(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  if (random.chance(0.02)) return adminProcess(world, timeMs, random.pick(company.administrators));
  if (random.chance(0.3)) return systemProcess(world, timeMs);
  const person = random.zipf(company.employees);
  const program = random.zipf(DESK_PROGRAMS);
  return processStart(world, timeMs, person.workstation, {
    image: program.image,
    commandLine: program.commandLine(random.whole(1, 400)),
    parentImage: program.parentImage,
    user: domainUser(person),
    directory: `C:\\Users\\${person.account}\\`,
  });
}

function systemProcess(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const host = random.chance(0.5)
    ? random.pick(company.windowsServers)
    : random.zipf(company.employees).workstation;
  const program = random.zipf(SYSTEM_PROGRAMS);
  return processStart(world, timeMs, host, {
    image: program.image,
    commandLine: program.commandLine(random.whole(1, 60)),
    parentImage: program.parentImage,
    user: 'NT AUTHORITY\\SYSTEM',
    integrity: 'System',
  });
}

function adminProcess(world: DemoWorld, timeMs: number, administrator: Employee): DemoLine {
  const { company, random } = world;
  const commandLine = random.pick(ADMIN_COMMANDS);
  const program = commandLine.slice(0, commandLine.indexOf(' '));
  return processStart(
    world,
    timeMs,
    random.pick([company.windowsServers[4] as Machine, administrator.workstation]),
    {
      image: ADMIN_IMAGES[program] ?? program,
      commandLine,
      parentImage: EXPLORER,
      user: domainUser(administrator),
      integrity: 'High',
    },
  );
}

function logon(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const person = random.zipf(company.employees);
  const kind = random.next();
  const logonId = `0x${random.hex(7)}`;
  const target = {
    TargetUserName: person.account,
    TargetDomainName: COMPANY.windowsDomain,
    TargetUserSid: person.sid,
    TargetLogonId: logonId,
  };
  const subject = { SubjectUserSid: 'S-1-5-18', SubjectUserName: '-', SubjectDomainName: '-' };
  if (kind < 0.45) {
    return securityEvent(
      timeMs,
      random.pick([...company.windowsServers, ...company.domainControllers]),
      4624,
      {
        ...subject,
        ...target,
        LogonType: 3,
        AuthenticationPackageName: 'Kerberos',
        WorkstationName: person.workstation.name,
        IpAddress: person.workstation.ip,
        IpPort: random.whole(49_152, 65_000),
      },
    );
  }
  if (kind < 0.75)
    return securityEvent(timeMs, random.pick(company.windowsServers), 4634, { ...target, LogonType: 3 });
  if (kind < 0.9) {
    return securityEvent(timeMs, random.pick(company.domainControllers), 4769, {
      TargetUserName: `${person.account}@${COMPANY.dnsSuffix.toUpperCase()}`,
      TargetDomainName: COMPANY.dnsSuffix.toUpperCase(),
      ServiceName: `${random.pick(company.windowsServers).name}$`,
      TicketOptions: '0x40810000',
      TicketEncryptionType: '0x12',
      IpAddress: `::ffff:${person.workstation.ip}`,
      IpPort: random.whole(49_152, 65_000),
      Status: '0x0',
    });
  }
  if (kind < 0.97) {
    return securityEvent(timeMs, person.workstation, 4624, {
      ...subject,
      ...target,
      LogonType: 2,
      AuthenticationPackageName: 'Negotiate',
      WorkstationName: person.workstation.name,
      IpAddress: '127.0.0.1',
      IpPort: 0,
    });
  }
  return securityEvent(timeMs, random.pick(company.domainControllers), 4625, {
    ...subject,
    TargetUserName: person.account,
    TargetDomainName: COMPANY.windowsDomain,
    TargetUserSid: 'S-1-0-0',
    LogonType: 3,
    Keywords: '0x8010000000000000',
    Status: '0xc000006d',
    SubStatus: '0xc000006a',
    FailureReason: '%%2313',
    WorkstationName: person.workstation.name,
    IpAddress: person.workstation.ip,
    IpPort: random.whole(49_152, 65_000),
  });
}

function sysmonActivity(world: DemoWorld, timeMs: number): DemoLine {
  const { company, random } = world;
  const person = random.zipf(company.employees);
  const host = person.workstation;
  const user = domainUser(person);
  const base = { ProcessGuid: `{${random.uuid()}}`, ProcessId: random.whole(1000, 19_999), User: user };
  const program = random.zipf(DESK_PROGRAMS).image;
  const kind = random.next();
  if (kind < 0.35) {
    return sysmonEvent(timeMs, host, 3, {
      ...base,
      Image: program,
      Protocol: 'tcp',
      Initiated: 'true',
      SourceIp: host.ip,
      SourcePort: random.whole(49_152, 65_000),
      DestinationIp: random.chance(0.7) ? company.proxy.ip : random.zipf(company.windowsServers).ip,
      DestinationPort: random.pick([3128, 3128, 445, 443]),
    });
  }
  if (kind < 0.6) {
    return sysmonEvent(timeMs, host, 22, {
      ...base,
      Image: program,
      QueryName: random.zipf(company.sites),
      QueryStatus: '0',
      QueryResults: `::ffff:${random.zipf(company.externalAddresses)};`,
    });
  }
  if (kind < 0.85) {
    return sysmonEvent(timeMs, host, 11, {
      ...base,
      Image: program,
      TargetFilename: `C:\\Users\\${person.account}\\AppData\\Local\\Temp\\${random.hex(8)}.tmp`,
    });
  }
  return sysmonEvent(timeMs, host, 13, {
    ...base,
    EventType: 'SetValue',
    Image: program,
    TargetObject: `HKU\\${person.sid}\\Software\\Microsoft\\Office\\16.0\\Common\\MRU\\Item ${random.whole(1, 30)}`,
    Details: `DWORD (0x${random.hex(8)})`,
  });
}

/** One ordinary event of a Windows machine. */
export function windowsNoise(world: DemoWorld, timeMs: number): DemoLine {
  const kind = world.random.next();
  if (kind < 0.36) return deskProcess(world, timeMs);
  if (kind < 0.7) return logon(world, timeMs);
  return sysmonActivity(world, timeMs);
}
