import { type ServerMessage, storedText } from '@tyrian/contract';
import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Logger } from '../../platform/log.ts';
import type { Postgres } from '../../platform/postgres/postgres.ts';
import type { Occurrence } from '../signals/occurrence.ts';
import { recordOccurrences } from '../signals/signal-recorder.ts';
import type { DetectionEvaluator } from './evaluate-detection.ts';
import { recordWindow } from './ledger-store.ts';
import type { Detection, RuleDefinition, RuleDefinitions } from './rule-definition.ts';
import { saidOfFailure } from './rule-failure.ts';
import { leaseDueRules, lockRule, type RuleKey, releaseRule, saveRule } from './rule-store.ts';
import { type Boundaries, boundariesOf } from './schedule-boundaries.ts';
import { type Evaluation, MAX_SPAN, OFF, stepScheduler } from './scheduler-machine.ts';
import { type StreamActivity, streamActivity } from './stream-activity.ts';
import { tellFailing } from './tell-failing.ts';

// Performs what the scheduler decides. It holds a rule by a lease while it works on it; the transaction that
// records a window reads the rule again under a lock, so that a runner whose lease has passed to somebody else
// records nothing. Signals, ledger and position of the rule are one transaction.

/**
 * How far windows stay behind now. Ingest stamps an event before the insert commits; an insert takes well under
 * this. One that takes longer is caught by find-late-events.ts, which counts windows again.
 */
const WATERMARK_LAG_MS = 5_000;
const LEASE_MS = 60_000;
const RULES_AT_ONCE = 2;
const RULES_PER_ROUND = 100;
/** Windows of one rule before the others have their turn. */
const WINDOWS_PER_TURN = 60;
/** Windows of a rule that looks at single events which may run as one. */
const MERGED_WINDOWS = 64;

export interface RunnerDeps {
  readonly postgres: Postgres;
  readonly events: EventStore;
  readonly evaluator: DetectionEvaluator;
  readonly definitions: RuleDefinitions;
  readonly clock: Clock;
  readonly log: Logger;
  /** Names this runner in leases. */
  readonly owner: string;
}

interface PartOutcome {
  readonly detection: Detection;
  readonly stream: string;
  readonly rows: number;
  readonly occurrences: readonly Occurrence[];
}

type Outcome =
  | { readonly ok: true; readonly parts: readonly PartOutcome[]; readonly eventsSeen: number }
  | { readonly ok: false; readonly error: ServerMessage };

interface Turn {
  readonly rule: RuleDefinition;
  readonly boundaries: Boundaries;
  readonly streams: readonly string[];
  readonly rowByRow: boolean;
  readonly needsEvents: boolean;
  readonly activity: StreamActivity;
}

interface RunLimits {
  readonly signal?: AbortSignal | undefined;
  /** No window is begun from then on, after the first of each rule at work; ms. */
  readonly untilMs?: number;
}

export interface DetectionRunner {
  /** Evaluates what is due for a tenant; resolves with the number of windows that were recorded. */
  runDue(clusterId: string, limits?: RunLimits): Promise<number>;
}

export function createDetectionRunner(deps: RunnerDeps): DetectionRunner {
  const { postgres, events, clock, log, owner } = deps;

  const lease = (clusterId: string) =>
    postgres.inTenant(clusterId, (trx) =>
      leaseDueRules(trx, {
        clusterId,
        owner,
        nowMs: clock.now(),
        untilMs: clock.now() + LEASE_MS,
        watermarkMs: clock.now() - WATERMARK_LAG_MS,
        limit: RULES_PER_ROUND,
      }),
    );

  const turnOf = async (key: RuleKey, activity: StreamActivity): Promise<Turn | null> => {
    const rule = await deps.definitions.definitionOf(key);
    const boundaries = rule ? boundariesOf(rule.schedule) : null;
    if (!rule || !boundaries || rule.detections.length === 0) return null;
    const traits = await Promise.all(
      rule.detections.map((detection) => deps.evaluator.traitsOf(rule, detection)),
    );
    return {
      rule,
      boundaries,
      activity,
      streams: [...new Set(traits.flatMap((each) => each.streams))],
      rowByRow: traits.every((each) => each.rowByRow) && rule.schedule.lookback_minutes === 0,
      needsEvents: traits.every((each) => each.needsEvents),
    };
  };

  const evaluate = async (turn: Turn, window: Evaluation, signal?: AbortSignal): Promise<Outcome> => {
    const { rule, activity, streams } = turn;
    try {
      // Counted before the query: what comes between the two makes the window run again, never the other way.
      const seen = await activity.count(rule.scopeId, streams, window);
      if (seen === 0 && turn.needsEvents) return { ok: true, parts: [], eventsSeen: 0 };
      const parts: PartOutcome[] = [];
      for (const detection of rule.detections) {
        const outcome = await deps.evaluator.evaluate(rule, detection, window, signal);
        parts.push({ detection, stream: streams.join(', '), ...outcome });
      }
      return { ok: true, parts, eventsSeen: seen };
    } catch (error) {
      if (signal?.aborted) throw error;
      return { ok: false, error: saidOfFailure(error) };
    }
  };

  /** Writes the outcome; false when the rule is no longer ours. */
  const record = (turn: Turn, evaluation: Evaluation, outcome: Outcome, startedMs: number) =>
    postgres.inTenant(turn.rule.clusterId, async (trx) => {
      const stored = await lockRule(trx, turn.rule);
      if (!stored || stored.leaseOwner !== owner) return false;
      const nowMs = clock.now();
      const { state, actions } = stepScheduler(
        stored.state,
        outcome.ok ? { kind: 'done', evaluation } : { kind: 'failed', evaluation, now: nowMs },
      );
      if (actions.length === 0) return false;
      let signals = 0;
      let occurrences = 0;
      let rows = 0;
      for (const part of outcome.ok ? outcome.parts : []) {
        const result = await recordOccurrences(
          trx,
          {
            ...turn.rule,
            workbookName: turn.rule.name,
            stream: part.stream,
            signal: part.detection.signal.body,
          },
          part.occurrences,
          nowMs,
        );
        signals += result.newSignals;
        occurrences += result.occurrences;
        rows += part.rows;
      }
      await recordWindow(trx, turn.rule, {
        evaluation,
        rows,
        signals,
        occurrences,
        eventsSeen: outcome.ok ? outcome.eventsSeen : 0,
        error: outcome.ok ? null : storedText(outcome.error),
        startedMs,
        finishedMs: nowMs,
      });
      await tellFailing(trx, turn.rule, turn.rule.name, state, nowMs);
      await saveRule(trx, turn.rule, {
        state,
        dueMs: turn.boundaries.after(state.coveredUntil),
        lastError: outcome.ok ? null : storedText(outcome.error),
        leaseUntilMs: nowMs + LEASE_MS,
        rows,
        signals,
        ...(outcome.ok
          ? { run: { atMs: nowMs, durationMs: nowMs - startedMs, rerun: evaluation.rerun } }
          : {}),
      });
      return outcome.ok;
    });

  const decide = (turn: Turn, mergeable: number): Promise<Evaluation | null> =>
    postgres.inTenant(turn.rule.clusterId, async (trx) => {
      const stored = await lockRule(trx, turn.rule);
      if (!stored || stored.leaseOwner !== owner) return null;
      const nowMs = clock.now();
      const { state, actions } = stepScheduler(stored.state, {
        kind: 'wake',
        now: nowMs,
        watermark: nowMs - WATERMARK_LAG_MS,
        boundaries: turn.boundaries,
        mergeable,
      });
      const action = actions[0];
      if (action?.kind === 'evaluate') return action.evaluation;
      // Nothing to do: make sure that the rule is not asked again before there is.
      const dueMs = turn.boundaries.after(state.coveredUntil);
      if (dueMs !== stored.dueMs) await saveRule(trx, turn.rule, { state, dueMs });
      return null;
    });

  /** A stretch without events is one window, whatever the rule; else as the rule allows. */
  const nextEvaluation = async (turn: Turn): Promise<Evaluation | null> => {
    const widest = await decide(turn, turn.needsEvents ? MAX_SPAN : 1);
    if (!widest || widest.rerun || !turn.needsEvents) return widest;
    const isEmpty = (await turn.activity.count(turn.rule.scopeId, turn.streams, widest)) === 0;
    return isEmpty ? widest : decide(turn, turn.rowByRow ? MERGED_WINDOWS : 1);
  };

  /** A rule that cannot even be read fails the window that would be next. */
  const recordBroken = async (key: RuleKey, error: string) => {
    const definition = await deps.definitions.definitionOf(key).catch(() => null);
    await postgres.inTenant(key.clusterId, async (trx) => {
      const stored = await lockRule(trx, key);
      if (!stored || stored.leaseOwner !== owner) return;
      const from = stored.state.coveredUntil;
      const evaluation = { from, to: Math.max(from + 1, stored.dueMs), rerun: false };
      const nowMs = clock.now();
      const { state } = stepScheduler(stored.state, { kind: 'failed', evaluation, now: nowMs });
      await recordWindow(trx, key, {
        evaluation,
        rows: 0,
        signals: 0,
        occurrences: 0,
        eventsSeen: 0,
        error,
        startedMs: nowMs,
        finishedMs: nowMs,
      });
      await tellFailing(trx, key, definition?.name ?? '', state, nowMs);
      await saveRule(trx, key, { state, lastError: error });
    });
  };

  const stopRule = (key: RuleKey) =>
    postgres.inTenant(key.clusterId, (trx) => saveRule(trx, key, { state: OFF }));

  const isOver = ({ signal, untilMs }: RunLimits): boolean =>
    signal?.aborted === true || (untilMs !== undefined && clock.now() >= untilMs);

  const takeTurn = async (key: RuleKey, activity: StreamActivity, limits: RunLimits): Promise<number> => {
    const { signal } = limits;
    let recorded = 0;
    try {
      const turn = await turnOf(key, activity);
      if (!turn) {
        await stopRule(key);
        return 0;
      }
      for (let window = 0; window < WINDOWS_PER_TURN; window += 1) {
        if (window > 0 && isOver(limits)) break;
        const evaluation = await nextEvaluation(turn);
        if (!evaluation) break;
        const startedMs = clock.now();
        const outcome = await evaluate(turn, evaluation, signal);
        if (!(await record(turn, evaluation, outcome, startedMs))) break;
        recorded += 1;
      }
    } catch (error) {
      if (!signal?.aborted) await recordBroken(key, storedText(saidOfFailure(error)));
    } finally {
      await postgres.inTenant(key.clusterId, (trx) => releaseRule(trx, key, owner));
    }
    return recorded;
  };

  return {
    runDue: async (clusterId, limits = {}) => {
      const due = await lease(clusterId);
      if (due.length === 0) return 0;
      const activity = streamActivity(events, clusterId);
      let recorded = 0;
      const queue = [...due];
      const work = async () => {
        for (let key = queue.shift(); key; key = queue.shift()) {
          recorded += await takeTurn(key, activity, limits);
          if (isOver(limits)) return;
        }
      };
      await Promise.all(Array.from({ length: RULES_AT_ONCE }, work));
      // Those that had no turn wait for the next, and for anybody.
      if (queue.length > 0) {
        await postgres.inTenant(clusterId, async (trx) => {
          for (const key of queue) await releaseRule(trx, key, owner);
        });
      }
      log.debug({ clusterId, rules: due.length, recorded }, 'detections ran');
      return recorded;
    },
  };
}
