import { call, columnReference, constant, type Plan, rewritePlan, type ScanColumn } from '@tyrian/plan';
import type { FieldsRequest } from '../../search/fields-in-range.ts';
import type { QueryService } from '../../search/query-service.ts';
import type { ReadRows } from '../read-together.ts';
import { type NarrowedPlan, narrowToPresent, withPresentFilters } from './narrow-to-present.ts';
import type { PresentFields } from './present-fields.ts';

/** What is known of the events of a window that may be of a detection: no other passes what its query asks of an event. */
export interface CandidateEvents {
  /** As `event_marks` tells them; null when it may be any event. */
  readonly marks: readonly number[] | null;
  /** The fields that events of the window have; null when that is not known. */
  readonly present: PresentFields | null;
  /** The rows of the detection in the window, where they were read with those of others. */
  readonly rows?: ReadRows;
}

/**
 * The plan for a range, read as cheaply as what is known of the range allows; the same rows. `events` are those of this very
 * range, and only for a plan whose rows each come from one event.
 */
export const narrowPlan = async (
  queries: Pick<QueryService, 'fieldsInRange'>,
  plan: Plan,
  request: FieldsRequest,
  events: CandidateEvents | undefined,
): Promise<NarrowedPlan> =>
  events ? narrowToCandidates(plan, events) : narrowToPresent(queries, plan, request);

function narrowToCandidates(plan: Plan, { marks, present }: CandidateEvents): NarrowedPlan {
  const root = present ? withPresentFilters(plan, present) : plan.root;
  const narrowed = marks ? readingMarked({ ...plan, root }, marks) : { ...plan, root };
  return { plan: narrowed, ...(present ? { values: present.values } : {}) };
}

function readingMarked(plan: Plan, marks: readonly number[]): Plan {
  let { nextId } = plan;
  const marked = constant('dynamic', JSON.stringify(marks));
  const root = rewritePlan(plan.root, (node) => {
    if (node.kind !== 'scan') return node;
    const known = node.columns.find(({ source }) => source.kind === 'column' && source.name === 'EventUid');
    const uid: ScanColumn = known ?? {
      id: nextId++,
      type: 'guid',
      source: { kind: 'column', name: 'EventUid' },
    };
    const input = known ? node : { ...node, columns: [...node.columns, uid] };
    const predicate = call('bool', 'is_marked', columnReference(uid.id, uid.type), marked);
    return { kind: 'filter', input, predicate };
  });
  return { ...plan, root, nextId };
}
