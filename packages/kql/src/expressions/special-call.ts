import type { Scalar } from '@tyrian/plan';
import type { Lowering, Place } from '../lowering.ts';
import type { Syntax } from '../syntax.ts';

/** Lowers the call of one function that the compiler settles itself. */
export type SpecialCall = (
  node: Syntax<'FunctionCallExpression'>,
  place: Place,
  lowering: Lowering,
) => Scalar;
