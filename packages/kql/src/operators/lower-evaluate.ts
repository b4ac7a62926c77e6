import type { Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { lowerIpv4Lookup, lowerIpv6Lookup } from '../plugins/look-up-address.ts';
import { lowerNarrow } from '../plugins/narrow-columns.ts';
import { lowerPivot } from '../plugins/pivot-values.ts';
import { PluginCall } from '../plugins/plugin-call.ts';
import { REFUSED_PLUGINS } from '../plugins/refused-plugins.ts';
import { lowerBagUnpack } from '../plugins/unpack-bag.ts';
import { child, type Syntax, spanOf } from '../syntax.ts';

type PluginLowering = (plugin: PluginCall) => Table;

const PLUGINS: Readonly<Record<string, PluginLowering>> = {
  bag_unpack: lowerBagUnpack,
  identity: ({ input }) => input,
  ipv4_lookup: lowerIpv4Lookup,
  ipv6_lookup: lowerIpv6Lookup,
  narrow: lowerNarrow,
  pivot: lowerPivot,
};

/** `evaluate`: calls a plug-in. Hints have no effect. */
export function lowerEvaluate(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  const call = child(node, 'FunctionCall');
  if (!call) return input;
  const plugin = new PluginCall(node, call, input, names, lowering);
  const lower = Object.hasOwn(PLUGINS, plugin.name) ? PLUGINS[plugin.name] : undefined;
  if (lower) return lower(plugin);
  const reason = Object.hasOwn(REFUSED_PLUGINS, plugin.name) ? REFUSED_PLUGINS[plugin.name] : undefined;
  lowering.refuse(
    reason
      ? messages.pluginRefused(spanOf(node), plugin.name, reason.why, reason.wayOut)
      : messages.plugin(spanOf(node), plugin.name),
  );
  return input;
}
