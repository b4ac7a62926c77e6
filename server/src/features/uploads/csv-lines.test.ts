import { describe, expect, it } from 'vitest';
import { csvLines, guessDelimiter } from './csv-lines.ts';

async function rowsOf(text: string, size = 1_000_000): Promise<unknown[]> {
  const bytes = Buffer.from(text);
  async function* stream() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const rows: unknown[] = [];
  for await (const line of csvLines(stream())) rows.push(JSON.parse(line.toString()));
  return rows;
}

describe('tables in text', () => {
  it('finds the delimiter that rows agree on, not one that stands in their values', () => {
    expect(guessDelimiter('a;b;c\n1,5;2,7;3\n4;5;6\n')).toBe(';');
    expect(guessDelimiter('time\tuser\n1\ta,b,c,d\n2\te\n')).toBe('\t');
    expect(guessDelimiter('a,"b;c;d;e",f\n1,2,3\n')).toBe(',');
    expect(guessDelimiter('one column\nx\n')).toBe(',');
  });

  it('reads quotes, line ends in values, a byte order mark, wherever the stream is broken', async () => {
    const text = '\ufeffuser,text,\r\nada,"a, ""b""\nc",x\r\n\r\neve,d\n"x"y,2,3,4\n';
    const whole = await rowsOf(text);
    expect(whole).toEqual([
      { user: 'ada', text: 'a, "b"\nc', column3: 'x' },
      { user: 'eve', text: 'd' },
      { user: '"x"y', text: '2', column3: '3', column4: '4' },
    ]);
    expect(await rowsOf(text, 7)).toEqual(whole);
  });

  it('keeps both of two columns with one name', async () => {
    expect(await rowsOf('a,a,b\n1,2,3\n')).toEqual([{ a: '1', a_2: '2', b: '3' }]);
    expect(await rowsOf('')).toEqual([]);
  });
});
