import type { Names } from '../lowering.ts';
import { child, isKind, nameOf, type Syntax } from '../syntax.ts';

// What `union withsource` and `search` call a table: a stored one, and a view, by its name, and a pipe by the name that
// `as` gives it at its end. Any other table has none, even where a let statement names it, and is numbered by its position.

/** The name of a table; '' when it has none. */
export function sourceName(node: Syntax, names: Names): string {
  if (isKind(node, 'ParenthesizedExpression')) return sourceName(child(node, 'Expression'), names);
  if (isKind(node, 'NameReference')) {
    const bound = names.get(nameOf(node));
    if (bound === undefined) return nameOf(node);
    if (bound.kind === 'function') return nameOf(node);
    if (bound.kind !== 'table') return '';
    return bound.byAs ? nameOf(node) : sourceName(bound.expression, bound.names);
  }
  const last = isKind(node, 'PipeExpression') ? child(node, 'Operator') : null;
  return isKind(last, 'AsOperator') ? nameOf(child(last, 'Name')) : '';
}

/** The name of the table that an operator is given by the pipe; '' when it has none. */
export function nameBefore(operator: Syntax, names: Names): string {
  const pipe = operator.Parent;
  return isKind(pipe, 'PipeExpression') ? sourceName(child(pipe, 'Expression'), names) : '';
}
