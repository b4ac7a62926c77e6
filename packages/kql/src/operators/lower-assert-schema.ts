import { say } from '@tyrian/diagnostics';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, nameOf, type Syntax, spanOf, textOf } from '../syntax.ts';

/** `assert-schema (a:long, b:string)`: the rows as they are, refused when their columns are not these. */
export function lowerAssertSchema(
  node: Syntax<'AssertSchemaOperator'>,
  input: Table,
  _names: Names,
  lowering: Lowering,
): Table {
  const declared = children(child(node, 'Schema'), 'Columns').map(
    (column) => `${nameOf(child(column, 'Name'))}:${textOf(child(column, 'Type')).trim()}`,
  );
  const actual = input.columns.map((column) => `${column.name}:${column.type}`);
  if (declared.join() !== actual.join())
    lowering.refuse(
      messages.badArgument(
        spanOf(node),
        'assert-schema',
        say('actualColumns', { columns: actual.join(', ') }),
      ),
    );
  return input;
}
