import type { KqlType } from '@tyrian/catalog';
import type { Lowering, Names, Table } from '../lowering.ts';
import type { Syntax } from '../syntax.ts';

const DOTNET: Readonly<Record<KqlType, string>> = {
  bool: 'System.SByte',
  int: 'System.Int32',
  long: 'System.Int64',
  real: 'System.Double',
  decimal: 'System.Data.SqlTypes.SqlDecimal',
  string: 'System.String',
  datetime: 'System.DateTime',
  timespan: 'System.TimeSpan',
  guid: 'System.Guid',
  dynamic: 'System.Object',
};

/** `getschema`: the columns as rows. */
export function lowerGetschema(_node: Syntax, input: Table, _names: Names, lowering: Lowering): Table {
  const shape = [
    ['ColumnName', 'string'],
    ['ColumnOrdinal', 'long'],
    ['DataType', 'string'],
    ['ColumnType', 'string'],
  ] as const;
  const columns = shape.map(([name, type]) => ({ name, type, id: lowering.newId() }));
  const rows = input.columns.map((column, index) => [
    column.name,
    String(index),
    DOTNET[column.type],
    column.type,
  ]);
  const planned = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'values', columns: planned, rows, ordinal: lowering.newId() }, columns };
}
