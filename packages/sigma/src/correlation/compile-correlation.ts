import type { Plan } from '@tyrian/plan';
import type { CompiledRule } from '../compile/compile-rule.ts';
import type { RuleVerdict } from '../judge-rule.ts';
import type { SigmaCorrelation, SigmaRule } from '../sigma-document.ts';
import { faults, refuse } from '../sigma-faults.ts';
import type { SigmaLibrary } from '../sigma-library.ts';

export interface CompiledCorrelation {
  readonly plan: Plan;
}

type Refused = Exclude<RuleVerdict, { verdict: 'runs' }>;

export function compileCorrelation(
  correlation: SigmaCorrelation,
  library: SigmaLibrary,
  compile: (rule: SigmaRule) => CompiledRule | Refused,
): CompiledCorrelation | Refused {
  void library;
  void compile;
  return refuse(faults.correlation(correlation.typeSpan, 'not yet'));
}
