import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { boundColumns, child, children, isKind, nameOf, type Syntax } from '../syntax.ts';

// Choosing, dropping, renaming and reordering change the names that the user sees, not the plan. The binder has worked
// out wildcards and order; what is left is to find each of its columns among ours.

/** The columns that the binder lists, found by name. */
function asBound(node: Syntax, columns: readonly NamedColumn[]): NamedColumn[] {
  return boundColumns(node).flatMap((bound) => {
    const column = columns.find((one) => one.name === bound.name);
    return column ? [column] : [];
  });
}

/** `project-away`. */
export function lowerProjectAway(node: Syntax, input: Table): Table {
  return { ...input, columns: asBound(node, input.columns) };
}

/** `project-keep`. */
export function lowerProjectKeep(node: Syntax, input: Table): Table {
  return { ...input, columns: asBound(node, input.columns) };
}

/** `project-reorder`. */
export function lowerProjectReorder(node: Syntax, input: Table): Table {
  return { ...input, columns: asBound(node, input.columns) };
}

/** `project-rename new = old`. */
export function lowerProjectRename(
  node: Syntax<'ProjectRenameOperator'>,
  input: Table,
  _names: Names,
  _lowering: Lowering,
): Table {
  const renamed = new Map<string, string>();
  for (const expression of children(node, 'Expressions')) {
    if (isKind(expression, 'SimpleNamedExpression'))
      renamed.set(nameOf(child(expression, 'Expression')), nameOf(child(expression, 'Name')));
  }
  const columns = input.columns.map((column) => ({
    ...column,
    name: renamed.get(column.name) ?? column.name,
  }));
  return { ...input, columns };
}
