import { type Diagnostic, type Sentence, say } from '@tyrian/diagnostics';
import type { Binding, Lowering, Names } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, isTabular, kindOf, nameOf, type Syntax, spanOf } from '../syntax.ts';
import { bindQueryParameters } from './bind-parameters.ts';

/** Adds the names of let statements; each sees those before it. */
export function bindStatements(statements: readonly Syntax[], outer: Names, lowering: Lowering): Names {
  const names = new Map(outer);
  for (const statement of statements) {
    if (isKind(statement, 'LetStatement')) {
      const name = nameOf(child(statement, 'Name'));
      names.set(name, bindLet(name, child(statement, 'Expression'), new Map(names), lowering));
    } else if (isKind(statement, 'SetOptionStatement')) lowering.refuse(optionMessage(statement));
    else if (isKind(statement, 'QueryParametersStatement'))
      for (const [name, binding] of bindQueryParameters(statement, lowering)) names.set(name, binding);
    else if (!isKind(statement, 'ExpressionStatement')) {
      const name = statementName(statement);
      lowering.refuse(messages.statement(spanOf(statement), name, WAYS_OUT[name]));
    }
  }
  return names;
}

const WAYS_OUT: Readonly<Record<string, Sentence>> = {
  'declare pattern': say('useLetFunction'),
  pattern: say('useLetFunction'),
  restrict: say('rightsDecide'),
  alias: say('ownTenantTables'),
};

/** Options that change which rows a query gives; all others only steer how it is run. */
const CHANGES_ROWS = /^(query_now|query_datetimescope_|query_take_max|query_bin_auto|query_language)/;

function optionMessage(statement: Syntax<'SetOptionStatement'>): Diagnostic {
  const name = nameOf(child(statement, 'Name'));
  return CHANGES_ROWS.test(name.toLowerCase())
    ? messages.statement(spanOf(statement), `set ${name}`, say('sayInQuery'))
    : messages.ignored(spanOf(statement), say('aSetStatement'));
}

const statementName = (statement: Syntax): string =>
  kindOf(statement)
    .replace(/Statement$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

function bindLet(name: string, expression: Syntax, names: Names, lowering: Lowering): Binding {
  if (isKind(expression, 'FunctionDeclaration'))
    return { kind: 'function', declaration: expression, names, name };
  // A graph is no table to the binder, and is read like one.
  if (isTabular(expression) || kindOf(expression) === 'PipeExpression')
    return { kind: 'table', expression, names };
  return { kind: 'scalar', value: lowering.expression(expression, { names, columns: [] }) };
}
