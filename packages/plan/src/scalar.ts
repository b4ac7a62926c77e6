import type { KqlType } from '@tyrian/catalog';
import type { Call, ColumnId, ColumnReference, Constant, ConstantValue, Scalar } from './plan-node.ts';

// The makers of scalar expressions.

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
