import { columnReference, type KqlType, type PlanNode, type Scalar, type SortKey } from '@tyrian/plan';
import type { Lowering } from '../lowering.ts';

interface Aggregation {
  readonly fn: string;
  readonly type: KqlType;
  readonly args: readonly Scalar[];
}

/** Builds a plan step by step, for operators that are several steps of the plan. */
export class PlanSteps {
  readonly #lowering: Lowering;
  #node: PlanNode;

  constructor(node: PlanNode, lowering: Lowering) {
    this.#node = node;
    this.#lowering = lowering;
  }

  get node(): PlanNode {
    return this.#node;
  }

  /** The expression as a column; a column stays what it is. */
  compute(expression: Scalar): Scalar {
    if (expression.kind === 'column') return expression;
    const id = this.#lowering.newId();
    this.#node = { kind: 'compute', input: this.#node, items: [{ id, expression }] };
    return columnReference(id, expression.type);
  }

  filter(predicate: Scalar): void {
    this.#node = { kind: 'filter', input: this.#node, predicate };
  }

  /** Groups; gives the keys and the aggregations as columns. */
  group(keys: readonly Scalar[], items: readonly Aggregation[]): { keys: Scalar[]; values: Scalar[] } {
    const grouped = keys.map((expression) => ({ id: this.#lowering.newId(), expression }));
    const made = items.map((item) => ({ ...item, id: this.#lowering.newId() }));
    this.#node = { kind: 'aggregate', input: this.#node, keys: grouped, items: made };
    return {
      keys: grouped.map(({ id, expression }) => columnReference(id, expression.type)),
      values: made.map(({ id, type }) => columnReference(id, type)),
    };
  }

  /** One row for each element of an array; gives the element and its index from 0. */
  expand(source: Scalar): { element: Scalar; index: Scalar } {
    const [id, index] = [this.#lowering.newId(), this.#lowering.newId()];
    this.#node = {
      kind: 'expand',
      input: this.#node,
      items: [{ source, id, type: 'dynamic' }],
      bagAsArray: false,
      index: { id: index, type: 'long' },
      rowLimit: null,
    };
    return { element: columnReference(id, 'dynamic'), index: columnReference(index, 'long') };
  }

  /** Functions over the rows in their present order. */
  window(...items: readonly Aggregation[]): Scalar[] {
    const made = items.map((item) => ({ ...item, id: this.#lowering.newId() }));
    this.#node = { kind: 'window', input: this.#node, items: made };
    return made.map(({ id, type }) => columnReference(id, type));
  }

  /** Sorts ascending by each expression, or as a key says. */
  sort(...keys: readonly (Scalar | SortKey)[]): void {
    const sorted = keys.map(
      (key): SortKey =>
        'expression' in key ? key : { expression: key, descending: false, nullsFirst: true },
    );
    this.#node = { kind: 'sort', input: this.#node, keys: sorted };
  }

  limit(count: number): void {
    this.#node = { kind: 'limit', input: this.#node, count };
  }
}
