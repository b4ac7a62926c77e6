export { copyPlan } from './copy-plan.ts';
export { AGGREGATES, type AggregateFunction, aggregateByName } from './functions/aggregate-functions.ts';
export {
  type FunctionSignature,
  type Parameter,
  type ParameterType,
  parameterFor,
} from './functions/function-signature.ts';
export { OPERATORS } from './functions/operators.ts';
export { SCALAR_FUNCTIONS, scalarFunctionByName } from './functions/scalar-functions.ts';
export { outputsOf } from './outputs-of.ts';
export type { ValuePath } from './passes/extract-paths.ts';
export { foldScalar } from './passes/fold-constants.ts';
export { isReduced, placeSingles } from './passes/share-tables.ts';
export type * from './plan-node.ts';
export { regexFault } from './regex-fault.ts';
export { call, columnReference, constant } from './scalar.ts';
export {
  type Pass,
  passesFor,
  type ScopedPlan,
  scopesRead,
  scopeToTenant,
  type TenantBoundary,
} from './scope-to-tenant.ts';
export { slideWindows, WINDOW_COLUMN, type WindowGrid } from './slide-windows.ts';
export { validatePlan } from './validate-plan.ts';
export {
  columnsReadBy,
  inputsOf,
  rewritePlan,
  rewriteScalar,
  scalarsOf,
  visitPlan,
  visitScalar,
} from './walk-plan.ts';
