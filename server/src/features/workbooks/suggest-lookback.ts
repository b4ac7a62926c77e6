import type { Schedule } from '@tyrian/contract';
import { type Plan, scalarsOf, visitPlan, visitScalar } from '@tyrian/plan';
import { analysePlan } from '../detections/analyse-plan.ts';
import { boundariesOf, MINUTE_MS, nextBoundaries } from '../detections/schedule-boundaries.ts';

// A rule that counts sees in each run only what came in since the last one. Without a look-back a threshold that is
// reached over two windows is never seen, and nothing tells.

const MAX_MINUTES = 1440;
const USUAL_MINUTES = 10;
const TICKS_PER_MINUTE = BigInt(MINUTE_MS) * 10_000n;

/** The longest time span that stands in the query, in minutes; 0 for none. */
function longestSpan(plan: Plan): number {
  let longest = 0;
  visitPlan(plan.root, (node) => {
    for (const scalar of scalarsOf(node)) {
      visitScalar(scalar, (part) => {
        if (part.kind !== 'constant' || part.type !== 'timespan' || part.value === null) return;
        const minutes = Number((BigInt(part.value) + TICKS_PER_MINUTE - 1n) / TICKS_PER_MINUTE);
        if (minutes <= MAX_MINUTES) longest = Math.max(longest, minutes);
      });
    }
  });
  return longest;
}

/** Minutes that a rule which counts should look back, where it has no look-back yet; null for every other rule. */
export function suggestedLookback(plan: Plan, schedule: Schedule): number | null {
  const { rowByRow, needsEvents } = analysePlan(plan);
  if (schedule.mode === 'off' || schedule.lookback_minutes > 0 || rowByRow || !needsEvents) return null;
  const span = longestSpan(plan);
  // A bin has ended when its last event is in: twice a short one, a long one and a little more.
  const wanted = span === 0 ? USUAL_MINUTES : span + Math.min(span, USUAL_MINUTES);
  const boundaries = boundariesOf(schedule);
  const [first = 0, second = 0] = boundaries ? nextBoundaries(boundaries, 0, 2) : [];
  const between = Math.round((second - first) / MINUTE_MS);
  return Math.min(MAX_MINUTES, Math.max(wanted, schedule.mode === 'scheduled' ? between : 0));
}
