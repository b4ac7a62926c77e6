import type {
  AttackCell,
  AttackMatrix,
  AttackRule,
  attackActors,
  attackGaps,
  attackMatrix,
  attackTactics,
  landingCoverage,
  OutputOf,
  subtechniqueData,
  subtechniqueNames,
  techniqueData,
  techniqueSignals,
} from '@tyrian/contract';
import type { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { TechniqueSignals } from '../signals/technique-signals.ts';
import { ATTACK_NOTICE, type AttackKnowledge, byName, parentOf } from './attack-content.ts';
import { buildMatrix, cellOf, rulesByTechnique } from './attack-matrix.ts';
import { findGaps } from './find-gaps.ts';
import { type RuleSources, type ScopeRule, type ScopeRules, scopeRules } from './scope-rules.ts';

// What can be asked of ATT&CK in a scope.

export interface AttackDeps {
  readonly clock: Clock;
  readonly knowledge: () => AttackKnowledge;
  readonly sources: RuleSources;
  readonly signals: TechniqueSignals;
  /** Fields that no event of the tenant has, by rule of a pack. */
  readonly lackedFields: (
    clusterId: string,
    ruleIds: readonly string[],
  ) => Promise<ReadonlyMap<string, readonly string[]>>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface AttackService {
  tactics(): OutputOf<typeof attackTactics>;
  actors(): OutputOf<typeof attackActors>;
  subtechniqueNames(technique?: string): OutputOf<typeof subtechniqueNames>;
  matrix(
    scope: ScopeRef,
    input: Pick<Parsed<typeof attackMatrix>, 'days' | 'addfilters'>,
  ): Promise<AttackMatrix>;
  /** Throws `not-found` for a technique that ATT&CK does not know. */
  technique(scope: ScopeRef, id: string): Promise<OutputOf<typeof techniqueData>>;
  techniqueSignals(scope: ScopeRef, id: string, days: number): Promise<OutputOf<typeof techniqueSignals>>;
  subtechniques(scope: ScopeRef, input: Parsed<typeof subtechniqueData>): Promise<AttackCell[]>;
  coverage(scope: ScopeRef): Promise<OutputOf<typeof landingCoverage>>;
  gaps(scope: ScopeRef, input: Parsed<typeof attackGaps>): Promise<OutputOf<typeof attackGaps>>;
}

const DAY_MS = 86_400_000;
const RULES_SHOWN = 500;
const LINES_SHOWN = 20;
/** Slices of a timeline. */
const SLICES = 60;

export function createAttackService(deps: AttackDeps): AttackService {
  return bindDeps(deps, {
    tactics,
    actors,
    subtechniqueNames: namesOfSubs,
    matrix,
    technique,
    techniqueSignals: timeline,
    subtechniques,
    coverage,
    gaps,
  });
}

function tactics({ knowledge }: AttackDeps): OutputOf<typeof attackTactics> {
  const { version, tactics: all, techniques, platforms } = knowledge();
  const top = techniques.filter(({ id }) => parentOf(id) === id);
  return {
    version,
    notice: ATTACK_NOTICE,
    tactics: all.map(({ id, name }) => ({
      id,
      name,
      techniques: top.filter((technique) => technique.tactics.includes(name)).length,
    })),
    platforms: [...platforms],
  };
}

const actors = ({ knowledge }: AttackDeps): OutputOf<typeof attackActors> =>
  [...knowledge().actors.values()]
    .map(({ id, name, kind, aliases, techniques }) => ({
      ...{ id, name, kind },
      aliases: [...aliases],
      techniques: techniques.length,
    }))
    .sort(byName);

function namesOfSubs({ knowledge }: AttackDeps, technique?: string): OutputOf<typeof subtechniqueNames> {
  const { subsOf, techniqueOf } = knowledge();
  if (technique !== undefined && !techniqueOf.has(technique)) throw notFound();
  const parents = technique === undefined ? [...subsOf.keys()] : [parentOf(technique)];
  return parents.flatMap((parent) =>
    (subsOf.get(parent) ?? []).map(({ id, name }) => ({ id, name, parent })),
  );
}

async function matrix(
  deps: AttackDeps,
  scope: ScopeRef,
  { days, addfilters }: Pick<Parsed<typeof attackMatrix>, 'days' | 'addfilters'>,
): Promise<AttackMatrix> {
  const [{ rules }, signals] = await Promise.all([
    scopeRules(deps.sources, scope),
    deps.signals.counts(scope, deps.clock.now() - days * DAY_MS),
  ]);
  return buildMatrix({ knowledge: deps.knowledge(), rules, signals, filters: addfilters });
}

async function subtechniques(deps: AttackDeps, scope: ScopeRef, input: Parsed<typeof subtechniqueData>) {
  const parent = parentOf(input.technique_id);
  if (!deps.knowledge().techniqueOf.has(input.technique_id)) throw notFound();
  const found = await matrix(deps, scope, input);
  return found.tactics.flatMap(({ techniques }) => techniques).find(({ id }) => id === parent)?.sub ?? [];
}

async function technique(deps: AttackDeps, scope: ScopeRef, id: string) {
  const knowledge = deps.knowledge();
  const known = knowledge.techniqueOf.get(id);
  if (!known) throw notFound();
  const found = await scopeRules(deps.sources, scope);
  const rules = rulesByTechnique(found.rules).get(id) ?? [];
  const { signal_count: _, ...cell } = cellOf(known, rules, 0);
  const shown = [...rules].sort(bestFirst).slice(0, RULES_SHOWN);
  const parent = knowledge.techniqueOf.get(parentOf(id));
  return {
    ...cell,
    tactics: known.tactics,
    platforms: known.platforms,
    parent: parent && parent.id !== id ? { id: parent.id, name: parent.name } : null,
    rules: await seenRules(deps, scope.clusterId, found, shown),
    streams: streamsOf(found, shown),
    actors: [...knowledge.actors.values()]
      .filter(({ techniques }) => techniques.some((one) => one === id || parentOf(one) === id))
      .map(({ id: actorId, name, kind }) => ({ id: actorId, name, kind }))
      .sort(byName),
  };
}

const ORDER = ['proven', 'on', 'blind', 'off', 'none'];
const bestFirst = (a: ScopeRule, b: ScopeRule): number =>
  ORDER.indexOf(a.state) - ORDER.indexOf(b.state) || byName(a, b);

async function seenRules(
  { lackedFields }: AttackDeps,
  clusterId: string,
  { inflow }: ScopeRules,
  rules: readonly ScopeRule[],
): Promise<AttackRule[]> {
  const fields = await lackedFields(clusterId, fieldLackers(rules));
  return rules.map((rule) => ({
    rule_id: rule.ruleId,
    ...{ name: rule.name, kind: rule.kind, pack: rule.pack, enabled: rule.enabled },
    ...{ state: rule.state, stage: rule.stage, proof: rule.proof },
    techniques: [...rule.techniques],
    streams: [...rule.streams],
    lacks: {
      streams: [...rule.missingStreams],
      fields: [...(fields.get(rule.ruleId) ?? [])],
      sources: [
        ...new Set(rule.missingStreams.flatMap((stream) => inflow.of.get(stream)?.silentSources ?? [])),
      ],
    },
  }));
}

const fieldLackers = (rules: readonly ScopeRule[]): string[] =>
  rules.filter(({ lacksField }) => lacksField).map(({ ruleId }) => ruleId);

function streamsOf({ inflow }: ScopeRules, rules: readonly ScopeRule[]) {
  const names = [...new Set(rules.flatMap(({ streams }) => streams))].sort();
  return names.map((stream) => {
    const flow = inflow.of.get(stream);
    return {
      stream,
      last_event: flow?.lastEvent ?? null,
      is_silent: inflow.missing([stream]).length > 0,
      silent_sources: [...(flow?.silentSources ?? [])],
    };
  });
}

async function timeline(deps: AttackDeps, scope: ScopeRef, id: string, days: number) {
  if (!deps.knowledge().techniqueOf.has(id)) throw notFound();
  const intervalMs = Math.max(3_600_000, Math.ceil((days * DAY_MS) / SLICES / 3_600_000) * 3_600_000);
  const end = Math.ceil(deps.clock.now() / intervalMs) * intervalMs;
  const start = end - Math.ceil((days * DAY_MS) / intervalMs) * intervalMs;
  const points = await deps.signals.timeline(scope, id, { start, end, intervalMs });
  const lines = new Map<string, { name: string; total: number; points: { time: number; count: number }[] }>();
  for (const { workbook_id, name, time, count } of points) {
    const line = lines.get(workbook_id) ?? { name, total: 0, points: [] };
    line.total += count;
    line.points.push({ time, count });
    lines.set(workbook_id, line);
  }
  const workbooks = [...lines].map(([workbook_id, line]) => ({ workbook_id, ...line }));
  return {
    ...{ start, end, interval_ms: intervalMs },
    total: workbooks.reduce((sum, line) => sum + line.total, 0),
    workbooks: workbooks.sort((a, b) => b.total - a.total).slice(0, LINES_SHOWN),
  };
}

async function coverage(deps: AttackDeps, scope: ScopeRef): Promise<OutputOf<typeof landingCoverage>> {
  const { rules } = await scopeRules(deps.sources, scope);
  const found = buildMatrix({ knowledge: deps.knowledge(), rules, signals: new Map(), filters: [] });
  return {
    techniques_total: found.coverage.total,
    techniques_covered: found.coverage.covered,
    techniques_active: found.coverage.active,
    techniques_blind: found.states.blind,
    by_tactic: found.tactics.map(({ name, techniques }) => ({
      tactic: name,
      covered: techniques.filter(({ state }) => state !== 'none').length,
      active: techniques.filter(({ state }) => state === 'on' || state === 'proven').length,
      total: techniques.length,
    })),
  };
}

async function gaps(deps: AttackDeps, scope: ScopeRef, { addfilters }: Parsed<typeof attackGaps>) {
  const { rules } = await scopeRules(deps.sources, scope);
  const lackers = fieldLackers(rules.filter(({ missingStreams }) => missingStreams.length === 0));
  const fieldsOf = await deps.lackedFields(scope.clusterId, lackers);
  return findGaps({ knowledge: deps.knowledge(), rules, filters: addfilters, fieldsOf });
}
