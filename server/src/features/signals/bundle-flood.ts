import { findingOf } from './finding.ts';
import { type EvaluatedRange, mergeOccurrences, type Occurrence, occurrenceIdOf } from './occurrence.ts';
import type { RecordingRule } from './recording-rule.ts';

// Nobody reads a thousand signals a minute, and writing them holds up every other rule. So a rule raises so many findings of
// one minute of events one by one; what is beyond them is counted in one signal of the rule, which leads to the events.

const MINUTE_MS = 60_000;

/** Findings of one minute of events that a rule raises one by one. */
export const MOST_OF_MINUTE = 200;

/** What stands for the findings beyond those that are raised one by one. */
const nameOfRest = ({ workbookName }: RecordingRule): string => `${workbookName}: further findings`;

function bundled(
  rule: RecordingRule,
  minute: number,
  rest: readonly [Occurrence, ...Occurrence[]],
): Occurrence {
  const finding = findingOf(rule, { ...rule.signal, name: nameOfRest(rule), suspects: [], targets: [] }, {});
  const merged = rest.reduce(mergeOccurrences);
  return { ...merged, finding, occurrenceId: occurrenceIdOf(finding, `rest ${minute}`), fields: {} };
}

/**
 * The occurrences that are raised: of each minute of ingest the first ones as they are, the others as one. Occurrences come
 * in the order of `OccurrenceCollector.occurrences`; those that do not say when they came in count for the window.
 */
export function bundleFlood(
  rule: RecordingRule,
  window: EvaluatedRange,
  found: readonly Occurrence[],
): readonly Occurrence[] {
  if (found.length <= MOST_OF_MINUTE) return found;
  const minutes = new Map<number, Occurrence[]>();
  for (const occurrence of found) {
    const minute = Math.floor((occurrence.ingestedMs ?? window.from) / MINUTE_MS);
    const some = minutes.get(minute) ?? [];
    some.push(occurrence);
    minutes.set(minute, some);
  }
  return [...minutes].flatMap(([minute, some]) => {
    const [first, ...others] = some.slice(MOST_OF_MINUTE);
    const raised = some.slice(0, MOST_OF_MINUTE);
    return first ? [...raised, bundled(rule, minute, [first, ...others])] : raised;
  });
}
