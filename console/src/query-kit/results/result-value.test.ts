import type { ResultColumn } from '@tyrian/contract';
import { describe, expect, it } from 'vitest';
import { compareValues, defaultColumns, shownColumn, valueText } from './result-value.ts';

const columns: ResultColumn[] = [
  { name: 'TimeGenerated', type: 'datetime' },
  { name: 'Ext', type: 'dynamic' },
];

describe('values of a result', () => {
  it('reads a path below a dynamic column, and nothing where there is none', () => {
    const column = shownColumn(columns, 'Ext.user.name');
    expect(column?.reference).toBe('Ext.user.name');
    expect(column?.read(['2026-01-01T00:00:00Z', { user: { name: 'root' } }])).toBe('root');
    expect(column?.read(['2026-01-01T00:00:00Z', { user: 'text' }])).toBeNull();
    expect(shownColumn(columns, 'Nothing')).toBeNull();
  });

  it('shows times in the zone and objects on one line', () => {
    expect(valueText('2026-01-01T00:00:00.1230000Z', 'datetime', 'Asia/Kolkata')).toBe(
      '2026-01-01 05:30:00.123',
    );
    expect(valueText({ a: [1] }, 'dynamic', 'UTC')).toBe('{"a":[1]}');
    expect(valueText(null, 'string', 'UTC')).toBe('');
  });

  it('orders numbers as numbers, text as text and blanks last', () => {
    const order = (values: unknown[], type: string, descending: boolean) =>
      [...values].sort((a, b) => compareValues(a, b, type, descending));
    expect(order([10, null, 9], 'long', false)).toEqual([9, 10, null]);
    expect(order(['b', '', 'a'], 'string', true)).toEqual(['b', 'a', '']);
  });

  it('shows every column of an answer, but only the telling ones of whole events', () => {
    expect(defaultColumns(columns, [])).toEqual(['TimeGenerated', 'Ext']);
    const many: ResultColumn[] = ['Raw', 'CommandLine', 'TimeGenerated', 'Stream', 'X']
      .concat(Array.from({ length: 30 }, (_, index) => `Empty${index}`))
      .map((name) => ({ name, type: 'string' }));
    const rows = [['raw', 'cmd', 't', 's', 'x', ...Array.from({ length: 30 }, () => null)]];
    expect(defaultColumns(many, rows)).toEqual(['TimeGenerated', 'Stream', 'CommandLine', 'X']);
  });
});
