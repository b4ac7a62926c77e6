export type { CompiledRule, MappedField, SigmaReach } from './compile/compile-rule.ts';
export type { CompiledCorrelation } from './correlation/compile-correlation.ts';
export { type ReadDocument, readSigma, readSigmaBytes } from './documents/read-sigma.ts';
export { judgeSigma, kqlOf, type RuleVerdict } from './judge-rule.ts';
export type { FieldSource } from './mapping/field-source.ts';
export type * from './sigma-document.ts';
export { type SigmaLibrary, sigmaLibrary } from './sigma-library.ts';
export { type Refusal, VERDICTS, type Verdict } from './verdict.ts';
