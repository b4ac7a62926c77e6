import { decodeRow, printQuery } from '@tyrian/clickhouse-sql';
import { decodeRecord, decodeText } from '@tyrian/ingest';
import { compileKql, eventSchema } from '@tyrian/kql';
import { scopeToTenant } from '@tyrian/plan';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestPlatform, testPlatform } from '../../engines/testing/index.ts';
import { insertEvents } from './testing/insert-events.ts';

// Events as their sources write them, decoded and stored, read back through the well-known tables and through the
// parsers of ASIM, whose parameters filter.

const NOW = Date.UTC(2026, 0, 1, 12);
const sysmon = (EventID: number, at: string, fields: object) => ({
  EventID,
  Channel: 'Microsoft-Windows-Sysmon/Operational',
  Computer: 'pc1.corp.example',
  Provider_Name: 'Microsoft-Windows-Sysmon',
  TimeCreated: `2026-01-01T${at}Z`,
  User: 'CORP\\amy',
  Image: 'C:\\Windows\\System32\\cmd.exe',
  ProcessId: 4712,
  ...fields,
});
const logon = (EventID: number, TargetUserName: string, IpAddress: string) => ({
  EventID,
  Channel: 'Security',
  Computer: 'dc1',
  Provider_Name: 'Microsoft-Windows-Security-Auditing',
  TimeCreated: '2026-01-01T10:00:00Z',
  TargetUserName,
  TargetDomainName: 'CORP',
  LogonType: 3,
  IpAddress,
});
const RECORDS: readonly object[] = [
  logon(4624, 'bob', '192.0.2.9'),
  logon(4625, 'eve', '198.51.100.20'),
  sysmon(1, '10:00:00', {
    Image: 'C:\\Windows\\System32\\whoami.exe',
    CommandLine: 'whoami /all',
    ParentImage: 'C:\\Windows\\System32\\cmd.exe',
    ParentCommandLine: 'cmd /c whoami /all',
    Hashes: 'SHA256=AA00000000000000000000000000000000000000000000000000000000000000',
  }),
  sysmon(1, '11:00:00', {
    Image: 'C:\\Tools\\ping.exe',
    CommandLine: 'ping 198.51.100.7',
    ParentImage: 'C:\\Windows\\explorer.exe',
  }),
  sysmon(3, '10:01:00', {
    SourceIp: '10.0.0.5',
    SourcePort: 50000,
    DestinationIp: '198.51.100.7',
    DestinationPort: 443,
    Protocol: 'tcp',
    Initiated: 'true',
  }),
  sysmon(11, '10:02:00', { TargetFilename: 'C:\\Users\\amy\\Downloads\\invoice.exe' }),
  sysmon(13, '10:03:00', {
    EventType: 'SetValue',
    TargetObject: 'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Run\\Updater',
    Details: 'C:\\Users\\amy\\invoice.exe',
  }),
  sysmon(22, '10:04:00', { QueryName: 'evil.example', QueryStatus: '0', QueryResults: '198.51.100.7' }),
  sysmon(22, '11:04:00', { QueryName: 'good.example', QueryStatus: '9003', QueryResults: '' }),
  {
    CreationTime: '2026-01-01T10:05:00',
    Operation: 'MailItemsAccessed',
    Workload: 'Exchange',
    RecordType: 50,
    UserId: 'amy@example.com',
    ClientIP: '203.0.113.5',
    ResultStatus: 'Succeeded',
  },
];
const SYSLOG = '<30>Jan  1 10:06:00 web1 backupd[812]: Archive of /srv is done';

let platform: TestPlatform;
let clusterId: string;
const schema = eventSchema([]);

beforeAll(async () => {
  platform = await testPlatform();
  clusterId = await platform.newTenant();
  const events = [...RECORDS.map((record) => decodeRecord({ ...record }, NOW)), decodeText(SYSLOG, NOW)];
  await insertEvents(platform.eventStore, clusterId, events.length, (n) => {
    const event = events[n];
    return {
      ...event?.columns,
      TimeGenerated: event?.time ?? NOW,
      Scope: 's1',
      Stream: event?.stream ?? '',
      SourceType: event?.sourceType ?? '',
      Ext: event?.ext ?? {},
    };
  });
});
afterAll(() => platform?.close());

async function run(query: string): Promise<readonly unknown[]> {
  const compiled = compileKql(query, { schema, now: new Date(NOW), unknownColumns: 'error' });
  if (!compiled.ok) throw new Error(compiled.diagnostics.map((one) => one.message).join('; '));
  const scopes = ['s1'];
  const printed = printQuery(scopeToTenant(compiled.plan, { database: `tenant_${clusterId}`, scopes }));
  const { sql, params, settings } = printed;
  const { rows } = await platform.eventStore.rows(clusterId, { sql, params, settings, scopes });
  return rows.map((row) => decodeRow(printed.columns, row));
}

describe('records read back through the tables that hunters know', () => {
  it.each([
    [
      'Event | where EventID == 11 | project Source, EventLog, Computer',
      ['Microsoft-Windows-Sysmon', 'Microsoft-Windows-Sysmon/Operational', 'pc1.corp.example'],
    ],
    ['Syslog | project Computer, ProcessName, SyslogMessage has "archive"', ['web1', 'backupd', true]],
    [
      'DeviceFileEvents | project ActionType, FileName, FolderPath, InitiatingProcessFileName',
      ['FileCreated', 'invoice.exe', 'C:\\Users\\amy\\Downloads\\invoice.exe', 'cmd.exe'],
    ],
    [
      'DeviceRegistryEvents | project ActionType, RegistryKey, RegistryValueName, RegistryValueData',
      [
        'RegistryValueSet',
        'HKLM\\Software\\Microsoft\\Windows\\CurrentVersion\\Run',
        'Updater',
        'C:\\Users\\amy\\invoice.exe',
      ],
    ],
    [
      'DeviceNetworkEvents | project RemoteIP, RemotePort, LocalIP, Protocol',
      ['198.51.100.7', 443, '10.0.0.5', 'Tcp'],
    ],
    ['DnsEvents | where Name == "evil.example" | project Computer', ['pc1.corp.example']],
    [
      'OfficeActivity | project Operation, OfficeWorkload, UserId, ClientIP',
      ['MailItemsAccessed', 'Exchange', 'amy@example.com', '203.0.113.5'],
    ],
    [
      'DeviceLogonEvents | where ActionType == "LogonFailed" | project AccountName, RemoteIP',
      ['eve', '198.51.100.20'],
    ],
  ])('[T-wild-kql] %s', async (query, row) => {
    expect(await run(query)).toEqual([row]);
  });
});

describe('parsers of ASIM', () => {
  it.each([
    ['_Im_Authentication | count', [[2]]],
    ['imAuthentication(targetusername_has_any=dynamic(["bob"])) | project TargetUsername', [['bob']]],
    ['imAuthentication(username_has_any=dynamic(["eve", "zoe"])) | project SrcIpAddr', [['198.51.100.20']]],
    [
      '_Im_Authentication(srcipaddr_has_any_prefix=dynamic(["192.0.2."])) | project TargetUsername',
      [['bob']],
    ],
    ['_Im_Authentication(eventresult="Failure") | project TargetUsername', [['eve']]],
    ['_Im_Authentication(eventtype_in=dynamic(["logon"])) | count', [[2]]],
    ['_Im_Authentication(starttime=datetime(2026-01-01 10:30)) | count', [[0]]],
    ['_Im_Dns(domain_has_any=dynamic(["evil"])) | project DnsQuery, EventSchema', [['evil.example', 'Dns']]],
    [
      'imDns(starttime=datetime(2026-01-01 11:00), endtime=datetime(2026-01-01 12:00)) | project DnsQuery',
      [['good.example']],
    ],
    ['_Im_Dns(response_has_ipv4="198.51.100.7") | project DnsQuery', [['evil.example']]],
    ['_Im_Dns(response_has_any_prefix=dynamic(["198.51."])) | count', [[1]]],
    ['_Im_NetworkSession(dstportnumber=443) | project DstIpAddr', [['198.51.100.7']]],
    ['_Im_NetworkSession(dstportnumber=80) | count', [[0]]],
    ['_Im_NetworkSession(ipaddr_has_any_prefix=dynamic(["198.51.100."])) | count', [[1]]],
    [
      'imProcessCreate(commandline_has_any=dynamic(["whoami"])) | project ActingProcessName, TargetProcessSHA256 startswith "AA"',
      [['C:\\Windows\\System32\\cmd.exe', true]],
    ],
    [
      '_Im_ProcessEvent(commandline_has_all=dynamic(["ping", "198.51.100.7"])) | project TargetProcessFilename',
      [['ping.exe']],
    ],
    ['_Im_ProcessCreate(commandline_has_any_ip_prefix=dynamic(["198.51."])) | count', [[1]]],
    [
      '_Im_ProcessCreate(actorusername_has="amy", targetprocess_has_any=dynamic(["whoami.exe"])) | count',
      [[1]],
    ],
    ['_Im_ProcessTerminate | count', [[0]]],
    [
      '_Im_FileEvent(targetfilepath_has_any=dynamic(["Downloads"])) | project TargetFileName',
      [['invoice.exe']],
    ],
    [
      'imRegistry(registryvalue_has_any=dynamic(["Updater"])) | project RegistryValueData',
      [['C:\\Users\\amy\\invoice.exe']],
    ],
    ['ASimDns | count', [[2]]],
    [
      'union (_ASim_Dns), (_ASim_NetworkSession) | summarize count() by EventSchema | sort by EventSchema asc',
      [
        ['Dns', 2],
        ['NetworkSession', 1],
      ],
    ],
  ])('[T-wild-kql] %s', async (query, rows) => {
    expect(await run(query)).toEqual(rows);
  });
});
