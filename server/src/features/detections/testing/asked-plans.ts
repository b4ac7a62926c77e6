import type { Plan } from '@tyrian/plan';
import { systemClock } from '../../../platform/clock.ts';
import type { Compiled, QueryService } from '../../search/query-service.ts';
import { createCoversAside } from '../covers-aside.ts';
import { keepLiteralProbes } from '../prefilter/literals-seen.ts';
import { narrowToPresent } from '../prefilter/narrow-to-present.ts';
import { type AskedDetection, detectionsWithoutCandidates } from '../probe-detections.ts';
import type { RuleDefinition } from '../rule-definition.ts';
import type { Window } from '../scheduler-machine.ts';

// Compiled plans as rules of a tenant, for tests and benches that ask which of them may find something.

export interface AskedPlans {
  /** Numbers of the plans that may find something in the window, by scope. */
  candidates(scopeIds: readonly string[], window: Window): Promise<ReadonlyMap<string, ReadonlySet<number>>>;
  /** How many rows a plan has, by scope, asked alone. */
  rowsAlone(plan: Plan, scopeIds: readonly string[], window: Window): Promise<ReadonlyMap<string, number>>;
  /** The same as the scheduler asks it. */
  rowsOf(plan: Plan, scopeIds: readonly string[], window: Window): Promise<ReadonlyMap<string, number>>;
}

/** `lookbackMinutes` is how far the rules look back. */
export function askedPlans(
  queries: QueryService,
  clusterId: string,
  plans: readonly Plan[],
  lookbackMinutes = 0,
): AskedPlans {
  const byDetection = new Map<unknown, Compiled>();
  const numbers = new Map<unknown, number>();
  const detections = plans.map((plan, number) => {
    const detection = { kql: { number }, signal: {} } as unknown as AskedDetection['detection'];
    byDetection.set(detection, { plan, questions: [] } as unknown as Compiled);
    numbers.set(detection, number);
    return detection;
  });
  const ruleIn = (scopeId: string) =>
    ({
      clusterId,
      scopeId,
      schedule: { lookback_minutes: lookbackMinutes },
    }) as unknown as RuleDefinition;
  const compiled = async (_: RuleDefinition, detection: unknown) => byDetection.get(detection) as Compiled;
  const deps = { compiled, queries, passesFor: keepLiteralProbes(), aside: createCoversAside(systemClock) };
  return {
    candidates: async (scopeIds, window) => {
      const rules = scopeIds.map(ruleIn);
      const asked = rules.flatMap((rule) => detections.map((detection) => ({ rule, detection })));
      const without = await detectionsWithoutCandidates(deps, asked, window);
      const found = new Map(scopeIds.map((scopeId) => [scopeId, new Set<number>()]));
      for (const one of asked)
        if (!without.has(one)) found.get(one.rule.scopeId)?.add(numbers.get(one.detection) ?? -1);
      return found;
    },
    rowsAlone: (plan, scopeIds, window) => countRows(queries, plan, requestOf(clusterId, scopeIds, window)),
    rowsOf: async (plan, scopeIds, window) => {
      const request = requestOf(clusterId, scopeIds, window);
      const { plan: narrow, values } = await narrowToPresent(queries, plan, request);
      return countRows(queries, narrow, { ...request, ...(values ? { values } : {}) });
    },
  };
}

const requestOf = (clusterId: string, scopes: readonly string[], ingestRange: Window) => ({
  clusterId,
  scopes,
  ingestRange,
  queue: 'detections' as const,
});

async function countRows(
  queries: QueryService,
  plan: Plan,
  request: Parameters<QueryService['runPlan']>[1],
): Promise<ReadonlyMap<string, number>> {
  const columns = plan.columns.filter(({ name }) => name === 'Scope');
  const { rows } = await queries.runPlan({ ...plan, columns }, request);
  const counts = new Map<string, number>();
  for (const [scopeId] of rows) counts.set(String(scopeId), (counts.get(String(scopeId)) ?? 0) + 1);
  return counts;
}
