import type { Lowering, Names, Table } from '../lowering.ts';
import { child, children, nameOf, optionalChild, optionalWordOf, type Syntax, textOf } from '../syntax.ts';

/** `render`: handed to the console; the rows stay as they are. */
export function lowerRender(
  node: Syntax<'RenderOperator'>,
  input: Table,
  _names: Names,
  lowering: Lowering,
): Table {
  const properties: Record<string, string> = {};
  const clause = optionalChild(node, 'WithClause');
  const within = clause ? children(clause, 'Properties') : [];
  for (const property of [...children(node, 'Parameters'), ...within]) {
    const value = textOf(child(property, 'Expression')).replace(/^["']|["']$/g, '');
    properties[nameOf(child(property, 'Name'))] = value;
  }
  lowering.render = { chart: optionalWordOf(node, 'ChartType'), properties };
  return input;
}
