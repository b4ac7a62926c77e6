export { type CompileOptions, type CompileResult, compileKql, LONGEST_QUERY } from './compile-kql.ts';
export { type CoverageLine, kqlCoverage, SAMPLE_REACH } from './documented/kql-coverage.ts';
export { type BoundStage, boundStagesKql } from './editor/bound-stages.ts';
export { classifyKql, type KqlColour } from './editor/classify-kql.ts';
export {
  completeKql,
  type FieldFact,
  type FieldFacts,
  type KqlCompletion,
  type KqlSuggestion,
} from './editor/complete-kql.ts';
export { diagnoseKql } from './editor/diagnose-kql.ts';
export { EDITOR_TEXTS, type EditorTexts, type EditorWords, ENGLISH_WORDS } from './editor/editor-words.ts';
export { formatKql } from './editor/format-kql.ts';
export { hoverKql } from './editor/hover-kql.ts';
export { type KqlNamePositions, namePositions } from './editor/name-positions.ts';
export { type KqlSignatureHelp, signatureKql } from './editor/signature-kql.ts';
export { type KqlValuePosition, valuePlaceKql } from './editor/value-position.ts';
export { type ExtField, eventSchema, type KqlSchema } from './event-schema.ts';
export { filtersTime } from './filters-time.ts';
export {
  type PluginQuestion,
  type PluginSchema,
  type SchemaFound,
  schemaFound,
} from './plugins/plugin-schema.ts';
export { isSupportedFunction, SUPPORTED_OPERATORS } from './supported-names.ts';
export { checkFunction, type FunctionCheck } from './views/function-probe.ts';
export type { QueryReach } from './views/named-scopes.ts';
export type { SavedFunction } from './views/saved-function.ts';
