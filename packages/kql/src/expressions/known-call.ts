import type { KqlType } from '@tyrian/catalog';
import { type Constant, constant, type Scalar } from '@tyrian/plan';
import { ShapeRefusal } from '../globe/measures.ts';
import type { Lowering } from '../lowering.ts';
import { messages } from '../messages.ts';
import { argumentsOf, type Syntax, spanOf } from '../syntax.ts';
import { convertTo } from './convert.ts';
import type { SpecialCall } from './special-call.ts';

type KnownValue = string | number | boolean;
export type Known = readonly KnownValue[];

export interface KnownFunction {
  readonly name: string;
  /** The types of the arguments, of which the last may be left out down to `least`. */
  readonly parameters: readonly KqlType[];
  readonly least?: number;
  readonly result: KqlType;
  /** Null gives null. */
  readonly compute: (values: Known) => KnownValue | null;
}

/** A function that the compiler computes itself: its arguments must be known before the query runs. */
export const known =
  (fn: KnownFunction): SpecialCall =>
  (node, context, lowering) => {
    const args = argumentsOf(node).map((arg) => lowering.expression(arg, context));
    return computed(fn, args, node, lowering);
  };

/** The value of a known function for arguments that are lowered. */
export function computed(
  fn: KnownFunction,
  args: readonly Scalar[],
  node: Syntax,
  lowering: Lowering,
): Scalar {
  const { name, parameters, result, least = parameters.length } = fn;
  if (args.length < least || args.length > parameters.length) {
    lowering.refuse(messages.argumentCount(spanOf(node), name));
    return constant(result, null);
  }
  const converted = args.map((arg, index): Scalar => convertTo(arg, parameters[index] ?? 'string'));
  const unknown = converted.findIndex((arg) => arg.kind !== 'constant');
  if (unknown >= 0) {
    lowering.refuse(messages.mustBeConstant(spanOf(node), name, unknown + 1));
    return constant(result, null);
  }
  const values = converted.map((arg) => plainValueOf(arg as Constant));
  const value = values.includes(null) ? null : outcome(fn, values as Known, node, lowering);
  return constant(result, value === null && result === 'string' ? '' : finite(value));
}

const plainValueOf = ({ type, value }: Constant): KnownValue | null =>
  value === null ? null : type === 'long' || type === 'real' ? Number(value) : value;

function outcome(fn: KnownFunction, values: Known, node: Syntax, lowering: Lowering): KnownValue | null {
  try {
    return fn.compute(values);
  } catch (error) {
    if (!(error instanceof ShapeRefusal)) throw error;
    lowering.refuse(messages.badArgument(spanOf(node), fn.name, error.why));
    return null;
  }
}

const finite = (value: KnownValue | null): KnownValue | null =>
  typeof value === 'number' && !Number.isFinite(value) ? String(value) : value;
