import type { Plan } from '@tyrian/plan';
import { judgeSigma, type ReadDocument, readSigma, sigmaLibrary } from '@tyrian/sigma';
import type { QueryService } from '../../features/search/query-service.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { PositionOf, SigmaTarget } from './store-sigma-events.ts';

export interface Matches {
  readonly fired: readonly { readonly rule: number; readonly event: number }[];
  readonly refused: readonly { readonly rule: number; readonly reason: string }[];
}

/** Rules whose queries run at once. */
const AT_ONCE = 4;

interface ReadRule {
  readonly rule: number;
  readonly document: ReadDocument;
}

interface Outcome {
  readonly rule: number;
  readonly events: readonly number[];
  readonly reason?: string;
}

/**
 * Runs rules over the events of a scope. A text may hold several documents; the matches of all of them are its own. A
 * correlation fires on the events that complete it; the rules that it refers to fire by themselves only if it says
 * `generate`.
 */
export async function matchRules(
  queries: QueryService,
  target: SigmaTarget,
  rules: readonly unknown[],
  positionOf: PositionOf,
): Promise<Matches> {
  const read = rules.flatMap((text, rule): ReadRule[] =>
    readSigma(String(text)).map((document) => ({ rule, document })),
  );
  const library = sigmaLibrary(read.map(({ document }) => document));
  const outcomes = await fewAtATime(read, AT_ONCE, async ({ rule, document }): Promise<Outcome> => {
    const verdict = judgeSigma(document, library, {});
    if (verdict.verdict !== 'runs')
      return { rule, reason: `${verdict.verdict}: ${verdict.reason}`, events: [] };
    if (verdict.compiled === null || !document.ok || !library.raisesSignals(document.document))
      return { rule, events: [] };
    try {
      return { rule, events: await eventsOf(queries, target, verdict.compiled.plan, positionOf) };
    } catch (error) {
      return { rule, reason: (error as Error).message, events: [] };
    }
  });
  return {
    fired: distinct(outcomes.flatMap(({ rule, events }) => events.map((event) => ({ rule, event })))),
    refused: outcomes.flatMap(({ rule, reason }) => (reason === undefined ? [] : [{ rule, reason }])),
  };
}

async function eventsOf(
  queries: QueryService,
  { clusterId, scope }: SigmaTarget,
  plan: Plan,
  positionOf: PositionOf,
): Promise<readonly number[]> {
  const columns = plan.columns.filter(({ name }) => name === 'EventUid');
  const { rows } = await queries.runPlan(
    { ...plan, columns },
    { clusterId, scopes: [scope], queue: 'interactive' },
  );
  return rows.map(([uid]) => positionOf(String(uid)));
}

const distinct = (fired: Matches['fired']): Matches['fired'] =>
  [...new Map(fired.map((one) => [`${one.rule} ${one.event}`, one])).values()].sort(
    (one, other) => one.rule - other.rule || one.event - other.event,
  );
