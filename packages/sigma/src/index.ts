export type { CompiledRule, MappedField, SigmaReach } from './compile/compile-rule.ts';
export type { CompiledCorrelation } from './correlation/compile-correlation.ts';
export { judgeSigma, kqlOf, type RuleVerdict, VERDICTS, type Verdict } from './judge-rule.ts';
export type { FieldSource } from './mapping/field-source.ts';
export { type ReadDocument, readSigma, readSigmaBytes } from './read/read-sigma.ts';
export type * from './sigma-document.ts';
export { type SigmaLibrary, sigmaLibrary } from './sigma-library.ts';
