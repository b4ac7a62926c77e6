import { say } from '@tyrian/diagnostics';
import { columnReference } from '@tyrian/plan';
import type { Lowering, NamedTable, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { asKind, child, children, isKind, nameOf, optionalChild, type Syntax, spanOf } from '../syntax.ts';
import { operatorsOf } from './lower-subquery.ts';

// `fork` and `facet` end a query with several tables. The first is the table of the pipe, the others stand beside it;
// a caller that can hold one table only refuses them by name.

/** `fork (...) name=(...)`: a table for each branch over the same rows. */
export function lowerFork(
  node: Syntax<'ForkOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const branches = children(node, 'Expressions').map((branch, index): NamedTable => {
    const named = optionalChild(branch, 'NameEquals');
    const made = branchOf(child(branch, 'Expression'), input, names, lowering);
    const name = made.name || (named ? nameOf(child(named, 'Name')) : '');
    return { name: name || `Table_${index + 1}`, table: made.table };
  });
  return handOut(node, 'fork', branches, lowering);
}

/** `facet by a, b with (...)`: what the pipe gives, and a table of counts for each column. */
export function lowerFacet(
  node: Syntax<'FacetOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const pipe = pipeOfFacet(node);
  const tables: NamedTable[] = pipe
    ? [{ name: 'with', table: branchOf(pipe, input, names, lowering).table }]
    : [];
  for (const expression of children(node, 'Expressions')) {
    const column = input.columns.find(({ name }) => name === nameOf(expression));
    if (!column) {
      lowering.refuse(messages.badArgument(spanOf(expression), 'facet', say('takesInputColumns')));
      continue;
    }
    const [key, count] = [lowering.newId(), lowering.newId()];
    const expressionOfKey = columnReference(column.id, column.type);
    tables.push({
      name: column.name,
      table: {
        node: {
          kind: 'aggregate',
          input: input.node,
          keys: [{ id: key, expression: expressionOfKey }],
          items: [{ id: count, type: 'long', fn: 'count', args: [] }],
        },
        columns: [
          { ...column, id: key },
          { name: `count_${column.name}`, id: count, type: 'long' },
        ],
      },
    });
  }
  return tables.length > 0 ? handOut(node, 'facet', tables, lowering) : input;
}

function pipeOfFacet(node: Syntax<'FacetOperator'>): Syntax | null {
  const clause = optionalChild(node, 'WithClause');
  if (!clause) return null;
  if (isKind(clause, 'FacetWithOperatorClause')) return child(clause, 'Operator');
  return child(asKind(clause, 'FacetWithExpressionClause'), 'Expression');
}

/** A pipe without a source, over the rows of the operator; a name that it gives by `as`. */
function branchOf(
  pipe: Syntax,
  input: Table,
  names: Names,
  lowering: Lowering,
): { readonly name: string; readonly table: Table } {
  let name = '';
  let table = input;
  for (const operator of operatorsOf(pipe)) {
    if (isKind(operator, 'AsOperator')) name = nameOf(child(operator, 'Name'));
    else table = lowering.operator(operator, table, names);
  }
  return { name, table };
}

/** Hands several tables out at the end of a query; `word` is what gives them. */
export function handOut(
  node: Syntax,
  word: string,
  tables: readonly NamedTable[],
  lowering: Lowering,
): Table {
  if (!lowering.several) lowering.refuse(messages.severalTables(spanOf(node), word));
  else if (!endsTheQuery(node)) lowering.refuse(messages.notAtTheEnd(spanOf(node), word));
  else lowering.beside.push(...tables);
  const [first] = tables;
  if (!first) throw new Error(`${word} gives no table`);
  return first.table;
}

/** Whether nothing reads what the operator gives. */
function endsTheQuery(node: Syntax): boolean {
  return isKind(node.Parent?.Parent, 'ExpressionStatement');
}
