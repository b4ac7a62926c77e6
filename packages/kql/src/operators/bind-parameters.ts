import { say } from '@tyrian/diagnostics';
import { constant } from '@tyrian/plan';
import { typedAs } from '../expressions/typed-as.ts';
import type { Binding, Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, nameOf, optionalChild, type Syntax, spanOf } from '../syntax.ts';

/** `declare query_parameters(a:long = 5)`: the defaults stand for the parameters, as no caller gives other values. */
export function bindQueryParameters(
  statement: Syntax<'QueryParametersStatement'>,
  lowering: Lowering,
): [string, Binding][] {
  return children(statement, 'Parameters').map((parameter): [string, Binding] => {
    const declared = child(parameter, 'NameAndType');
    const name = nameOf(child(declared, 'Name'));
    const fallback = optionalChild(parameter, 'DefaultValue');
    const value = fallback ? child(fallback, 'Value') : null;
    if (!value)
      lowering.refuse(messages.badArgument(spanOf(parameter), 'query_parameters', say('noValue', { name })));
    const given = value
      ? lowering.expression(value, { names: new Map(), columns: [] })
      : constant('string', '');
    return [name, { kind: 'scalar', value: typedAs(given, declared) }];
  });
}
