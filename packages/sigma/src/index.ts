export type { CompiledRule, MappedField, SigmaReach } from './compile/compile-rule.ts';
export type { CompiledCorrelation } from './correlation/compile-correlation.ts';
export {
  type ReadDocument,
  readOneSigma,
  readSigma,
  readSigmaBytes,
  readSourced,
  type SourcedDocument,
} from './documents/read-sigma.ts';
export { chooseConditions, type FulfilledCount, othersLeft } from './draft/choose-conditions.ts';
export { type DraftCandidate, draftCandidates } from './draft/draft-candidates.ts';
export {
  canAsk,
  type DraftCondition,
  type DraftEvent,
  type DraftKind,
  draftConditionKql,
  draftKind,
  draftKindKql,
  draftKql,
  draftValueOf,
  fulfils,
} from './draft/draft-condition.ts';
export { draftRuleText, draftSamplesText, type NamedCondition } from './draft/draft-rule.ts';
export { logSourcesOf, saysType, sigmaFieldOf } from './draft/draft-source.ts';
export {
  type AttackNames,
  CONDITION_WORDS,
  completeSigma,
  SIGMA_MODIFIERS,
  type SigmaCompletion,
  type SigmaCompletions,
} from './editor/complete-sigma.ts';
export { hoverSigma, type SigmaHover } from './editor/hover-sigma.ts';
export { judgeSigma, kqlOf, type RuleVerdict } from './judge-rule.ts';
export type { LintContext } from './lint/lint-context.ts';
export { LINTS, type LintFinding, type LintKey } from './lint/lint-sentences.ts';
export { lintDocument, lintSigma } from './lint/lint-sigma.ts';
export { type FieldSource, fieldSourceText, parseFieldSource } from './mapping/field-source.ts';
export { type RuleNeeds, type UnmetNeeds, unmetNeeds } from './rule-needs.ts';
export type * from './sigma-document.ts';
export { type SigmaLibrary, sigmaLibrary } from './sigma-library.ts';
export { MISSING_FIELD, MISSING_SOURCE, type Refusal, VERDICTS, type Verdict } from './verdict.ts';
