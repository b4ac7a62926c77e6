import { describe, expect, it } from 'vitest';
import { AGGREGATES, aggregateByName } from './aggregate-functions.ts';
import { parameterFor, signature } from './function-signature.ts';
import { OPERATORS } from './operators.ts';
import { SCALAR_FUNCTIONS, scalarFunctionByName } from './scalar-functions.ts';

describe('the registry of functions', () => {
  it('reads a signature', () => {
    expect(signature('cut|snip(string, long=, any?) -> string!')).toEqual({
      name: 'cut',
      aliases: ['snip'],
      parameters: [
        { type: 'string', optional: false, repeated: false, constant: false },
        { type: 'long', optional: false, repeated: false, constant: true },
        { type: 'any', optional: true, repeated: false, constant: false },
      ],
      result: 'string',
      canFail: true,
    });
    expect(() => signature('cut(string)')).toThrow('Not a signature');
  });

  it('repeats the last parameters in turns, and takes no more than there are', () => {
    const pairs = signature('pairs(bool, string*, long*) -> dynamic');
    expect([0, 1, 2, 3, 4].map((at) => parameterFor(pairs, at)?.type)).toEqual([
      'bool',
      'string',
      'long',
      'string',
      'long',
    ]);
    expect(parameterFor(signature('one(bool) -> bool'), 1)).toBeUndefined();
  });

  it.each([
    ['scalar functions and operators', [...SCALAR_FUNCTIONS, ...OPERATORS], scalarFunctionByName],
    ['aggregations', AGGREGATES, aggregateByName],
  ] as const)('names each of the %s once', (_, all, byName) => {
    const names = all.flatMap((one) => [one.name, ...('aliases' in one ? one.aliases : [])]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const one of all) expect(byName(one.name)).toBe(one);
    for (const name of ['constructor', 'toString', '__proto__', '']) expect(byName(name)).toBeUndefined();
  });

  it('lets only last parameters be left out or repeated', () => {
    for (const { name, parameters } of [...SCALAR_FUNCTIONS, ...OPERATORS]) {
      const marks = parameters.map(({ optional, repeated }) => (optional || repeated ? 1 : 0));
      expect([...marks].sort(), name).toEqual(marks);
    }
  });
});
