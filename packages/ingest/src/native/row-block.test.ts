import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newEvent } from '../event-row.ts';
import { writeRow } from '../write-row.ts';
import { pathType } from './path-values.ts';
import { readRowBlocks } from './read-row-blocks.ts';
import { RowBlock } from './row-block.ts';

// What is written below `Ext` is read back as JSON.stringify writes it, whichever of the two forms it takes. That the engine
// reads both alike is shown on the engine (native-rows.test.ts of the server).

const CONTEXT = {
  scope: 's',
  sourceName: 'n',
  sourceAddress: '',
  receivedMs: 1_768_000_000_000,
  batchId: '00000000000000a0',
};
type Fields = Record<string, unknown>;

function writeAll(block: RowBlock, all: readonly Fields[]): void {
  for (const [index, ext] of all.entries()) {
    const event = { ...newEvent('json', 'Generic'), time: CONTEXT.receivedMs, ext };
    writeRow(block, CONTEXT, { event, raw: `${index}`, index, marks: [] });
  }
}

/** The fields of all rows, in the order in which they were written. */
function takeFields(block: RowBlock): readonly unknown[] {
  const rows = readRowBlocks(block.take());
  const fields: unknown[] = [];
  for (const row of rows) fields[Number(row.Raw)] = JSON.parse(String(row.Ext ?? '{}'));
  return fields;
}

const asJson = (fields: Fields): unknown => JSON.parse(JSON.stringify(fields));

const scalar = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.integer(),
  fc.double({ noNaN: false }),
  fc.boolean(),
  fc.constantFrom(2 ** 53, -(2 ** 60), 2 ** 63, 1e19, 1e300, -0),
);
const list = fc.oneof(
  fc.array(fc.string({ unit: 'binary' }), { maxLength: 4 }),
  fc.array(fc.integer(), { maxLength: 4 }),
  fc.array(fc.oneof(scalar, fc.constant(null)), { maxLength: 4 }),
);
const name = fc.stringMatching(/^[a-c]{1,2}$/);
const fieldsOf = (levels: number): fc.Arbitrary<Fields> =>
  fc.dictionary(name, levels === 0 ? scalar : fc.oneof(scalar, list, fieldsOf(levels - 1)), { maxKeys: 5 });

describe('RowBlock', () => {
  it('[S06] writes any fields so that they are read as JSON would have them, block after block', () => {
    const block = new RowBlock();
    fc.assert(
      fc.property(fc.array(fieldsOf(2), { minLength: 1, maxLength: 12 }), (all) => {
        writeAll(block, all);
        expect(block.rows).toBe(all.length);
        // An object without fields is no path, and is not told.
        expect(takeFields(block).map(withoutEmpty)).toEqual(
          all.map((fields) => withoutEmpty(asJson(fields))),
        );
      }),
      { seed: 12, numRuns: 300 },
    );
  });

  it('[S06] keeps apart what is too much for columns of their own, and forgets names', () => {
    const block = new RowBlock();
    for (let round = 0; round < 3; round += 1) {
      const all = Array.from({ length: 40 }, (_, row) =>
        Object.fromEntries(Array.from({ length: 30 }, (_unused, n) => [`f${round}_${row}_${n}`, `${row}`])),
      );
      writeAll(block, [...all, { last: round }]);
      expect(takeFields(block)).toEqual([...all, { last: round }]);
    }
    const wide = Object.fromEntries(Array.from({ length: 9_000 }, (_, n) => [`w${n}`, n]));
    writeAll(block, [{ a: 1 }, wide, { a: 2 }]);
    expect(takeFields(block)).toEqual([{ a: 1 }, wide, { a: 2 }]);
  });

  it('takes a value that its column refuses to the fields, unless they have the name', () => {
    const block = new RowBlock();
    for (const ext of [{}, { EventID: 'theirs' }, { list: [{ a: 1 }] }]) {
      const columns = { EventID: 2 ** 40, Computer: 'no column' };
      const event = { ...newEvent('json', 'Generic'), time: CONTEXT.receivedMs, ext, columns };
      writeRow(block, CONTEXT, { event, raw: `${block.rows}`, index: block.rows, marks: ['invalid-utf8'] });
    }
    const marked = { IngestMarks: ['invalid-utf8'], Computer: 'no column' };
    expect(takeFields(block)).toEqual([
      { ...marked, EventID: 2 ** 40 },
      { ...marked, EventID: 'theirs' },
      { ...marked, EventID: 2 ** 40, list: [{ a: 1 }] },
    ]);
  });

  it('gives numbers the types that the engine gives them in text', () => {
    const numbers = [0, -(2 ** 62), 2 ** 63, 2 ** 64, -(2 ** 63), 0.5, Number.NaN];
    const types = ['Int64', 'Int64', 'UInt64', 'Float64', 'Float64', 'Float64', undefined];
    expect(numbers.map(pathType)).toEqual(types);
    const odd = [{}, [1, 'a'], [1.5], [true], [[1]], [{}], 1n].map(pathType);
    expect(odd).toEqual(odd.map(() => null));
  });
});

function isEmpty(value: unknown): boolean {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
  );
}

/** Without nulls and objects that hold nothing, at all levels outside of arrays. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const kept = Object.entries(value)
    .map(([key, inner]) => [key, withoutEmpty(inner)] as const)
    .filter(([, inner]) => inner !== null && !isEmpty(inner));
  return Object.fromEntries(kept);
}
