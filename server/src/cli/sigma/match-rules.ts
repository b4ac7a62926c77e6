import type { Plan } from '@tyrian/plan';
import { judgeSigma, type ReadDocument, readSigma, sigmaLibrary } from '@tyrian/sigma';
import { planCandidates } from '../../features/detections/plan-candidates.ts';
import { narrowToPresent } from '../../features/detections/prefilter/narrow-to-present.ts';
import type { Window } from '../../features/detections/scheduler-machine.ts';
import type { QueryService } from '../../features/search/query-service.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { SigmaTarget, StoredSigmaEvents } from './store-sigma-events.ts';

export interface Matches {
  readonly fired: readonly { readonly rule: number; readonly event: number }[];
  readonly refused: readonly { readonly rule: number; readonly reason: string }[];
}

/** Rules whose queries run at once. */
const AT_ONCE = 4;
/** Of so many rules it is asked first which of them may find something. */
const PROBED_FROM = 30;
/** Rules that are asked about together. */
const PROBED_AT_ONCE = 1_000;

interface CompiledText {
  readonly rule: number;
  readonly plan: Plan;
}

interface Refused {
  readonly rule: number;
  readonly reason: string;
}

/**
 * Runs rules over the events of a scope, which came within `window`. A text may hold several documents; the matches of all
 * of them are its own. A correlation fires on the events that complete it; the rules that it refers to fire by themselves
 * only if it says `generate`.
 */
export async function matchRules(
  queries: QueryService,
  target: SigmaTarget,
  rules: readonly unknown[],
  { positionOf, window }: StoredSigmaEvents,
): Promise<Matches> {
  const { compiled, refused } = compileTexts(rules);
  const likely = await mayFind(queries, target, compiled, window);
  const failed: Refused[] = [];
  const fired = await fewAtATime(likely, AT_ONCE, async ({ rule, plan }) => {
    try {
      const events = await eventsOf(queries, target, plan, window);
      return events.map((uid) => ({ rule, event: positionOf(uid) }));
    } catch (error) {
      failed.push({ rule, reason: (error as Error).message });
      return [];
    }
  });
  return {
    fired: distinct(fired.flat()),
    refused: [...refused, ...failed].sort((one, other) => one.rule - other.rule),
  };
}

/** The documents of all texts, each as its plan, and why others have none. */
function compileTexts(rules: readonly unknown[]): { compiled: CompiledText[]; refused: Refused[] } {
  const read = rules.flatMap((text, rule) =>
    readSigma(String(text)).map((document): { rule: number; document: ReadDocument } => ({ rule, document })),
  );
  const library = sigmaLibrary(read.map(({ document }) => document));
  const compiled: CompiledText[] = [];
  const refused: Refused[] = [];
  for (const { rule, document } of read) {
    const verdict = judgeSigma(document, library, {});
    if (verdict.verdict !== 'runs') refused.push({ rule, reason: `${verdict.verdict}: ${verdict.reason}` });
    else if (verdict.compiled !== null && document.ok && library.raisesSignals(document.document))
      compiled.push({ rule, plan: verdict.compiled.plan });
  }
  return { compiled, refused };
}

/** Of many rules those that may find something; the others cannot. */
async function mayFind(
  queries: QueryService,
  { clusterId, scope }: SigmaTarget,
  compiled: readonly CompiledText[],
  window: Window,
): Promise<readonly CompiledText[]> {
  if (compiled.length < PROBED_FROM) return compiled;
  const found: CompiledText[] = [];
  for (let at = 0; at < compiled.length; at += PROBED_AT_ONCE) {
    const some = compiled.slice(at, at + PROBED_AT_ONCE);
    const plans = some.map(({ plan }) => plan);
    const numbers = (await planCandidates(queries, clusterId, plans)([scope], window)).get(scope);
    found.push(...some.filter((_, number) => numbers?.has(number) ?? true));
  }
  return found;
}

async function eventsOf(
  queries: QueryService,
  { clusterId, scope }: SigmaTarget,
  plan: Plan,
  ingestRange: Window,
): Promise<readonly string[]> {
  const request = { clusterId, scopes: [scope], ingestRange };
  const columns = plan.columns.filter(({ name }) => name === 'EventUid');
  const { plan: narrow, values } = await narrowToPresent(queries, { ...plan, columns }, request);
  const { rows } = await queries.runPlan(narrow, {
    ...request,
    ...(values ? { values } : {}),
    queue: 'interactive',
  });
  return rows.map(([uid]) => String(uid));
}

const distinct = (fired: Matches['fired']): Matches['fired'] =>
  [...new Map(fired.map((one) => [`${one.rule} ${one.event}`, one])).values()].sort(
    (one, other) => one.rule - other.rule || one.event - other.event,
  );
