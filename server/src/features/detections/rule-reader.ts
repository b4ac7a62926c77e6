import { type ServerMessage, say } from '@tyrian/contract';
import { bindDeps } from '../../platform/bind-deps.ts';
import { fewAtATime } from '../../platform/few-at-a-time.ts';
import type { Occurrence } from '../signals/occurrence.ts';
import type { AskedDetection } from './asked-together.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import type { CandidateEvents } from './prefilter/narrow-to-candidates.ts';
import type { Detection, RuleDefinition, RuleDefinitions } from './rule-definition.ts';
import { failureOf, type RuleFailure } from './rule-failure.ts';
import type { RuleFigures } from './rule-figures.ts';
import { type Boundaries, boundariesOf } from './schedule-boundaries.ts';
import type { Evaluation } from './scheduler-machine.ts';

// What a rule asks, as far as the scheduler must know, and what one evaluation of it came to.

/** A rule that can run. */
export interface ReadRule {
  readonly rule: RuleDefinition;
  readonly boundaries: Boundaries;
  /** `*`: all. */
  readonly streams: readonly string[];
  /** Each row comes from one event, so that windows may be cut anywhere. */
  readonly rowByRow: boolean;
  /** Its minutes may be evaluated in halves: each row is an event, and without events it finds nothing. */
  readonly splitsMinutes: boolean;
  readonly needsEvents: boolean;
}

export type RuleReading =
  | { readonly kind: 'runs'; readonly read: ReadRule }
  /** The workbook is gone, is no detection, or has no schedule. */
  | { readonly kind: 'stopped' }
  /** Its query cannot be read. */
  | { readonly kind: 'broken'; readonly name: string; readonly failure: RuleFailure };

interface PartOutcome {
  readonly detection: Detection;
  readonly stream: string;
  readonly rows: number;
  readonly occurrences: readonly Occurrence[];
}

export type Outcome =
  | { readonly ok: true; readonly parts: readonly PartOutcome[]; readonly eventsSeen: number }
  | ({ readonly ok: false } & RuleFailure);

/** What is known of rules in a window before they are evaluated. */
export interface RuleCandidates {
  /** They find nothing. */
  readonly quiet: ReadonlySet<ReadRule>;
  /** Of others the events that they can be about, for those detections of which these are known. */
  readonly events: ReadonlyMap<ReadRule, ReadonlyMap<Detection, CandidateEvents>>;
}

export interface ReadTerms {
  readonly signal?: AbortSignal | undefined;
  readonly withinMs?: number | undefined;
  /** The events of the window that its detections can be about, where these are known. */
  readonly events?: ReadonlyMap<Detection, CandidateEvents> | undefined;
}

/** Windows of a rule that looks at single events which may run as one. */
export const MERGED_WINDOWS = 64;

/** Rules that are read at once: what is compiled for the first time takes two threads. */
const READ_AT_ONCE = 4;

export interface RuleReader {
  /** Reads rules of a scope, each by the id of its workbook. */
  read(
    clusterId: string,
    scopeId: string,
    workbookIds: readonly string[],
  ): Promise<ReadonlyMap<string, RuleReading>>;
  /** What is known of rules of one tenant, in any of its scopes, in the window. */
  candidates(reads: readonly ReadRule[], window: Evaluation, signal?: AbortSignal): Promise<RuleCandidates>;
  /**
   * Evaluates a rule over a window that held so many events of its streams. A failure of the query is an outcome, and so is
   * one that takes longer than `withinMs`; only an abort throws.
   */
  evaluate(read: ReadRule, window: Evaluation, eventsSeen: number, terms?: ReadTerms): Promise<Outcome>;
}

interface RuleReaderDeps {
  readonly definitions: RuleDefinitions;
  readonly evaluator: DetectionEvaluator;
  /** What runs cost is noted there. */
  readonly figures?: RuleFigures;
}

export function createRuleReader(deps: RuleReaderDeps): RuleReader {
  return bindDeps(deps, { read, candidates, evaluate });
}

async function readOne(
  { evaluator }: RuleReaderDeps,
  rule: RuleDefinition | undefined,
): Promise<RuleReading> {
  if (!rule || rule.detections.length === 0) return { kind: 'stopped' };
  try {
    const boundaries = boundariesOf(rule.schedule);
    if (!boundaries) return { kind: 'stopped' };
    const traits = await Promise.all(rule.detections.map((detection) => evaluator.traitsOf(rule, detection)));
    const streams = [...new Set(traits.flatMap((each) => each.streams))];
    const looksBack = rule.schedule.lookback_minutes > 0;
    const needsEvents = traits.every((each) => each.needsEvents);
    const read: ReadRule = {
      rule,
      boundaries,
      streams: streams.includes('*') ? ['*'] : streams,
      rowByRow: traits.every((each) => each.rowByRow) && !looksBack,
      splitsMinutes: traits.every((each) => each.rowsAreEvents) && !looksBack && needsEvents,
      needsEvents,
    };
    return { kind: 'runs', read };
  } catch (error) {
    return { kind: 'broken', name: rule.name, failure: failureOf(error) };
  }
}

async function read(
  deps: RuleReaderDeps,
  clusterId: string,
  scopeId: string,
  workbookIds: readonly string[],
): Promise<ReadonlyMap<string, RuleReading>> {
  const found = await deps.definitions.definitionsOf(clusterId, scopeId, workbookIds);
  const readings = await fewAtATime(
    workbookIds,
    READ_AT_ONCE,
    async (id) => [id, await readOne(deps, found.get(id))] as const,
  );
  return new Map(readings);
}

async function candidates(
  { evaluator, figures }: RuleReaderDeps,
  reads: readonly ReadRule[],
  window: Evaluation,
  signal?: AbortSignal,
): Promise<RuleCandidates> {
  const asked = reads.map(({ rule }) => rule.detections.map((detection) => ({ rule, detection })));
  const query = figures?.nameQuery();
  const beganMs = performance.now();
  const known = await evaluator.candidates?.(asked.flat(), window, signal, query);
  if (query !== undefined) noteShared(figures, reads, query, performance.now() - beganMs);
  if (!known) return { quiet: new Set(), events: new Map() };
  const { without, events } = known;
  const eventsOf = (each: readonly AskedDetection[]): ReadonlyMap<Detection, CandidateEvents> =>
    new Map(
      each.flatMap((one) => {
        const some = events.get(one);
        return some ? [[one.detection, some] as const] : [];
      }),
    );
  return {
    quiet: new Set(reads.filter((_, at) => asked[at]?.every((one) => without.has(one)))),
    events: new Map(reads.map((read, at) => [read, eventsOf(asked[at] ?? [])])),
  };
}

function noteShared(
  figures: RuleFigures | undefined,
  reads: readonly ReadRule[],
  query: string,
  queryMs: number,
): void {
  const [first] = reads;
  if (!first) return;
  const scopes = new Map<string, number>();
  for (const { rule } of reads) scopes.set(rule.scopeId, (scopes.get(rule.scopeId) ?? 0) + 1);
  figures?.noteShared({ clusterId: first.rule.clusterId, scopes, query, queryMs });
}

async function evaluate(
  deps: RuleReaderDeps,
  read: ReadRule,
  window: Evaluation,
  eventsSeen: number,
  terms: ReadTerms = {},
): Promise<Outcome> {
  const { figures } = deps;
  if (eventsSeen === 0 && read.needsEvents) return { ok: true, parts: [], eventsSeen };
  const query = figures?.nameQuery();
  const beganMs = performance.now();
  const outcome = await runDetections(deps, read, window, eventsSeen, { ...terms, query });
  if (query === undefined) return outcome;
  figures?.noteRun({
    rule: read.rule,
    isRerun: window.rerun,
    isFailed: !outcome.ok,
    rows: outcome.ok ? outcome.parts.reduce((sum, part) => sum + part.rows, 0) : 0,
    queryMs: performance.now() - beganMs,
    query,
  });
  return outcome;
}

interface RunTerms extends ReadTerms {
  readonly query: string | undefined;
}

async function runDetections(
  { evaluator }: RuleReaderDeps,
  read: ReadRule,
  window: Evaluation,
  eventsSeen: number,
  { signal, withinMs, query, events }: RunTerms,
): Promise<Outcome> {
  const limit = withinMs === undefined ? undefined : AbortSignal.timeout(withinMs);
  const signals = [signal, limit].flatMap((one) => one ?? []);
  try {
    const parts: PartOutcome[] = [];
    for (const [at, detection] of read.rule.detections.entries()) {
      const queryId = query === undefined ? undefined : `${query}-${at}`;
      const outcome = await evaluator.evaluate(read.rule, detection, window, {
        signal: AbortSignal.any(signals),
        queryId,
        events: events?.get(detection),
      });
      parts.push({ detection, stream: read.streams.join(', '), ...outcome });
    }
    return { ok: true, parts, eventsSeen };
  } catch (error) {
    if (signal?.aborted) throw error;
    if (limit?.aborted) return { ok: false, error: tooSlow(withinMs), isOwn: true };
    return { ok: false, ...failureOf(error) };
  }
}

const tooSlow = (withinMs = 0): ServerMessage =>
  say('search.tooSlow', { seconds: withinMs / 1000, queue: 'detections' });
