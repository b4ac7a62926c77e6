import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeText } from './decode-event.ts';
import { readRowBlocks } from './native/read-row-blocks.ts';
import { RowBlock } from './native/row-block.ts';
import { writeRow } from './write-row.ts';

const NOW = Date.UTC(2026, 0, 10);
const at = (text: string) => Date.parse(text);

/** Stream, source type, status and the named columns. */
function seen(record: unknown, ...columns: readonly string[]): unknown[] {
  const event = decodeText(typeof record === 'string' ? record : JSON.stringify(record), NOW);
  return [event.stream, event.sourceType, event.status, ...columns.map((name) => event.columns[name])];
}

const DATA = { Image: 'C:\\a.exe', TargetFilename: 'C:\\b.txt', ProcessId: '12', Odd: 'kept' };
const FILE_CREATED = [
  'FileEvent',
  'sysmon',
  'PAD',
  11,
  'Microsoft-Windows-Sysmon/Operational',
  'WS',
  'C:\\a.exe',
  'C:\\b.txt',
  12,
];
const FILE_COLUMNS = ['EventID', 'Channel', 'DvcHostname', 'ProcessName', 'FilePath', 'ProcessId'];

describe('Windows events', () => {
  const channel = 'Microsoft-Windows-Sysmon/Operational';

  it('[T-sigma] reads user data out of the one element that holds it', () => {
    const event = {
      Event: {
        System: {
          EventID: 21,
          Channel: 'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
        },
        UserData: { EventXML: { User: 'PC\\ana', Address: '10.0.0.1', SessionID: 2 } },
      },
    };
    const columns = ['EventType', 'TargetUsername', 'SrcIpAddr'];
    const found = ['Authentication', 'windows-event', 'PAD', 'Logon', 'PC\\ana', '10.0.0.1'];
    expect(seen(event, ...columns)).toEqual(found);
    expect(decodeText(JSON.stringify(event), NOW).ext.SessionID).toBe(2);
  });

  it('reads the flat, nested, Winlogbeat and XML shapes alike', () => {
    const system = {
      Provider: { '#attributes': { Name: 'Microsoft-Windows-Sysmon' } },
      EventID: { '#text': '11' },
      Channel: channel,
      Computer: 'WS',
      TimeCreated: { '#attributes': { SystemTime: '2026-01-02T03:04:05Z' } },
    };
    const list = Object.entries(DATA).map(([Name, text]) => ({ '#attributes': { Name }, '#text': text }));
    const shapes: unknown[] = [
      { EventID: 11, Channel: channel, Hostname: 'WS', TimeCreated: '2026-01-02T03:04:05Z', ...DATA },
      { Event: { System: system, EventData: DATA } },
      { Event: { System: system, EventData: { Data: list } } },
      {
        '@timestamp': '2026-01-02T03:04:05Z',
        winlog: { event_id: 11, channel, computer_name: 'WS', event_data: DATA },
      },
      `<Event><System><Provider Name="x"/><EventID>11</EventID><TimeCreated SystemTime="2026-01-02T03:04:05Z"/><Channel>${channel}</Channel><Computer>WS</Computer></System><EventData>${Object.entries(
        DATA,
      )
        .map(([name, value]) => `<Data Name="${name}">${value}</Data>`)
        .join('')}</EventData></Event>`,
    ];
    for (const shape of shapes) {
      expect(seen(shape, ...FILE_COLUMNS)).toEqual(FILE_CREATED);
      const event = decodeText(typeof shape === 'string' ? shape : JSON.stringify(shape), NOW);
      expect(event.ext.Odd).toBe('kept');
      expect(event.time).toBe(at('2026-01-02T03:04:05Z'));
    }
  });

  it('knows parent and child of 4688, result of a sign-in, and the ends of an inbound connection', () => {
    const security = { Channel: 'Security', SourceName: 'Microsoft-Windows-Security-Auditing' };
    expect(
      seen(
        { ...security, EventID: 4688, NewProcessId: '0x10', ProcessId: '0x20', NewProcessName: 'c' },
        'ProcessId',
        'ParentProcessId',
        'ProcessName',
      ),
    ).toEqual(['ProcessEvent', 'windows-event', 'PAD', 16, 32, 'c']);
    expect(
      seen(
        { ...security, EventID: 4625, TargetUserName: 'u', IpAddress: '-', LogonType: '3' },
        'EventResult',
        'TargetUsername',
        'SrcIpAddr',
        'LogonType',
      ),
    ).toEqual(['Authentication', 'windows-event', 'PAD', 'Failure', 'u', undefined, 3]);
    expect(
      seen(
        {
          ...security,
          EventID: 5156,
          Direction: '%%14592',
          SourceAddress: '10.0.0.1',
          SourcePort: '445',
          DestAddress: '10.0.0.2',
          DestPort: '5000',
        },
        'SrcIpAddr',
        'DstPortNumber',
        'NetworkDirection',
      ),
    ).toEqual(['NetworkSession', 'windows-event', 'PAD', '10.0.0.2', 445, 'Inbound']);
  });
});

describe('other sources', () => {
  it('reads the Linux audit log, arguments in hexadecimal included', () => {
    const serial = 'msg=audit(1604994496.155:92733):';
    expect(
      seen(`type=EXECVE ${serial} argc=3 a0="sh" a1="-c" a2=6C73202D6C`, 'CommandLine', 'EventRecordId'),
    ).toEqual(['ProcessEvent', 'auditd', 'PAD', 'sh -c ls -l', 92733]);
    expect(
      seen(
        `type=SYSCALL ${serial} success=no a0=7fff pid=5 uid=0 auid=1000 exe="/bin/sh"\u001dAUID="ada" UID="root"`,
        'EventResult',
        'ActorUsername',
        'ActorUserId',
      ),
    ).toEqual(['ProcessEvent', 'auditd', 'PAD', 'Failure', 'ada', '0']);
    expect(
      seen(
        `node=web type=USER_LOGIN ${serial} pid=1 uid=0 msg='op=login acct="eve" addr=192.0.2.7 res=failed'`,
        'DvcHostname',
        'TargetUsername',
        'SrcIpAddr',
        'EventResult',
      ),
    ).toEqual(['Authentication', 'auditd', 'PAD', 'web', 'eve', '192.0.2.7', 'Failure']);
  });

  it('reads CloudTrail, Entra ID, CEF, LEEF, firewalls, syslog and web logs', () => {
    expect(
      seen(
        {
          eventSource: 's3.amazonaws.com',
          eventName: 'GetObject',
          awsRegion: 'x',
          eventTime: '2026-01-01T00:00:00Z',
          sourceIPAddress: '192.0.2.1',
          errorCode: 'AccessDenied',
          userIdentity: { type: 'IAMUser', userName: 'p', arn: 'a' },
        },
        'Operation',
        'ActorUsername',
        'EventResult',
      ),
    ).toEqual(['CloudAudit', 'aws-cloudtrail', 'PAD', 'GetObject', 'p', 'Failure']);
    expect(
      seen(
        {
          category: 'SignInLogs',
          time: '2026-01-01T00:00:00Z',
          properties: {
            userPrincipalName: 'u@x',
            ipAddress: '192.0.2.1',
            appDisplayName: 'Mail',
            status: { errorCode: 50126, failureReason: 'bad password' },
          },
        },
        'TargetUsername',
        'EventResult',
        'EventResultDetails',
      ),
    ).toEqual(['Authentication', 'azure-sign-in', 'PAD', 'u@x', 'Failure', 'bad password']);
    expect(
      seen(
        '<13>Jan  5 10:00:00 fw CEF:0|V|P|1|7|Session|9|src=192.0.2.1 spt=1 dst=192.0.2.2 dpt=443 cs1=r 1 cs1Label=Rule msg=x\\=y z',
        'DvcHostname',
        'DstPortNumber',
        'NetworkRuleName',
        'Message',
        'EventSeverity',
      ),
    ).toEqual(['NetworkSession', 'cef', 'PAD', 'fw', 443, 'r 1', 'x=y z', 'Critical']);
    expect(
      seen('LEEF:1.0|V|P|1|id|src=192.0.2.1\tdst=192.0.2.2\tusrName=u', 'SrcIpAddr', 'ActorUsername'),
    ).toEqual(['NetworkSession', 'leef', 'PAD', '192.0.2.1', 'u']);
    expect(
      seen(
        'date=2026-01-02 time=03:04:05 logid=1 devname="FG" srcip=192.0.2.1 dstip=192.0.2.2 dstport=53 action="deny"',
        'DvcHostname',
        'EventResult',
        'DstPortNumber',
      ),
    ).toEqual(['NetworkSession', 'key-value', 'PAD', 'FG', 'Failure', 53]);
    expect(
      seen(
        '192.0.2.9 - bob [02/Jan/2026:03:04:05 +0100] "POST /up.jsp?x=1 HTTP/1.1" 500 12 "-" "curl/8"',
        'Url',
        'HttpStatusCode',
        'HttpUserAgent',
      ),
    ).toEqual(['WebSession', 'access-log', 'PAD', '/up.jsp?x=1', 500, 'curl/8']);
    expect(
      seen(
        '<38>1 2026-01-02T03:04:05Z h sshd 5 - - Accepted publickey for root from 192.0.2.4 port 2 ssh2',
        'EventResult',
        'SrcIpAddr',
        'DvcHostname',
      ),
    ).toEqual(['Authentication', 'sshd', 'PAD', 'Success', '192.0.2.4', 'h']);
    expect(
      seen(
        {
          '@timestamp': '2026-01-01T00:00:00Z',
          source: { ip: '192.0.2.1' },
          destination: { ip: '192.0.2.2', port: 53 },
          dns: { question: { name: 'x.example' } },
          event: { category: ['network'] },
        },
        'SrcIpAddr',
        'DnsQuery',
      ),
    ).toEqual(['Dns', 'json', 'PAD', '192.0.2.1', 'x.example']);
  });

  it('[S06] takes a number that is no time for none, and the row is written all the same', () => {
    const raw = `type=CWD msg=audit(${'9'.repeat(72)}.155:1): cwd="/"`;
    const event = decodeText(raw, NOW);
    expect([event.sourceType, event.time]).toEqual(['auditd', undefined]);
  });

  it('marks what it cannot read', () => {
    expect(seen('{"a":')[2]).toBe('PER');
    expect(seen('some words')).toEqual(['Generic', 'text', 'NLF']);
    expect(
      seen({ Scope: 'x', Stream: 'Signals', SignalId: 's', ParseStatus: 'x' }, 'Scope', 'SignalId', 'Stream'),
    ).toEqual(['Generic', 'json', 'NLF', undefined, undefined, undefined]);
  });
});

describe('any text', () => {
  const context = {
    scope: 's',
    sourceName: 'n',
    sourceAddress: '',
    receivedMs: NOW,
    batchId: '0123456789abcdef',
  };

  const block = new RowBlock();

  it('becomes one row with its text in Raw, and never throws', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.json(),
      fc
        .dictionary(
          fc.constantFrom('EventID', 'Channel', 'System', 'winlog', 'a.b', 'a', '', 'time', 'src', 'message'),
          fc.jsonValue(),
        )
        .map((value) => JSON.stringify(value)),
      fc.stringMatching(
        /^(<\d{1,3}>|type=X msg=audit\(1\.1:1\): |CEF:0\||<Event><System>|\d+ )?[ -~]{0,80}$/,
      ),
    );
    fc.assert(
      fc.property(text, (raw) => {
        writeRow(block, context, { event: decodeText(raw, NOW), raw, index: 3, marks: [] });
        const [row = {}, ...others] = readRowBlocks(block.take());
        expect(others).toEqual([]);
        expect(row.Scope).toBe('s');
        expect(row.Raw ?? '').toBe(Buffer.from(raw).toString());
        expect(row.EventUid).toBe('01234567-89ab-8cde-8000-000000000003');
      }),
      { numRuns: 400 },
    );
  });
});
