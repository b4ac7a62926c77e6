import type { Names } from '../lowering.ts';
import { child, kindOf, nameOf, type Syntax } from '../syntax.ts';

// What `union withsource` and `search` call a table: a stored one, and a view, by its name, and a pipe by the name that
// `as` gives it at its end. Any other table has none, even where a let statement names it, and is numbered by its place.

/** The name of a table; '' when it has none. */
export function sourceName(node: Syntax, names: Names): string {
  const kind = kindOf(node);
  const inside = child(node, 'Expression');
  if (kind === 'ParenthesizedExpression') return inside ? sourceName(inside, names) : '';
  if (kind === 'NameReference') {
    const bound = names.get(nameOf(node));
    if (bound === undefined) return nameOf(node);
    if (bound.kind === 'function') return nameOf(node);
    if (bound.kind !== 'table') return '';
    return bound.byAs ? nameOf(node) : sourceName(bound.expression, bound.names);
  }
  const last = kind === 'PipeExpression' ? child(node, 'Operator') : null;
  return last && kindOf(last) === 'AsOperator' ? nameOf(child(last, 'Name')) : '';
}

/** The name of the table that an operator is given by the pipe; '' when it has none. */
export function nameBefore(operator: Syntax, names: Names): string {
  const pipe = child(operator, 'Parent');
  const before = pipe && kindOf(pipe) === 'PipeExpression' ? child(pipe, 'Expression') : null;
  return before ? sourceName(before, names) : '';
}
