import type { KqlType } from '@tyrian/catalog';
import { call, columnReference, constant, type Scalar } from '@tyrian/plan';
import type { Lowering, NamedColumn, Table } from '../lowering.ts';
import type { SourceField } from '../table-source.ts';

/** A stream with the columns that its tenant added, each computed from the field of its name below Ext. */
export function withAddedColumns(
  table: Table,
  fields: readonly SourceField[] | undefined,
  lowering: Lowering,
): Table {
  const ext = table.columns.find(({ name, type }) => name === 'Ext' && type === 'dynamic');
  if (!fields || !ext) return table;
  const items = fields.map((field) => ({ id: lowering.newId(), expression: fieldValue(field, ext) }));
  const columns = fields.map(
    ({ name, type }, index): NamedColumn => ({ name, type, id: items[index]?.id ?? 0 }),
  );
  return {
    ...table,
    node: { kind: 'compute', input: table.node, items },
    columns: [...table.columns, ...columns],
  };
}

function fieldValue({ type, paths }: SourceField, ext: NamedColumn): Scalar {
  const [first, ...more] = paths.map((path) => textAt(path, ext));
  if (!first) throw new Error('A field has no path');
  const text = more.length === 0 ? first : call('string', 'coalesce', first, ...more);
  return textAs(text, type);
}

/** A text read as a type; JSON as what it holds. */
export function textAs(text: Scalar, type: KqlType): Scalar {
  if (type === 'string') return text;
  return call(type, type === 'dynamic' ? 'parse_json' : `to${type}`, text);
}

const textAt = (path: string, ext: NamedColumn): Scalar =>
  call(
    'string',
    'tostring',
    path
      .split('.')
      .reduce<Scalar>(
        (value, name) => call('dynamic', 'member', value, constant('string', name)),
        columnReference(ext.id, 'dynamic'),
      ),
  );
