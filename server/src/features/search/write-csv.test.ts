import { describe, expect, it } from 'vitest';
import { csvHeader, csvLine } from './write-csv.ts';

const columns = [
  { name: 'When', type: 'datetime' },
  { name: 'Text', type: 'string' },
  { name: 'n,1', type: 'long' },
  { name: 'Bag', type: 'dynamic' },
] as const;
const utc = { formulaGuard: true, zone: null };

describe('CSV', () => {
  it('quotes, doubles quotes and keeps line breaks', () => {
    expect(csvHeader(columns, utc)).toBe('When,Text,"n,1",Bag\r\n');
    expect(csvLine(columns, ['2026-01-01T00:00:00.0000000Z', 'a "b"\nc', -5, { k: '1' }], utc)).toBe(
      '2026-01-01T00:00:00.0000000Z,"a ""b""\nc",-5,"{""k"":""1""}"\r\n',
    );
    expect(csvLine(columns, [null, '', null, null], utc)).toBe(',,,\r\n');
  });

  it('guards text against formulas, never numbers, and only when asked', () => {
    expect(csvLine(columns, [null, '=cmd|x', -1, '@sum'], utc)).toBe(",'=cmd|x,-1,'@sum\r\n");
    expect(csvLine(columns, [null, '=cmd|x', -1, null], { ...utc, formulaGuard: false })).toBe(
      ',=cmd|x,-1,\r\n',
    );
  });

  it('writes times of the zone with their offset', () => {
    const line = csvLine(columns, ['2026-01-01T00:00:00.1230000Z', 'x', 1, null], {
      formulaGuard: true,
      zone: 'Asia/Kolkata',
    });
    expect(line).toBe('2026-01-01T05:30:00.1230000+05:30,x,1,\r\n');
  });
});
