import { isPackRuleId } from '@tyrian/contract';
import type { ScopeRef } from '../../platform/scope-ref.ts';
import type { RuleDefinitions } from '../detections/rule-definition.ts';
import type { WorkbookFacts } from './attribution-service.ts';

/** What is asked of workbooks and of rules of packs alike: each by its own reader. */
export function workbookFacts(
  workbooks: {
    contentOf(clusterId: string, scopeId: string, workbookId: string): Promise<WorkbookFacts | null>;
  },
  packs: RuleDefinitions,
): (scope: ScopeRef, id: string) => Promise<WorkbookFacts | null> {
  return async ({ clusterId, scopeId }, id) => {
    if (!isPackRuleId(id)) return workbooks.contentOf(clusterId, scopeId, id);
    const rule = (await packs.definitionsOf(clusterId, scopeId, [id])).get(id);
    if (!rule) return null;
    const blocks = rule.detections.flatMap(({ kql, signal }) => [kql, signal]);
    const tags = rule.detections.flatMap(({ signal }) => signal.body.tags);
    const { name, schedule } = rule;
    const stage = (['dev', 'test', 'beta', 'prod'] as const).find((one) => one === rule.stage) ?? 'test';
    return { draft: { name, description: '', stage, schedule, tags, blocks }, streams: [] };
  };
}
