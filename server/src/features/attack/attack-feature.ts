import {
  acceptAttribution,
  attackActors,
  attackComparison,
  attackGaps,
  attackHistory,
  attackMatrix,
  attackTactics,
  attributeSignals,
  attributeWorkbook,
  exportLayer,
  landingCoverage,
  listLayers,
  removeLayer,
  saveLayer,
  subtechniqueData,
  subtechniqueNames,
  techniqueData,
  techniqueSignals,
  workbookAttributions,
  workbookDocumentation,
  workbookKnowledge,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { TechniqueSignals } from '../signals/technique-signals.ts';
import { attackKnowledge } from './attack-content.ts';
import { attackDays } from './attack-days.ts';
import { type AttackDeps, type AttackService, createAttackService } from './attack-service.ts';
import {
  type AttributionService,
  createAttributionService,
  type WorkbookFacts,
} from './attribution-service.ts';
import { type CompareService, createCompareService } from './compare-service.ts';
import { type ProvenRules, provenByCases, type RuleSources } from './scope-rules.ts';
import { createInflowOf } from './stream-silence.ts';

export interface AttackFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
}

/** ATT&CK: what a scope sees of its techniques, what it is compared with, and whom findings remind of. */
export function attackFeature(deps: {
  readonly platform: Platform;
  readonly audit: AuditService;
  readonly workbooks: RuleSources['workbooks'];
  readonly packs: RuleSources['packs'];
  readonly lackedFields: AttackDeps['lackedFields'];
  readonly silentSources: (scope: ScopeRef) => Promise<ReadonlySet<string>>;
  readonly signals: TechniqueSignals;
  /** Signals of cases that were true positives, with when these were closed. */
  readonly truePositives: (scope: ScopeRef) => Promise<ReadonlyMap<string, number>>;
  /** What else proves rules, such as samples that passed. */
  readonly proofs: readonly ProvenRules[];
  readonly workbookOf: (scope: ScopeRef, workbookId: string) => Promise<WorkbookFacts | null>;
  readonly tenants: () => Promise<
    readonly { readonly clusterId: string; readonly scopeIds: readonly string[] }[]
  >;
  readonly tenantsWithRules: () => Promise<readonly { readonly clusterId: string }[]>;
}): AttackFeature {
  const { postgres, clock, eventStore: events } = deps.platform;
  const { audit, workbooks, packs, lackedFields, silentSources, workbookOf, truePositives, signals } = deps;
  const knowledge = attackKnowledge;
  const inflowOf = createInflowOf({ events, clock, silentSources });
  const proofs = [provenByCases({ truePositives, rulesOf: signals.rulesOf }), ...deps.proofs];
  const sources = { workbooks, packs, inflowOf, proofs };
  const service = createAttackService({ clock, knowledge, sources, signals, lackedFields });
  const compare = createCompareService({ postgres, clock, audit, knowledge, attack: service });
  const attribution = createAttributionService({ postgres, clock, audit, knowledge, signals, workbookOf });
  return {
    jobs: attackDays({
      postgres,
      clock,
      service,
      tenants: deps.tenants,
      tenantsWithRules: deps.tenantsWithRules,
    }),
    register: (app) => {
      matrixRoutes(app, service);
      compareRoutes(app, compare);
      attributionRoutes(app, attribution);
    },
  };
}

interface ScopedCall {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}

const scopeOf = ({ caller, clusterId, input }: ScopedCall) => ({
  ...{ caller, clusterId },
  scopeId: input.scope_id,
});

function matrixRoutes(app: FastifyInstance, service: AttackService): void {
  bindEndpoint(app, attackTactics, async () => service.tactics());
  bindEndpoint(app, attackActors, async () => service.actors());
  bindEndpoint(app, subtechniqueNames, async ({ input }) => service.subtechniqueNames(input.technique_id));
  bindEndpoint(app, attackMatrix, (call) => service.matrix(scopeOf(call), call.input));
  bindEndpoint(app, techniqueData, (call) => service.technique(scopeOf(call), call.input.technique_id));
  bindEndpoint(app, techniqueSignals, (call) =>
    service.techniqueSignals(scopeOf(call), call.input.technique_id, call.input.days),
  );
  bindEndpoint(app, subtechniqueData, (call) => service.subtechniques(scopeOf(call), call.input));
  bindEndpoint(app, landingCoverage, (call) => service.coverage(scopeOf(call)));
  bindEndpoint(app, attackGaps, (call) => service.gaps(scopeOf(call), call.input));
}

function compareRoutes(app: FastifyInstance, compare: CompareService): void {
  bindEndpoint(app, listLayers, (call) => compare.layers(scopeOf(call)));
  bindEndpoint(app, saveLayer, (call) => compare.saveLayer(scopeOf(call), call.input));
  bindEndpoint(app, removeLayer, (call) => compare.removeLayer(scopeOf(call), call.input.layer_id));
  bindEndpoint(app, exportLayer, (call) => compare.exportLayer(scopeOf(call), call.input));
  bindEndpoint(app, attackHistory, (call) => compare.days(scopeOf(call)));
  bindEndpoint(app, attackComparison, (call) => compare.compare(scopeOf(call), call.input.against));
}

function attributionRoutes(app: FastifyInstance, attribution: AttributionService): void {
  bindEndpoint(app, attributeSignals, (call) => attribution.ofSignals(scopeOf(call), call.input.signal_ids));
  bindEndpoint(app, attributeWorkbook, (call) => attribution.ofWorkbook(scopeOf(call), call.input.ID));
  bindEndpoint(app, workbookAttributions, (call) => attribution.accepted(scopeOf(call), call.input.ID));
  bindEndpoint(app, acceptAttribution, (call) => attribution.accept(scopeOf(call), call.input));
  bindEndpoint(app, workbookDocumentation, (call) => attribution.document(scopeOf(call), call.input));
  bindEndpoint(app, workbookKnowledge, (call) => attribution.knowledge(scopeOf(call), call.input.ID));
}
