import {
  cancelRulePreview,
  listRulePreviews,
  readPreviewSamples,
  readRulePreview,
  removeRulePreview,
  startRulePreview,
} from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import { createRuleCompiler } from '../detections/compile-rule-query.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import type { RuleContentReader } from '../rules/rule-content-reader.ts';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { QueryService } from '../search/query-service.ts';
import { previewUpkeep } from './preview-upkeep.ts';
import { createRulePreviewsService, type PreviewDeps } from './rule-previews-service.ts';
import { rulePreviewJob } from './run-preview.ts';

export interface RulePreviewFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
}

/** Previews of rules and retro-hunts: what rules would have raised over a range that is past. */
export function rulePreviewFeature(deps: {
  readonly platform: Platform;
  readonly queries: QueryService;
  readonly functions: QueryFunctions;
  readonly audit: AuditService;
  readonly definitions: RuleDefinitions;
  readonly packs: Pick<RuleContentReader, 'knowledgeOf'>;
  readonly retentionDays: PreviewDeps['retentionDays'];
}): RulePreviewFeature {
  const { postgres, clock, log, eventStore: events } = deps.platform;
  const { queries, audit, definitions, packs, retentionDays } = deps;
  const compiler = createRuleCompiler(queries, deps.functions);
  const previews = createRulePreviewsService({
    ...{ postgres, clock, audit, queries, definitions, retentionDays },
    titleOf: async (clusterId, id) => (await packs.knowledgeOf(clusterId, id))?.name ?? null,
  });
  return {
    jobs: [
      rulePreviewJob({ postgres, clock, log, audit, definitions, queries, events, compiler }),
      previewUpkeep({ postgres, clock }),
    ],
    register: (app) => {
      bindEndpoint(app, startRulePreview, (call) => previews.start(scopeOf(call), call.input));
      bindEndpoint(app, readRulePreview, (call) => previews.read(scopeOf(call), call.input));
      bindEndpoint(app, listRulePreviews, (call) => previews.list(scopeOf(call), call.input));
      bindEndpoint(app, readPreviewSamples, (call) => previews.samples(scopeOf(call), call.input));
      bindEndpoint(app, cancelRulePreview, (call) => previews.cancel(scopeOf(call), call.input));
      bindEndpoint(app, removeRulePreview, (call) => previews.remove(scopeOf(call), call.input));
    },
  };
}

const scopeOf = (call: {
  readonly caller: Caller;
  readonly clusterId: string;
  readonly input: { readonly scope_id: string };
}) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
