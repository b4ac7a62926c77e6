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
  type UnionBranch,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { boundColumns, child, children, kindOf, type Syntax, spanOf, wordOf } from '../syntax.ts';
import { rowCount } from './lower-take.ts';

// `top-nested`: each level groups the rows anew by its own expression and those above it, keeps the groups whose parents
// were kept, and of these the best. The rows are read once for each level: an aggregation such as dcount cannot be made
// from that of a level below.

interface Level {
  readonly node: PlanNode;
  /** The value and the aggregation of each level so far, in turns. */
  readonly columns: readonly NamedColumn[];
}

/** `top-nested n of X by agg(), top-nested ...`. */
export function lowerTopNested(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const clauses = children(node, 'Clauses');
  const bound = boundColumns(node);
  let kept: Level | null = null;
  for (const [index, clause] of clauses.entries()) {
    const others = child(clause, 'WithOthersClause');
    if (others && index < clauses.length - 1)
      lowering.refuse(messages.parameter(spanOf(others), 'top-nested before its last level', 'with others'));
    const groups: Level = levelGroups(clauses.slice(0, index + 1), input, names, lowering);
    const all: Level = kept ? below(kept, groups) : groups;
    const best: Level = bestOf(clause, all, names, lowering);
    const rest = others ? child(others, 'Expression') : null;
    kept = rest ? withOthers(rest, best, kept, clauses, input, names, lowering) : best;
  }
  const level: Level = kept ?? { node: input.node, columns: [] };
  if (bound.length !== level.columns.length)
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'top-nested'));
  return {
    node: level.node,
    columns: level.columns.map((column, index) => ({ ...column, name: bound[index]?.name ?? column.name })),
  };
}

/** The groups of the last of these levels: a value for each level, then the aggregation. */
function levelGroups(clauses: readonly Syntax[], input: Table, names: Names, lowering: Lowering): Level {
  const rows = copied(input, lowering);
  const keys = keysOf(clauses, rows, names, lowering);
  return aggregated(clauses.at(-1), rows, rows.node, keys, names, lowering);
}

function keysOf(clauses: readonly Syntax[], rows: Table, names: Names, lowering: Lowering): ComputeItem[] {
  return clauses.flatMap((clause): ComputeItem[] => {
    const of = child(clause, 'OfExpression');
    if (!of) return [];
    return [{ id: lowering.newId(), expression: lowering.expression(of, { names, columns: rows.columns }) }];
  });
}

function aggregated(
  clause: Syntax | undefined,
  rows: Table,
  input: PlanNode,
  keys: readonly ComputeItem[],
  names: Names,
  lowering: Lowering,
): Level {
  const items: AggregateItem[] = [];
  const by = clause ? child(clause, 'ByExpression') : null;
  const ordered = by && kindOf(by) === 'OrderedExpression' ? child(by, 'Expression') : by;
  const value = ordered
    ? lowering.expression(ordered, { names, columns: rows.columns, aggregates: items })
    : constant('long', null);
  const id = lowering.newId();
  return {
    node: {
      kind: 'compute',
      input: { kind: 'aggregate', input, keys, items },
      items: [{ id, expression: value }],
    },
    columns: [
      ...keys.map((key) => ({ name: '', id: key.id, type: key.expression.type })),
      { name: '', id, type: value.type },
    ],
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
      nullsMatch: true,
    }),
  );
  return {
    node: { kind: 'join', join: 'inner', left: groups.node, right: parents.node, keys },
    columns: [...parents.columns, ...groups.columns.slice(values.length)],
  };
}

/** The first groups of each parent, by the aggregation. */
function bestOf(clause: Syntax, groups: Level, names: Names, lowering: Lowering): Level {
  const count = child(clause, 'Expression');
  const rows = count ? rowCount(count, 'top-nested', names, lowering) : null;
  if (rows === null) return groups;
  const by = child(clause, 'ByExpression');
  const ordering = by && kindOf(by) === 'OrderedExpression' ? child(by, 'Ordering') : null;
  const ascending = ordering !== null && wordOf(ordering, 'AscOrDescKeyword') === 'asc';
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

/** The best groups, and for each parent a row of what is left. */
function withOthers(
  label: Syntax,
  best: Level,
  parents: Level | null,
  clauses: readonly Syntax[],
  input: Table,
  names: Names,
  lowering: Lowering,
): Level {
  const rows = copied(input, lowering);
  const keys = keysOf(clauses, rows, names, lowering);
  const numbered: PlanNode = { kind: 'compute', input: rows.node, items: keys };
  const known = copyPlan(best.node, () => lowering.newId());
  const rest: PlanNode = {
    kind: 'join',
    join: 'leftanti',
    left: numbered,
    right: known.node,
    keys: valuesOf(best).map((value, index): JoinKey => {
      const key = keys[index];
      return {
        left: key ? columnReference(key.id, key.expression.type) : constant('long', null),
        right: columnReference(known.idOf(value.id), value.type),
        nullsMatch: true,
      };
    }),
  };
  const outer = keys.slice(0, -1).map(
    (key): ComputeItem => ({
      id: lowering.newId(),
      expression: columnReference(key.id, key.expression.type),
    }),
  );
  const left = aggregated(clauses.at(-1), rows, rest, outer, names, lowering);
  const above = parents ? copyPlan(parents.node, () => lowering.newId()) : null;
  const joined =
    parents && above
      ? below(
          {
            node: above.node,
            columns: parents.columns.map((column) => ({ ...column, id: above.idOf(column.id) })),
          },
          left,
        )
      : onlyIfSome(left, rest, lowering);
  return united(label, best, joined, lowering);
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

/** The columns of the rest lack the value of the last level; the label stands for it. */
function united(label: Syntax, best: Level, rest: Level, lowering: Lowering): Level {
  const columns = best.columns.map((column) => ({ ...column, id: lowering.newId() }));
  const at = columns.length - 2;
  const value = lowering.expression(label, { names: new Map(), columns: [] });
  const others = columns.map((column, index): Scalar => {
    if (index === at) return convertTo(value, column.type);
    return reference(rest.columns[index < at ? index : index - 1]);
  });
  const branches: UnionBranch[] = [
    { input: best.node, columns: best.columns.map(reference) },
    { input: rest.node, columns: others },
  ];
  return {
    node: { kind: 'union', columns: columns.map(({ id, type }) => ({ id, type })), branches },
    columns,
  };
}
