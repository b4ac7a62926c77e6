import type { KqlType } from '@tyrian/catalog';
import { say } from '@tyrian/diagnostics';
import {
  type ComputeItem,
  call,
  columnReference,
  columnsReadBy,
  constant,
  type PlanNode,
  type Scalar,
  type WindowItem,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { tupleCall } from '../expressions/tuple-call.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  child,
  children,
  forgetColumns,
  isKind,
  type KindWith,
  kindOf,
  nameOf,
  type Syntax,
  spanOf,
} from '../syntax.ts';

// What project, extend, print and the keys of summarize have in common: expressions with names become columns. A bare
// column keeps its id; anything else is computed.

/** Collects computed columns above one input. */
export class ColumnMaker {
  readonly #input: Table;
  readonly #names: Names;
  readonly #lowering: Lowering;
  readonly #items: ComputeItem[] = [];
  readonly #tuples: ComputeItem[] = [];
  readonly #windows: WindowItem[] = [];

  constructor(input: Table, names: Names, lowering: Lowering) {
    this.#input = input;
    this.#names = names;
    this.#lowering = lowering;
  }

  /** A column of an expression under a name, in the type that the binder gave it. */
  make(node: Syntax, name: string, bound: KqlType | null): NamedColumn {
    const context = { names: this.#names, columns: this.#input.columns, windows: this.#windows };
    const lowered = this.#lowering.expression(node, context);
    return this.column(bound ? convertTo(lowered, bound) : lowered, name);
  }

  /** The columns of a call that gives several, under the names that the query gives them; null for anything else. */
  makeSeveral(node: Syntax): NamedColumn[] | null {
    const tuple = tupleCall(node);
    if (!tuple) return null;
    const context: ExpressionContext = { names: this.#names, columns: this.#input.columns, tuple: true };
    const id = this.#lowering.newId();
    this.#tuples.push({ id, expression: this.#lowering.expression(tuple.call, context) });
    const values = columnReference(id, 'dynamic');
    return tuple.columns.map(({ name, type }, index) =>
      this.column(convertTo(call('dynamic', 'element', values, constant('long', String(index))), type), name),
    );
  }

  column(expression: Scalar, name: string): NamedColumn {
    if (expression.kind === 'column') return { name, id: expression.id, type: expression.type };
    const id = this.#lowering.newId();
    this.#items.push({ id, expression });
    return { name, id, type: expression.type };
  }

  /** The input with the computed columns, window functions first. */
  node(): PlanNode {
    const ranked = layered(this.#input.node, this.#windows);
    const input: PlanNode =
      this.#tuples.length > 0 ? { kind: 'compute', input: ranked, items: this.#tuples } : ranked;
    return this.#items.length > 0 ? { kind: 'compute', input, items: this.#items } : input;
  }
}

/** A window function that reads another stands above it: `row_number(1, prev(a) != a)`. */
function layered(input: PlanNode, windows: readonly WindowItem[]): PlanNode {
  if (windows.length === 0) return input;
  const made = new Set(windows.map((item) => item.id));
  const readsAnother = (item: WindowItem): boolean =>
    item.args.some((arg) => [...columnsReadBy(arg)].some((id) => made.has(id)));
  const below = windows.filter((item) => !readsAnother(item));
  return layered({ kind: 'window', input, items: below }, windows.filter(readsAnother));
}

/** The expressions of an operator; forgets the columns that the binder alone makes of them. */
export function expressionsOf(node: Syntax<KindWith<'Expressions', 'Expression*'>>): Syntax[] {
  const expressions = children(node, 'Expressions');
  for (const one of expressions) {
    const tuple = tupleCall(one);
    if (tuple && tuple.unmade.size > 0) forgetColumns(node, tuple.unmade);
  }
  return expressions;
}

/** The name that the text itself gives an expression: `x = ...`, or a bare column; null when Kusto makes one up. */
export function writtenName(node: Syntax): string | null {
  if (isKind(node, 'SimpleNamedExpression')) return nameOf(child(node, 'Name'));
  return kindOf(node) === 'NameReference' ? nameOf(node) : null;
}

/** True, and refused, for `(a, b) = f()`. */
export function isCompound(node: Syntax, lowering: Lowering): boolean {
  if (kindOf(node) !== 'CompoundNamedExpression') return false;
  lowering.refuse(messages.expression(spanOf(node), say('severalAtOnce')));
  return true;
}
