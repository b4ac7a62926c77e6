import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonElements, jsonTextAt, onOneLine } from './json-slices.ts';

describe('values inside of a JSON text', () => {
  it('[T-CONNECTORS] are found by their way and stay as they are written', () => {
    const text = '\ufeff {"a":{"b c":[{"n":12345678901234567890}, 1.50,"x,]" , [2]]},"n\\u0065xt":null}';
    expect(jsonTextAt(text, ['a', 'b c'])).toBe('[{"n":12345678901234567890}, 1.50,"x,]" , [2]]');
    expect(jsonElements(jsonTextAt(text, ['a', 'b c']) ?? '')).toEqual([
      ...['{"n":12345678901234567890}', '1.50', '"x,]"', '[2]'],
    ]);
    expect(jsonTextAt(text, ['next'])).toBe('null');
    for (const path of [['b'], ['a', 'x'], ['next', 'a'], ['a', 'b c', '0']])
      expect(jsonTextAt(text, path)).toBeUndefined();
    for (const none of ['', '{', '[1', '[1 2]', '{"a"', '{"a":', '[1,', 'nothing'])
      expect(jsonElements(none)).toBeUndefined();
    expect(jsonElements('[ ]')).toEqual([]);
    expect(onOneLine('{\r\n  "a": 1\n}')).toBe('{ "a": 1 }');
  });

  it('[T-CONNECTORS] are those that JSON.parse finds', () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue({ maxDepth: 4 })), fc.string(), fc.nat(4), (list, name, indent) => {
        const text = JSON.stringify({ before: [1, { x: '}' }], [`k${name}`]: { in: list } }, null, indent);
        const found = jsonElements(jsonTextAt(text, [`k${name}`, 'in']) ?? '');
        expect(found?.map((one) => JSON.parse(onOneLine(one)) as unknown)).toEqual(
          JSON.parse(JSON.stringify(list)),
        );
      }),
    );
  });
});
