import { type CompiledRule, compileRule, type SigmaReach } from './compile/compile-rule.ts';
import { ruleKql } from './compile/kql-text.ts';
import { type CompiledCorrelation, compileCorrelation } from './correlation/compile-correlation.ts';
import type { ReadDocument } from './documents/read-sigma.ts';
import { resolveLogSource } from './mapping/resolve-log-source.ts';
import { unmetNeeds } from './rule-needs.ts';
import type { LogSource, SigmaDocument, SigmaFilter, SigmaRule } from './sigma-document.ts';
import { faults, SigmaFailure, type SigmaFault } from './sigma-faults.ts';
import type { SigmaLibrary } from './sigma-library.ts';
import { MISSING_FIELD, MISSING_SOURCE, type Refusal } from './verdict.ts';

// The verdict on a document, a pure function of the document, of those beside it, and of what a tenant has.

/** What a document compiles to, null for a filter; or why it does not run. */
export type RuleVerdict =
  | { readonly verdict: 'runs'; readonly compiled: CompiledRule | CompiledCorrelation | null }
  | Refusal;

/** The verdict on a document as it was read. Never throws for what a user wrote. */
export function judgeSigma(read: ReadDocument, library: SigmaLibrary, reach: SigmaReach): RuleVerdict {
  if (!read.ok) return failed(read.fault);
  try {
    return judgeDocument(read.document, library, reach);
  } catch (error) {
    if (error instanceof SigmaFailure) return failed(error.fault);
    if (error instanceof RangeError) return failed(faults.tooDeep(read.document.span, 32));
    throw error;
  }
}

const VERDICT_OF = {
  invalid: 'invalid',
  unsupported: 'unsupported',
  'missing-list': 'missing source',
} as const;

const failed = ({ kind, code, span, message }: SigmaFault): RuleVerdict => ({
  verdict: VERDICT_OF[kind],
  reason: message,
  code,
  span,
});

function judgeDocument(document: SigmaDocument, library: SigmaLibrary, reach: SigmaReach): RuleVerdict {
  switch (document.kind) {
    case 'rule':
      return judgeRule(document, library, reach);
    case 'correlation':
      return judgeCorrelation(document, library, reach);
    case 'filter':
      return judgeFilter(document, library, reach);
  }
}

/** The compiled rule, or why it does not run. Throws SigmaFailure. */
function judgeRule(rule: SigmaRule, library: SigmaLibrary, reach: SigmaReach): RuleVerdict {
  const mapping = resolveLogSource(rule.logSource);
  if (!mapping) return missingSource(rule, `No mapping knows the log source ${sourceText(rule.logSource)}`);
  const compiled = compileRule(rule, mapping, library.filtersOf(rule), reach);
  const unmet = unmetNeeds(compiled, reach);
  if (unmet.streams.length > 0)
    return missingSource(rule, `No events of ${sourceText(rule.logSource)}: ${unmet.streams.join(', ')}`);
  return unmet.fields.length === 0 ? { verdict: 'runs', compiled } : missingFields(rule, unmet.fields);
}

const missingSource = (rule: SigmaRule, reason: string): RuleVerdict => ({
  verdict: 'missing source',
  reason,
  code: MISSING_SOURCE,
  span: rule.logSourceSpan,
});

const missingFields = (rule: SigmaRule, fields: readonly string[]): RuleVerdict => ({
  verdict: 'missing field',
  reason: `No event has the field ${fields.join(', ')}`,
  code: MISSING_FIELD,
  span: rule.span,
  fields,
});

const sourceText = ({ product, category, service }: LogSource): string =>
  [product && `product ${product}`, category && `category ${category}`, service && `service ${service}`]
    .filter(Boolean)
    .join(', ');

function judgeCorrelation(
  correlation: Extract<SigmaDocument, { kind: 'correlation' }>,
  library: SigmaLibrary,
  reach: SigmaReach,
): RuleVerdict {
  const compiled = compileCorrelation(correlation, library, (rule) => {
    const verdict = judgeRule(rule, library, reach);
    if (verdict.verdict === 'runs') return verdict.compiled as CompiledRule;
    return verdict;
  });
  return 'verdict' in compiled ? compiled : { verdict: 'runs', compiled };
}

/** A filter that names rules which are there, and that compiles over its log source. */
function judgeFilter(filter: SigmaFilter, library: SigmaLibrary, reach: SigmaReach): RuleVerdict {
  const unknown = filter.rules?.find(({ name }) => !library.find(name));
  if (unknown) return failed(faults.ruleUnknown(unknown.span, unknown.name));
  const asRule: SigmaRule = { ...filter, kind: 'rule', logSourceSpan: filter.span };
  const verdict = judgeRule(asRule, { ...library, filtersOf: () => [] }, reach);
  return verdict.verdict === 'runs' ? { verdict: 'runs', compiled: null } : verdict;
}

/** A rule as KQL that compiles to its plan, a correlation as KQL of its own; null when that is longer than a query may be. */
export const kqlOf = (compiled: CompiledRule | CompiledCorrelation): string | null =>
  'mapping' in compiled ? ruleKql(compiled.plan) : compiled.kql;
