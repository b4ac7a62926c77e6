import type { AttackProof, AttackRule, AttackState } from '@tyrian/contract';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { InflowOf } from './stream-silence.ts';

// The rules of a scope as ATT&CK sees them: those of workbooks and of packs alike, each in its state.

/** A rule that names techniques, as its owner tells of it. */
export interface TechniqueRule {
  readonly ruleId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly stage: AttackRule['stage'];
  readonly techniques: readonly string[];
  /** `Events`: all. */
  readonly streams: readonly string[];
}

/** What says that rules found what they are there for: when last, by rule. */
export type ProvenRules = (scope: ScopeRef) => Promise<ReadonlyMap<string, AttackProof>>;

export interface RuleSources {
  readonly workbooks: (scope: ScopeRef) => Promise<readonly (TechniqueRule & { readonly native: boolean })[]>;
  readonly packs: (
    scope: ScopeRef,
  ) => Promise<readonly (TechniqueRule & { readonly pack: string; readonly lacksField: boolean })[]>;
  readonly inflowOf: InflowOf;
  readonly proofs: readonly ProvenRules[];
}

export interface ScopeRule extends TechniqueRule {
  readonly kind: AttackRule['kind'];
  readonly pack: string | null;
  readonly state: AttackState;
  /** Streams of it that do not arrive, when none does. */
  readonly missingStreams: readonly string[];
  /** It names a field that no event has. */
  readonly lacksField: boolean;
  readonly proof: AttackProof | null;
}

export interface ScopeRules {
  readonly rules: readonly ScopeRule[];
  readonly inflow: Awaited<ReturnType<InflowOf>>;
}

function stateOf(rule: Pick<ScopeRule, 'enabled' | 'missingStreams' | 'lacksField' | 'proof'>): AttackState {
  if (!rule.enabled) return 'off';
  if (rule.missingStreams.length > 0 || rule.lacksField) return 'blind';
  return rule.proof ? 'proven' : 'on';
}

/** Every rule of a scope that names a technique, whatever its number in a few statements. */
export async function scopeRules(sources: RuleSources, scope: ScopeRef): Promise<ScopeRules> {
  const [workbooks, packs, inflow, ...proofs] = await Promise.all([
    sources.workbooks(scope),
    sources.packs(scope),
    sources.inflowOf(scope),
    ...sources.proofs.map((proven) => proven(scope)),
  ]);
  const proof = newestProofs(proofs);
  const all = [
    ...workbooks.map(({ native, ...rule }) => ({
      ...rule,
      kind: native ? ('shipped' as const) : ('own' as const),
      pack: null,
      lacksField: false,
    })),
    ...packs.map((rule) => ({ ...rule, kind: 'imported' as const })),
  ];
  const rules = all.map((rule) => {
    const known = {
      ...rule,
      missingStreams: inflow.missing(rule.streams),
      proof: proof.get(rule.ruleId) ?? null,
    };
    return { ...known, state: stateOf(known) };
  });
  return { rules, inflow };
}

function newestProofs(found: readonly ReadonlyMap<string, AttackProof>[]): ReadonlyMap<string, AttackProof> {
  const newest = new Map<string, AttackProof>();
  for (const [ruleId, proof] of found.flatMap((proofs) => [...proofs]))
    if ((newest.get(ruleId)?.at ?? -1) < proof.at) newest.set(ruleId, proof);
  return newest;
}

/** Rules are proven by signals that ended in a case of a true positive. */
export function provenByCases(deps: {
  readonly truePositives: (scope: ScopeRef) => Promise<ReadonlyMap<string, number>>;
  readonly rulesOf: (scope: ScopeRef, signalIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}): ProvenRules {
  return async (scope) => {
    const closed = await deps.truePositives(scope);
    if (closed.size === 0) return new Map();
    const rules = await deps.rulesOf(scope, [...closed.keys()]);
    const proofs = new Map<string, AttackProof>();
    for (const [signalId, ruleId] of rules) {
      const at = closed.get(signalId) ?? 0;
      if ((proofs.get(ruleId)?.at ?? -1) < at) proofs.set(ruleId, { kind: 'true_positive', at });
    }
    return proofs;
  };
}

/** Rules are proven by their samples; `passedAt` tells when these passed, by rule. */
export function provenBySamples(
  passedAt: (clusterId: string) => Promise<ReadonlyMap<string, number>>,
): ProvenRules {
  return async ({ clusterId }) => {
    const passed = await passedAt(clusterId);
    return new Map([...passed].map(([ruleId, at]) => [ruleId, { kind: 'sample' as const, at }]));
  };
}
