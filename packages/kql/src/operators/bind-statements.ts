import type { Binding, Lowering, Names } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isTabular, kindOf, nameOf, type Syntax, spanOf } from '../syntax.ts';

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
  return { kind: 'scalar', value: lowering.expression(expression, { names, columns: [] }) };
}
