import { describe, expect, it } from 'vitest';
import { decodeRecord, decodeText } from './decode-event.ts';
import { parseEventTime } from './normalise/event-time.ts';

const NOW = Date.parse('2026-11-23T06:00:00Z');
const LINE = 'Nov 23 05:00:00 web1 sshd[12]: Failed password for root from 203.0.113.7 port 22 ssh2';
const LOGON = { TargetUsername: 'root', SrcIpAddr: '203.0.113.7', EventResult: 'Failure', ProcessId: 12 };

describe('[R-E3] a line that a collector carries', () => {
  it.each([
    [
      'Filebeat',
      { '@timestamp': '2026-11-23T05:00:01Z', message: LINE, log: { file: { path: '/var/log/auth.log' } } },
    ],
    ['Fluent Bit', { date: 1_795_410_001.5, log: LINE }],
    [
      'Vector',
      { timestamp: '2026-11-23T05:00:01Z', message: LINE, host: 'collector', file: '/var/log/auth.log' },
    ],
  ])('of %s is decoded as the same line of syslog is', (_, record) => {
    const event = decodeRecord(record, NOW);
    const plain = decodeText(LINE, NOW);
    expect(event).toMatchObject({
      stream: 'Authentication',
      sourceType: plain.sourceType,
      columns: { ...LOGON, DvcHostname: 'web1' },
      time: Date.parse('2026-11-23T05:00:00Z'),
    });
  });

  it('keeps the file that the carrier names', () => {
    const record = { message: LINE, log: { file: { path: '/var/log/auth.log' } } };
    expect(JSON.stringify(decodeRecord(record, NOW))).toContain('/var/log/auth.log');
  });

  it('of the journal has its program, host, number and time from the fields beside it', () => {
    const record = {
      MESSAGE: 'Failed password for root from 203.0.113.7 port 22 ssh2',
      SYSLOG_IDENTIFIER: 'sshd',
      SYSLOG_FACILITY: '10',
      PRIORITY: '4',
      _PID: '12',
      _HOSTNAME: 'web1',
      __REALTIME_TIMESTAMP: '1795410000000000',
    };
    expect(decodeRecord(record, NOW)).toMatchObject({
      stream: 'Authentication',
      columns: { ...LOGON, DvcHostname: 'web1', Facility: 'authpriv' },
      time: 1_795_410_000_000,
    });
  });

  it('leaves a record alone whose own fields say what happened', () => {
    const record = { message: LINE, event: { category: ['process'] }, process: { name: 'x' } };
    expect(decodeRecord(record, NOW).stream).toBe('ProcessEvent');
  });
});

describe('[R-E4] times', () => {
  const at = (text: string) => Date.parse(text);

  it.each([
    ['Dec 30 05:00:00', '2025-12-30T05:00:00Z'],
    ['Nov 23 05:00:00', '2026-11-23T05:00:00Z'],
    // A device in a zone ahead of UTC that names none.
    ['Nov 23 19:00:00', '2026-11-23T19:00:00Z'],
    ['Feb 29 05:00:00', '2024-02-29T05:00:00Z'],
  ])('%s without a year is the latest that is not in the future', (text, moment) => {
    expect(parseEventTime(text, NOW)).toBe(at(moment));
  });

  it.each([
    '2026-02-30T25:61:61Z',
    '2026-02-30T10:00:00Z',
    '2026-02-30T23:59:60Z',
    '2026-01-01T24:00:00Z',
    'Feb 30 2026 10:00:00',
    '13/32/2026 10:00:00',
  ])('%s is none', (text) => {
    expect(parseEventTime(text, NOW)).toBeUndefined();
  });

  it.each([
    ['2026-11-20 03:04:05,123 ERROR no room', '2026-11-20T03:04:05.123Z'],
    ['[2026-11-20T03:04:05+01:00] no room', '2026-11-20T02:04:05Z'],
    ['[Fri Nov 20 10:00:00.123456 2026] [core:error] no room', '2026-11-20T10:00:00.123Z'],
    ['Nov 20 10:00:00.5 no room for more', '2026-11-20T10:00:00.500Z'],
    ['1795410000.25 no room', '2026-11-23T05:00:00.250Z'],
    ['[20/Nov/2026:10:00:00 +0000] no room', '2026-11-20T10:00:00Z'],
  ])('%s begins with one', (line, moment) => {
    expect(decodeText(line, NOW).time).toBe(at(moment));
  });

  it('of a Cisco device that is not sure of its clock', () => {
    const line = '<189>29: *Nov 20 10:00:00.123: %SYS-5-CONFIG_I: Configured from console';
    expect(decodeText(line, NOW).time).toBe(at('2026-11-20T10:00:00.123Z'));
  });

  it.each(['requestReceivedTimestamp', 'calendarTime', 'createdAt', 'updatedAt'])('stands in %s', (name) => {
    expect(decodeRecord({ [name]: '2026-11-20T10:00:00Z', a: 1 }, NOW).time).toBe(at('2026-11-20T10:00:00Z'));
  });

  it('of Sysmon is the one in UTC where the other names no zone', () => {
    const record = {
      EventID: 1,
      Channel: 'Microsoft-Windows-Sysmon/Operational',
      TimeCreated: '2026-11-20 12:00:00.000',
      UtcTime: '2026-11-20 10:00:00.000',
      Image: 'C:\\a.exe',
    };
    expect(decodeRecord(record, NOW).time).toBe(at('2026-11-20T10:00:00Z'));
  });
});
