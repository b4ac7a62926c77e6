import { describe, expect, it } from 'vitest';
import { guessColumns } from './guess-columns.ts';
import { readTable } from './read-table.ts';
import { NotATable } from './table-fault.ts';

const LIMITS = { rows: 1000, columns: 10, cell: 100, sheetBytes: 1024 * 1024 };
const read = (text: string | Uint8Array) =>
  readTable(typeof text === 'string' ? new TextEncoder().encode(text) : text, LIMITS);
const typesOf = async (text: string) =>
  Object.fromEntries(guessColumns(await read(text)).map(({ name, type }) => [name, type]));

/** Which sentence a file is refused with. */
async function faultOf(text: string | Uint8Array): Promise<unknown> {
  try {
    await read(text);
  } catch (error) {
    if (error instanceof NotATable) return [error.told.fault, error.told.values];
    throw error;
  }
  return null;
}

describe('files as tables', () => {
  it.each([
    ['comma', 'a,b\n1,"x, y"\n'],
    ['semicolon', 'a;b\r\n1;"x, y"\r\n'],
    ['tab', 'a\tb\n1\tx, y\n'],
    ['bar', 'a|b\n1|x, y'],
    ['a byte order mark', '\ufeffa,b\n1,"x, y"\n'],
    ['an array', '[{"a":1,"b":"x, y"}]'],
    ['an array within an object', '{"next":null,"items":[{"a":1,"b":"x, y"}]}'],
    ['an object a line', '{"a":1,"b":"x, y"}\n\n'],
  ])('[T-eventstores] separated by %s give the same rows', async (_, text) => {
    expect(await read(text)).toMatchObject({ header: ['a', 'b'], rows: [['1', 'x, y']] });
  });

  it('[T-eventstores] of UTF-16 are read by their mark, and of no encoding are refused', async () => {
    const text = Buffer.from('\ufeffn\u00e9e\n\u00e9\n', 'utf16le');
    expect(await read(text)).toMatchObject({ header: ['n\u00e9e'], rows: [['\u00e9']] });
    expect(await faultOf(Buffer.from([0x61, 0x0a, 0xe9, 0x0a]))).toEqual(['notText', {}]);
  });

  it('[T-eventstores] types are guessed where every value fits, and zeros in front are kept', async () => {
    const lines = [
      'n,r,b,t,z,id,j,mixed,none',
      '1,1.5,true,2026-01-02,007,9b2e8d1c-0000-4000-8000-000000000000,"{""a"":1}",1,',
      '-2,3,FALSE,2026-01-02T03:04:05Z,01,9b2e8d1c-0000-4000-8000-000000000001,[],x,',
    ];
    expect(await typesOf(lines.join('\n'))).toEqual({
      ...{ n: 'long', r: 'real', b: 'bool', t: 'datetime', z: 'string' },
      ...{ id: 'string', j: 'dynamic', mixed: 'string', none: 'string' },
    });
    const [, , , , , , , mixed] = guessColumns(await read(lines.join('\n')));
    expect(mixed).toMatchObject({ filled: 2, fits: { long: 1 } });
  });

  it('[T-eventstores] columns get names that queries write without quotes, each once', async () => {
    const { header, rows } = await read('IP Address,ip-address,2nd,,"a.b"\n1,2,3,4,5\n');
    const names = guessColumns({ header, rows }).map(({ name }) => name);
    expect(names).toEqual(['IP_Address', 'ip_address_2', '_2nd', 'Column4', 'a_b']);
  });

  it.each([
    ['', ['empty', {}]],
    ['a,b\n', ['empty', {}]],
    ['a,b\n1,2\n1\n', ['raggedRow', { row: 2, count: 1, expected: 2 }]],
    ['{"a":1}\n{"a"\n', ['jsonBroken', { line: 2 }]],
    ['[{"a":1},2]', ['notObjects', { row: 2 }]],
    [
      `${Array.from({ length: 11 }, (_, n) => `c${n}`)}\n${Array.from({ length: 11 }, () => 1)}`,
      ['tooManyColumns', { count: 11, most: 10 }],
    ],
    [`a\n${'1\n'.repeat(1001)}`, ['tooManyRows', { count: 1001, most: 1000 }]],
    [`a\n${'x'.repeat(101)}\n`, ['cellTooLong', { row: 1, count: 101, most: 100 }]],
  ] as const)('[T-eventstores] that are none are refused with their place: %j', async (text, fault) => {
    expect(await faultOf(text)).toEqual(fault);
  });

  it('[T-eventstores] of the old format of spreadsheets, or broken ones, are named as such', async () => {
    expect(await faultOf(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 1]))).toEqual(['oldSpreadsheet', {}]);
    expect(await faultOf(Buffer.from('PK\u0003\u0004 none'))).toEqual(['sheetBroken', {}]);
  });
});
