import { say } from '@tyrian/diagnostics';
import {
  type AggregateItem,
  type ComputeItem,
  call,
  columnReference,
  constant,
  foldScalar,
  type KqlType,
  type PlanNode,
  type Scalar,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  optionalChild,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
} from '../syntax.ts';
import { type Axis, axisOf } from './series-axis.ts';
import { groupRows, keepRows } from './subtables.ts';

// `make-series`: rows are grouped by their bin first; the bins of a group then become arrays, where the default fills
// the bins that no row fell into. A bin is a whole number here: how many steps it stands from the start.

/** `make-series agg() default=0 on axis from a to b step c by ...`. */
export function lowerMakeSeries(
  node: Syntax<'MakeSeriesOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const axis = axisOf(node, input, names, lowering);
  if (!axis) return input;
  const bound = boundColumns(node);
  const inside = axis.inside ? keepRows(input, axis.inside, lowering) : input;
  const by = optionalChild(node, 'ByClause');
  const keys = (by ? children(by, 'Expressions') : []).map((expression): ComputeItem => {
    const scalar = lowering.expression(expression, { names, columns: input.columns });
    return { id: lowering.newId(), expression: scalar };
  });
  const bin: ComputeItem = { id: lowering.newId(), expression: axis.bin };
  const items: AggregateItem[] = [];
  const context = { names, columns: input.columns, aggregates: items };
  const series = children(node, 'Aggregates').map((aggregate) => {
    const expression = child(aggregate, 'Expression');
    return {
      id: lowering.newId(),
      value: lowering.expression(expression, context),
      filler: filler(aggregate, names, lowering),
    };
  });
  const binned = groupRows(inside, [...keys, bin], items, lowering);
  const values = series.map(({ id, value }) => ({ id, expression: value }));
  const computed: Table = {
    ...binned,
    node: { kind: 'compute', input: binned.node, items: values },
    columns: [],
  };
  const gathered = gather(computed, keys, bin.id, values, lowering);
  const made = arrays(node, gathered, axis, series, lowering);
  const grouped: NamedColumn[] = gathered.keys.map(({ id, type }, index) => ({
    name: bound[index]?.name ?? `Column${index + 1}`,
    id,
    type,
  }));
  const dynamic = made.ids.map((id, index): NamedColumn => {
    const name = bound[grouped.length + index]?.name ?? `Column${grouped.length + index + 1}`;
    return { name, id, type: 'dynamic' };
  });
  if (bound.length !== grouped.length + dynamic.length)
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'make-series'));
  return { ...made.table, columns: [...grouped, ...dynamic] };
}

/** What stands in a bin without rows: 0 unless it is said. */
function filler(aggregate: Syntax<'MakeSeriesExpression'>, names: Names, lowering: Lowering): Scalar {
  const clause = optionalChild(aggregate, 'DefaultExpression');
  if (!clause) return constant('dynamic', '0');
  return convertTo(lowering.expression(child(clause, 'Expression'), { names, columns: [] }), 'dynamic');
}

interface Gathered {
  readonly table: Table;
  readonly keys: readonly { readonly id: number; readonly type: KqlType }[];
  readonly bins: Scalar;
  readonly first: Scalar;
  readonly last: Scalar;
  readonly count: Scalar;
  readonly lists: readonly Scalar[];
}

/** One row for each group: its bins, and the values in the same order. */
function gather(
  binned: Table,
  keys: readonly ComputeItem[],
  bin: number,
  values: readonly ComputeItem[],
  lowering: Lowering,
): Gathered {
  const place = columnReference(bin, 'long');
  const add = (fn: string, type: KqlType, ...args: readonly Scalar[]): AggregateItem => ({
    id: lowering.newId(),
    type,
    fn,
    args,
  });
  const [bins, first, last, count] = [
    add('list_of_values', 'dynamic', place),
    add('min', 'long', place),
    add('max', 'long', place),
    add('count', 'long'),
  ] as const;
  const lists = values.map(({ id, expression }) =>
    add('list_of_values', 'dynamic', columnReference(id, expression.type)),
  );
  const outer = keys.map(
    ({ id, expression }): ComputeItem => ({
      id: lowering.newId(),
      expression: columnReference(id, expression.type),
    }),
  );
  const grouped = groupRows(binned, outer, [bins, first, last, count, ...lists], lowering);
  const read = ({ id, type }: AggregateItem): Scalar => columnReference(id, type);
  return {
    table: { ...grouped, columns: [] },
    keys: outer.map(({ id, expression }) => ({ id, type: expression.type })),
    bins: read(bins),
    first: read(first),
    last: read(last),
    count: read(count),
    lists: lists.map(read),
  };
}

interface Series {
  readonly id: number;
  readonly filler: Scalar;
}

/** The arrays of the values and, last, of the axis. Without rows there is no series, unless `kind=nonempty` asks for one. */
function arrays(
  node: Syntax<'MakeSeriesOperator'>,
  gathered: Gathered,
  axis: Axis,
  series: readonly Series[],
  lowering: Lowering,
): { readonly table: Table; readonly ids: readonly number[] } {
  const one = constant('long', '1');
  const from = axis.first ?? gathered.first;
  const to = axis.last ?? gathered.last;
  const length = foldScalar(call('long', 'add', call('long', 'subtract', to, from), one));
  const lists = gathered.lists.map((list, index): ComputeItem => {
    const fill = series[index]?.filler ?? constant('dynamic', '0');
    const expression = call('dynamic', 'series_values', gathered.bins, list, from, length, fill);
    return { id: lowering.newId(), expression };
  });
  const axisItem: ComputeItem = {
    id: lowering.newId(),
    expression: call('dynamic', 'series_axis', axis.valueOf(from), axis.step, length),
  };
  const kind = parametersOf(node).get('kind');
  const nonempty = kind !== undefined && /nonempty/i.test(textOf(kind));
  if (nonempty && !(axis.first && axis.last))
    lowering.refuse(messages.parameter(spanOf(node), say('seriesWithoutRange'), 'kind=nonempty'));
  const some: PlanNode = {
    kind: 'filter',
    input: gathered.table.node,
    predicate: call('bool', 'greater', gathered.count, constant('long', '0')),
  };
  const input = nonempty || gathered.keys.length > 0 ? gathered.table.node : some;
  return {
    table: { ...gathered.table, node: { kind: 'compute', input, items: [...lists, axisItem] } },
    ids: [...lists, axisItem].map((item) => item.id),
  };
}
