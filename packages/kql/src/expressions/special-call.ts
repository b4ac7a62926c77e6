import type { Scalar } from '@tyrian/plan';
import type { ExpressionContext, Lowering } from '../lowering.ts';
import type { Syntax } from '../syntax.ts';

/** Lowers the call of one function that the compiler settles itself. */
export type SpecialCall = (
  node: Syntax<'FunctionCallExpression'>,
  context: ExpressionContext,
  lowering: Lowering,
) => Scalar;
