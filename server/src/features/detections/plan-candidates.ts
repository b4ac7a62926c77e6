import type { Plan } from '@tyrian/plan';
import { systemClock } from '../../platform/clock.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import type { AskedDetection } from './asked-together.ts';
import { createCoversAside } from './covers-aside.ts';
import { keepLiteralProbes } from './prefilter/literals-seen.ts';
import type { CandidateEvents } from './prefilter/narrow-to-candidates.ts';
import { detectionCandidates } from './probe-detections.ts';
import type { RuleDefinition } from './rule-definition.ts';
import type { Window } from './scheduler-machine.ts';

/** Numbers of the plans that may find something in a window, by scope, and the events that they can be about, if known. */
export type PlanCandidates = (
  scopeIds: readonly string[],
  window: Window,
) => Promise<ReadonlyMap<string, ReadonlyMap<number, CandidateEvents | undefined>>>;

/**
 * Tells of compiled plans which may find something, as the scheduler tells it of the rules of a tenant: what it leaves out
 * finds nothing. `lookbackMinutes` is how far the plans look back.
 */
export function planCandidates(
  queries: QueryService,
  clusterId: string,
  plans: readonly Plan[],
  lookbackMinutes = 0,
): PlanCandidates {
  const byDetection = new Map<unknown, Compiled>();
  const numbers = new Map<unknown, number>();
  // The scheduler asks a detection for its compiled query alone, and a rule for where and when it runs.
  const detections = plans.map((plan, number) => {
    const signal = { body: { name: '', suspects: [], targets: [] } };
    const detection = { kql: { number }, signal } as unknown as AskedDetection['detection'];
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
  return async (scopeIds, window) => {
    const rules = scopeIds.map(ruleIn);
    const asked = rules.flatMap((rule) => detections.map((detection) => ({ rule, detection })));
    const { without, events } = await detectionCandidates(deps, asked, window);
    const found = new Map(
      scopeIds.map((scopeId) => [scopeId, new Map<number, CandidateEvents | undefined>()]),
    );
    for (const one of asked)
      if (!without.has(one))
        found.get(one.rule.scopeId)?.set(numbers.get(one.detection) ?? -1, events.get(one));
    return found;
  };
}
