import { describe, expect, it } from 'vitest';
import { decodeText } from '../decode-event.ts';
import { AuditRecordGroup } from './audit-record-group.ts';

const NOW = Date.UTC(2026, 0, 10);
const line = (type: string, fields: string, serial = 7, node = 'web') =>
  `node=${node} type=${type} msg=audit(1604994496.155:${serial}): ${fields}`;
const SYSCALL =
  'success=yes ppid=2 pid=5 uid=33 auid=4294967295 exe="/bin/sh"\u001dAUID="unset" UID="www-data"';

/** Columns of the records after they were shown to one group in order. */
function grouped(...lines: readonly string[]) {
  const group = new AuditRecordGroup();
  return lines.map((text) => {
    const event = decodeText(text, NOW);
    group.complete(event);
    return event.columns;
  });
}

describe('records of one act in the Linux audit log', () => {
  it('say who ran the command, and keep what they say themselves', () => {
    const [, execve, path] = grouped(
      line('SYSCALL', SYSCALL),
      line('EXECVE', 'argc=2 a0="sh" a1="-i"'),
      line('PATH', 'name="/tmp/x" uid=0'),
    );
    expect(execve).toMatchObject({
      CommandLine: 'sh -i',
      ProcessName: '/bin/sh',
      ProcessId: 5,
      ParentProcessId: 2,
      ActorUserId: '33',
      ActorUsername: 'www-data',
      Operation: 'EXECVE',
    });
    expect(path).toMatchObject({ FilePath: '/tmp/x', ActorUserId: '0', ActorUsername: 'www-data' });
  });

  it('stay apart by host and number', () => {
    const [, otherHost, otherAct] = grouped(
      line('SYSCALL', SYSCALL),
      line('EXECVE', 'argc=1 a0="id"', 7, 'db'),
      line('EXECVE', 'argc=1 a0="id"', 8),
    );
    for (const columns of [otherHost, otherAct]) expect(columns).not.toHaveProperty('ActorUsername');
  });

  it('are forgotten when many acts lie between them', () => {
    const acts = Array.from({ length: 200 }, (_, n) => line('SYSCALL', SYSCALL, 100 + n));
    const records = grouped(line('SYSCALL', SYSCALL), ...acts, line('EXECVE', 'argc=1 a0="id"'));
    expect(records.at(-1)).not.toHaveProperty('ActorUsername');
  });
});
