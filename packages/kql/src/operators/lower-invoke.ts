import { copyPlan } from '@tyrian/plan';
import { unfold } from '../expressions/user-call.ts';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, nameOf, type Syntax, spanOf } from '../syntax.ts';

/** `invoke f()`: a function of a let statement whose first parameter is the table so far. */
export function lowerInvoke(
  node: Syntax<'InvokeOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const called = child(node, 'Function');
  const name = nameOf(isKind(called, 'FunctionCallExpression') ? child(called, 'Name') : called);
  const binding = names.get(name);
  if (binding?.kind !== 'function') {
    lowering.refuse(messages.scalarFunction(spanOf(node), name));
    return input;
  }
  let used = false;
  const rows = (): Table => {
    if (!used) {
      used = true;
      return input;
    }
    const copy = copyPlan(input.node, () => lowering.newId());
    const columns = input.columns.map((column) => ({ ...column, id: copy.idOf(column.id) }));
    return { node: copy.node, columns };
  };
  const context = { names, columns: input.columns };
  const table = unfold(
    called,
    binding,
    context,
    lowering,
    (body, inner) => lowering.table(body, { names: inner, columns: [] }),
    { kind: 'rows', make: rows },
  );
  return table ?? input;
}
