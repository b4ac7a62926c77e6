import {
  beginRuleImport,
  cancelRuleImport,
  checkOwnRule,
  countRules,
  draftRule,
  isPackRuleId,
  listRuleChanges,
  listRuleImports,
  listRulePacks,
  listRules,
  lockOwnRule,
  readPackRule,
  readRuleImport,
  readRuleVersion,
  removeOwnRule,
  removeRulePack,
  saveOwnRule,
  saveRuleOverlay,
  sendRuleImportPart,
  startRuleImport,
  switchRules,
} from '@tyrian/contract';
import type { FastifyInstance } from 'fastify';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { RuleControl } from '../detections/rule-control.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { ImportedSamples } from '../samples/imported-samples.ts';
import type { SampleGate } from '../samples/sample-gate.ts';
import type { SamplesDeps } from '../samples/samples-service.ts';
import type { QueryService } from '../search/query-service.ts';
import type { SeenFields } from '../search/seen-fields.ts';
import { createDraftService, type DraftService } from './draft/draft-service.ts';
import { ruleImportJob } from './import-rules.ts';
import { createImportsService, type ImportsService } from './imports-service.ts';
import { createOwnRulesService, type OwnRulesService } from './own-rules-service.ts';
import { createPackExchange, type PackExchange } from './pack-exchange.ts';
import { createRuleContentReader, type RuleContentReader } from './rule-content-reader.ts';
import { createRuleUpdates, type RuleUpdates } from './rule-updates.ts';
import { ruleUpkeep } from './rule-upkeep.ts';
import { type RuleOn, rulesOn } from './rules-on.ts';
import { createRulesService, type RulesService } from './rules-service.ts';
import { findQuery } from './scope-rule-store.ts';
import { createTechniqueRules, type TechniqueRules } from './technique-rules.ts';
import { createReachOf } from './tenant-reach.ts';

export interface RulesFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
  readonly content: RuleContentReader;
  readonly updates: RuleUpdates;
  readonly exchange: PackExchange;
  readonly imports: ImportsService;
  /** The rules that are on in a scope, by id. */
  readonly on: (clusterId: string, scopeId: string) => Promise<ReadonlyMap<string, RuleOn>>;
  readonly techniques: TechniqueRules;
}

/** Rules of packs: what tenants import, what their scopes make of it, and what the scheduler runs of it. */
export function rulesFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly seenFields: SeenFields;
  readonly rules: RuleControl;
  readonly audit: AuditService;
  readonly samples: { readonly gate: SampleGate; readonly imported: ImportedSamples };
}): RulesFeature {
  const { postgres, eventStore: events, clock } = deps.platform;
  const { rules, audit, queries, seenFields } = deps;
  const reachOf = createReachOf({ events, seenFields });
  const content = createRuleContentReader(postgres);
  const { gate, imported } = deps.samples;
  const job = ruleImportJob({ postgres, clock, rules, reachOf, gate, samples: imported });
  const service = createRulesService({ postgres, clock, rules, audit, queries, reachOf, gate });
  const own = createOwnRulesService({ postgres, clock, rules, audit, reachOf, samples: imported });
  const drafts = createDraftService({ queries, clock, audit, reachOf });
  const imports = createImportsService({ postgres, clock, audit, job });
  return {
    jobs: [job, ...ruleUpkeep({ postgres, clock, reachOf })],
    content,
    updates: createRuleUpdates({ postgres, clock, rules, audit, reachOf, samples: imported }),
    exchange: createPackExchange({ postgres, reachOf }),
    imports,
    on: (clusterId, scopeId) => rulesOn(postgres, clusterId, scopeId),
    techniques: createTechniqueRules({ postgres, reachOf }),
    register: (app) => {
      ruleRoutes(app, service);
      ownRuleRoutes(app, own);
      draftRoutes(app, drafts);
      importRoutes(app, imports);
    },
  };
}

/** Rules of packs beside those of workbooks: each reader knows its own by the id. */
export function withPackRules(workbooks: RuleDefinitions, packs: RuleDefinitions): RuleDefinitions {
  return {
    definitionsOf: async (clusterId, scopeId, ids) => {
      const own = ids.filter((id) => !isPackRuleId(id));
      const [first, second] = [
        own.length === 0 ? new Map() : await workbooks.definitionsOf(clusterId, scopeId, own),
        await packs.definitionsOf(clusterId, scopeId, ids.filter(isPackRuleId)),
      ];
      return new Map([...first, ...second]);
    },
  };
}

type ContentOf = SamplesDeps['ruleOf'];
type WorkbookContentOf = (
  ...rule: Parameters<ContentOf>
) => Promise<Omit<NonNullable<Awaited<ReturnType<ContentOf>>>, 'kind'> | null>;

/** What a rule asks: one of a pack as its author wrote it, without what scopes change, or a workbook. */
export function withPackContent(postgres: Platform['postgres'], workbooks: WorkbookContentOf): ContentOf {
  return async (clusterId, scopeId, ruleId) => {
    if (!isPackRuleId(ruleId)) {
      const found = await workbooks(clusterId, scopeId, ruleId);
      return found && { ...found, kind: 'workbook' };
    }
    const found = await postgres.inTenant(clusterId, (trx) => findQuery(trx, clusterId, ruleId));
    if (!found) return null;
    const { kql, ...rest } = found;
    return { ...rest, queries: kql === null ? [] : [kql], samples: [], kind: 'pack' };
  };
}

type Knowledge = { readonly name: string; readonly kb: string; readonly exists: boolean };
type KnowledgeOf = (
  clusterId: string,
  scopeId: string,
  id: string,
  version: number | null,
) => Promise<Knowledge | null>;

/** What is known of a signal's rule: of a pack what its author says, else the knowledge base of the workbook. */
export function withRuleKnowledge(
  workbooks: { readonly knowledgeOf: KnowledgeOf },
  packs: RuleContentReader,
): KnowledgeOf {
  return async (clusterId, scopeId, id, version) => {
    if (!isPackRuleId(id)) return workbooks.knowledgeOf(clusterId, scopeId, id, version);
    const found = await packs.knowledgeOf(clusterId, id);
    return found && { ...found, exists: true };
  };
}

interface ScopedCall {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}

const scopeOf = ({ caller, clusterId, input }: ScopedCall) => ({
  caller,
  clusterId,
  scopeId: input.scope_id,
});

function ruleRoutes(app: FastifyInstance, rules: RulesService): void {
  bindEndpoint(app, listRules, (call) => rules.list(scopeOf(call), call.input));
  bindEndpoint(app, countRules, (call) => rules.count(scopeOf(call), call.input));
  bindEndpoint(app, readPackRule, (call) => rules.read(scopeOf(call), call.input.rule_id));
  bindEndpoint(app, switchRules, (call) => rules.switchOn(scopeOf(call), call.input));
  bindEndpoint(app, saveRuleOverlay, (call) => rules.saveOverlay(scopeOf(call), call.input));
  bindEndpoint(app, listRulePacks, (call) => rules.packs(scopeOf(call)));
  bindEndpoint(app, removeRulePack, async (call) => {
    const { pack_id } = call.input;
    return { pack_id, rules: await rules.removePack(scopeOf(call), pack_id) };
  });
}

function ownRuleRoutes(app: FastifyInstance, own: OwnRulesService): void {
  bindEndpoint(app, checkOwnRule, (call) => own.check(scopeOf(call), call.input));
  bindEndpoint(app, saveOwnRule, (call) => own.save(scopeOf(call), call.input));
  bindEndpoint(app, lockOwnRule, (call) => own.lock(scopeOf(call), call.input));
  bindEndpoint(app, removeOwnRule, (call) => own.remove(scopeOf(call), call.input.rule_id));
  bindEndpoint(app, readRuleVersion, (call) => own.version(scopeOf(call), call.input));
}

function draftRoutes(app: FastifyInstance, drafts: DraftService): void {
  bindEndpoint(app, draftRule, (call) => drafts.draft({ ...scopeOf(call), signal: call.signal }, call.input));
}

function importRoutes(app: FastifyInstance, imports: ImportsService): void {
  const by = (call: ScopedCall) => ({
    clusterId: call.clusterId,
    scopeId: call.input.scope_id,
    author: { userId: call.caller.userId, name: call.caller.name },
  });
  bindEndpoint(app, beginRuleImport, (call) => imports.begin(by(call), call.input));
  bindEndpoint(app, sendRuleImportPart, async (call) => {
    const bytes = Buffer.from(call.input.bytes, 'base64');
    return { received: await imports.part(by(call), { ...call.input, bytes }) };
  });
  bindEndpoint(app, startRuleImport, (call) => imports.start(by(call), call.input.import_id));
  bindEndpoint(app, cancelRuleImport, (call) => imports.cancel(by(call), call.input.import_id));
  bindEndpoint(app, readRuleImport, ({ clusterId, input }) => imports.read(clusterId, input.import_id));
  bindEndpoint(app, listRuleImports, ({ clusterId }) => imports.list(clusterId));
  bindEndpoint(app, listRuleChanges, ({ clusterId, input }) => imports.changes(clusterId, input));
}
