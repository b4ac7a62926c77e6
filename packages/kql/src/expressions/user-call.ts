import { constant, type Scalar } from '@tyrian/plan';
import type { Binding, ExpressionContext, Lowering, Names } from '../lowering.ts';
import { messages } from '../messages.ts';
import { bindStatements } from '../operators/bind-statements.ts';
import {
  argumentsOf,
  boundType,
  child,
  children,
  isKind,
  isTabular,
  nameOf,
  optionalChild,
  type Syntax,
  spanOf,
} from '../syntax.ts';
import { typedAs } from './typed-as.ts';

/** Calls within calls. */
const MAX_UNFOLDED = 64;

type FunctionBinding = Extract<Binding, { kind: 'function' }>;

/** A call of a scalar function of a let statement: its body in place of the call. */
export function lowerUserCall(
  node: Syntax,
  binding: FunctionBinding,
  context: ExpressionContext,
  lowering: Lowering,
): Scalar {
  return (
    unfold(node, binding, context, lowering, (body, names) =>
      lowering.expression(body, { names, columns: [] }),
    ) ?? constant(boundType(node) ?? 'dynamic', null)
  );
}

/** Binds the parameters of a function and gives its body to `use`; null when it is refused. */
export function unfold<T>(
  node: Syntax,
  binding: FunctionBinding,
  context: ExpressionContext,
  lowering: Lowering,
  use: (body: Syntax, names: Names) => T,
  first: Binding | null = null,
): T | null {
  // A let sees only those before it, so nothing calls itself; an argument may well call the same function.
  if (lowering.unfolding.length >= MAX_UNFOLDED) {
    lowering.refuse(messages.tooBig(spanOf(node)));
    return null;
  }
  if (!lowering.step()) {
    lowering.refuse(messages.tooBig(spanOf(node)));
    return null;
  }
  const body = calledBody(node, binding);
  const expression = optionalChild(body, 'Expression');
  if (!expression) return null;
  const names = bindParameters(node, binding, context, lowering, first);
  lowering.unfolding.push(binding.name);
  const result = use(expression, bindStatements(children(body, 'Statements'), names, lowering));
  lowering.unfolding.pop();
  return result;
}

/** The body as the binder sees it with these arguments; the declared one when it has none of its own. */
function calledBody(node: Syntax, binding: FunctionBinding): Syntax<'FunctionBody'> {
  const own = child(binding.declaration, 'Body');
  const called = node.GetCalledFunctionBody?.();
  return isKind(called, 'FunctionBody') ? called : own;
}

function bindParameters(
  node: Syntax,
  binding: FunctionBinding,
  context: ExpressionContext,
  lowering: Lowering,
  first: Binding | null,
): Names {
  const names = new Map(binding.names);
  const parameters = children(child(binding.declaration, 'Parameters'), 'Parameters');
  const args = isKind(node, 'FunctionCallExpression') ? argumentsOf(node) : [];
  const byName = new Map<string, Syntax>();
  const byPlace: Syntax[] = [];
  for (const arg of args) {
    if (isKind(arg, 'SimpleNamedExpression'))
      byName.set(nameOf(child(arg, 'Name')), child(arg, 'Expression'));
    else byPlace.push(arg);
  }
  let pending = first;
  for (const parameter of parameters) {
    const declared = child(parameter, 'NameAndType');
    const name = nameOf(child(declared, 'Name'));
    if (pending) {
      names.set(name, pending);
      pending = null;
      continue;
    }
    const given = byName.get(name) ?? byPlace.shift();
    const fallback = optionalChild(parameter, 'DefaultValue');
    const value = given ?? (fallback ? child(fallback, 'Value') : null);
    if (!value) continue;
    if (isTabular(value)) names.set(name, { kind: 'table', expression: value, names: context.names });
    else names.set(name, { kind: 'scalar', value: typedAs(lowering.expression(value, context), declared) });
  }
  return names;
}
