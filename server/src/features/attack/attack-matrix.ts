import {
  ATTACK_STATES,
  type AttackCell,
  type AttackFilter,
  type AttackFilterKey,
  type AttackMatrix,
  type AttackState,
  betterState,
  isWatched,
} from '@tyrian/contract';
import { type AttackKnowledge, byName, parentOf } from './attack-content.ts';
import type { ScopeRule } from './scope-rules.ts';

// The matrix out of the rules of a scope. Pure.

type Wanted = ReadonlyMap<AttackFilterKey, readonly string[]>;

/** The values of each filter, in lower case; a technique or rule has to fit one of each. */
function wantedBy(filters: readonly AttackFilter[]): Wanted {
  const wanted = new Map<AttackFilterKey, readonly string[]>();
  for (const { filter_key, filter_value } of filters) {
    const values = [filter_value].flat().map((value) => value.trim().toLowerCase());
    wanted.set(filter_key, [...(wanted.get(filter_key) ?? []), ...values.filter((value) => value !== '')]);
  }
  return wanted;
}

function fits(wanted: Wanted, key: AttackFilterKey, values: readonly string[]): boolean {
  const asked = wanted.get(key) ?? [];
  return asked.length === 0 || values.some((value) => asked.includes(value.toLowerCase()));
}

/** The rules that filters on rules let through. */
export function filteredRules(
  rules: readonly ScopeRule[],
  filters: readonly AttackFilter[],
): readonly ScopeRule[] {
  const wanted = wantedBy(filters);
  return rules.filter(
    (rule) =>
      fits(wanted, 'stage', [rule.stage]) &&
      fits(wanted, 'kind', [rule.kind]) &&
      fits(wanted, 'stream', rule.streams),
  );
}

/** Rules by technique and by sub-technique; those of a sub-technique stand under its technique, too. */
export function rulesByTechnique(rules: readonly ScopeRule[]): ReadonlyMap<string, readonly ScopeRule[]> {
  const found = new Map<string, Set<ScopeRule>>();
  for (const rule of rules)
    for (const id of rule.techniques.flatMap((technique) => [technique, parentOf(technique)]))
      found.set(id, (found.get(id) ?? new Set()).add(rule));
  return new Map([...found].map(([id, some]) => [id, [...some]]));
}

export function cellOf(
  technique: { readonly id: string; readonly name: string },
  rules: readonly ScopeRule[],
  signals: number,
): AttackCell {
  const of = (...states: AttackState[]) => rules.filter(({ state }) => states.includes(state)).length;
  return {
    id: technique.id,
    name: technique.name,
    state: rules.reduce<AttackState>((best, { state }) => betterState(best, state), 'none'),
    active: of('on', 'proven'),
    blind: of('blind'),
    total: rules.length,
    signal_count: signals,
  };
}

export interface MatrixInput {
  readonly knowledge: AttackKnowledge;
  readonly rules: readonly ScopeRule[];
  /** Signals by technique and sub-technique. */
  readonly signals: ReadonlyMap<string, number>;
  readonly filters: readonly AttackFilter[];
}

export function buildMatrix({ knowledge, rules: all, signals, filters }: MatrixInput): AttackMatrix {
  const rules = filteredRules(all, filters);
  const byTechnique = rulesByTechnique(rules);
  const wanted = wantedBy(filters);
  const cell = (technique: { readonly id: string; readonly name: string }) =>
    cellOf(technique, byTechnique.get(technique.id) ?? [], signals.get(technique.id) ?? 0);
  const hasText = ({ id, name }: { readonly id: string; readonly name: string }) =>
    (wanted.get('text') ?? []).every(
      (text) =>
        `${id} ${name}`.toLowerCase().includes(text) ||
        (byTechnique.get(id) ?? []).some((rule) => rule.name.toLowerCase().includes(text)),
    );
  const techniques = knowledge.techniques
    .filter(({ id }) => parentOf(id) === id)
    .flatMap((technique) => {
      const own = cell(technique);
      const subs = (knowledge.subsOf.get(technique.id) ?? [])
        .filter(({ platforms }) => fits(wanted, 'platform', platforms))
        .map(cell)
        .filter(({ state }) => fits(wanted, 'state', [state]));
      const isFound = hasText(technique);
      const sub = isFound ? subs : subs.filter(hasText);
      const isIn =
        fits(wanted, 'platform', technique.platforms) &&
        (fits(wanted, 'state', [own.state]) || sub.length > 0) &&
        (isFound || sub.length > 0);
      return isIn ? [{ ...own, platforms: technique.platforms, sub, tactics: technique.tactics }] : [];
    });
  const tactics = knowledge.tactics.filter(({ name }) => fits(wanted, 'tactic', [name]));
  const names = new Set(tactics.map(({ name }) => name));
  const shown = techniques.filter((technique) => technique.tactics.some((name) => names.has(name)));
  return {
    version: knowledge.version,
    tactics: tactics.map(({ id, name }) => ({
      id,
      name,
      techniques: shown
        .filter((technique) => technique.tactics.includes(name))
        .map(({ tactics: _, ...technique }) => technique)
        .sort(byName),
    })),
    ...figuresOf(shown),
    rules: rules.length,
    unknown: unknownIn(rules, knowledge),
  };
}

function figuresOf(cells: readonly AttackCell[]): Pick<AttackMatrix, 'coverage' | 'states' | 'signals'> {
  const of = (state: AttackState) => cells.filter((cell) => cell.state === state).length;
  const active = cells.filter(({ state }) => isWatched(state)).length;
  const total = cells.length;
  const percent = total === 0 ? 0 : Math.round((1000 * active) / total) / 10;
  return {
    coverage: { covered: total - of('none'), active, total, percent },
    states: Object.fromEntries(ATTACK_STATES.map((state) => [state, of(state)])) as AttackMatrix['states'],
    signals: cells.reduce((sum, cell) => sum + cell.signal_count, 0),
  };
}

const unknownIn = (rules: readonly ScopeRule[], knowledge: AttackKnowledge): string[] =>
  [...new Set(rules.flatMap(({ techniques }) => techniques))]
    .filter((id) => !knowledge.techniqueOf.has(id))
    .sort();
