import { say } from '@tyrian/diagnostics';
import { constant } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Table } from '../lowering.ts';
import { handOut } from '../operators/several-tables.ts';
import { PlanSteps } from './plan-steps.ts';
import { PluginCall } from './plugin-call.ts';
import { knownValue, lowerPluginText, namedColumns } from './plugin-text.ts';

/** `evaluate rows_near(condition, rows before, rows after)`: rows so near to one that meets the condition. */
export function lowerRowsNear(plugin: PluginCall): Table {
  const [condition, near, behind] = plugin.args;
  const before = knownValue(plugin, near, 2);
  const after = behind ? knownValue(plugin, behind, 3) : before;
  if (!condition || !before || !after) return plugin.input;
  const steps = new PlanSteps(plugin.input.node, plugin.lowering);
  const hit = steps.compute(convertTo(plugin.scalar(condition), 'bool'));
  if (hit.kind !== 'column') {
    plugin.refuse(condition, say('takesCondition'));
    return plugin.input;
  }
  const own = plugin.input.columns.map((column, index) => ({ name: `c${index}_`, column }));
  const marked = { name: 'h_', column: { name: 'h_', id: hit.id, type: hit.type } };
  const input = { ...plugin.input, node: steps.node };
  const call = new PluginCall(plugin.node, input, new Map(), plugin.lowering);
  return lowerPluginText(
    call,
    [...own, marked],
    `T | serialize r_ = row_number(), m_ = iff(h_ == true, 1, 0) | serialize f_ = row_cumsum(m_)
    | sort by r_ desc | serialize g_ = row_cumsum(m_) | sort by r_ asc
    | serialize n_ = f_ - prev(f_, ${Number(after.value) + 1}, 0) + next(g_, 1, 0) - next(g_, ${Number(before.value) + 1}, 0)
    | where n_ > 0 | project ${own.map(({ name }) => name).join(', ')}`,
  );
}

/** `evaluate estimate_rows_count()`: the count of rows, which is exact here. */
export function lowerEstimateRowsCount(plugin: PluginCall): Table {
  const input = plugin.input.columns.map((column, index) => ({ name: `c${index}_`, column }));
  return lowerPluginText(plugin, input, 'T | count');
}

/** `evaluate dcount_intersect(hll, ...)`: how many values the first states have in common, state by state. */
export function lowerDcountIntersect(plugin: PluginCall): Table {
  const states = namedColumns(
    plugin,
    plugin.args.map((node, index) => [`h${index}_`, node]),
  );
  if (!states) return plugin.input;
  const named = new Set(states.map(({ column }) => column.id));
  const input = plugin.input.columns.map((column, index) => ({
    name: named.has(column.id)
      ? (states.find((state) => state.column.id === column.id)?.name ?? '')
      : `c${index}_`,
    column,
  }));
  const common = states.map((_, index) => {
    const all = states.slice(0, index + 1).map(({ name }) => `${name}.hll`);
    return all.length === 1 ? `array_length(${all[0]})` : `array_length(set_intersect(${all.join(', ')}))`;
  });
  return lowerPluginText(
    plugin,
    input,
    `T | extend ${common.map((text, index) => `s${index}_ = ${text}`).join(', ')}`,
  );
}

/** `evaluate preview(n)`: the first rows, and beside them the count of all. */
export function lowerPreview(plugin: PluginCall): Table {
  const { input, lowering, node } = plugin;
  const count = plugin.args[0] ? plugin.constant(plugin.args[0], 'long', 1) : null;
  if (count === null) return input;
  const rows: Table = { ...input, node: { kind: 'limit', input: input.node, count: Number(count) } };
  const total = new PlanSteps(input.node, lowering);
  const [value] = total.group([], [{ fn: 'count', type: 'long', args: [] }]).values;
  const counted = value ?? constant('long', null);
  const columns = counted.kind === 'column' ? [{ name: 'Count', id: counted.id, type: counted.type }] : [];
  const tables = [
    { name: 'Table1', table: rows },
    { name: 'Table2', table: { node: total.node, columns } },
  ];
  return handOut(node, 'preview', tables, lowering);
}
