import { type Sentence, say } from '@tyrian/diagnostics';
import { type AggregateItem, foldScalar, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  argumentsOf,
  type BoundColumn,
  boundColumns,
  child,
  isKind,
  nameOf,
  optionalChild,
  type Syntax,
  spanOf,
} from '../syntax.ts';

/** One call of a plug-in behind `evaluate`. */
export class PluginCall {
  readonly name: string;
  /** The operator, from the word evaluate to its output schema. */
  readonly node: Syntax<'EvaluateOperator'>;
  readonly call: Syntax<'FunctionCallExpression'>;
  readonly input: Table;
  readonly lowering: Lowering;
  readonly #names: Names;
  /** Arguments by their place. */
  readonly args: readonly Syntax[];
  /** Arguments by name, in lower case. */
  readonly named: ReadonlyMap<string, Syntax>;

  constructor(node: Syntax<'EvaluateOperator'>, input: Table, names: Names, lowering: Lowering) {
    const call = child(node, 'FunctionCall');
    this.node = node;
    this.call = call;
    this.input = input;
    this.lowering = lowering;
    this.#names = names;
    this.name = nameOf(child(call, 'Name'));
    const named = new Map<string, Syntax>();
    this.args = argumentsOf(call).filter((arg) => {
      if (!isKind(arg, 'SimpleNamedExpression')) return true;
      named.set(nameOf(child(arg, 'Name')).toLowerCase(), child(arg, 'Expression'));
      return false;
    });
    this.named = named;
  }

  /** The columns that the binder gives the operator. */
  get columns(): readonly BoundColumn[] {
    return boundColumns(this.node);
  }

  /** The output schema that stands behind the call; null without one. */
  get schema(): Syntax<'EvaluateSchemaClause'> | null {
    return optionalChild(this.node, 'Schema');
  }

  scalar(node: Syntax): Scalar {
    return this.lowering.expression(node, { names: this.#names, columns: this.input.columns });
  }

  table(node: Syntax): Table {
    return this.lowering.table(node, { names: this.#names, columns: [] });
  }

  /** The aggregation of an argument: its parts go to `aggregates`. */
  aggregation(node: Syntax, aggregates: AggregateItem[]): Scalar {
    return this.lowering.expression(node, { names: this.#names, columns: this.input.columns, aggregates });
  }

  /** The column of the input that an argument names; refused, and null, when it names none. */
  column(node: Syntax | undefined): NamedColumn | null {
    const found = node ? this.input.columns.find((column) => column.name === nameOf(node)) : undefined;
    if (!found) this.refuse(node ?? this.call, say('noInputColumn'));
    return found ?? null;
  }

  /** The value of an argument that must be known before the query runs; refused, and null, when it is not. */
  constant(node: Syntax, type: Scalar['type'], position: number): string | number | boolean | null {
    const value = foldScalar(convertTo(foldScalar(this.scalar(node)), type));
    if (value.kind === 'constant') return value.value;
    this.lowering.refuse(messages.mustBeConstant(spanOf(node), this.name, position));
    return null;
  }

  refuse(node: Syntax, why: Sentence): void {
    this.lowering.refuse(messages.badArgument(spanOf(node), this.name, why));
  }
}
