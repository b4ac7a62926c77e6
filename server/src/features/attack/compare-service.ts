import {
  ATTACK_STATES,
  type AttackMatrix,
  type AttackState,
  type attackComparison,
  type attackHistory,
  type exportLayer,
  isWatched,
  LAYERS_OF_SCOPE,
  type LayerItem,
  layerOfMatrix,
  marksOf,
  type OutputOf,
  type saveLayer,
  say,
} from '@tyrian/contract';
import type { z } from 'zod';
import { AppError, notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { newId } from '../../platform/new-id.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { AttackKnowledge } from './attack-content.ts';
import { findDay, selectDays, statesOf } from './attack-days.ts';
import type { AttackService } from './attack-service.ts';
import { deleteLayer, findLayer, insertLayer, selectLayers } from './layer-store.ts';

// Layers that a scope keeps and gives away, and what it is compared with.

export interface ScopeCaller extends ScopeRef {
  readonly caller: Caller;
}

interface CompareDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly knowledge: () => AttackKnowledge;
  readonly attack: Pick<AttackService, 'matrix'>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;
type Comparison = OutputOf<typeof attackComparison>;

export interface CompareService {
  layers(scope: ScopeRef): Promise<LayerItem[]>;
  /** Throws `conflict` when the scope keeps as many as it may, `bad-input` for a layer that marks nothing. */
  saveLayer(scope: ScopeCaller, input: Parsed<typeof saveLayer>): Promise<OutputOf<typeof saveLayer>>;
  /** Throws `not-found`. */
  removeLayer(scope: ScopeCaller, layerId: string): Promise<{ layer_id: string }>;
  exportLayer(scope: ScopeCaller, input: Parsed<typeof exportLayer>): Promise<OutputOf<typeof exportLayer>>;
  days(scope: ScopeRef): Promise<OutputOf<typeof attackHistory>>;
  /** Throws `not-found` for a layer, actor or day that is not there. */
  compare(scope: ScopeRef, against: Parsed<typeof attackComparison>['against']): Promise<Comparison>;
}

export function createCompareService(deps: CompareDeps): CompareService {
  return bindDeps(deps, { layers, saveLayer: save, removeLayer: remove, exportLayer: leave, days, compare });
}

const layers = ({ postgres }: CompareDeps, scope: ScopeRef): Promise<LayerItem[]> =>
  postgres.inTenant(scope.clusterId, (trx) => selectLayers(trx, scope));

const days = ({ postgres }: CompareDeps, scope: ScopeRef): Promise<OutputOf<typeof attackHistory>> =>
  postgres.inTenant(scope.clusterId, (trx) => selectDays(trx, scope));

async function save(
  { postgres, clock, audit, knowledge }: CompareDeps,
  { clusterId, scopeId, caller }: ScopeCaller,
  { layer }: Parsed<typeof saveLayer>,
): Promise<OutputOf<typeof saveLayer>> {
  const marks = marksOf(layer);
  if (marks.length === 0) throw new AppError('bad-input', say('attack.emptyLayer'));
  const { domain = 'enterprise-attack' } = layer;
  if (!/enterprise/.test(domain)) throw new AppError('bad-input', say('attack.otherDomain', { domain }));
  const item: LayerItem = {
    layer_id: newId(),
    name: layer.name,
    techniques: marks.length,
    attack_version: layer.versions?.attack ?? '',
    created: clock.now(),
    author: caller.name,
  };
  await postgres.inTenant(clusterId, async (trx) => {
    if ((await selectLayers(trx, { clusterId, scopeId })).length >= LAYERS_OF_SCOPE)
      throw new AppError('conflict', say('attack.tooManyLayers', { most: LAYERS_OF_SCOPE }));
    await insertLayer(trx, { clusterId, scopeId }, { ...item, marks });
    const details = { name: item.name, techniques: item.techniques };
    const entity = item.layer_id;
    await audit.record(
      { action: 'attack.layer.save', who: caller, clusterId, scopeId, entity, details },
      trx,
    );
  });
  return { ...item, unknown: unknownOf(knowledge(), marks) };
}

const unknownOf = (knowledge: AttackKnowledge, marks: readonly { readonly technique: string }[]): string[] =>
  marks.map(({ technique }) => technique).filter((id) => !knowledge.techniqueOf.has(id));

function remove({ postgres, audit }: CompareDeps, scope: ScopeCaller, layerId: string) {
  const { clusterId, scopeId, caller } = scope;
  return postgres.inTenant(clusterId, async (trx) => {
    const name = await deleteLayer(trx, scope, layerId);
    if (name === undefined) throw notFound();
    const entry = { action: 'attack.layer.delete', who: caller, clusterId, scopeId, entity: layerId };
    await audit.record({ ...entry, details: { name } }, trx);
    return { layer_id: layerId };
  });
}

async function leave(
  { audit, attack, clock }: CompareDeps,
  scope: ScopeCaller,
  { tab, days: many, addfilters, name }: Parsed<typeof exportLayer>,
): Promise<OutputOf<typeof exportLayer>> {
  const { clusterId, scopeId, caller } = scope;
  const matrix = await attack.matrix(scope, { days: many, addfilters });
  const day = new Date(clock.now()).toISOString().slice(0, 10);
  const { covered, active, total } = matrix.coverage;
  const description = `Tyrian, ${day}: ${active} of ${total} techniques watched, ${covered} with a rule.`;
  const layer = layerOfMatrix(matrix, { name, description, tab }) as Record<string, unknown>;
  const details = { name, tab, techniques: total };
  await audit.record({ action: 'attack.layer.export', who: caller, clusterId, scopeId, details });
  return { layer };
}

async function compare(
  deps: CompareDeps,
  scope: ScopeRef,
  against: Parsed<typeof attackComparison>['against'],
): Promise<Comparison> {
  const other = await otherOf(deps, scope, against);
  const matrix = await deps.attack.matrix(scope, { days: 1, addfilters: [] });
  return comparisonOf(deps.knowledge(), matrix, other);
}

/** What a scope is compared with: the techniques that it names, with their states where it tells them. */
interface Other {
  readonly name: string;
  readonly hasStates: boolean;
  readonly states: ReadonlyMap<string, AttackState | null>;
}

async function otherOf(
  { postgres, knowledge }: CompareDeps,
  scope: ScopeRef,
  against: Parsed<typeof attackComparison>['against'],
): Promise<Other> {
  if (against.kind === 'actor') {
    const actor = knowledge().actors.get(against.actor_id);
    if (!actor) throw notFound();
    return {
      name: actor.name,
      hasStates: false,
      states: new Map(actor.techniques.map((id) => [id, null])),
    };
  }
  return postgres.inTenant(scope.clusterId, async (trx) => {
    if (against.kind === 'day') {
      const day = await findDay(trx, scope, against.day);
      if (!day) throw notFound();
      return { name: day.day, hasStates: true, states: new Map(Object.entries(day.states)) };
    }
    const layer = await findLayer(trx, scope, against.layer_id);
    if (!layer) throw notFound();
    const hasStates = layer.marks.every(({ state }) => state !== null);
    return {
      name: layer.name,
      hasStates,
      states: new Map(layer.marks.map(({ technique, state }) => [technique, hasStates ? state : null])),
    };
  });
}

const rank = (state: AttackState): number => ATTACK_STATES.indexOf(state);

/** The states of a matrix beside those of another. Pure. */
function comparisonOf(knowledge: AttackKnowledge, matrix: AttackMatrix, other: Other): Comparison {
  const now = new Map(Object.entries(statesOf(matrix)));
  const ids = new Set(other.hasStates ? [...now.keys(), ...other.states.keys()] : other.states.keys());
  const techniques = [...ids].sort().flatMap((id) => {
    const technique = knowledge.techniqueOf.get(id);
    if (!technique) return [];
    const state = now.get(id) ?? 'none';
    const before = other.hasStates ? (other.states.get(id) ?? 'none') : null;
    if (before !== null && before === state) return [];
    return [{ id, name: technique.name, now: state, before }];
  });
  const named = [...other.states].filter(([id, state]) => knowledge.techniqueOf.has(id) && state !== 'none');
  const isNow = (of: (state: AttackState) => boolean) =>
    named.filter(([id]) => of(now.get(id) ?? 'none')).length;
  const moved = (direction: number) =>
    techniques.filter(
      ({ now: state, before }) => before !== null && Math.sign(rank(state) - rank(before)) === direction,
    ).length;
  return {
    name: other.name,
    has_states: other.hasStates,
    techniques,
    figures: {
      named: named.length,
      watched: isNow(isWatched),
      blind: isNow((state) => state === 'blind'),
      better: moved(1),
      worse: moved(-1),
    },
    unknown: [...other.states.keys()].filter((id) => !knowledge.techniqueOf.has(id)).sort(),
  };
}
