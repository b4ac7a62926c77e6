import type { SearchField } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { groupFields } from './field-groups.ts';

const field = (name: string, recommended = false): SearchField => ({
  name,
  kind: name.startsWith('Ext.') ? 'ext' : 'column',
  path: null,
  type: 'string',
  description: '',
  aliases: [],
  streams: ['ProcessEvent'],
  recommended,
  example: null,
});
const named = (list: readonly SearchField[]) => list.map(({ name }) => name);

describe('the groups of fields', () => {
  const FIELDS = [
    ...['Ext.a0', 'Ext.a1', 'Ext.a10', 'Ext.a2', 'Ext.argc', 'Ext.sha1', 'Ext.sha256', 'Ext.p.arg1'].map(
      (name) => field(name),
    ),
    field('ProcessId'),
    field('ProcessName', true),
  ];

  it('[R-C8] put arguments that are only numbered last, in the order of their numbers', () => {
    const { popular, rest, numbered } = groupFields([...FIELDS, field('Ext.a9')], [], '');
    expect(named(popular)).toEqual(['ProcessName']);
    expect(named(rest)).toEqual(['Ext.argc', 'Ext.p.arg1', 'Ext.sha1', 'Ext.sha256', 'ProcessId']);
    expect(named(numbered)).toEqual(['Ext.a0', 'Ext.a1', 'Ext.a2', 'Ext.a9', 'Ext.a10']);
  });

  it('[R-C8] find a numbered one as any other, and show it among the columns once it is one', () => {
    expect(named(groupFields(FIELDS, [], 'a1').numbered)).toEqual(['Ext.a1']);
    const { selected, numbered } = groupFields(FIELDS, ['Ext.a1'], '');
    expect(named(selected)).toEqual(['Ext.a1']);
    expect(named(numbered)).toEqual(['Ext.a0', 'Ext.a2']);
  });
});
