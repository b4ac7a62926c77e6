import { say } from '@tyrian/diagnostics';
import { type ColumnId, type Constant, columnReference, copyPlan, foldScalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import { kusto } from '../kusto.ts';
import type { NamedColumn, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { bindStatements } from '../operators/bind-statements.ts';
import { asKind, child, children, isKind, type Syntax, spanOf } from '../syntax.ts';
import { globalsOf } from '../views/table-symbols.ts';
import { PlanSteps } from './plan-steps.ts';
import type { PluginCall } from './plugin-call.ts';

// Plug-ins whose meaning is a pipe of KQL are written as one, over the table `T` of their input. Names in it are ours, so
// that no column of the user is met by accident: `i_` the id, `t_` the timeline, `d0_` and on the dimensions.

/** The input under the names of the text. */
export type NamedInput = readonly { readonly name: string; readonly column: NamedColumn }[];

/** Runs a text over `input`; its result has the columns that the binder gives the operator, in their order. */
export function lowerPluginText(plugin: PluginCall, input: NamedInput, text: string): Table {
  const { lowering } = plugin;
  const columns = input.map(({ name, column }) => ({ ...column, name }));
  const source = { name: 'T', stream: null, columns: columns.map(({ name, type }) => ({ name, type })) };
  const code = kusto.KustoCode.ParseAndAnalyze(text, globalsOf([source]));
  const statements = children(asKind(code.Syntax, 'QueryBlock'), 'Statements');
  const last = statements.at(-1);
  const expression = isKind(last, 'ExpressionStatement') ? child(last, 'Expression') : null;
  if (!expression) throw new Error(`The text of ${plugin.name} cannot be read`);
  const names = bindStatements(statements, new Map([['T', rowsOf(plugin, columns)]]), lowering);
  const result = lowering.table(expression, { names, columns: [] });
  return underBoundNames(plugin, result);
}

/** `T`; named again, it is a copy of its own. */
function rowsOf(plugin: PluginCall, columns: readonly NamedColumn[]) {
  let used = false;
  const make = (): Table => {
    const { node } = plugin.input;
    if (!used) {
      used = true;
      return { node, columns };
    }
    const copy = copyPlan(node, () => plugin.lowering.newId());
    return { node: copy.node, columns: columns.map((column) => ({ ...column, id: copy.idOf(column.id) })) };
  };
  return { kind: 'rows', make } as const;
}

function underBoundNames(plugin: PluginCall, result: Table): Table {
  const bound = plugin.columns;
  if (bound.length !== result.columns.length) {
    plugin.lowering.refuse(messages.columnsDiffer(spanOf(plugin.node), plugin.name));
    return result;
  }
  const steps = new PlanSteps(result.node, plugin.lowering);
  const columns = bound.map(({ name, type }, index): NamedColumn => {
    const { id, type: own } = result.columns[index] ?? { id: 0, type: 'dynamic' };
    const made = steps.compute(convertTo(columnReference(id, own), type ?? own));
    return { name, id: made.kind === 'column' ? made.id : id, type: made.type };
  });
  return { node: steps.node, columns };
}

/** A value that must be known before the query runs; refused, and null, when it is not. */
export function knownValue(plugin: PluginCall, node: Syntax | undefined, position: number): Constant | null {
  const value = node ? foldScalar(plugin.scalar(node)) : null;
  if (value?.kind === 'constant' && value.value !== null) return value;
  plugin.lowering.refuse(messages.mustBeConstant(spanOf(node ?? plugin.call), plugin.name, position));
  return null;
}

/** A constant as KQL. */
export function kqlOf({ type, value }: Constant): string {
  switch (type) {
    case 'datetime': {
      const rest = ((BigInt(String(value)) % 10_000_000n) + 10_000_000n) % 10_000_000n;
      const date = new Date(Number((BigInt(String(value)) - rest) / 10_000n));
      return `datetime(${date.toISOString().slice(0, 19)}.${rest.toString().padStart(7, '0')}Z)`;
    }
    case 'timespan':
      return `(1tick * ${value})`;
    case 'real':
      return typeof value === 'number' ? `real(${value})` : `real(${String(value).toLowerCase()})`;
    case 'string':
    case 'guid':
      return JSON.stringify(value);
    case 'dynamic':
      return `dynamic(${value})`;
    default:
      return `${type}(${value})`;
  }
}

/** The columns that arguments name, under names of the text; null when one names none. */
export function namedColumns(
  plugin: PluginCall,
  wanted: readonly (readonly [string, Syntax | undefined])[],
): NamedInput | null {
  const found = wanted.flatMap(([name, node]) => {
    const column = plugin.column(node);
    return column ? [{ name, column }] : [];
  });
  return found.length === wanted.length ? withOwnIds(plugin, found) : null;
}

/** A column that is named twice, as id and as dimension, must not be one column of the text. */
function withOwnIds(plugin: PluginCall, input: NamedInput): NamedInput | null {
  const seen = new Set<ColumnId>();
  for (const { column } of input) {
    if (seen.has(column.id)) {
      plugin.refuse(plugin.call, say('takesOnce', { name: column.name }));
      return null;
    }
    seen.add(column.id);
  }
  return input;
}
