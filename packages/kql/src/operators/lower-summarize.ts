import type { KqlType } from '@tyrian/catalog';
import { type AggregateItem, type ComputeItem, columnReference, constant, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { percentileItems } from '../expressions/percentile-call.ts';
import type { ExpressionContext, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  argumentsOf,
  boundColumns,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  optionalChild,
  type Syntax,
  spanOf,
} from '../syntax.ts';
import { groupRows } from './subtables.ts';

// `summarize`: keys first, then the aggregations, named as the binder says. An expression over aggregations is computed
// above them. `arg_max`, `arg_min`, `take_any` and `percentiles` make several columns each.

interface Summary {
  readonly context: ExpressionContext;
  readonly items: AggregateItem[];
  readonly above: ComputeItem[];
  readonly lowering: Lowering;
  readonly input: Table;
  readonly keys: readonly Scalar[];
}

/** `summarize ... by ...`. */
export function lowerSummarize(
  node: Syntax<'SummarizeOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const bound = boundColumns(node);
  const by = optionalChild(node, 'ByClause');
  const bin = by ? optionalChild(by, 'BinClause') : null;
  if (bin) lowering.refuse(messages.parameter(spanOf(bin), 'summarize', 'bin='));
  const keys: ComputeItem[] = [];
  const columns: NamedColumn[] = [];
  for (const expression of by ? children(by, 'Expressions') : []) {
    const scalar = lowering.expression(expression, { names, columns: input.columns });
    const id = lowering.newId();
    keys.push({ id, expression: scalar });
    columns.push({
      name: bound[columns.length]?.name ?? `Column${columns.length + 1}`,
      id,
      type: scalar.type,
    });
  }
  const items: AggregateItem[] = [];
  const summary: Summary = {
    context: { names, columns: input.columns, aggregates: items },
    items,
    above: [],
    lowering,
    input,
    keys: keys.map((key) => key.expression),
  };
  for (const aggregate of children(node, 'Aggregates'))
    for (const scalar of lowerAggregate(aggregate, summary)) {
      const at = bound[columns.length];
      columns.push(
        aggregateColumn(scalar, at?.name ?? `Column${columns.length + 1}`, at?.type ?? null, summary),
      );
    }
  if (bound.length > 0 && bound.length !== columns.length)
    lowering.refuse(messages.columnsDiffer(spanOf(node), 'summarize'));
  const grouped = groupRows(input, keys, items, lowering);
  const above = summary.above;
  return {
    ...grouped,
    node: above.length > 0 ? { kind: 'compute', input: grouped.node, items: above } : grouped.node,
    columns,
  };
}

function aggregateColumn(scalar: Scalar, name: string, type: KqlType | null, summary: Summary): NamedColumn {
  const typed = type ? convertTo(scalar, type) : scalar;
  if (typed.kind === 'column') return { name, id: typed.id, type: typed.type };
  const id = summary.lowering.newId();
  summary.above.push({ id, expression: typed });
  return { name, id, type: typed.type };
}

function lowerAggregate(node: Syntax, summary: Summary): Scalar[] {
  const isNamed = isKind(node, 'SimpleNamedExpression', 'CompoundNamedExpression');
  const inner = isNamed ? child(node, 'Expression') : node;
  if (!isKind(inner, 'FunctionCallExpression')) return [summary.lowering.expression(inner, summary.context)];
  const name = nameOf(child(inner, 'Name'));
  const args = argumentsOf(inner);
  switch (name) {
    case 'arg_max':
    case 'argmax':
      return extremeRow('arg_max_value', 'max', args, summary);
    case 'arg_min':
    case 'argmin':
      return extremeRow('arg_min_value', 'min', args, summary);
    case 'take_any':
    case 'any':
      return args.length === 1 && !isStar(args[0])
        ? [summary.lowering.expression(inner, summary.context)]
        : anyOf(args, summary);
    case 'percentiles':
    case 'percentilesw':
      return percentileItems(inner, name, summary.context, summary.lowering);
    default:
      return [summary.lowering.expression(inner, summary.context)];
  }
}

/** Aggregations that make several columns; they stand alone in a summarize. */
export const isMultiColumnAggregate = (name: string): boolean =>
  ['arg_max', 'argmax', 'arg_min', 'argmin', 'percentiles', 'percentilesw'].includes(name);

const isStar = (node: Syntax | undefined): boolean => node !== undefined && kindOf(node) === 'StarExpression';

/** The columns of `*`: those that are neither keys nor the value that is compared. */
function expanded(args: readonly Syntax[], summary: Summary, without: readonly Scalar[]): Scalar[] {
  const taken = new Set(without.flatMap((scalar) => (scalar.kind === 'column' ? [scalar.id] : [])));
  return args.flatMap((arg) =>
    isStar(arg)
      ? summary.input.columns
          .filter((column) => !taken.has(column.id))
          .map((column): Scalar => columnReference(column.id, column.type))
      : [summary.lowering.expression(arg, { names: summary.context.names, columns: summary.input.columns })],
  );
}

function add(fn: string, type: KqlType, args: readonly Scalar[], summary: Summary): Scalar {
  const id = summary.lowering.newId();
  summary.items.push({ id, type, fn, args });
  return columnReference(id, type);
}

function extremeRow(fn: string, extreme: string, args: readonly Syntax[], summary: Summary): Scalar[] {
  const [first, ...rest] = args;
  if (!first) return [];
  const context = { names: summary.context.names, columns: summary.input.columns };
  const by = summary.lowering.expression(first, context);
  const carried = expanded(rest, summary, [...summary.keys, by]);
  return [
    add(extreme, by.type, [by], summary),
    ...carried.map((value) => add(fn, value.type, [by, value], summary)),
  ];
}

function anyOf(args: readonly Syntax[], summary: Summary): Scalar[] {
  const carried = expanded(args, summary, summary.keys);
  // One row for all columns: the row is chosen by a constant, so every column comes from the same one.
  return carried.map((value) => add('arg_max_value', value.type, [constant('long', '1'), value], summary));
}
