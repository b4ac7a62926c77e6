import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  lowerActivityCountsMetrics,
  lowerActivityEngagement,
  lowerActivityMetrics,
  lowerNewActivityMetrics,
  lowerRollingPercentile,
  lowerSlidingWindowCounts,
} from '../plugins/activity-plugins.ts';
import { lowerIpv4Lookup, lowerIpv6Lookup } from '../plugins/look-up-address.ts';
import { lowerNarrow } from '../plugins/narrow-columns.ts';
import { lowerPivot } from '../plugins/pivot-values.ts';
import { PluginCall } from '../plugins/plugin-call.ts';
import { REFUSED_PLUGINS } from '../plugins/refused-plugins.ts';
import {
  lowerDcountIntersect,
  lowerEstimateRowsCount,
  lowerPreview,
  lowerRowsNear,
} from '../plugins/row-plugins.ts';
import { lowerBagUnpack } from '../plugins/unpack-bag.ts';
import { child, nameOf, type Syntax, spanOf } from '../syntax.ts';

type PluginLowering = (plugin: PluginCall) => Table;

const PLUGINS: Readonly<Record<string, PluginLowering>> = {
  activity_counts_metrics: lowerActivityCountsMetrics,
  activity_engagement: lowerActivityEngagement,
  activity_metrics: lowerActivityMetrics,
  bag_unpack: lowerBagUnpack,
  dcount_intersect: lowerDcountIntersect,
  estimate_rows_count: lowerEstimateRowsCount,
  identity: ({ input }) => input,
  ipv4_lookup: lowerIpv4Lookup,
  ipv6_lookup: lowerIpv6Lookup,
  narrow: lowerNarrow,
  new_activity_metrics: lowerNewActivityMetrics,
  pivot: lowerPivot,
  preview: lowerPreview,
  rolling_percentile: lowerRollingPercentile,
  rows_near: lowerRowsNear,
  sliding_window_counts: lowerSlidingWindowCounts,
};

/** `evaluate`: calls a plug-in. Hints have no effect. */
export function lowerEvaluate(
  node: Syntax<'EvaluateOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const plugin = new PluginCall(node, input, names, lowering);
  const lower = Object.hasOwn(PLUGINS, plugin.name) ? PLUGINS[plugin.name] : undefined;
  if (lower) return lower(plugin);
  refusePlugin(node, plugin.name, lowering);
  return input;
}

/** `evaluate` at the beginning, without rows: what is refused anyway says why, any other plug-in lacks its rows. */
export function refuseLeadingEvaluate(node: Syntax<'EvaluateOperator'>, lowering: Lowering): void {
  const name = nameOf(child(child(node, 'FunctionCall'), 'Name'));
  if (Object.hasOwn(PLUGINS, name)) lowering.refuse(messages.pluginWithoutRows(spanOf(node), name));
  else refusePlugin(node, name, lowering);
}

function refusePlugin(node: Syntax, name: string, lowering: Lowering): void {
  const reason = Object.hasOwn(REFUSED_PLUGINS, name) ? REFUSED_PLUGINS[name] : undefined;
  lowering.refuse(
    reason ? messages.pluginRefused(spanOf(node), name, reason) : messages.plugin(spanOf(node), name),
  );
}
