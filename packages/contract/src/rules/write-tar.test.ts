import { describe, expect, it } from 'vitest';
import { notificationPath } from '../notifications/notification-path.ts';
import { isPackRuleId, tacticTitle } from './rule.ts';
import { tarOf } from './write-tar.ts';

const text = (bytes: Uint8Array, from: number, length: number): string =>
  new TextDecoder().decode(bytes.subarray(from, from + length)).replace(/\0.*$/s, '');

describe('rules of packs', () => {
  it('[T-rules] are packed as tar: name, size and content in blocks, two empty blocks at the end', () => {
    const archive = tarOf([{ path: 'a/b.yml', bytes: new TextEncoder().encode('title: x') }]);
    expect(archive.length).toBe(4 * 512);
    expect(text(archive, 0, 100)).toBe('a/b.yml');
    expect(Number.parseInt(text(archive, 124, 12), 8)).toBe(8);
    expect(text(archive, 257, 5)).toBe('ustar');
    expect(text(archive, 512, 8)).toBe('title: x');
    expect(archive.subarray(1024).every((byte) => byte === 0)).toBe(true);
  });

  it('[T-rules] keep names that are longer than the header takes, in a record that counts itself', () => {
    const path = `${'folder/'.repeat(20)}rule.yml`;
    const archive = tarOf([{ path, bytes: new Uint8Array() }]);
    const record = text(archive, 512, 512);
    expect(record).toBe(`${record.length} path=${path}\n`);
  });

  it('[T-rules] have ids of their own, and a failing one leads to its page', () => {
    expect(isPackRuleId('sigma-1')).toBe(true);
    expect(isPackRuleId('native-psexec-use')).toBe(false);
    const failing = {
      kind: 'rule_failing',
      clusterId: 'c',
      scope_id: 's',
      count: 1,
      details: { name: 'R' },
    } as const;
    expect(notificationPath({ ...failing, object_id: 'sigma-1' } as never)).toBe('/c/s/rules/sigma-1');
    expect(notificationPath({ ...failing, object_id: 'w1' } as never)).toBe('/c/s/workbook/view/w1');
    expect(tacticTitle('command-and-control')).toBe('Command and Control');
  });
});
