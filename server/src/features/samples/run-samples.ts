import { type RuleSample, type SampleResult, type ServerMessage, say } from '@tyrian/contract';
import type { Plan } from '@tyrian/plan';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import { saidOf } from '../../platform/said-of-failure.ts';
import { analysePlan } from '../detections/analyse-plan.ts';
import { compileRefusal } from '../search/compile-refusal.ts';
import type { QueryService } from '../search/query-service.ts';
import { SAMPLE_DATABASE, storeSamples } from './sample-events.ts';

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
  const scopes = await storeSamples(deps.events, samples, receivedMs);
  let at = 0;
  const numbered = rules.map((rule) => {
    const from = at;
    at += rule.samples.length;
    return { rule, scopes: scopes.slice(from, at) };
  });
  const asked = { place, receivedMs, signal };
  return fewAtATime(numbered, AT_ONCE, (one) => runRule(deps, asked, one.rule, one.scopes));
}

/** What one query of a rule asks of a scope of samples. */
type AskScope = (scopeId: string) => Promise<boolean>;

async function runRule(
  deps: SampleRunnerDeps,
  asked: Asked,
  { queries, samples }: RuleToTest,
  scopes: readonly string[],
): Promise<readonly RanSample[]> {
  const asks: AskScope[] = [];
  let problem = queries.length === 0 ? say('samples.noQuery') : null;
  for (const kql of queries) {
    try {
      asks.push(await prepared(deps, asked, kql));
    } catch (error) {
      asked.signal?.throwIfAborted();
      problem ??= problemOf(error);
    }
  }
  const ran: RanSample[] = [];
  for (const [at, sample] of samples.entries())
    ran.push(problem ? failed(sample, problem) : await runSample(asked, asks, sample, scopes[at] ?? ''));
  return ran;
}

const problemOf = (error: unknown): ServerMessage =>
  saidOf(error, (reason) => say('samples.runFailed', { reason }));

const failed = ({ name, expect }: RuleSample, problem: ServerMessage): RanSample => ({
  ...{ name, expect, matched: false, passed: false, problem },
});

async function runSample(
  { signal }: Asked,
  asks: readonly AskScope[],
  sample: RuleSample,
  scopeId: string,
): Promise<RanSample> {
  const { name, expect } = sample;
  try {
    let matched = false;
    for (const ask of asks) matched ||= await ask(scopeId);
    return { name, expect, matched, passed: matched === (expect === 'match'), problem: null };
  } catch (error) {
    signal?.throwIfAborted();
    return failed(sample, problemOf(error));
  }
}

/** Of single events their ids are enough. */
function narrowest(plan: Plan): Plan {
  const columns = analysePlan(plan).rowByRow ? plan.columns.filter(({ name }) => name === 'EventUid') : [];
  return columns.length === 0 ? plan : { ...plan, columns };
}

/** Compiles a query of the rule as it is compiled for its tenant. Throws AppError when it has mistakes. */
async function prepared(
  { queries }: SampleRunnerDeps,
  { place, receivedMs, signal }: Asked,
  kql: string,
): Promise<AskScope> {
  const { clusterId, scopeId, userId } = place;
  const compiled = await queries.compile({
    ...{ clusterId, scopes: [scopeId], kql, unknownColumns: 'error' },
    ...(userId === undefined ? {} : { userId }),
  });
  if (!compiled.ok) throw compileRefusal(compiled.diagnostics);
  const plan = narrowest(compiled.plan);
  return async (sampleScope) => {
    const request = {
      clusterId: SAMPLE_DATABASE,
      scopes: [sampleScope],
      ingestRange: { from: receivedMs - AROUND_MS, to: receivedMs + AROUND_MS },
      queue: 'interactive',
      maxRows: 1,
      signal: AbortSignal.any([AbortSignal.timeout(QUERY_MS), ...(signal ? [signal] : [])]),
    } as const;
    // Columns that the data decides are known to a run of the text alone.
    const { rows } =
      compiled.questions.length === 0
        ? await queries.runPlan(plan, request)
        : await queries.run({ ...request, kql });
    return rows.length > 0;
  };
}
