import {
  type AggregateItem,
  type ComputeItem,
  call,
  columnReference,
  constant,
  copyPlan,
  type JoinKey,
  type PlanNode,
  type Scalar,
  type SortKey,
  type UnionBranch,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  isKind,
  optionalChild,
  optionalWordOf,
  type Syntax,
  spanOf,
} from '../syntax.ts';
import { rowCount } from './lower-take.ts';

// `top-nested`: each level groups the rows anew by its own expression and those above it, keeps the groups whose parents
// were kept, and of these the best. The rows are read once for each level: an aggregation such as dcount cannot be made
// from that of a level below. `with others` adds what did not make it: rows that fall out at one level are one row of
// each kept parent, with the label and the aggregation of every level from there on that asks for others.

type Clause = Syntax<'TopNestedClause'>;

interface Level {
  readonly node: PlanNode;
  /** The value and the aggregation of each level so far, in turns. */
  readonly columns: readonly NamedColumn[];
}

/** `top-nested n of X by agg(), top-nested ...`. */
export function lowerTopNested(
  node: Syntax<'TopNestedOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const clauses = children(node, 'Clauses');
  const bound = boundColumns(node);
  const levels: Level[] = [];
  for (const [index, clause] of clauses.entries()) {
    const groups: Level = levelGroups(clauses.slice(0, index + 1), input, names, lowering);
    const parents = levels[index - 1];
    levels.push(bestOf(clause, parents ? below(parents, groups) : groups, names, lowering));
  }
  const kept = withOthers(clauses, levels, input, names, lowering);
  const level: Level = kept ?? { node: input.node, columns: [] };
  if (bound.length !== level.columns.length)
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'top-nested'));
  return {
    node: level.node,
    columns: level.columns.map((column, index) => ({ ...column, name: bound[index]?.name ?? column.name })),
  };
}

/** The groups of the last of these levels: a value for each level, then the aggregation. */
function levelGroups(clauses: readonly Clause[], input: Table, names: Names, lowering: Lowering): Level {
  const rows = copied(input, lowering);
  const keys = keysOf(clauses, rows, names, lowering);
  return aggregated(clauses.slice(-1), rows, rows.node, keys, names, lowering);
}

function keysOf(clauses: readonly Clause[], rows: Table, names: Names, lowering: Lowering): ComputeItem[] {
  const context = { names, columns: rows.columns };
  return clauses.map((clause): ComputeItem => {
    const id = lowering.newId();
    return { id, expression: lowering.expression(child(clause, 'OfExpression'), context) };
  });
}

/** The keys, then the aggregation of each clause. */
function aggregated(
  clauses: readonly Clause[],
  rows: Table,
  input: PlanNode,
  keys: readonly ComputeItem[],
  names: Names,
  lowering: Lowering,
): Level {
  const items: AggregateItem[] = [];
  const values = clauses.map((clause): ComputeItem => {
    const by = child(clause, 'ByExpression');
    const ordered = isKind(by, 'OrderedExpression') ? child(by, 'Expression') : by;
    const context = { names, columns: rows.columns, aggregates: items };
    const expression = lowering.expression(ordered, context);
    return { id: lowering.newId(), expression };
  });
  return {
    node: { kind: 'compute', input: { kind: 'aggregate', input, keys, items }, items: values },
    columns: [...keys, ...values].map(({ id, expression }) => ({ name: '', id, type: expression.type })),
  };
}

function copied(input: Table, lowering: Lowering): Table {
  const copy = copyPlan(input.node, () => lowering.newId());
  const columns = input.columns.map((column) => ({ ...column, id: copy.idOf(column.id) }));
  return { node: copy.node, columns };
}

const reference = (column: NamedColumn | undefined): Scalar =>
  column ? columnReference(column.id, column.type) : constant('long', null);

/** The values of the levels: every second column of what was kept. */
const valuesOf = (level: Level): readonly NamedColumn[] =>
  level.columns.filter((_, index) => index % 2 === 0);

/** The groups whose parents were kept. */
function below(parents: Level, groups: Level): Level {
  const values = valuesOf(parents);
  const keys = values.map(
    (value, index): JoinKey => ({
      left: reference(groups.columns[index]),
      right: reference(value),
    }),
  );
  return {
    node: { kind: 'join', join: 'inner', left: groups.node, right: parents.node, keys },
    columns: [...parents.columns, ...groups.columns.slice(values.length)],
  };
}

/** The first groups of each parent, by the aggregation. */
function bestOf(clause: Clause, groups: Level, names: Names, lowering: Lowering): Level {
  const count = optionalChild(clause, 'Expression');
  const rows = count ? rowCount(count, 'top-nested', names, lowering) : null;
  if (rows === null) return groups;
  const ascending = isAscending(clause);
  const id = lowering.newId();
  const parents = valuesOf(groups).slice(0, -1).map(reference);
  const weight = reference(groups.columns.at(-1));
  const node: PlanNode = {
    kind: 'window',
    input: {
      kind: 'sort',
      input: groups.node,
      keys: [{ expression: weight, descending: !ascending, nullsFirst: false }],
    },
    partition: parents,
    items: [{ id, type: 'long', fn: 'row_number', args: [constant('long', '1')] }],
  };
  const near = call('bool', 'less_or_equal', columnReference(id, 'long'), constant('long', String(rows)));
  return { ...groups, node: { kind: 'filter', input: node, predicate: near } };
}

/** The label that a clause gives to what is left out; null when it does not ask for it. */
function labelOf(clause: Clause): Syntax | null {
  const others = optionalChild(clause, 'WithOthersClause');
  return others ? child(others, 'Expression') : null;
}

/** The groups in the order of their aggregations, level by level. */
function bestFirst(clauses: readonly Clause[], level: Level): Level {
  const keys = clauses.flatMap((clause, index): SortKey[] => {
    const [value, weight] = level.columns.slice(2 * index);
    const rest = { nullsFirst: false };
    return [
      { expression: reference(weight), descending: !isAscending(clause), ...rest },
      { expression: reference(value), descending: true, ...rest },
    ];
  });
  return { ...level, node: { kind: 'sort', input: level.node, keys } };
}

function isAscending(clause: Clause): boolean {
  const by = child(clause, 'ByExpression');
  const ordering = isKind(by, 'OrderedExpression') ? child(by, 'Ordering') : null;
  return ordering !== null && optionalWordOf(ordering, 'AscOrDescKeyword') === 'asc';
}

/** The best groups of the last level, and of each level what falls out there. */
function withOthers(
  clauses: readonly Clause[],
  levels: readonly Level[],
  input: Table,
  names: Names,
  lowering: Lowering,
): Level | null {
  const best = levels.at(-1);
  if (!best) return null;
  if (!clauses.some(labelOf)) return bestFirst(clauses, best);
  const columns = best.columns.map((column) => ({ ...column, id: lowering.newId() }));
  const branches: UnionBranch[] = [{ input: best.node, columns: best.columns.map(reference) }];
  for (const [index, level] of levels.entries()) {
    const labelled = clauses.slice(index).filter(labelOf);
    if (labelled.length === 0) continue;
    const rest = restOf(
      clauses.slice(0, index + 1),
      labelled,
      level,
      levels[index - 1],
      input,
      names,
      lowering,
    );
    const values = rest.columns.slice(2 * index).map(reference);
    const filled = clauses.slice(index).flatMap((clause, position): Scalar[] => {
      const [value, weight] = best.columns.slice(2 * (index + position));
      const label = labelOf(clause);
      if (!value || !weight) return [];
      if (!label) return [nothing(value), nothing(weight)];
      const own = lowering.expression(label, { names: new Map(), columns: [] });
      return [convertTo(own, value.type), values.shift() ?? nothing(weight)];
    });
    branches.push({
      input: rest.node,
      columns: [...rest.columns.slice(0, 2 * index).map(reference), ...filled],
    });
  }
  const planned = columns.map(({ id, type }) => ({ id, type }));
  return { node: { kind: 'union', columns: planned, branches }, columns };
}

const nothing = ({ type }: NamedColumn): Scalar => constant(type, type === 'string' ? '' : null);

/** The rows that the last of these levels leaves out: the parents they belong to, then an aggregation of each label. */
function restOf(
  clauses: readonly Clause[],
  labelled: readonly Clause[],
  level: Level,
  parents: Level | undefined,
  input: Table,
  names: Names,
  lowering: Lowering,
): Level {
  const rows = copied(input, lowering);
  const keys = keysOf(clauses, rows, names, lowering);
  const numbered: PlanNode = { kind: 'compute', input: rows.node, items: keys };
  const known = copyPlan(level.node, () => lowering.newId());
  const rest: PlanNode = {
    kind: 'join',
    join: 'leftanti',
    left: numbered,
    right: known.node,
    keys: valuesOf(level).map((value, index): JoinKey => {
      const key = keys[index];
      return {
        left: key ? columnReference(key.id, key.expression.type) : constant('long', null),
        right: columnReference(known.idOf(value.id), value.type),
      };
    }),
  };
  const outer = keys.slice(0, -1).map(
    (key): ComputeItem => ({
      id: lowering.newId(),
      expression: columnReference(key.id, key.expression.type),
    }),
  );
  const left = aggregated(labelled, rows, rest, outer, names, lowering);
  if (!parents) return onlyIfSome(left, rest, lowering);
  const above = copyPlan(parents.node, () => lowering.newId());
  const columns = parents.columns.map((column) => ({ ...column, id: above.idOf(column.id) }));
  return below({ node: above.node, columns }, left);
}

/** Without parents the rest is one row; none when nothing is left. */
function onlyIfSome(left: Level, rest: PlanNode, lowering: Lowering): Level {
  const copy = copyPlan(rest, () => lowering.newId());
  const count = lowering.newId();
  const counted: PlanNode = {
    kind: 'aggregate',
    input: copy.node,
    keys: [],
    items: [{ id: count, type: 'long', fn: 'count', args: [] }],
  };
  const rows: Scalar = { kind: 'subquery', type: 'long', plan: counted, column: count };
  const some = call('bool', 'greater', rows, constant('long', '0'));
  return { ...left, node: { kind: 'filter', input: left.node, predicate: some } };
}
