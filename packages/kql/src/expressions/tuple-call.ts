import type { KqlType } from '@tyrian/catalog';
import { kustoItems } from '../kusto.ts';
import { type BoundColumn, child, children, isKind, kqlTypeOf, nameOf, type Syntax } from '../syntax.ts';

// Functions that give several columns at once, such as `series_stats`: the plan computes one array of their values and
// takes it apart. Their columns are named by the binder, or by the query: `x = f()` is the first alone, `(x, y) = f()` are the
// first ones, though the binder goes on to name the rest.

/** A call that gives several columns: the call itself, and the columns under the names that the query gives them. */
export interface TupleCall {
  readonly call: Syntax<'FunctionCallExpression'>;
  readonly columns: readonly { readonly name: string; readonly type: KqlType }[];
  /** The names of columns that the binder makes and the language does not. */
  readonly unmade: ReadonlySet<string>;
}

/** The columns of a call that gives several; null for any other expression. */
export function tupleColumnsOf(node: Syntax): BoundColumn[] | null {
  const type = node.ResultType;
  if (type?.Name !== 'tuple') return null;
  return kustoItems(type.Columns).map((column) => ({ name: column.Name, type: kqlTypeOf(column.Type) }));
}

/** Reads `f()`, `x = f()` and `(x, y) = f()` where `f` gives several columns; null for any other expression. */
export function tupleCall(node: Syntax): TupleCall | null {
  const call = isKind(node, 'SimpleNamedExpression', 'CompoundNamedExpression')
    ? child(node, 'Expression')
    : node;
  if (!isKind(call, 'FunctionCallExpression')) return null;
  const made = tupleColumnsOf(call);
  if (!made) return null;
  const written = writtenNames(node);
  const known = written.length > 0 ? made.slice(0, written.length) : made;
  return {
    call,
    columns: known.map((column, index) => ({
      name: written[index] ?? column.name,
      type: column.type ?? 'dynamic',
    })),
    unmade: new Set(made.slice(known.length).map(({ name }) => name)),
  };
}

function writtenNames(node: Syntax): string[] {
  if (isKind(node, 'SimpleNamedExpression')) return [nameOf(child(node, 'Name'))];
  if (!isKind(node, 'CompoundNamedExpression')) return [];
  return children(child(node, 'Names'), 'Names').map((one) => nameOf(one));
}
