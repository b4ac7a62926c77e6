import { WELL_KNOWN_TABLES } from '@tyrian/catalog';
import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { decodeRecord, decodeText } from '@tyrian/ingest';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import { insertEvents } from './testing/insert-events.ts';

// The views read back what the decoders wrote, on the engine, and only within the scopes of the caller.

const NOW = Date.UTC(2026, 0, 1, 12);
const security = (EventID: number, fields: object) => ({
  EventID,
  Channel: 'Security',
  Computer: 'dc1',
  Provider_Name: 'Microsoft-Windows-Security-Auditing',
  TimeCreated: '2026-01-01T10:00:00Z',
  ...fields,
});
const RECORDS: readonly object[] = [
  security(4688, {
    NewProcessName: 'C:\\Windows\\System32\\whoami.exe',
    NewProcessId: '0x1f4',
    ProcessId: '0x64',
    CommandLine: 'whoami /all',
    ParentProcessName: 'C:\\Windows\\explorer.exe',
    SubjectUserName: 'amy',
    SubjectDomainName: 'CORP',
  }),
  security(4624, {
    TargetUserName: 'bob',
    TargetDomainName: 'CORP',
    LogonType: 3,
    IpAddress: '192.0.2.9',
    SubjectUserName: '-',
  }),
  {
    eventSource: 's3.amazonaws.com',
    eventName: 'GetObject',
    awsRegion: 'eu-west-1',
    sourceIPAddress: '198.51.100.4',
    eventTime: '2026-01-01T10:01:00Z',
    userIdentity: { type: 'IAMUser', userName: 'svc', arn: 'arn:aws:iam::1:user/svc' },
  },
  {
    Type: 'SigninLogs',
    TimeGenerated: '2026-01-01T10:02:00Z',
    UserPrincipalName: 'amy@example.com',
    AppDisplayName: 'Portal',
    IPAddress: '203.0.113.5',
    ResultType: '50126',
    DeviceDetail: { operatingSystem: 'Windows' },
  },
  {
    category: 'AdvancedHunting-DeviceNetworkEvents',
    time: '2026-01-01T10:03:00Z',
    properties: {
      DeviceName: 'pc1',
      RemoteIP: '198.51.100.7',
      RemotePort: 443,
      ActionType: 'ConnectionSuccess',
    },
  },
  { Type: 'DuoLogs_CL', TimeGenerated: '2026-01-01T10:04:00Z', result_s: 'deny', factor_d: 2.5 },
];
const LINES = [
  '<134>Jan  1 10:05:00 wall CEF:0|Acme|Wall|1.0|100|Blocked|5|src=192.0.2.1 dst=192.0.2.2 dpt=22 act=Deny',
  '<38>Jan  1 10:05:01 web1 sshd[812]: Failed password for root from 198.51.100.9 port 4242 ssh2',
  'Jan  1 10:05:02 web1 sudo:  amy : TTY=pts/0 ; PWD=/home/amy ; USER=root ; COMMAND=/usr/bin/id -u',
  '<4>Jan  1 10:05:03 gate kernel: ACTION=DROP SRC=203.0.113.77 DST=192.0.2.3 PROTO=TCP SPT=1 DPT=23',
  '<30>1 2026-01-01T10:05:04Z web1 backupd 813 - - Archive of /srv is done',
];

let platform: TestPlatform;
let clusterId: string;
const schema = eventSchema([]);

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  const events = [
    ...RECORDS.map((record) => ({ ...decodeRecord({ ...record }, NOW), raw: JSON.stringify(record) })),
    ...LINES.map((line) => ({ ...decodeText(line, NOW), raw: line })),
  ];
  await insertEvents(platform.eventStore, clusterId, events.length * 2, (n) => {
    const event = events[n >> 1];
    return {
      ...event?.columns,
      TimeGenerated: event?.time ?? NOW,
      Scope: n % 2 === 0 ? 's1' : 's2',
      Stream: event?.stream ?? '',
      SourceType: event?.sourceType ?? '',
      Ext: event?.ext ?? {},
      Raw: event?.raw ?? '',
    };
  });
});
afterAll(() => platform?.close());

async function run(query: string, scopes: readonly string[] = ['s1']): Promise<readonly unknown[]> {
  const compiled = compileKql(query, { schema, now: new Date(NOW), unknownColumns: 'error' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const printed = printQuery(scopeToTenant(compiled.plan, { database: `tenant_${clusterId}`, scopes }));
  const { sql, params, settings } = printed;
  const { rows } = await platform.eventStore.rows(clusterId, { sql, params, settings, scopes });
  return rows.map((row) => decodeRow(printed.columns, row));
}

describe('well-known tables on the engine', () => {
  it.each([
    [
      'SecurityEvent | where EventID == 4688 | project Computer, Account, NewProcessName, NewProcessId, ProcessId, Process, Type',
      [
        'dc1',
        'CORP\\amy',
        'C:\\Windows\\System32\\whoami.exe',
        '0x1f4',
        '0x64',
        'whoami.exe',
        'SecurityEvent',
      ],
    ],
    [
      'SecurityEvent | where EventID == 4624 | project TargetAccount, LogonTypeName, IpAddress, AccountType',
      ['CORP\\bob', '3 - Network', '192.0.2.9', 'User'],
    ],
    [
      'DeviceProcessEvents | where Timestamp > ago(1d) | project DeviceName, FileName, ProcessCommandLine, InitiatingProcessFileName, AccountName, ProcessId',
      ['dc1', 'whoami.exe', 'whoami /all', 'explorer.exe', 'amy', 500],
    ],
    [
      'DeviceLogonEvents | project ActionType, LogonType, AccountName, RemoteIP',
      ['LogonSuccess', 'Network', 'bob', '192.0.2.9'],
    ],
    [
      'AWSCloudTrail | project EventSource, EventName, AWSRegion, UserIdentityUserName, SourceIpAddress',
      ['s3.amazonaws.com', 'GetObject', 'eu-west-1', 'svc', '198.51.100.4'],
    ],
    [
      'SigninLogs | project UserPrincipalName, IPAddress, ResultType, AppDisplayName, tostring(DeviceDetail.operatingSystem)',
      ['amy@example.com', '203.0.113.5', '50126', 'Portal', 'Windows'],
    ],
    [
      'DeviceNetworkEvents | project DeviceName, RemoteIP, RemotePort, ActionType',
      ['pc1', '198.51.100.7', 443, 'ConnectionSuccess'],
    ],
    ['DuoLogs_CL | project result_s, factor_d, Type', ['deny', 2.5, 'DuoLogs_CL']],
    [
      'CommonSecurityLog | project DeviceVendor, SourceIP, DestinationPort, DeviceAction',
      ['Acme', '192.0.2.1', 22, 'Deny'],
    ],
  ])('[T-tables] %s', async (query, row) => {
    expect(await run(query)).toEqual([row]);
    expect(await run(query, [])).toEqual([]);
  });

  it('[R-C13] counts every event once in a union of all tables', async () => {
    expect(await run('union * | count')).toEqual([[RECORDS.length + LINES.length]]);
    expect(await run('union * | where isnotempty(SyslogMessage) and Stream == "Syslog" | count')).toEqual([
      [1],
    ]);
  });

  it('[R-C13] Syslog holds every syslog message, whatever stream it is in, and none of another table', async () => {
    expect(
      await run('Syslog | sort by TimeGenerated asc | project ProcessName, SyslogMessage, Stream'),
    ).toEqual([
      ['sshd', 'Failed password for root from 198.51.100.9 port 4242 ssh2', 'Authentication'],
      ['sudo', ' amy : TTY=pts/0 ; PWD=/home/amy ; USER=root ; COMMAND=/usr/bin/id -u', 'ProcessEvent'],
      ['kernel', 'ACTION=DROP SRC=203.0.113.77 DST=192.0.2.3 PROTO=TCP SPT=1 DPT=23', 'NetworkSession'],
      ['backupd', 'Archive of /srv is done', 'Syslog'],
    ]);
    expect(
      await run(
        'Syslog | where Facility == "auth" and SyslogMessage has "Failed password" | project HostName, Type',
      ),
    ).toEqual([['web1', 'Syslog']]);
    expect(await run('Syslog | where ProcessName == "sshd" | count', [])).toEqual([[0]]);
  });

  it('[R-C13] WindowsEvent holds every Windows event with the fields of its EventData', async () => {
    expect(
      await run(
        'WindowsEvent | where EventID in (4688, 4624) | project EventID, who = tostring(EventData.SubjectUserName), what = tostring(EventData.NewProcessName), to = tostring(EventData.TargetUserName) | sort by EventID asc',
      ),
    ).toEqual([
      [4624, '-', '', 'bob'],
      [4688, 'amy', 'C:\\Windows\\System32\\whoami.exe', ''],
    ]);
  });

  it('runs every view with all its columns', { timeout: 600_000 }, async () => {
    const failed: string[] = [];
    await fewAtATime(WELL_KNOWN_TABLES, 3, ({ name }) =>
      run(`${name} | take 2`).catch((error: Error) => failed.push(`${name}: ${error.message.slice(0, 200)}`)),
    );
    expect(failed).toEqual([]);
  });
});
