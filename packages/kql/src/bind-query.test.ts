import { describe, expect, it } from 'vitest';
import { bindQuery } from './bind-query.ts';
import { compileKql } from './compile-kql.ts';
import { eventSchema } from './event-schema.ts';

const schema = eventSchema([]);
const codes = (query: string): string[] =>
  compileKql(query, { schema, now: new Date(0), unknownColumns: 'warn' }).diagnostics.map(({ code }) => code);

describe('what the language service does not get over', () => {
  it.each([
    'Dns | graph-match (a)-->(b) project a',
    'search "x" | graph-match (a)-->(b) project a',
    'let T = Dns | graph-match (a)-->(b) project a; T | evaluate narrow()',
  ])('says that a graph is needed: %s', (query) => {
    expect(codes(query)).toEqual(['TYR198']);
  });

  it.each([
    'print d = 2 | evaluate ipv4_lookup(L, ip, network, k)',
    'search "x" | evaluate ipv4_lookup(L, ip, network, k)',
  ])('says which plug-in cannot be bound: %s', (query) => {
    expect(codes(query)).toEqual(['TYR113']);
  });

  it('blames no plug-in and no graph for a stack that is too small', () => {
    let isFirst = true;
    const deep = {
      ...schema,
      get globals() {
        if (!isFirst) return schema.globals;
        isFirst = false;
        throw new RangeError('Maximum call stack size exceeded');
      },
    };
    const query = 'print x = 1 | evaluate narrow() | where Value != "graph-match"';
    expect(() => bindQuery(query, deep, 'warn')).toThrow(RangeError);
  });
});
