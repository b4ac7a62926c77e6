import type { EventStore } from '../../platform/clickhouse/event-store.ts';
import type { RuleCompiler } from '../detections/compile-rule-query.ts';
import { findInWindows, type PreviewAsk } from '../detections/preview-detection.ts';
import { windowsIn } from '../detections/preview-windows.ts';
import type { RuleDefinition } from '../detections/rule-definition.ts';
import type { Window } from '../detections/scheduler-machine.ts';
import { streamActivity } from '../detections/stream-activity.ts';
import type { QueryService } from '../search/query-service.ts';
import type { FoundSoFar } from './preview-figures.ts';

// One day of one rule: its windows as the scheduler evaluates them, with all of their rows. A stretch with more rows than
// one answer holds is halved until it fits.

/** Rows of one answer. */
const MOST_ROWS = 50_000;
/** A day of minutes, each with a query of its own where a rule cannot be asked otherwise. */
const MOST_ALONE = 1440;

export interface EvaluateDeps {
  readonly queries: QueryService;
  readonly events: EventStore;
  readonly compiler: RuleCompiler;
}

export interface PartAsk {
  readonly rule: RuleDefinition;
  readonly userId: string;
  readonly part: Window;
  readonly signal: AbortSignal;
  readonly nameQuery: () => string;
}

export interface Evaluated {
  /** Up to where it was looked; less than the part when the rule is too noisy. */
  readonly until: number;
  readonly queryMs: number;
}

/** Adds what a rule finds in a part to what it has found so far. */
export async function evaluatePart(deps: EvaluateDeps, ask: PartAsk, found: FoundSoFar): Promise<Evaluated> {
  const { part, rule, signal } = ask;
  let queryMs = 0;
  const activity = streamActivity(deps.events, rule.clusterId);
  for (const detection of rule.detections) {
    const stretches = [part];
    for (let range = stretches.pop(); range; range = stretches.pop()) {
      signal.throwIfAborted();
      const answer = await findInWindows(
        {
          queries: deps.queries,
          activityOf: () => activity,
          compile: (_rule, one) => deps.compiler(rule, one),
        },
        askOf(ask, range, (ms) => {
          queryMs += ms;
        }),
        detection,
      );
      const halves = answer.capped ? halvesOf(rule, range) : null;
      if (halves) {
        stretches.push(...halves);
        continue;
      }
      found.add(rule, detection.signal.body, answer.parts);
      if (!found.isTooNoisy && !answer.capped) continue;
      // Of a single window with more rows than one answer holds only a part was read.
      return { until: answer.capped ? range.from : range.to, queryMs };
    }
  }
  return { until: part.to, queryMs };
}

function askOf(
  { rule, userId, signal, nameQuery }: PartAsk,
  range: Window,
  noteQuery: (ms: number) => void,
): PreviewAsk {
  return {
    ...{ rule, userId, range, signal, nameQuery, noteQuery },
    queue: 'reports',
    mostRows: MOST_ROWS,
    mostAlone: MOST_ALONE,
  };
}

/** The later half first; null for a single window. */
function halvesOf({ schedule }: RuleDefinition, { from, to }: Window): readonly Window[] | null {
  const { windows } = windowsIn(schedule, { from, to });
  const middle = windows[Math.floor(windows.length / 2) - 1];
  return middle && windows.length > 1
    ? [
        { from: middle.to, to },
        { from, to: middle.to },
      ]
    : null;
}
