import { type Plan, scalarsOf, visitPlan, visitScalar } from '@tyrian/plan';

// What the scheduler needs to know of a query, read off its plan.

export interface PlanTraits {
  /** Streams that it reads, sorted; `*` alone when it reads all of them. */
  readonly streams: readonly string[];
  /** Each row comes from one event alone, so any stretch of time may be cut anywhere. */
  readonly rowByRow: boolean;
  /** Each row is one event and tells which, and when it came in: what is found does not depend on where time is cut. */
  readonly rowsAreEvents: boolean;
  /** Without events there are no rows: a window without events needs no query. */
  readonly needsEvents: boolean;
}

const TELL_EVENTS = ['EventUid', 'IngestedTime'] as const;

/** Reads the traits off a plan; in doubt it claims nothing. */
export function analysePlan(plan: Plan): PlanTraits {
  const streams = new Set<string>();
  let scans = 0;
  let rowByRow = true;
  let needsEvents = true;
  visitPlan(plan.root, (node) => {
    switch (node.kind) {
      case 'scan':
        scans += 1;
        streams.add(node.stream ?? '*');
        break;
      case 'aggregate':
        rowByRow = false;
        if (node.keys.length === 0) needsEvents = false;
        break;
      case 'store-scan':
      case 'values':
      case 'range':
        rowByRow = false;
        needsEvents = false;
        break;
      case 'join':
      case 'limit':
      case 'unique-by':
      case 'window':
      case 'match-steps':
        rowByRow = false;
        break;
      default:
        break;
    }
  });
  const isRowByRow = rowByRow && scans > 0 && !hasSubquery(plan);
  return {
    streams: streams.has('*') ? ['*'] : [...streams].sort(),
    rowByRow: isRowByRow,
    rowsAreEvents: isRowByRow && TELL_EVENTS.every((name) => plan.columns.some((each) => each.name === name)),
    needsEvents: needsEvents && scans > 0,
  };
}

/** A plan inside an expression sees other events than the row at hand. */
function hasSubquery(plan: Plan): boolean {
  let found = false;
  visitPlan(plan.root, (node) => {
    for (const scalar of scalarsOf(node)) {
      visitScalar(scalar, (part) => {
        if (part.kind === 'subquery' || part.kind === 'in-subquery') found = true;
      });
    }
  });
  return found;
}
