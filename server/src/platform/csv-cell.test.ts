import { describe, expect, it } from 'vitest';
import { csvCell } from './csv-cell.ts';

/** What a spreadsheet makes of a line that it splits at this sign, quotes as RFC 4180 has them. */
function cellsOf(line: string, separator: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] ?? '';
    if (sign === '"' && (isQuoted || cell === '')) {
      if (isQuoted && line[at + 1] === '"') cell += line[++at];
      else isQuoted = !isQuoted;
    } else if (sign === separator && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += sign;
  }
  return [...cells, cell];
}

const SIGNS = ['=', '+', '-', '@', '＝', '＋', '－', '＠'];
const BEFORE = [
  '',
  ' ',
  '\t',
  '\u00a0',
  '\ufeff',
  '\u200b',
  '"',
  "'",
  ' "',
  '\r\n',
  ';',
  ';;',
  '; ',
  ';"',
  'a;',
  'a;\t',
];

describe('a CSV cell', () => {
  it('[S21] is no formula in a spreadsheet that splits at commas, semicolons or tabs, in any column', () => {
    const formula = /^[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠]/u;
    for (const sign of SIGNS) {
      for (const before of BEFORE) {
        const text = `${before}${sign}1+cmd|'/c calc'!A0`;
        for (const line of [csvCell(text), `first,${csvCell(text)}`, `"a;b",${csvCell(text)},last`]) {
          for (const separator of [',', ';', '\t']) {
            const found = cellsOf(line, separator).filter((cell) => formula.test(cell));
            expect(found, JSON.stringify({ text, line, separator })).toEqual([]);
          }
        }
      }
    }
  });

  it.each([
    ['=1+1', "'=1+1"],
    ['＝1', "'＝1"],
    [';=1+1', `";'=1+1"`],
    ['1;-2;+3,5', '"1;-2;+3,5"'],
    ['a - b = c', 'a - b = c'],
    ['a;b', '"a;b"'],
    [' x ', '" x "'],
    ['say "yes"', '"say ""yes"""'],
    ['a\r\nb', '"a\r\nb"'],
    [-5, '-5'],
    [null, ''],
  ] as const)('[S21] writes %j as %s', (value, expected) => {
    expect(csvCell(value)).toBe(expected);
  });

  it('keeps the bytes when no guard is wanted, and still quotes', () => {
    expect(csvCell(';=1+1', { formulaGuard: false })).toBe('";=1+1"');
  });
});
