import { bindDeps } from '../../platform/bind-deps.ts';
import { isPastResultMemory } from '../../platform/clickhouse/result-memory.ts';
import { systemClock } from '../../platform/clock.ts';
import type { QueryFunctions } from '../search/compile-with-fields.ts';
import type { FieldsRequest } from '../search/fields-in-range.ts';
import type { Compiled, QueryResult, QueryService } from '../search/query-service.ts';
import { type Occurrence, OccurrenceCollector } from '../signals/occurrence.ts';
import { analysePlan, type PlanTraits } from './analyse-plan.ts';
import type { AskedDetection } from './asked-together.ts';
import { createRuleCompiler, type RuleCompiler } from './compile-rule-query.ts';
import { type CoversAside, createCoversAside } from './covers-aside.ts';
import { createFollowedWindows, type FollowedWindows } from './followed-windows.ts';
import { knownCover } from './known-cover.ts';
import { narrowedToSignal } from './narrow-to-signal.ts';
import { keepLiteralProbes } from './prefilter/literals-seen.ts';
import { type CandidateEvents, narrowPlan } from './prefilter/narrow-to-candidates.ts';
import { type DetectionCandidates, detectionCandidates } from './probe-detections.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';
import { groupsPlan, MOST_GROUPS_TOUCHED, readingGroups } from './touched-groups.ts';

// Runs one detection over one window of ingest time and turns its rows into occurrences.

export interface DetectionOutcome {
  readonly rows: number;
  readonly occurrences: readonly Occurrence[];
}

interface EvaluationTerms {
  readonly signal?: AbortSignal | undefined;
  /** Names the queries on the engine. */
  readonly queryId?: string | undefined;
  /** The events of the window that the detection can be about, where these are known. */
  readonly events?: CandidateEvents | undefined;
}

export interface DetectionEvaluator {
  /** What the query reads and how it may be cut. Throws when it does not compile. */
  traitsOf(rule: RuleDefinition, detection: Detection): Promise<PlanTraits>;
  evaluate(
    rule: RuleDefinition,
    detection: Detection,
    window: Window,
    terms?: EvaluationTerms,
  ): Promise<DetectionOutcome>;
  /** What is known of detections of one tenant, in any of its scopes, in the window. */
  candidates?(
    asked: readonly AskedDetection[],
    window: Window,
    signal?: AbortSignal,
    queryId?: string,
  ): Promise<DetectionCandidates>;
}

type HeldRows = Pick<QueryResult, 'columns' | 'rows' | 'truncated'>;

const NO_ROWS: HeldRows = { columns: [], rows: [], truncated: false };

/** Narrow rows of one window that are held at once; beyond it rows are streamed with all their columns. */
const HELD_ROWS = 100_000;

/** The rows of a plan over its range, read as cheaply as what is known of the range allows. */
async function narrowRows(
  queries: QueryService,
  whole: Parameters<QueryService['runPlan']>[0],
  request: FieldsRequest & Parameters<QueryService['runPlan']>[1],
  events: CandidateEvents | undefined,
): Promise<QueryResult | null> {
  const { plan, values } = await narrowPlan(queries, whole, request, events);
  return heldRows(queries, plan, { ...request, ...(values ? { values } : {}) });
}

/** The rows of a detection that looks at single events; null for others. */
async function rowsOfEvents(
  queries: QueryService,
  { plan: whole, questions }: Compiled,
  { signal }: Detection,
  request: Parameters<typeof narrowRows>[2],
  events: CandidateEvents | undefined,
): Promise<QueryResult | null> {
  // Columns that the data decides are known to the stream alone.
  const plan = questions.length === 0 ? narrowedToSignal(whole, signal.body) : null;
  return plan && narrowRows(queries, plan, request, events);
}

/** Null when the rows are too large to be held together. */
async function heldRows(
  queries: QueryService,
  plan: Parameters<QueryService['runPlan']>[0],
  request: Parameters<QueryService['runPlan']>[1],
  maxRows = HELD_ROWS,
): Promise<QueryResult | null> {
  try {
    return await queries.runPlan(plan, { ...request, maxRows });
  } catch (error) {
    if (isPastResultMemory(error)) return null;
    throw error;
  }
}

interface DetectionEvaluatorParts {
  readonly compiled: RuleCompiler;
  readonly queries: QueryService;
  readonly passesFor: ReturnType<typeof keepLiteralProbes>;
  readonly aside: CoversAside;
  readonly followed: FollowedWindows;
}

/** `functions` are those that a tenant has saved; without them no query names one. */
export function createDetectionEvaluator(
  queries: QueryService,
  functions?: QueryFunctions,
): DetectionEvaluator {
  const compiled = createRuleCompiler(queries, functions);
  const parts: DetectionEvaluatorParts = {
    compiled,
    queries,
    passesFor: keepLiteralProbes(),
    aside: createCoversAside(systemClock),
    followed: createFollowedWindows(),
  };
  return {
    ...bindDeps(parts, { traitsOf, evaluate }),
    candidates: (asked, window, signal, queryId) =>
      detectionCandidates(parts, asked, window, signal, queryId),
  };
}

async function traitsOf(
  { compiled }: DetectionEvaluatorParts,
  rule: RuleDefinition,
  detection: Detection,
): Promise<PlanTraits> {
  return analysePlan((await compiled(rule, detection, true)).plan);
}

/** The rows of those groups alone that an event of the window belongs to; null where everything has to be read. */
async function touchedRows(
  queries: QueryService,
  compiled: Compiled,
  window: Window,
  request: Parameters<QueryService['runPlan']>[1],
): Promise<HeldRows | null> {
  const grouped = knownCover(compiled)?.grouped;
  if (!grouped) return null;
  const { from, to } = window;
  const named = request.queryId ? { queryId: `${request.queryId}-groups` } : {};
  const asked = { ...request, ...named, ingestRange: { from, to } };
  const groups = await heldRows(queries, groupsPlan(grouped), asked, MOST_GROUPS_TOUCHED);
  if (groups?.rows.length === 0) return NO_ROWS;
  const plan = groups && readingGroups(grouped, groups);
  return plan && heldRows(queries, plan, request);
}

async function evaluate(
  { compiled, queries, followed }: DetectionEvaluatorParts,
  rule: RuleDefinition,
  detection: Detection,
  window: Window,
  { signal, queryId, events }: EvaluationTerms = {},
): Promise<DetectionOutcome> {
  const lookbackMs = rule.schedule.lookback_minutes * MINUTE_MS;
  const request = {
    clusterId: rule.clusterId,
    scopes: [rule.scopeId],
    ingestRange: { from: window.from - lookbackMs, to: window.to },
    queue: 'detections',
    ...(signal ? { signal } : {}),
    ...(queryId ? { queryId } : {}),
  } as const;
  const collector = new OccurrenceCollector(rule, detection.signal.body, window, lookbackMs);
  const collect = (columns: readonly { readonly name: string }[], rows: readonly (readonly unknown[])[]) => {
    collector.addRows(
      columns.map(({ name }) => name),
      rows,
    );
  };
  // What is known of a window says nothing of events before it.
  const known = lookbackMs === 0 ? events : undefined;
  if (known?.rows) {
    collect(known.rows.columns, known.rows.rows);
    return { rows: collector.rows, occurrences: collector.occurrences() };
  }
  const query = await compiled(rule, detection);
  const follows = followed.follows(rule, detection, window);
  const touched = follows ? await touchedRows(queries, query, window, request) : null;
  const held = touched ?? (await rowsOfEvents(queries, query, detection, request, known));
  if (held && !held.truncated) {
    collect(held.columns, held.rows);
  } else {
    const again = queryId ? { queryId: `${queryId}-again` } : {};
    const answer = await queries.stream({ ...request, ...again, kql: detection.kql.body.query });
    for await (const batch of answer.batches) collect(answer.columns, batch);
  }
  followed.evaluated(rule, detection, window, touched === null);
  return { rows: collector.rows, occurrences: collector.occurrences() };
}
