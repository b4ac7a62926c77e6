import type { KqlType } from '@tyrian/catalog';
import type { PlanNode } from './plan-node.ts';

// The scalar half of the plan. Columns are named by id, never by text, so no pass can confuse two columns that
// share a name. Every expression knows its KQL type; values are JSON so that a plan can be printed and compared.

export type { KqlType };

/** Identity of a column inside one plan. */
export type ColumnId = number;

/**
 * Value of a constant. `null` is the null of its type. `long`, `decimal` and `guid` travel as text,
 * `datetime` as text of 100 ns ticks since 1970, `timespan` as text of ticks, `dynamic` as JSON text,
 * `real` as a number or one of the texts `NaN`, `Infinity`, `-Infinity`.
 */
export type ConstantValue = null | boolean | number | string;

export interface Constant {
  readonly kind: 'constant';
  readonly type: KqlType;
  readonly value: ConstantValue;
}

export interface ColumnReference {
  readonly kind: 'column';
  readonly type: KqlType;
  readonly id: ColumnId;
}

/** A call of a function or operator of the registry, by its id. */
export interface Call {
  readonly kind: 'call';
  readonly type: KqlType;
  readonly fn: string;
  readonly args: readonly Scalar[];
}

/** The first value of `column` in the result of `plan`: `toscalar()`. */
export interface ScalarSubquery {
  readonly kind: 'subquery';
  readonly type: KqlType;
  readonly plan: PlanNode;
  readonly column: ColumnId;
}

/** Whether `needle` is among the values of `column` in the result of `plan`. */
export interface InSubquery {
  readonly kind: 'in-subquery';
  readonly type: 'bool';
  readonly needle: Scalar;
  readonly plan: PlanNode;
  readonly column: ColumnId;
}

export type Scalar = Constant | ColumnReference | Call | ScalarSubquery | InSubquery;

export const constant = (type: KqlType, value: ConstantValue): Constant => ({
  kind: 'constant',
  type,
  value,
});

export const columnReference = (id: ColumnId, type: KqlType): ColumnReference => ({
  kind: 'column',
  type,
  id,
});

export const call = (type: KqlType, fn: string, ...args: readonly Scalar[]): Call => ({
  kind: 'call',
  type,
  fn,
  args,
});
