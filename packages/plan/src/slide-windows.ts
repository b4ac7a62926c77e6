import type {
  ColumnId,
  Expand,
  Join,
  OnceColumn,
  Plan,
  PlanNode,
  Range,
  Scalar,
  ScanColumn,
  StoreScan,
  Union,
  Values,
} from './plan-node.ts';
import { call, columnReference, constant } from './scalar.ts';
import { scalarsOf, visitPlan, visitScalar } from './walk-plan.ts';

// Runs a query over many windows of ingest time as if it ran once for each: every event belongs to the windows that
// would read it, and whatever counts, joins or ranks does so within one window. The plan then gives the rows of all
// windows with the beginning of theirs. What cannot be told apart by window (a limit, a subquery over events, one row
// for no events) gives no plan, never a near miss.

/** Windows that follow each other; each also reads `lookbackMs` before its own beginning. */
export interface WindowGrid {
  /** Beginning of the first window, ms since 1970. */
  readonly from: number;
  readonly stepMs: number;
  readonly count: number;
  readonly lookbackMs: number;
}

/** The column that tells when the window of a row begins. */
export const WINDOW_COLUMN = '__Window';

/** A node whose rows still carry their ingest time, or already the window that they belong to. */
interface Slid {
  readonly node: PlanNode;
  /** Null for rows that are the same in every window, such as those written in the query. */
  readonly mark: { readonly kind: 'ingested' | 'window'; readonly id: ColumnId } | null;
}

class NotByWindow extends Error {}

const TICKS_PER_MS = 10_000;
const ticks = (ms: number): string => String(BigInt(ms) * BigInt(TICKS_PER_MS));
const moment = (ms: number) => constant('datetime', ticks(ms));
const span = (ms: number) => constant('timespan', ticks(ms));

/** The plan over all windows of the grid, with `__Window` as its last column; null when it has none. */
export function slideWindows(plan: Plan, grid: WindowGrid): Plan | null {
  const slider = new Slider(grid, plan.nextId);
  try {
    const { node, mark } = slider.marked(slider.slide(plan.root));
    if (!mark) return null;
    const window = { id: mark, type: 'datetime', name: WINDOW_COLUMN } as const;
    return { ...plan, root: node, columns: [...plan.columns, window], nextId: slider.nextId };
  } catch (error) {
    if (error instanceof NotByWindow) return null;
    throw error;
  }
}

/** Whether an expression asks stored events beside the row at hand. */
function asksEvents(scalar: Scalar): boolean {
  let found = false;
  visitScalar(scalar, (part) => {
    if (part.kind !== 'subquery' && part.kind !== 'in-subquery') return;
    visitPlan(part.plan, (node) => {
      found ||= node.kind === 'scan';
    });
  });
  return found;
}

/** Rows that are the same in every window. */
const isFixed = (node: PlanNode): node is StoreScan | Values | Range =>
  node.kind === 'store-scan' || node.kind === 'values' || node.kind === 'range';

class Slider {
  nextId: ColumnId;
  private readonly grid: WindowGrid;
  private readonly shared = new Map<number, Slid>();

  constructor(grid: WindowGrid, nextId: ColumnId) {
    this.grid = grid;
    this.nextId = nextId;
  }

  private newId(): ColumnId {
    this.nextId += 1;
    return this.nextId - 1;
  }

  slide(node: PlanNode): Slid {
    if (scalarsOf(node).some(asksEvents)) throw new NotByWindow();
    if (isFixed(node)) return { node, mark: null };
    switch (node.kind) {
      case 'scan': {
        const id = this.newId();
        const column: ScanColumn = { id, type: 'datetime', source: { kind: 'column', name: 'IngestedTime' } };
        return { node: { ...node, columns: [...node.columns, column] }, mark: { kind: 'ingested', id } };
      }
      case 'filter':
      case 'compute':
      case 'sort': {
        const input = this.slide(node.input);
        return { node: { ...node, input: input.node }, mark: input.mark };
      }
      case 'expand': {
        if (node.rowLimit !== null) throw new NotByWindow();
        const input = this.slide(node.input);
        return { node: { ...node, input: input.node }, mark: input.mark };
      }
      case 'aggregate': {
        const input = this.marked(this.slide(node.input));
        if (input.mark === null) return { node, mark: null };
        // Without keys there is a row for a window without events too.
        if (node.keys.length === 0) throw new NotByWindow();
        const id = this.newId();
        const key = { id, expression: columnReference(input.mark, 'datetime') };
        return {
          node: { ...node, input: input.node, keys: [...node.keys, key] },
          mark: { kind: 'window', id },
        };
      }
      case 'unique-by': {
        const input = this.marked(this.slide(node.input));
        const keys = [...node.keys, ...this.asKeys(input.mark)];
        return { node: { ...node, input: input.node, keys }, mark: windowMark(input.mark) };
      }
      case 'window':
      case 'match-steps': {
        const input = this.marked(this.slide(node.input));
        const partition = [...(node.partition ?? []), ...this.asKeys(input.mark)];
        return { node: { ...node, input: input.node, partition }, mark: windowMark(input.mark) };
      }
      case 'join':
        return this.join(node);
      case 'union':
        return this.union(node);
      case 'once': {
        const known = this.shared.get(node.key) ?? this.slide(node.input);
        this.shared.set(node.key, known);
        if (known.mark === null) return { node: { ...node, input: known.node }, mark: null };
        const column: OnceColumn = { id: this.newId(), type: 'datetime', source: known.mark.id };
        return {
          node: { ...node, input: known.node, columns: [...node.columns, column] },
          mark: { kind: known.mark.kind, id: column.id },
        };
      }
      case 'limit':
        throw new NotByWindow();
    }
  }

  private asKeys(mark: ColumnId | null): Scalar[] {
    return mark === null ? [] : [columnReference(mark, 'datetime')];
  }

  /** Rows that carry their window: one for each window that reads the event. */
  marked({ node, mark }: Slid): { readonly node: PlanNode; readonly mark: ColumnId | null } {
    if (mark === null || mark.kind === 'window') return { node, mark: mark?.id ?? null };
    const { from, stepMs, count, lookbackMs } = this.grid;
    const ingested = columnReference(mark.id, 'datetime');
    const own = call('datetime', 'bin_datetime', ingested, span(stepMs), moment(from));
    const id = this.newId();
    const window = columnReference(id, 'datetime');
    const later = Math.ceil(lookbackMs / stepMs);
    const placed: PlanNode =
      later === 0
        ? { kind: 'compute', input: node, items: [{ id, expression: own }] }
        : this.repeated(node, id, own, later);
    const last = from + (count - 1) * stepMs;
    const predicate = call(
      'bool',
      'and',
      call('bool', 'greater_or_equal', window, moment(from)),
      call('bool', 'less_or_equal', window, moment(last)),
      call('bool', 'less_or_equal', window, call('datetime', 'add', ingested, span(lookbackMs))),
    );
    return { node: { kind: 'filter', input: placed, predicate }, mark: id };
  }

  /** Each row once for its own window and for each of the `later` ones after it. */
  private repeated(node: PlanNode, id: ColumnId, own: Scalar, later: number): PlanNode {
    const offset = this.newId();
    const offsets = JSON.stringify(Array.from({ length: later + 1 }, (_, index) => index));
    const expand: Expand = {
      kind: 'expand',
      input: node,
      items: [{ source: constant('dynamic', offsets), id: offset, type: 'long' }],
      bagAsArray: false,
      index: { id: this.newId(), type: 'long' },
      rowLimit: null,
    };
    const shift = call('timespan', 'multiply', columnReference(offset, 'long'), span(this.grid.stepMs));
    return {
      kind: 'compute',
      input: expand,
      items: [{ id, expression: call('datetime', 'add', own, shift) }],
    };
  }

  private join(node: Join): Slid {
    const left = this.marked(this.slide(node.left));
    const right = this.marked(this.slide(node.right));
    const joined: Join = { ...node, left: left.node, right: right.node };
    const { join } = node;
    const fromLeft = join === 'inner' || join === 'leftouter' || join === 'leftsemi' || join === 'leftanti';
    const mark = fromLeft ? left.mark : right.mark;
    if (left.mark === null && right.mark === null) return { node: joined, mark: null };
    if (join === 'fullouter') throw new NotByWindow();
    if (left.mark !== null && right.mark !== null) {
      const key = {
        left: columnReference(left.mark, 'datetime'),
        right: columnReference(right.mark, 'datetime'),
      };
      return { node: { ...joined, keys: [...node.keys, key] }, mark: windowMark(mark) };
    }
    // One side is the same in every window: an inner join belongs to the window of the other, and what keeps rows
    // of the side without windows would have to repeat them for each.
    if (join === 'inner') return { node: joined, mark: windowMark(left.mark ?? right.mark) };
    if (mark === null) throw new NotByWindow();
    return { node: joined, mark: windowMark(mark) };
  }

  private union(node: Union): Slid {
    const branches = node.branches.map((branch) => {
      const input = this.marked(this.slide(branch.input));
      return { branch, ...input };
    });
    if (branches.every(({ mark }) => mark === null)) return { node, mark: null };
    const id = this.newId();
    return {
      node: {
        ...node,
        columns: [...node.columns, { id, type: 'datetime' }],
        branches: branches.map(({ branch, node: input, mark }) => {
          if (mark === null) throw new NotByWindow();
          return { ...branch, input, columns: [...branch.columns, columnReference(mark, 'datetime')] };
        }),
      },
      mark: { kind: 'window', id },
    };
  }
}

const windowMark = (id: ColumnId | null): Slid['mark'] => (id === null ? null : { kind: 'window', id });
