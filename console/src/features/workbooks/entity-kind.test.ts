import { EVENT_COLUMNS } from '@tyrian/catalog';
import { SUSPECT_TYPES, TARGET_TYPES } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { entityKindOf, kindAfter } from './entity-kind.ts';

describe('the kind of an entity', () => {
  it('follows from the column', () => {
    const kinds = ['ActorUsername', 'DvcHostname', 'SrcIpAddr', 'ProcessName', 'FilePath', 'TargetUsername'];
    expect(kinds.map((field) => entityKindOf(field, SUSPECT_TYPES))).toEqual([
      'user',
      'host',
      'ip',
      'process',
      'object',
      'user',
    ]);
    expect(entityKindOf('DstPortNumber', TARGET_TYPES)).toBe('port');
    expect(entityKindOf('DstPortNumber', SUSPECT_TYPES)).toBeUndefined();
    for (const { name } of EVENT_COLUMNS.filter((column) => /IpAddr$/.test(column.name))) {
      expect(entityKindOf(name, SUSPECT_TYPES), name).toBe('ip');
    }
  });

  it('stays when somebody chose it', () => {
    expect(kindAfter({ type: 'host', field: '' }, 'ActorUsername', SUSPECT_TYPES)).toBe('user');
    expect(kindAfter({ type: 'user', field: 'ActorUsername' }, 'SrcIpAddr', SUSPECT_TYPES)).toBe('ip');
    expect(kindAfter({ type: 'object', field: 'ActorUsername' }, 'SrcIpAddr', SUSPECT_TYPES)).toBe('object');
    expect(kindAfter({ type: 'host', field: '' }, 'Whatever', SUSPECT_TYPES)).toBe('host');
  });
});
