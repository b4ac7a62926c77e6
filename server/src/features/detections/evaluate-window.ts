import { fewAtATime } from '../../platform/few-at-a-time.ts';
import { countsAfter, type FirstHalf } from './first-half.ts';
import type { Evaluated } from './record-outcome.ts';
import type { ReadRule, RuleCandidates, RuleReading } from './rule-reader.ts';
import type { TurnDeps } from './rule-turn.ts';
import type { Evaluation } from './scheduler-machine.ts';
import { countOf, type StreamCounts } from './stream-activity.ts';
import type { TurnLimits } from './turn-limits.ts';

// One window of a group, or the first half of one, evaluated for the rules whose streams received events; the others have
// nothing to find. Rules that have seen the first half look at the rest alone.

const RULES_AT_ONCE = 2;
/** A rule whose query takes longer goes on alone, where it has the time of its queue: the others do not wait for it. */
const RULE_MS = 20_000;

export interface Step {
  /** What is written to the ledgers; of a first half, which is not written, itself. */
  readonly window: Evaluation;
  readonly minutes: ReadonlyMap<number, StreamCounts>;
  /** The rest of the window is to come. */
  readonly isFirstHalf: boolean;
  /** What of the window was evaluated before. */
  readonly firstHalf: FirstHalf | null;
}

/** Rules that are evaluated over the same stretch of time, with the events of their streams in the window. */
export interface Stretch {
  readonly window: Evaluation;
  readonly hits: ReadonlyMap<ReadRule, number>;
}

function countIn(minutes: ReadonlyMap<number, StreamCounts>, { streams }: ReadRule): number {
  let seen = 0;
  for (const counts of minutes.values()) seen += countOf(counts, streams);
  return seen;
}

const runningOf = (readings: ReadonlyMap<string, RuleReading>): readonly ReadRule[] =>
  [...readings.values()].flatMap((reading) => (reading.kind === 'runs' ? reading.read : []));

/** The rules whose streams received events in what they have not seen of the window. */
export function stretchesOf(readings: ReadonlyMap<string, RuleReading>, step: Step): readonly Stretch[] {
  const { window, minutes, firstHalf, isFirstHalf } = step;
  const without = new Set(firstHalf?.without);
  const isAhead = (read: ReadRule) =>
    firstHalf !== null && read.splitsMinutes && !without.has(read.rule.workbookId);
  const left = firstHalf ? countsAfter(firstHalf, window, minutes) : minutes;
  const running = runningOf(readings).filter((read) => read.splitsMinutes || !isFirstHalf);
  const hitsOf = (reads: readonly ReadRule[], of: ReadonlyMap<number, StreamCounts>) =>
    new Map(reads.filter((read) => countIn(of, read) > 0).map((read) => [read, countIn(minutes, read)]));
  const whole = {
    window,
    hits: hitsOf(
      running.filter((read) => !isAhead(read)),
      minutes,
    ),
  };
  const rest = {
    window: { ...window, from: firstHalf?.until ?? window.from },
    hits: hitsOf(running.filter(isAhead), left),
  };
  return [whole, rest].filter(({ hits }) => hits.size > 0);
}

/** `known` is asked here when absent. */
async function evaluateStretch(
  { reader, clock }: TurnDeps,
  { window, hits }: Stretch,
  step: Step,
  known: RuleCandidates | null,
  { signal }: TurnLimits,
): Promise<readonly Evaluated[]> {
  const { quiet, events } = known ?? (await reader.candidates([...hits.keys()], window, signal));
  return fewAtATime(hits, RULES_AT_ONCE, async ([read, eventsSeen]): Promise<Evaluated> => {
    const startedMs = clock.now();
    const outcome = quiet.has(read)
      ? ({ ok: true, parts: [], eventsSeen } as const)
      : await reader.evaluate(read, window, eventsSeen, {
          signal,
          withinMs: RULE_MS,
          events: events.get(read),
        });
    const before = window.from > step.window.from ? step.firstHalf?.found[read.rule.workbookId] : undefined;
    return { read, evaluation: step.window, outcome, startedMs, before };
  });
}

export async function evaluateAll(
  deps: TurnDeps,
  readings: ReadonlyMap<string, RuleReading>,
  step: Step,
  known: RuleCandidates | null,
  limits: TurnLimits,
): Promise<readonly Evaluated[]> {
  const evaluated: Evaluated[] = [];
  for (const stretch of stretchesOf(readings, step))
    evaluated.push(...(await evaluateStretch(deps, stretch, step, known, limits)));
  const done = new Set(evaluated.map(({ read }) => read.rule.workbookId));
  // What they found in the first half is told by the window, even where nothing came after.
  for (const [id, before] of Object.entries(step.firstHalf?.found ?? {})) {
    const reading = readings.get(id);
    if (done.has(id) || reading?.kind !== 'runs') continue;
    const outcome = { ok: true, parts: [], eventsSeen: countIn(step.minutes, reading.read) } as const;
    const startedMs = deps.clock.now();
    evaluated.push({ read: reading.read, evaluation: step.window, outcome, startedMs, before });
  }
  return evaluated;
}
