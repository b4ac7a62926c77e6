import { say } from '@tyrian/diagnostics';
import {
  type AggregateItem,
  call,
  columnReference,
  columnsReadBy,
  constant,
  type Plan,
  type Scalar,
} from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { NamedColumn, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, isKind, nameOf, spanOf } from '../syntax.ts';
import { PlanSteps } from './plan-steps.ts';
import type { PluginCall } from './plugin-call.ts';
import { namesAskedFor } from './plugin-columns.ts';
import { MAX_ANSWERS, type PluginColumn, type PluginQuestion, schemaFound } from './plugin-schema.ts';

// `evaluate pivot(column, aggregation, by ...)`: the rows are grouped by the value of the pivot column and the others
// first; a second grouping takes the few groups apart into columns, so the events are read once however many columns
// there are.

interface Pivot {
  readonly column: NamedColumn;
  readonly by: readonly NamedColumn[];
  /** The aggregation: its name, its parts, and the cell over them. */
  readonly fn: string;
  readonly items: readonly AggregateItem[];
  readonly cell: Scalar;
}

/** The functions that the language lets a pivot aggregate with. */
const AGGREGATIONS = new Set([
  'min',
  'max',
  'take_any',
  'any',
  'sum',
  'dcount',
  'avg',
  'stdev',
  'variance',
  'make_list',
  'make_bag',
  'make_set',
  'count',
]);

/** `evaluate pivot(...)`. */
export function lowerPivot(plugin: PluginCall): Table {
  const pivot = readArguments(plugin);
  if (!pivot) return plugin.input;
  const { lowering, node } = plugin;
  const place = lowering.plugins.placeOf(node);
  const found = place ? lowering.plugins.found(place.end) : undefined;
  if (found) return pivoted(plugin, pivot, found.columns);
  if (plugin.schema) return pivoted(plugin, pivot, declared(plugin, pivot));
  if (!place) {
    lowering.refuse(messages.pluginSchemaNeeded(spanOf(node), 'pivot'));
    return plugin.input;
  }
  const question = questionOf(plugin, pivot, place);
  if (!lowering.plugins.ask(question)) lowering.refuse(messages.pluginSchemaNeeded(spanOf(node), 'pivot'));
  const guess = schemaFound(question, []);
  return guess.ok ? pivoted(plugin, pivot, guess.schema.columns) : plugin.input;
}

function readArguments(plugin: PluginCall): Pivot | null {
  const [first, second, ...rest] = plugin.args;
  const column = plugin.column(first);
  if (plugin.named.size > 0) plugin.refuse(plugin.call, say('noArgumentNames'));
  if (!column) return null;
  const isCall = isKind(second, 'FunctionCallExpression');
  const fn = isCall ? nameOf(child(second, 'Name')) : 'count';
  if (isCall && !AGGREGATIONS.has(fn))
    plugin.refuse(second, say('pivotAggregations', { names: [...AGGREGATIONS].join(', '), name: fn }));
  const items: AggregateItem[] = [];
  const cell = isCall ? plugin.aggregation(second, items) : counted(plugin, items);
  const named = second && !isCall ? [second, ...rest] : rest;
  const read = new Set(items.flatMap((item) => item.args.flatMap((arg) => [...columnsReadBy(arg)])));
  const by =
    named.length > 0
      ? named.flatMap((arg) => plugin.column(arg) ?? [])
      : plugin.input.columns.filter(({ id }) => id !== column.id && !read.has(id));
  return { column, by, fn, items, cell };
}

function counted(plugin: PluginCall, items: AggregateItem[]): Scalar {
  const id = plugin.lowering.newId();
  items.push({ id, type: 'long', fn: 'count', args: [] });
  return columnReference(id, 'long');
}

/** The columns of an output schema in the text: those that the rows are grouped by, and values. */
function declared(plugin: PluginCall, { by }: Pivot): PluginColumn[] {
  return plugin.columns.map(({ name, type }): PluginColumn => {
    const isKey = by.some((column) => column.name === name);
    return { name, type: type ?? 'dynamic', slot: isKey ? null : name };
  });
}

const textOfValue = (column: NamedColumn): Scalar =>
  convertTo(columnReference(column.id, column.type), 'string');

function pivoted(plugin: PluginCall, pivot: Pivot, columns: readonly PluginColumn[]): Table {
  const { input, lowering } = plugin;
  const steps = new PlanSteps(input.node, lowering);
  const value = steps.compute(textOfValue(pivot.column));
  const byColumns = pivot.by.map(({ id, type }) => columnReference(id, type));
  const keyIds = [...byColumns, value].map((expression) => ({ id: lowering.newId(), expression }));
  const first = { kind: 'aggregate', input: steps.node, keys: keyIds, items: pivot.items } as const;
  const second = new PlanSteps(first, lowering);
  const cell = second.compute(pivot.cell);
  const keys = keyIds.map(({ id, expression }) => columnReference(id, expression.type));
  const pivotKey = keys.at(-1) ?? value;
  const shown = columns.filter((column) => column.slot !== null);
  const grouped = second.group(
    keys.slice(0, -1),
    shown.map(({ slot }) => ({
      fn: 'take_anyif',
      type: cell.type,
      args: [cell, call('bool', 'equal', pivotKey, constant('string', slot))],
    })),
  );
  const cells = new Map(shown.map((column, index) => [column.name, grouped.values[index]]));
  const made = columns.flatMap(({ name, type, slot }): NamedColumn[] => {
    const at = pivot.by.findIndex((column) => column.name === name);
    const source = slot === null ? grouped.keys[at] : cells.get(name);
    if (!source) return [];
    const filled = slot === null ? source : filledCell(pivot, source);
    const column = second.compute(convertTo(filled, type));
    return column.kind === 'column' ? [{ name, id: column.id, type }] : [];
  });
  return { node: second.node, columns: made };
}

/** A group without rows of a value shows what the aggregation gives for no rows. */
function filledCell({ fn }: Pivot, cell: Scalar): Scalar {
  const nothing = emptyCell(fn, cell);
  return nothing ? call(cell.type, 'coalesce', cell, nothing) : cell;
}

function emptyCell(fn: string, cell: Scalar): Scalar | null {
  if (fn === 'count' || fn === 'dcount' || fn === 'sum') {
    if (cell.type === 'real') return constant('real', 0);
    return cell.type === 'int' ? constant('int', 0) : constant(cell.type, '0');
  }
  if (fn === 'make_list' || fn === 'make_set') return constant('dynamic', '[]');
  return fn === 'make_bag' ? constant('dynamic', '{}') : null;
}

/** Which values there are. */
function questionOf(plugin: PluginCall, pivot: Pivot, span: { start: number; end: number }): PluginQuestion {
  const { lowering, input } = plugin;
  const steps = new PlanSteps(input.node, lowering);
  const { keys } = steps.group([textOfValue(pivot.column)], []);
  steps.limit(MAX_ANSWERS);
  const [key] = keys;
  const columns = key?.kind === 'column' ? [{ name: 'value', id: key.id, type: key.type }] : [];
  const plan: Plan = { root: steps.node, columns, nextId: lowering.nextId };
  return {
    plugin: 'pivot',
    at: span.end,
    span,
    plan,
    kept: pivot.by.map(({ name, type }) => ({ name, type })),
    prefix: '',
    conflict: 'error',
    ignored: [],
    cell: pivot.cell.type,
    asked: namesAskedFor(plugin.node),
  };
}
