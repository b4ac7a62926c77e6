import { type RuleSample, type SampleResult, type ServerMessage, say } from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import { analysePlan } from '../detections/analyse-plan.ts';
import { compileRefusal } from '../search/compile-refusal.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import { batchOf, SAMPLE_DATABASE, type StoredSample, storeSamples } from './sample-events.ts';

// Runs rules over their samples: the events through ingest, then the query of the rule as it is compiled for its tenant, on
// the engine. A sample matches when the query gives a row.

/** A rule as it is to be tested; a workbook may hold several queries, of which one has to find something. */
export interface RuleToTest {
  readonly queries: readonly string[];
  readonly samples: readonly RuleSample[];
}

/** For whom the queries are compiled. */
export interface SamplePlace {
  readonly clusterId: string;
  readonly scopeId: string;
  readonly userId?: string;
}

/** For a query that is the same in all tenants: it is compiled with the fields of the samples alone. */
export const SAMPLES_ALONE: SamplePlace = { clusterId: SAMPLE_DATABASE, scopeId: SAMPLE_DATABASE };

/** What came of a sample; a problem is not translated yet. */
export interface RanSample extends Omit<SampleResult, 'problem'> {
  readonly problem: ServerMessage | null;
}

export type SampleRunner = (
  place: SamplePlace,
  rules: readonly RuleToTest[],
  signal?: AbortSignal,
) => Promise<readonly (readonly RanSample[])[]>;

export interface SampleRunnerDeps {
  readonly events: EventStore;
  readonly queries: Pick<QueryService, 'compile' | 'run' | 'runPlan'>;
  readonly clock: Clock;
}

/** Rules whose events go to the engine together. */
const RULES_AT_ONCE = 25;
/** Rules whose queries run at once. */
const AT_ONCE = 2;
/** One query over the few events of a sample that takes longer is given up. */
const QUERY_MS = 10_000;
/** Events are stored at the time at which they are received. */
const AROUND_MS = 60_000;

export function createSampleRunner(deps: SampleRunnerDeps): SampleRunner {
  return async (place, rules, signal) => {
    const ran: (readonly RanSample[])[] = [];
    for (let from = 0; from < rules.length; from += RULES_AT_ONCE) {
      signal?.throwIfAborted();
      ran.push(...(await runSome(deps, place, rules.slice(from, from + RULES_AT_ONCE), signal)));
    }
    return ran;
  };
}

interface Asked {
  readonly place: SamplePlace;
  readonly receivedMs: number;
  readonly signal: AbortSignal | undefined;
}

async function runSome(
  deps: SampleRunnerDeps,
  place: SamplePlace,
  rules: readonly RuleToTest[],
  signal: AbortSignal | undefined,
): Promise<readonly (readonly RanSample[])[]> {
  const receivedMs = deps.clock.now();
  const samples = rules.flatMap((rule) => rule.samples);
  const stored = await storeSamples(deps.events, samples, receivedMs);
  let at = 0;
  const numbered = rules.map((rule) => {
    const from = at;
    at += rule.samples.length;
    return { rule, places: stored.slice(from, at) };
  });
  const asked = { place, receivedMs, signal };
  return fewAtATime(numbered, AT_ONCE, ({ rule, places }) => runRule(deps, asked, rule, places));
}

const problemOf = (error: unknown): ServerMessage =>
  saidOf(error, (reason) => say('samples.runFailed', { reason }));

/** Whether a query matches each of some samples, or why that cannot be told. */
type Matched = readonly (boolean | ServerMessage)[];

async function runRule(
  deps: SampleRunnerDeps,
  asked: Asked,
  { queries, samples }: RuleToTest,
  places: readonly StoredSample[],
): Promise<readonly RanSample[]> {
  const matches: Matched[] = [];
  for (const kql of queries) matches.push(await matchedBy(deps, asked, kql, places));
  return samples.map(({ name, expect }, at): RanSample => {
    const told = matches.map((each) => each[at] ?? false);
    const isMatched = told.includes(true);
    const failure = told.find((one) => typeof one === 'object');
    const problem = queries.length === 0 ? say('samples.noQuery') : isMatched ? null : (failure ?? null);
    const passed = problem === null && isMatched === (expect === 'match');
    return { name, expect, matched: isMatched, passed, problem };
  });
}

/** Compiles a query as it is compiled for its tenant, and asks it of the samples. */
async function matchedBy(
  deps: SampleRunnerDeps,
  asked: Asked,
  kql: string,
  places: readonly StoredSample[],
): Promise<Matched> {
  const { clusterId, scopeId, userId } = asked.place;
  try {
    const compiled = await deps.queries.compile({
      ...{ clusterId, scopes: [scopeId], kql, unknownColumns: 'error' },
      ...(userId === undefined ? {} : { userId }),
    });
    if (!compiled.ok) throw compileRefusal(compiled.diagnostics);
    const uid = compiled.plan.columns.filter(({ name }) => name === 'EventUid');
    const isOfEvents = analysePlan(compiled.plan).rowByRow && compiled.questions.length === 0;
    const together =
      isOfEvents && uid.length === 1
        ? await matchedTogether(deps, asked, { ...compiled.plan, columns: uid }, places)
        : null;
    if (together) return together;
    const matched: (boolean | ServerMessage)[] = [];
    for (const place of places) matched.push(await matchedAlone(deps, asked, kql, compiled, place));
    return matched;
  } catch (error) {
    asked.signal?.throwIfAborted();
    return places.map(() => problemOf(error));
  }
}

const requestOf = ({ receivedMs, signal }: Asked, places: readonly StoredSample[]) => ({
  clusterId: SAMPLE_DATABASE,
  scopes: places.map(({ scopeId }) => scopeId),
  ingestRange: { from: receivedMs - AROUND_MS, to: receivedMs + AROUND_MS },
  queue: 'interactive' as const,
  signal: AbortSignal.any([AbortSignal.timeout(QUERY_MS), ...(signal ? [signal] : [])]),
});

/**
 * A query whose rows are single events is asked once for all samples: each row tells whose it is. Null when one does not,
 * since the query gives the name EventUid to something else.
 */
async function matchedTogether(
  { queries }: SampleRunnerDeps,
  asked: Asked,
  plan: Plan,
  places: readonly StoredSample[],
): Promise<Matched | null> {
  const { rows } = await queries.runPlan(plan, requestOf(asked, places));
  const found = new Set(rows.map(([uid]) => batchOf(String(uid))));
  const matched = places.map(({ batch }) => found.has(batch));
  return matched.filter(Boolean).length === found.size ? matched : null;
}

async function matchedAlone(
  { queries }: SampleRunnerDeps,
  asked: Asked,
  kql: string,
  { plan, questions }: Compiled,
  place: StoredSample,
): Promise<boolean | ServerMessage> {
  const request = { ...requestOf(asked, [place]), maxRows: 1 };
  try {
    // Columns that the data decides are known to a run of the text alone.
    const { rows } =
      questions.length === 0 ? await queries.runPlan(plan, request) : await queries.run({ ...request, kql });
    return rows.length > 0;
  } catch (error) {
    asked.signal?.throwIfAborted();
    return problemOf(error);
  }
}
