import type { Plan } from '@tyrian/plan';
import type { QueryService } from '../../search/query-service.ts';
import { analysePlan } from '../analyse-plan.ts';
import { type PlanCandidates, planCandidates } from '../plan-candidates.ts';
import { type CandidateEvents, narrowPlan } from '../prefilter/narrow-to-candidates.ts';
import type { Window } from '../scheduler-machine.ts';

// Compiled plans as rules of a tenant, for tests and benches that ask which of them may find something.

export interface AskedPlans {
  readonly candidates: PlanCandidates;
  /** How many rows a plan has, by scope, asked alone. */
  rowsAlone(plan: Plan, scopeIds: readonly string[], window: Window): Promise<ReadonlyMap<string, number>>;
  /** The same as the scheduler asks it. */
  rowsOf(
    plan: Plan,
    scopeIds: readonly string[],
    window: Window,
    events?: CandidateEvents,
  ): Promise<ReadonlyMap<string, number>>;
}

/** `lookbackMinutes` is how far the rules look back. */
export function askedPlans(
  queries: QueryService,
  clusterId: string,
  plans: readonly Plan[],
  lookbackMinutes = 0,
): AskedPlans {
  return {
    candidates: planCandidates(queries, clusterId, plans, lookbackMinutes),
    rowsAlone: (plan, scopeIds, window) => countRows(queries, plan, requestOf(clusterId, scopeIds, window)),
    rowsOf: async (plan, scopeIds, window, events) => {
      if (events?.rows) return rowsRead(events.rows.rows, scopeIds);
      const request = requestOf(clusterId, scopeIds, window);
      const isUsed = lookbackMinutes === 0 && analysePlan(plan).rowByRow;
      const { plan: narrow, values } = await narrowPlan(queries, plan, request, isUsed ? events : undefined);
      return countRows(queries, narrow, { ...request, ...(values ? { values } : {}) });
    },
  };
}

/** Rows that were read with those of others are of one scope. */
const rowsRead = (rows: readonly unknown[], [scopeId = '']: readonly string[]): ReadonlyMap<string, number> =>
  new Map(rows.length > 0 ? [[scopeId, rows.length]] : []);

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
