import { constant } from '@tyrian/plan';
import type { Binding, NamedColumn, Names, Table } from '../lowering.ts';

/** The columns that other tables have and this one has not, as nulls. */
export function absentColumns(table: Table, everywhere: readonly NamedColumn[], names: Names): Names {
  const own = new Set(table.columns.map((column) => column.name));
  const nulls = everywhere
    .filter((column) => !own.has(column.name))
    .map(({ name, type }): [string, Binding] => [
      name,
      { kind: 'scalar', value: constant(type, type === 'string' ? '' : null) },
    ]);
  return new Map([...names, ...nulls]);
}
