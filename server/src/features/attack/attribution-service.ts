import {
  type acceptAttribution,
  attackAddress,
  type OutputOf,
  type Suggestions,
  type WorkbookDraft,
  type workbookAttributions,
  type workbookDocumentation,
  type workbookKnowledge,
} from '@tyrian/contract';
import type { z } from 'zod';
import { notFound } from '../../platform/app-error.ts';
import { bindDeps } from '../../platform/bind-deps.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { TechniqueSignals } from '../signals/technique-signals.ts';
import type { AttackKnowledge } from './attack-content.ts';
import { attribute } from './attribute.ts';
import type { ScopeCaller } from './compare-service.ts';
import { documentWorkbook } from './document-workbook.ts';
import { selectAccepted, writeAccepted } from './layer-store.ts';

// Whom signals and workbooks remind of, what people accepted of that, and what a workbook says of itself.

/** What is asked of a workbook, or of a rule of a pack. */
export interface WorkbookFacts {
  readonly draft: Pick<WorkbookDraft, 'name' | 'description' | 'stage' | 'schedule' | 'tags' | 'blocks'>;
  readonly streams: readonly string[];
}

interface AttributionDeps {
  readonly postgres: Postgres;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly knowledge: () => AttackKnowledge;
  readonly signals: Pick<TechniqueSignals, 'facts'>;
  /** Null when the scope has no such workbook. */
  readonly workbookOf: (scope: ScopeRef, workbookId: string) => Promise<WorkbookFacts | null>;
}

type Parsed<E extends { readonly input: z.ZodType }> = z.output<E['input']>;

export interface AttributionService {
  /** Throws `not-found` when a signal is not of the scope. */
  ofSignals(scope: ScopeRef, signalIds: readonly string[]): Promise<Suggestions>;
  /** Throws `not-found`, as all below. */
  ofWorkbook(scope: ScopeRef, workbookId: string): Promise<Suggestions>;
  accepted(scope: ScopeRef, workbookId: string): Promise<OutputOf<typeof workbookAttributions>>;
  accept(scope: ScopeCaller, input: Parsed<typeof acceptAttribution>): Promise<{ accepted: boolean }>;
  document(
    scope: ScopeRef,
    input: Parsed<typeof workbookDocumentation>,
  ): Promise<OutputOf<typeof workbookDocumentation>>;
  knowledge(scope: ScopeRef, workbookId: string): Promise<OutputOf<typeof workbookKnowledge>>;
}

export function createAttributionService(deps: AttributionDeps): AttributionService {
  return bindDeps(deps, { ofSignals, ofWorkbook, accepted, accept, document, knowledge: knowledgeOf });
}

async function ofSignals({ signals, knowledge }: AttributionDeps, scope: ScopeRef, ids: readonly string[]) {
  const facts = await signals.facts(scope, ids);
  if (facts.length < new Set(ids).size) throw notFound();
  return attribute(knowledge(), {
    techniques: facts.map(({ technique, sub_technique }) => sub_technique || technique),
    text: facts.map(({ text }) => text).join('\n'),
  });
}

async function factsOf({ workbookOf }: AttributionDeps, scope: ScopeRef, id: string): Promise<WorkbookFacts> {
  const found = await workbookOf(scope, id);
  if (!found) throw notFound();
  return found;
}

const signalsIn = ({ draft }: WorkbookFacts) =>
  draft.blocks.flatMap((block) => (block.type === 'signal' ? [block.body] : []));

const techniquesIn = (facts: WorkbookFacts): string[] => [
  ...new Set(
    signalsIn(facts)
      .map(({ technique, sub_technique }) => sub_technique || technique)
      .filter((id) => id !== ''),
  ),
];

async function ofWorkbook(deps: AttributionDeps, scope: ScopeRef, id: string): Promise<Suggestions> {
  const facts = await factsOf(deps, scope, id);
  const { name, description, tags, blocks } = facts.draft;
  const queries = blocks.flatMap((block) => (block.type === 'kql' ? [block.body.query] : []));
  const text = [name, description, ...tags, ...queries, ...signalsIn(facts).flatMap(({ tags: of }) => of)];
  return attribute(deps.knowledge(), { techniques: techniquesIn(facts), text: text.join('\n') });
}

async function accepted(deps: AttributionDeps, scope: ScopeRef, id: string) {
  await factsOf(deps, scope, id);
  const rows = await deps.postgres.inTenant(scope.clusterId, (trx) => selectAccepted(trx, scope, id));
  const { actors } = deps.knowledge();
  return rows.map(({ actor_id, ...row }) => {
    const known = actors.get(actor_id);
    // A newer ATT&CK may have given up what was accepted.
    const actor = {
      id: actor_id,
      name: known?.name ?? actor_id,
      kind: known?.kind ?? (actor_id.startsWith('C') ? ('campaign' as const) : ('group' as const)),
      aliases: [...(known?.aliases ?? [])],
      techniques: known?.techniques.length ?? 0,
    };
    return { ...row, actor };
  });
}

async function accept(
  deps: AttributionDeps,
  scope: ScopeCaller,
  { ID, actor_id, accepted: isAccepted }: Parsed<typeof acceptAttribution>,
): Promise<{ accepted: boolean }> {
  const { postgres, clock, audit, knowledge } = deps;
  const { clusterId, scopeId, caller } = scope;
  const { draft } = await factsOf(deps, scope, ID);
  const actor = knowledge().actors.get(actor_id);
  if (isAccepted && !actor) throw notFound();
  await postgres.inTenant(clusterId, async (trx) => {
    const given = { workbookId: ID, actorId: actor_id, accepted: isAccepted };
    await writeAccepted(trx, scope, { ...given, by: caller.name, nowMs: clock.now() });
    const details = { workbook: draft.name, actor: actor?.name ?? actor_id, accepted: isAccepted };
    const action = 'attack.attribution.accept';
    await audit.record({ action, who: caller, clusterId, scopeId, entity: ID, details }, trx);
  });
  return { accepted: isAccepted };
}

async function document(
  deps: AttributionDeps,
  scope: ScopeRef,
  { ID, properties }: Parsed<typeof workbookDocumentation>,
) {
  const facts = properties ? { draft: properties, streams: [] } : await factsOf(deps, scope, ID ?? '');
  return { markdown: documentWorkbook(facts, deps.knowledge()) };
}

async function knowledgeOf(deps: AttributionDeps, scope: ScopeRef, id: string) {
  const facts = await factsOf(deps, scope, id);
  const { techniqueOf } = deps.knowledge();
  return {
    name: facts.draft.name,
    kb: signalsIn(facts)
      .map(({ kb }) => kb)
      .filter((kb) => kb.trim() !== '')
      .join('\n\n'),
    techniques: techniquesIn(facts).map((technique) => ({
      id: technique,
      name: techniqueOf.get(technique)?.name ?? technique,
      tactics: [...(techniqueOf.get(technique)?.tactics ?? [])],
      url: attackAddress(technique),
    })),
  };
}
