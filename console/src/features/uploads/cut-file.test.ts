import { File as NodeFile } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { cutFile, formatOf } from './cut-file.ts';

const decoder = new TextDecoder();

async function textsOf(file: File): Promise<string[]> {
  const texts: string[] = [];
  for await (const { bytes } of cutFile(file, formatOf(file.name))) texts.push(decoder.decode(bytes));
  return texts;
}

/** The files of jsdom cannot be read as streams. */
const fileOf = (parts: (string | Uint8Array<ArrayBuffer>)[], name: string) =>
  new NodeFile(parts, name) as unknown as File;

describe('a file that is uploaded', () => {
  it('is cut behind whole lines, and nothing of it is left out', async () => {
    const text = Array.from({ length: 60_000 }, (_, n) => `line ${n} ${'x'.repeat(60)}\n`).join('');
    const pieces = await textsOf(fileOf([text], 'a.log'));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.join('')).toBe(text);
    for (const piece of pieces) expect(piece.endsWith('\n')).toBe(true);
  });

  it('has the row of names before each piece of a table, and is not cut within quotes', async () => {
    const names = 'time,text\n';
    const rows = Array.from({ length: 50_000 }, (_, n) => `${n},"a\nb ${'y'.repeat(60)}"\n`).join('');
    const pieces = await textsOf(fileOf([names + rows], 'a.csv'));
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => piece.slice(names.length)).join('')).toBe(rows);
    for (const piece of pieces) {
      expect(piece.startsWith(names)).toBe(true);
      expect(piece.endsWith('"\n')).toBe(true);
    }
  });

  it('is cut between the chunks of an event log', async () => {
    const bytes = new Uint8Array(4_096 + 65_536 * 70);
    const sizes: number[] = [];
    for await (const piece of cutFile(fileOf([bytes], 'Security.evtx'), 'evtx'))
      sizes.push(piece.bytes.length);
    expect(sizes.reduce((sum, size) => sum + size)).toBe(bytes.length);
    expect(sizes.map((size, at) => (size - (at === 0 ? 4_096 : 0)) % 65_536)).toEqual(sizes.map(() => 0));
  });
});
