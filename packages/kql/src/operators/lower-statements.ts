import { lowerExpression } from '../expressions/lower-expression.ts';
import type { Binding, Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, isTabular, kindOf, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { lowerTable } from './lower-table.ts';

/** The statements of a query in order; the last tabular one is the result. Null when there is none. */
export function lowerQuery(block: Syntax, lowering: Lowering): Table | null {
  const statements = children(block, 'Statements');
  const names = bindStatements(statements, new Map(), lowering);
  const results = statements.filter((statement) => kindOf(statement) === 'ExpressionStatement');
  const last = results.at(-1);
  const expression = last ? child(last, 'Expression') : null;
  if (!last || !expression) return null;
  if (!isTabular(expression)) return lowerScalarResult(expression, names, lowering);
  return lowerTable(expression, { names, columns: [] }, lowering);
}

/** A query that is one scalar, such as `toscalar(...)`, is a table of one row. */
function lowerScalarResult(expression: Syntax, names: Names, lowering: Lowering): Table | null {
  const value = lowerExpression(expression, { names, columns: [] }, lowering);
  const id = lowering.newId();
  const input = { kind: 'values', columns: [], rows: [[]], ordinal: lowering.newId() } as const;
  return {
    node: { kind: 'compute', input, items: [{ id, expression: value }] },
    columns: [{ name: 'print_0', id, type: value.type }],
  };
}

/** Adds the names of let statements; each sees those before it. */
export function bindStatements(statements: readonly Syntax[], outer: Names, lowering: Lowering): Names {
  const names = new Map(outer);
  for (const statement of statements) {
    switch (kindOf(statement)) {
      case 'LetStatement': {
        const name = nameOf(child(statement, 'Name'));
        const expression = child(statement, 'Expression');
        if (expression) names.set(name, bindLet(name, expression, new Map(names), lowering));
        break;
      }
      case 'ExpressionStatement':
        break;
      case 'SetOptionStatement':
        lowering.refuse(messages.ignored(spanOf(statement), 'A set statement'));
        break;
      default:
        lowering.refuse(messages.statement(spanOf(statement), statementName(statement)));
    }
  }
  return names;
}

const statementName = (statement: Syntax): string =>
  kindOf(statement)
    .replace(/Statement$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

function bindLet(name: string, expression: Syntax, names: Names, lowering: Lowering): Binding {
  if (kindOf(expression) === 'FunctionDeclaration')
    return { kind: 'function', declaration: expression, names, name };
  if (isTabular(expression)) return { kind: 'table', expression, names };
  return { kind: 'scalar', value: lowerExpression(expression, { names, columns: [] }, lowering) };
}
