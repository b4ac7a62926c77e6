import { WELL_KNOWN_TABLES, WIDENED_STREAMS } from '@tyrian/catalog';
import { describe, expect, it } from 'vitest';
import { compileKql } from '../compile-kql.ts';
import { eventSchema } from '../event-schema.ts';

const schema = eventSchema([]);
const compile = (text: string) => compileKql(text, { schema, now: new Date(0), unknownColumns: 'error' });

describe('well-known tables', () => {
  it.each(WELL_KNOWN_TABLES)('$name gives its documented columns, in order and type', ({ name, columns }) => {
    const result = compile(name);
    expect(result.diagnostics).toEqual([]);
    if (result.ok)
      expect(result.columns).toEqual(columns.map(({ name: own, type }) => ({ name: own, type })));
  });

  it.each(WIDENED_STREAMS)(
    'the stream $name has the columns of the table of its name',
    ({ name, columns }) => {
      const result = compile(`${name} | project ${columns.map((column) => column.name).join(', ')}`);
      expect(result.diagnostics).toEqual([]);
    },
  );
});
