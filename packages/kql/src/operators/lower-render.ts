import type { Lowering, Names, Table } from '../lowering.ts';
import { child, children, nameOf, type Syntax, textOf, wordOf } from '../syntax.ts';

/** `render`: handed to the console; the rows stay as they are. */
export function lowerRender(node: Syntax, input: Table, _names: Names, lowering: Lowering): Table {
  const properties: Record<string, string> = {};
  const clause = child(node, 'WithClause');
  for (const property of clause ? children(clause, 'Properties') : []) {
    const value = child(property, 'Expression');
    if (value) properties[nameOf(child(property, 'Name'))] = textOf(value).replace(/^["']|["']$/g, '');
  }
  lowering.render = { chart: wordOf(node, 'ChartType'), properties };
  return input;
}
