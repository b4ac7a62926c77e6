import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant, type Plan, type PlanNode } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { NamedColumn, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { kindOf, optionalChild, optionalWordOf, type Syntax, spanOf } from '../syntax.ts';
import { PlanSteps } from './plan-steps.ts';
import type { PluginCall } from './plugin-call.ts';
import { namesAskedFor } from './plugin-columns.ts';
import {
  type Conflict,
  MAX_ANSWERS,
  type PluginColumn,
  type PluginQuestion,
  schemaFound,
} from './plugin-schema.ts';

interface Unpacking {
  readonly bag: NamedColumn;
  readonly prefix: string;
  readonly conflict: Conflict;
  readonly ignored: readonly string[];
}

/** `evaluate bag_unpack(column, prefix, columnsConflict, ignoredProperties)`: the slots of a bag become columns. */
export function lowerBagUnpack(plugin: PluginCall): Table {
  const unpacking = readArguments(plugin);
  if (!unpacking) return plugin.input;
  const { lowering, node } = plugin;
  const place = lowering.plugins.placeOf(node);
  const found = place ? lowering.plugins.found(place.end) : undefined;
  if (found) return unpacked(plugin, unpacking, found.columns);
  if (plugin.schema) return unpacked(plugin, unpacking, declared(plugin, unpacking));
  if (!place) {
    lowering.refuse(messages.pluginSchemaNeeded(spanOf(node), 'bag_unpack'));
    return plugin.input;
  }
  const question = questionOf(plugin, unpacking, place);
  if (!lowering.plugins.ask(question))
    lowering.refuse(messages.pluginSchemaNeeded(spanOf(node), 'bag_unpack'));
  const guess = schemaFound(question, []);
  return guess.ok ? unpacked(plugin, unpacking, guess.schema.columns) : plugin.input;
}

function readArguments(plugin: PluginCall): Unpacking | null {
  const { args, named } = plugin;
  const bag = plugin.column(args[0]);
  if (!bag) return null;
  const prefixNode = args[1] ?? named.get('outputcolumnprefix');
  const conflictNode = args[2] ?? named.get('columnsconflict');
  const ignoredNode = args[3] ?? named.get('ignoredproperties');
  if (args.length > 4) plugin.refuse(plugin.call, say('mostFourArguments'));
  if (bag.type !== 'dynamic') plugin.refuse(args[0] ?? plugin.call, say('takesDynamic'));
  const conflict = String(conflictNode ? plugin.constant(conflictNode, 'string', 3) : 'error');
  if (conflict !== 'error' && conflict !== 'keep_source' && conflict !== 'replace_source') {
    plugin.refuse(conflictNode ?? plugin.call, say('conflictWords'));
    return null;
  }
  return {
    bag,
    prefix: String((prefixNode ? plugin.constant(prefixNode, 'string', 2) : '') ?? ''),
    conflict,
    ignored: ignoredNode ? namesIn(plugin, ignoredNode) : [],
  };
}

function namesIn(plugin: PluginCall, node: Syntax): string[] {
  const text = plugin.constant(node, 'dynamic', 4);
  try {
    const names: unknown = JSON.parse(String(text));
    if (Array.isArray(names) && names.every((name) => typeof name === 'string')) return names;
  } catch {
    // Told below.
  }
  plugin.refuse(node, say('ignoredIsArray'));
  return [];
}

/** The columns of an output schema in the text: what the input has, and slots. */
function declared(plugin: PluginCall, { bag, prefix, conflict }: Unpacking): PluginColumn[] {
  const own = plugin.input.columns.filter((column) => column.id !== bag.id);
  const star = plugin.columns.slice(0, own.length);
  const all = starsAt(plugin) && star.length === own.length;
  return plugin.columns.map((column, index): PluginColumn => {
    const { name } = column;
    const type = column.type ?? 'dynamic';
    const source = own.some((one) => one.name === name);
    const isSource = all ? index < own.length : source && conflict !== 'replace_source';
    if (isSource) return { name, type, slot: null };
    if (all && source && conflict === 'error')
      plugin.lowering.refuse(messages.pluginConflict(spanOf(plugin.node), name));
    return { name, type, slot: name.startsWith(prefix) ? name.slice(prefix.length) : name };
  });
}

/** Whether an output schema begins with `*`. */
function starsAt(plugin: PluginCall): boolean {
  const columns = plugin.schema && optionalChild(plugin.schema, 'Schema');
  return columns !== null && optionalWordOf(columns, 'AsteriskToken') !== '';
}

function unpacked(plugin: PluginCall, { bag }: Unpacking, columns: readonly PluginColumn[]): Table {
  const { input, lowering } = plugin;
  const source = columnReference(bag.id, 'dynamic');
  const items: { id: number; expression: ReturnType<typeof convertTo> }[] = [];
  const made = columns.flatMap(({ name, type, slot }): NamedColumn[] => {
    const own = input.columns.find((column) => column.name === name && column.id !== bag.id);
    if (slot === null && own?.type === type) return [own];
    const value =
      slot === null && own
        ? columnReference(own.id, own.type)
        : call('dynamic', 'member', source, constant('string', slot ?? name));
    const id = lowering.newId();
    items.push({ id, expression: convertTo(value, type) });
    return [{ name, id, type }];
  });
  const node: PlanNode = items.length > 0 ? { kind: 'compute', input: input.node, items } : input.node;
  return { node, columns: made };
}

/** Which slots there are, and of which types. */
function questionOf(
  plugin: PluginCall,
  unpacking: Unpacking,
  span: { start: number; end: number },
): PluginQuestion {
  const { lowering, input } = plugin;
  const bag = columnReference(unpacking.bag.id, 'dynamic');
  const steps = new PlanSteps(input.node, lowering);
  steps.filter(call('bool', 'equal', call('string', 'gettype', bag), constant('string', 'dictionary')));
  const { element } = steps.expand(call('dynamic', 'bag_keys', bag));
  const slot = steps.compute(convertTo(element, 'string'));
  const kind = steps.compute(call('string', 'gettype', call('dynamic', 'member', bag, slot)));
  const { keys } = steps.group([slot, kind], []);
  steps.limit(MAX_ANSWERS);
  const named = keys.flatMap((key, index) =>
    key.kind === 'column' ? [{ name: index === 0 ? 'slot' : 'type', id: key.id, type: key.type }] : [],
  );
  const plan: Plan = { root: steps.node, columns: named, nextId: lowering.nextId };
  return {
    plugin: 'bag_unpack',
    at: span.end,
    span,
    plan,
    kept: input.columns
      .filter((column) => column.id !== unpacking.bag.id)
      .map(({ name, type }) => ({ name, type })),
    prefix: unpacking.prefix,
    conflict: unpacking.conflict,
    ignored: unpacking.ignored,
    cell: 'dynamic',
    asked: kindOf(plugin.node) === 'EvaluateOperator' ? namesAskedFor(plugin.node) : [],
  };
}
