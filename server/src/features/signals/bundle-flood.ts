import { ANCHOR_MS, type EvaluatedRange } from './anchored-rows.ts';
import { findingOf, type RuleIdentity } from './finding.ts';
import { mergeOccurrences, type Occurrence, occurrenceIdOf } from './occurrence.ts';
import type { RecordingRule } from './recording-rule.ts';

// Nobody reads a thousand signals a minute, and writing them holds up every other rule. So a rule raises so many findings of
// half a minute of events one by one; what is beyond them is counted in one signal of the rule, which leads to the events.

/** Findings of half a minute of events that a rule raises one by one. */
export const MOST_OF_HALF_MINUTE = 100;

export type FloodingRule = RuleIdentity & Pick<RecordingRule, 'workbookName' | 'signal'>;

/** What stands for the findings beyond those that are raised one by one. */
const nameOfRest = ({ workbookName }: FloodingRule): string => `${workbookName}: further findings`;

function bundled(rule: FloodingRule, half: number, rest: readonly [Occurrence, ...Occurrence[]]): Occurrence {
  const finding = findingOf(rule, { ...rule.signal, name: nameOfRest(rule), suspects: [], targets: [] }, {});
  const merged = mergeOccurrences(rest);
  return { ...merged, finding, occurrenceId: occurrenceIdOf(finding, `rest ${half}`), fields: {} };
}

/**
 * The occurrences that are raised: of each half minute of ingest the first ones as they are, the others as one. They come
 * in the order of `OccurrenceCollector.occurrences`; those that do not say when they came in count for the window.
 */
export function bundleFlood(
  rule: FloodingRule,
  window: EvaluatedRange,
  found: readonly Occurrence[],
): readonly Occurrence[] {
  if (found.length <= MOST_OF_HALF_MINUTE) return found;
  const halves = new Map<number, Occurrence[]>();
  for (const occurrence of found) {
    const half = Math.floor((occurrence.ingestedMs ?? window.from) / ANCHOR_MS);
    const some = halves.get(half) ?? [];
    some.push(occurrence);
    halves.set(half, some);
  }
  return [...halves].flatMap(([half, some]) => {
    const [first, ...others] = some.slice(MOST_OF_HALF_MINUTE);
    const raised = some.slice(0, MOST_OF_HALF_MINUTE);
    return first ? [...raised, bundled(rule, half, [first, ...others])] : raised;
  });
}
