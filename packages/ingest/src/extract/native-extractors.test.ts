import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { contentExtractors, sampleNames } from '../../../../tools/content-extractors.ts';
import { compileExtractors, type DecodedEvent, decodeText, type LogHeads, readExtractor } from '../index.ts';

const NOW = Date.UTC(2026, 0, 6);
const all = contentExtractors();
const extractors = compileExtractors(all);

const told = ({ stream, extractorEntry, columns, time }: DecodedEvent) => ({
  stream,
  entry: extractorEntry,
  time: time === undefined ? undefined : new Date(time).toISOString(),
  columns,
});

describe('native extractors', () => {
  it('[T-extractors] are at least 40 sources, each with a number, a name and samples of its own', () => {
    expect(all.length).toBeGreaterThanOrEqual(40);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
    expect(all.every(({ id }) => id <= 10_000)).toBe(true);
    expect(all.map(({ name }) => name).toSorted()).toEqual(sampleNames().toSorted());
    expect(extractors).toMatchObject({ size: all.length, broken: [] });
  });

  it.each(all)(
    '[T-extractors] $name reads every sample into columns, on the fast engine',
    ({ id, yaml, samples }) => {
      expect(readExtractor(yaml).faults).toEqual([]);
      const heads: LogHeads = new Map();
      const events = samples.map((sample) => decodeText(sample, NOW, { extractors, heads }));
      expect(events.map(({ extractorId, status }) => [extractorId, status])).toEqual(
        samples.map(() => [id, 'PAD']),
      );
      expect(events.map(told)).toMatchSnapshot();
    },
  );
});

/** A record of auoms without quotes around the command, without syslog around it, and with nothing behind the command. */
it('[T-extractors] auoms tells the command, the program and the user of an execve', () => {
  const line = (command: string) =>
    `type=AUOMS_EXECVE audit(1767607202.388:7): syscall=execve success=no ppid=1 pid=2 audit_user=ada auid=1001 user=root uid=0 comm="sh" exe="/bin/sh" cwd="/tmp"${command}`;
  const read = (command: string) => decodeText(line(command), NOW, { extractors }).columns;
  const command = 'sh -c "id; echo a=b c=d"';
  const columns = { ActorUsername: 'root', ProcessName: '/bin/sh', ProcessCurrentDirectory: '/tmp' };
  const told = { ...columns, CommandLine: command, EventResult: 'Failure', EventType: 'ProcessCreated' };
  expect(read(` cmdline=${command} redactors=x containerid=`)).toMatchObject(told);
  expect(read(` cmdline="${command}" redactors=`)).toMatchObject(told);
  expect(read(` cmdline=${command}`)).toMatchObject(told);
  expect(read('').CommandLine).toBeUndefined();
});

const FOLDER = fileURLToPath(new URL('../../../../../shared/data/events', import.meta.url));
/** Columns that an event of a kind must fill, where the kind is one that the catalog covers. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'sysmon 1': ['ProcessName', 'CommandLine', 'ActorUsername', 'ParentProcessName', 'FileCompany'],
  'sysmon 3': ['ProcessName', 'SrcIpAddr', 'DstIpAddr', 'DstPortNumber', 'NetworkProtocol'],
  'sysmon 7': ['ProcessName', 'ModulePath', 'Signed', 'Hashes'],
  'sysmon 10': ['ProcessName', 'TargetProcessName', 'GrantedAccess', 'CallTrace', 'TargetProcessGuid'],
  'sysmon 11': ['ProcessName', 'FilePath'],
  'sysmon 12': ['ProcessName', 'RegistryKey'],
  'sysmon 13': ['ProcessName', 'RegistryKey', 'RegistryValueData'],
  'sysmon 17': ['PipeName'],
  'sysmon 18': ['PipeName'],
  'sysmon 22': ['DnsQuery'],
  'windows-event 800': ['CommandLine', 'ActorUsername'],
  'windows-event 4103': ['CommandLine', 'ActorUsername', 'ScriptBlockText'],
  'windows-event 4104': ['ScriptBlockText', 'ActorUsername'],
  'windows-event 4624': ['TargetUsername', 'LogonType', 'EventResult'],
  'windows-event 4656': ['ObjectType', 'AccessMask', 'ActorUsername'],
  'windows-event 4663': ['ObjectType', 'AccessMask', 'ProcessName'],
  'windows-event 4672': ['PrivilegeList'],
  'windows-event 4688': ['ProcessName', 'ProcessId', 'ParentProcessId'],
  'windows-event 5156': ['SrcIpAddr', 'DstIpAddr', 'DstPortNumber', 'ProcessName'],
  'windows-event 5145': ['ShareName', 'AccessMask'],
  'auditd SYSCALL': ['ProcessName', 'ProcessId', 'ParentProcessId', 'ActorUserId', 'EventResult', 'LogonId'],
  'auditd EXECVE': ['CommandLine'],
  'auditd PROCTITLE': ['CommandLine'],
  'auditd CWD': ['ProcessCurrentDirectory'],
  'auditd PATH': ['FilePath'],
  'linux-sysmon 1': ['ProcessName', 'CommandLine', 'ActorUsername', 'ParentProcessName', 'ParentCommandLine'],
  'linux-sysmon 3': ['ProcessName', 'ActorUsername', 'SrcIpAddr', 'DstIpAddr', 'DstPortNumber'],
  'linux-sysmon 5': ['ProcessName', 'ProcessId', 'ActorUsername'],
  'linux-sysmon 11': ['ProcessName', 'FilePath', 'ActorUsername'],
  'linux-sysmon 23': ['ProcessName', 'FilePath', 'ActorUsername'],
  'aws-cloudtrail': [
    'Operation',
    'CloudService',
    'SrcIpAddr',
    'ActorUsername',
    'CloudRegion',
    'HttpUserAgent',
  ],
};

/** Sysmon of Linux has neither hashes nor version information; records of the audit log are told apart by their type. */
function kindOf({ sourceType, columns }: DecodedEvent): string {
  if (columns.Provider === 'Linux-Sysmon') return `linux-sysmon ${columns.EventID}`;
  if (sourceType === 'auditd') return `auditd ${columns.Operation}`;
  return columns.EventID === undefined ? String(sourceType) : `${sourceType} ${columns.EventID}`;
}

describe.skipIf(!existsSync(FOLDER))('recorded events', () => {
  const lines = existsSync(FOLDER)
    ? readdirSync(FOLDER).flatMap((file) =>
        gunzipSync(readFileSync(`${FOLDER}/${file}`))
          .toString()
          .split('\n')
          .filter((line) => line !== ''),
      )
    : [];

  it('[T-extractors] are known, and 95 of 100 fill the columns of their kind', () => {
    const seen = new Map<string, { events: number; full: number }>();
    let unknown = 0;
    for (const line of lines) {
      const event = decodeText(line, NOW, { extractors });
      if (event.extractorId === undefined) unknown += 1;
      const kind = kindOf(event);
      const needed = NEEDED[kind];
      if (needed === undefined) continue;
      // What has no message was not rendered where it was read.
      if (kind === 'windows-event 800' && event.columns.Message === undefined) continue;
      const count = seen.get(kind) ?? { events: 0, full: 0 };
      count.events += 1;
      if (needed.every((column) => event.columns[column] !== undefined)) count.full += 1;
      seen.set(kind, count);
    }
    expect(unknown / lines.length).toBeLessThan(0.01);
    const poor = [...seen].filter(([, { events, full }]) => full < 0.95 * events);
    expect(Object.fromEntries(poor)).toEqual({});
    const missing = Object.keys(NEEDED).filter((kind) => !seen.has(kind));
    expect(missing).toEqual([]);
  });
});
