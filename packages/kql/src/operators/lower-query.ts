import { say } from '@tyrian/diagnostics';
import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, isKind, isTabular, type Syntax, spanOf } from '../syntax.ts';
import { bindStatements } from './bind-statements.ts';

/** The statements of a query in order; the last tabular one is the result. Null when there is none. */
export function lowerQuery(block: Syntax<'QueryBlock'>, lowering: Lowering): Table | null {
  const statements = children(block, 'Statements');
  const names = bindStatements(statements, new Map(), lowering);
  const results = statements.filter((statement) => isKind(statement, 'ExpressionStatement'));
  const last = results.at(-1);
  for (const earlier of results.slice(0, -1))
    lowering.refuse(messages.ignored(spanOf(earlier), say('earlierQuery')));
  if (!last) return null;
  const expression = child(last, 'Expression');
  const isPipe = isKind(expression, 'PipeExpression');
  if (!isPipe && !isTabular(expression)) return lowerScalarResult(expression, names, lowering);
  const table = lowering.table(expression, { names, columns: [] });
  if (table.graph) lowering.refuse(messages.bareGraph(spanOf(expression)));
  return table;
}

/** A query that is one scalar, such as `toscalar(...)`, is a table of one row. */
function lowerScalarResult(expression: Syntax, names: Names, lowering: Lowering): Table | null {
  const value = lowering.expression(expression, { names, columns: [] });
  const id = lowering.newId();
  const input = { kind: 'values', columns: [], rows: [[]], ordinal: lowering.newId() } as const;
  return {
    node: { kind: 'compute', input, items: [{ id, expression: value }] },
    columns: [{ name: 'print_0', id, type: value.type }],
  };
}
