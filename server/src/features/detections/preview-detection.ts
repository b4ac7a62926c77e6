import type { Plan } from '@tyrian/plan';
import { slideWindows, WINDOW_COLUMN } from '@tyrian/plan';
import { compileRefusal } from '../search/compile-refusal.ts';
import type { QueryQueue } from '../search/query-queues.ts';
import type { Compiled, QueryService } from '../search/query-service.ts';
import { CoalescedSignals } from '../signals/coalesced-signals.ts';
import type { ResultRow } from '../signals/finding.ts';
import { OccurrenceCollector } from '../signals/occurrence.ts';
import { analysePlan, type PlanTraits } from './analyse-plan.ts';
import { narrowedToSignal } from './narrow-to-signal.ts';
import { commonLength, type PreviewWindows, windowsIn } from './preview-windows.ts';
import type { Detection, RuleDefinition } from './rule-definition.ts';
import { MINUTE_MS } from './schedule-boundaries.ts';
import type { Window } from './scheduler-machine.ts';
import type { StreamActivity } from './stream-activity.ts';

// What a rule would have raised, found as the scheduler finds it: over its own windows of ingest time, with its
// look-back, a window without new events left out. A rule that looks at single events is asked once; one that counts
// is asked once for up to a day of minutes, by a plan that tells its windows apart; only what has no such plan is asked
// window by window.

/** Rows of all windows that are read, unless the ask says otherwise. */
const MOST_ROWS = 20_000;
/** Windows that one query slides over. */
const WINDOWS_AT_ONCE = 1440;
/** Windows of a rule that has to be asked for each of them, unless the ask says otherwise. */
const MOST_ALONE = 120;

export interface PreviewedDetection {
  readonly rows: number;
  readonly capped: boolean;
  readonly signals: CoalescedSignals;
  readonly windows: PreviewWindows;
}

export interface PreviewAsk {
  readonly rule: Pick<RuleDefinition, 'clusterId' | 'scopeId' | 'workbookId' | 'schedule'>;
  readonly userId: string;
  readonly range: Window;
  readonly signal?: AbortSignal;
  readonly queue?: QueryQueue;
  readonly mostRows?: number;
  readonly mostAlone?: number;
  /** Gives each query its name on the engine. */
  readonly nameQuery?: () => string;
  /** Told how long each query took. */
  readonly noteQuery?: (engineMs: number) => void;
}

export interface FoundRows {
  readonly window: Window;
  readonly rows: readonly ResultRow[];
}

interface Found {
  readonly parts: readonly FoundRows[];
  readonly capped: boolean;
}

/** The rows of each window that has some. */
export interface FoundInWindows extends Found {
  readonly windows: PreviewWindows;
}

const asRows = (answer: {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly unknown[])[];
}): ResultRow[] =>
  answer.rows.map((row) => Object.fromEntries(answer.columns.map(({ name }, index) => [name, row[index]])));

export interface DetectionPreviewParts {
  readonly queries: QueryService;
  readonly activityOf: (clusterId: string) => StreamActivity;
  /** Compiles as the scheduler does; when absent, what is wrong with the text is told to whoever asks. */
  readonly compile?: (rule: PreviewAsk['rule'], detection: Detection) => Promise<Compiled>;
}

/** Says what a detection would have raised over a range. */
export function createDetectionPreview(
  queries: QueryService,
  activityOf: (clusterId: string) => StreamActivity,
) {
  const own: DetectionPreviewParts = { queries, activityOf };
  return (ask: PreviewAsk, detection: Detection) => previewDetection(own, ask, detection);
}

function requestOf(ask: PreviewAsk, from: number, to: number) {
  const { rule, userId, signal, queue = 'interactive', nameQuery } = ask;
  return {
    clusterId: rule.clusterId,
    userId,
    scopes: [rule.scopeId],
    ingestRange: { from: from - rule.schedule.lookback_minutes * MINUTE_MS, to },
    queue,
    ...(signal ? { signal } : {}),
    ...(nameQuery ? { queryId: nameQuery() } : {}),
  };
}

async function compiled(
  { queries, compile }: DetectionPreviewParts,
  { rule, userId }: PreviewAsk,
  detection: Detection,
): Promise<Compiled> {
  if (compile) return compile(rule, detection);
  const { kql } = detection;
  const { clusterId, scopeId } = rule;
  const { query } = kql.body;
  const result = await queries.compile({
    clusterId,
    userId,
    scopes: [scopeId],
    kql: query,
    unknownColumns: 'error',
  });
  if (!result.ok) throw compileRefusal(result.diagnostics);
  return result;
}

/** Windows that hold new events: the scheduler evaluates no other of a rule that needs them. */
async function busy(
  { activityOf }: DetectionPreviewParts,
  ask: PreviewAsk,
  traits: PlanTraits,
  windows: readonly Window[],
): Promise<Window[]> {
  if (!traits.needsEvents) return [...windows];
  const activity = activityOf(ask.rule.clusterId);
  const found: Window[] = [];
  for (const window of windows) {
    if ((await activity.count(ask.rule.scopeId, traits.streams, window)) > 0) found.push(window);
  }
  return found;
}

/** Rows that are single events: whatever window they fall into, they say the same. */
async function asOne(
  { queries }: DetectionPreviewParts,
  ask: PreviewAsk,
  plan: Plan,
  windows: readonly Window[],
): Promise<Found> {
  const window = { from: windows[0]?.from ?? 0, to: windows.at(-1)?.to ?? 0 };
  const request = requestOf(ask, window.from, window.to);
  const answer = await queries.runPlan(plan, { ...request, maxRows: ask.mostRows ?? MOST_ROWS });
  ask.noteQuery?.(answer.stats.engineMs);
  return { parts: [{ window, rows: asRows(answer) }], capped: answer.truncated };
}

async function slid(
  { queries }: DetectionPreviewParts,
  ask: PreviewAsk,
  plan: Plan,
  windows: readonly Window[],
  stepMs: number,
): Promise<Found | null> {
  const lookbackMs = ask.rule.schedule.lookback_minutes * MINUTE_MS;
  const byStart = new Map<number, ResultRow[]>();
  let left = ask.mostRows ?? MOST_ROWS;
  for (let at = 0; at < windows.length && left > 0; at += WINDOWS_AT_ONCE) {
    const some = windows.slice(at, at + WINDOWS_AT_ONCE);
    const [from, to] = [some[0]?.from ?? 0, some.at(-1)?.to ?? 0];
    const sliding = slideWindows(plan, { from, stepMs, count: some.length, lookbackMs });
    if (!sliding) return null;
    const answer = await queries.runPlan(sliding, { ...requestOf(ask, from, to), maxRows: left });
    ask.noteQuery?.(answer.stats.engineMs);
    for (const row of asRows(answer)) {
      const start = Date.parse(String(row[WINDOW_COLUMN]));
      const known = byStart.get(start) ?? [];
      known.push(row);
      byStart.set(start, known);
    }
    left -= answer.truncated ? left : answer.rows.length;
  }
  const parts = windows.flatMap((window) => {
    const rows = byStart.get(window.from);
    return rows ? [{ window, rows }] : [];
  });
  return { parts, capped: left === 0 };
}

async function oneByOne(
  { queries }: DetectionPreviewParts,
  ask: PreviewAsk,
  detection: Detection,
  windows: readonly Window[],
): Promise<Found> {
  const parts: FoundRows[] = [];
  let left = ask.mostRows ?? MOST_ROWS;
  for (const window of windows) {
    if (left <= 0) break;
    const request = requestOf(ask, window.from, window.to);
    const answer = await queries.run({ ...request, kql: detection.kql.body.query, maxRows: left });
    ask.noteQuery?.(answer.stats.engineMs);
    parts.push({ window, rows: asRows(answer) });
    left -= answer.truncated ? left : answer.rows.length;
  }
  return { parts, capped: left <= 0 };
}

/** What a detection finds in each window that ends in the range. */
export async function findInWindows(
  own: DetectionPreviewParts,
  ask: PreviewAsk,
  detection: Detection,
): Promise<FoundInWindows> {
  const all = windowsIn(ask.rule.schedule, ask.range);
  const { plan, questions } = await compiled(own, ask, detection);
  const traits = analysePlan(plan);
  if (all.windows.length === 0) return { parts: [], capped: false, windows: all };
  if (traits.rowByRow && questions.length === 0) {
    const narrow = narrowedToSignal(plan, detection.signal.body) ?? plan;
    return { ...(await asOne(own, ask, narrow, all.windows)), windows: all };
  }
  const windows = await busy(own, ask, traits, all.windows);
  const stepMs = commonLength(all.windows);
  const found =
    questions.length === 0 && stepMs !== null ? await slid(own, ask, plan, all.windows, stepMs) : null;
  if (found) {
    const evaluated = new Set(windows);
    return { ...found, parts: found.parts.filter(({ window }) => evaluated.has(window)), windows: all };
  }
  const last = windows.slice(-(ask.mostAlone ?? MOST_ALONE));
  const cut = last.length < windows.length;
  const from = last[0]?.from ?? 0;
  const shown = cut ? { windows: all.windows.filter((window) => window.from >= from), cut: true } : all;
  return { ...(await oneByOne(own, ask, detection, last)), windows: shown };
}

async function previewDetection(
  own: DetectionPreviewParts,
  ask: PreviewAsk,
  detection: Detection,
): Promise<PreviewedDetection> {
  const { parts, capped, windows } = await findInWindows(own, ask, detection);
  const lookbackMs = ask.rule.schedule.lookback_minutes * MINUTE_MS;
  const signals = new CoalescedSignals();
  let rows = 0;
  for (const part of parts) {
    const collector = new OccurrenceCollector(ask.rule, detection.signal.body, part.window, lookbackMs);
    for (const row of part.rows) collector.add(row);
    signals.add(collector.occurrences());
    rows += collector.rows;
  }
  return { rows, capped, signals, windows };
}
