import {
  type AttackFilter,
  type AttackState,
  type attackGaps,
  isWatched,
  type OutputOf,
} from '@tyrian/contract';
import type { AttackKnowledge } from './attack-content.ts';
import { buildMatrix, filteredRules } from './attack-matrix.ts';
import type { ScopeRule } from './scope-rules.ts';

// What would cover techniques that nothing watches. Each rule lacks one thing first: the stream that it reads, else a
// field, else only that somebody switches it on. Pure.

type Gap = OutputOf<typeof attackGaps>[number];

const RULES_SHOWN = 10;

interface Need extends Pick<Gap, 'cause' | 'name' | 'kind'> {
  readonly rule: ScopeRule;
}

export interface GapInput {
  readonly knowledge: AttackKnowledge;
  readonly rules: readonly ScopeRule[];
  readonly filters: readonly AttackFilter[];
  /** Fields that no event has, by rule. */
  readonly fieldsOf: ReadonlyMap<string, readonly string[]>;
}

/** The gaps that would cover most first. */
export function findGaps({ knowledge, rules, filters, fieldsOf }: GapInput): Gap[] {
  const matrix = buildMatrix({ knowledge, rules, filters, signals: new Map() });
  const states = new Map<string, AttackState>();
  for (const { sub, ...cell } of matrix.tactics.flatMap(({ techniques }) => techniques))
    for (const { id, state } of [cell, ...sub]) states.set(id, state);
  const isOpen = (id: string) => {
    const state = states.get(id);
    return state !== undefined && !isWatched(state);
  };
  const groups = new Map<
    string,
    { readonly need: Need; readonly rules: ScopeRule[]; readonly ids: Set<string> }
  >();
  for (const rule of filteredRules(rules, filters)) {
    const ids = rule.techniques.filter(isOpen);
    if (ids.length === 0) continue;
    for (const need of needsOf(rule, fieldsOf)) {
      const key = [need.cause, need.kind ?? '', need.name].join('\0');
      const group = groups.get(key) ?? { need, rules: [], ids: new Set() };
      group.rules.push(rule);
      for (const id of ids) group.ids.add(id);
      groups.set(key, group);
    }
  }
  return [...groups.values()]
    .map(({ need: { cause, name, kind }, rules: some, ids }) => ({
      ...{ cause, name, kind },
      techniques: [...ids].sort().map((id) => ({ id, name: knowledge.techniqueOf.get(id)?.name ?? '' })),
      rule_count: some.length,
      rules: some.slice(0, RULES_SHOWN).map((rule) => ({ rule_id: rule.ruleId, name: rule.name })),
    }))
    .sort((a, b) => b.techniques.length - a.techniques.length || (a.name < b.name ? -1 : 1));
}

function needsOf(rule: ScopeRule, fieldsOf: GapInput['fieldsOf']): Need[] {
  if (rule.missingStreams.length > 0)
    return rule.missingStreams.map((name) => ({ cause: 'stream', name, kind: null, rule }));
  if (rule.lacksField)
    return (fieldsOf.get(rule.ruleId) ?? []).map((name) => ({ cause: 'field', name, kind: null, rule }));
  if (rule.enabled) return [];
  return [{ cause: 'off', name: rule.pack ?? '', kind: rule.kind, rule }];
}
