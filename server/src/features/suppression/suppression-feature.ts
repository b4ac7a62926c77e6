import {
  listSuppressedSignals,
  listSuppressionRules,
  previewSuppression,
  removeSuppressionRule,
  restoreSuppressedSignals,
  saveSuppressionRule,
  switchSuppressionRule,
} from '@tyrian/contract';
import type { RoutedFeature } from '../../platform/feature.ts';
import { bindEndpoint } from '../../platform/http/bind-endpoint.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AnyJob } from '../../platform/jobs/job.ts';
import type { Platform } from '../../platform/platform.ts';
import type { AuditService } from '../identity/audit/audit-service.ts';
import { createSuppressionService } from './suppression-service.ts';
import { suppressionUpkeep } from './suppression-upkeep.ts';

export interface SuppressionFeature extends RoutedFeature {
  readonly jobs: readonly AnyJob[];
}

/** Suppression rules, and what they kept out of the queue. */
export function suppressionFeature(deps: {
  readonly platform: Platform;
  readonly audit: AuditService;
  /** What is known of a workbook or a rule of a pack. */
  readonly knowledgeOf: (
    clusterId: string,
    scopeId: string,
    id: string,
    version: number | null,
  ) => Promise<{ readonly name: string; readonly exists: boolean } | null>;
}): SuppressionFeature {
  const { postgres, clock } = deps.platform;
  const nameOf = async (clusterId: string, scopeId: string, id: string) => {
    const known = await deps.knowledgeOf(clusterId, scopeId, id, null);
    return known?.exists ? known.name : null;
  };
  const service = createSuppressionService({ postgres, clock, audit: deps.audit, nameOf });
  const scopeOf = (call: {
    readonly caller: Caller;
    readonly clusterId: string;
    readonly input: { readonly scope_id: string };
  }) => ({ caller: call.caller, clusterId: call.clusterId, scopeId: call.input.scope_id });
  return {
    jobs: [suppressionUpkeep({ postgres, clock })],
    register: (app) => {
      bindEndpoint(app, listSuppressionRules, (call) => service.list(scopeOf(call)));
      bindEndpoint(app, saveSuppressionRule, (call) => service.save(scopeOf(call), call.input));
      bindEndpoint(app, switchSuppressionRule, (call) =>
        service.setEnabled(scopeOf(call), call.input.rule_id, call.input.enabled),
      );
      bindEndpoint(app, removeSuppressionRule, (call) => service.remove(scopeOf(call), call.input.rule_id));
      bindEndpoint(app, previewSuppression, (call) => service.preview(scopeOf(call), call.input));
      bindEndpoint(app, listSuppressedSignals, (call) => service.suppressed(scopeOf(call), call.input));
      bindEndpoint(app, restoreSuppressedSignals, (call) =>
        service.restore(scopeOf(call), call.input.rule_id),
      );
    },
  };
}
