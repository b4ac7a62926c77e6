import { say } from '@tyrian/diagnostics';
import { call, columnReference, constant, type PlanNode, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { NamedColumn, Table } from '../lowering.ts';
import { kindOf, nameOf, type Syntax } from '../syntax.ts';
import { PlanSteps } from './plan-steps.ts';
import type { PluginCall } from './plugin-call.ts';

// `evaluate ipv4_lookup` and `ipv6_lookup`: a join by network. A row of the source is held against the lengths of prefix
// that the lookup table has, not against its rows: for each length its address is masked, and the masked address and the
// length are compared as they are, so the engine joins by hash.

interface Kind {
  readonly longest: number;
  /** The address under a prefix, comparable; null or '' for one that is none. */
  readonly network: (address: Scalar, length: Scalar) => Scalar;
  /** The length of the prefix that the text has itself. */
  readonly length: (address: Scalar) => Scalar;
}

const IPV4: Kind = {
  longest: 32,
  network: (address, length) => call('long', 'parse_ipv4_mask', address, length),
  length: (address) => call('long', 'ipv4_netmask_suffix', address),
};

const IPV6: Kind = {
  longest: 128,
  network: (address, length) => call('string', 'parse_ipv6_mask', address, length),
  length: (address) => {
    const written = convertTo(
      call('string', 'extract', constant('string', '/([0-9]+)$'), constant('long', '1'), address),
      'long',
    );
    const bits = call(
      'long',
      'iff',
      call('bool', 'contains_cs', address, constant('string', ':')),
      constant('long', '0'),
      constant('long', '96'),
    );
    return call(
      'long',
      'iff',
      call('bool', 'contains_cs', address, constant('string', '/')),
      call('long', 'add', written, bits),
      constant('long', '128'),
    );
  },
};

/** `evaluate ipv4_lookup(table, source key, lookup key, extra keys ..., return_unmatched)`. */
export const lowerIpv4Lookup = (plugin: PluginCall): Table => lookedUp(plugin, IPV4);

/** `evaluate ipv6_lookup(table, source key, lookup key, return_unmatched)`. */
export const lowerIpv6Lookup = (plugin: PluginCall): Table => lookedUp(plugin, IPV6);

interface Lookup {
  readonly table: Table;
  readonly address: NamedColumn;
  readonly network: NamedColumn;
  readonly extra: readonly (readonly [NamedColumn, NamedColumn])[];
  readonly keepsUnmatched: boolean;
}

function lookedUp(plugin: PluginCall, kind: Kind): Table {
  const lookup = readArguments(plugin);
  if (!lookup) return plugin.input;
  const { lowering, input } = plugin;
  const left = new PlanSteps(input.node, lowering);
  const address = columnReference(lookup.address.id, 'string');
  const [number] = lookup.keepsUnmatched
    ? left.window({ fn: 'row_number', type: 'long', args: [constant('long', '1')] })
    : [];
  const own = left.compute(call('long', 'coalesce', kind.length(address), constant('long', '-1')));
  const right = networksOf(plugin, lookup, kind);
  const lengths = lengthsOf(plugin, kind);
  const { element } = left.expand(lengths);
  const length = left.compute(convertTo(element, 'long'));
  if (!lookup.keepsUnmatched) left.filter(call('bool', 'less_or_equal', length, own));
  const within = call('bool', 'less_or_equal', length, own);
  const network = kind.network(address, length);
  const masked = left.compute(
    call(network.type, 'iff', within, network, constant(network.type, network.type === 'string' ? '' : null)),
  );
  const join: PlanNode = {
    kind: 'join',
    join: lookup.keepsUnmatched ? 'leftouter' : 'inner',
    left: left.node,
    right: right.node,
    keys: [
      { left: masked, right: right.network },
      { left: length, right: right.length },
      ...lookup.extra.map(([one, other]) => ({
        left: columnReference(one.id, one.type),
        right: columnReference(other.id, other.type),
      })),
    ],
  };
  const steps = new PlanSteps(join, lowering);
  if (number) keepOnce(steps, number, right.length);
  const added = lookup.table.columns.filter(
    (column) => !lookup.extra.some(([, other]) => other.id === column.id),
  );
  const columns = [...input.columns, ...added];
  const bound = plugin.columns;
  return {
    node: steps.node,
    columns: columns.map((column, index) => ({ ...column, name: bound[index]?.name ?? column.name })),
  };
}

/** Of the rows of one row of the source: those that met a network, or one without. */
function keepOnce(steps: PlanSteps, number: Scalar, met: Scalar): void {
  const missed = steps.compute(call('bool', 'isnull', met));
  steps.sort(number, missed);
  const [before] = steps.window({ fn: 'prev', type: 'long', args: [number, constant('long', '1')] });
  const first = call(
    'bool',
    'not_equal',
    call('long', 'coalesce', before ?? number, constant('long', '0')),
    number,
  );
  steps.filter(call('bool', 'or', call('bool', 'not', missed), first));
}

interface Networks {
  readonly node: PlanNode;
  readonly network: Scalar;
  readonly length: Scalar;
}

/** The lookup table with the network and the prefix of each row. */
function networksOf(plugin: PluginCall, lookup: Lookup, kind: Kind): Networks {
  const text = columnReference(lookup.network.id, 'string');
  const steps = new PlanSteps(lookup.table.node, plugin.lowering);
  const length = steps.compute(kind.length(text));
  const network = steps.compute(kind.network(text, constant('long', String(kind.longest))));
  steps.filter(
    network.type === 'string'
      ? call('bool', 'not_equal', network, constant('string', ''))
      : call('bool', 'isnotnull', network),
  );
  return { node: steps.node, network, length };
}

/** The lengths of prefix that the lookup table has, as an array that the engine works out once. */
function lengthsOf(plugin: PluginCall, kind: Kind): Scalar {
  const lookup = readArguments(plugin);
  if (!lookup) return constant('dynamic', '[]');
  const { node, length } = networksOf(plugin, lookup, kind);
  const steps = new PlanSteps(node, plugin.lowering);
  const { values } = steps.group([], [{ fn: 'make_set', type: 'dynamic', args: [length] }]);
  const [set] = values;
  if (set?.kind !== 'column') return constant('dynamic', '[]');
  return { kind: 'subquery', type: 'dynamic', plan: steps.node, column: set.id };
}

function readArguments(plugin: PluginCall): Lookup | null {
  const [tableNode, addressNode, networkNode, ...rest] = plugin.args;
  if (!tableNode) return null;
  const table = plugin.table(tableNode);
  const address = plugin.column(addressNode);
  const network = table.columns.find((column) => column.name === (networkNode ? nameOf(networkNode) : ''));
  if (!network) plugin.refuse(networkNode ?? plugin.call, say('noLookupColumn'));
  if (!address || !network) return null;
  if (address.type !== 'string' || network.type !== 'string') {
    plugin.refuse(plugin.call, say('comparesStrings'));
    return null;
  }
  const isKey = (arg: Syntax): boolean =>
    kindOf(arg) === 'NameReference' && table.columns.some((one) => one.name === nameOf(arg));
  const extra = rest.filter(isKey).flatMap((arg): [NamedColumn, NamedColumn][] => {
    const one = plugin.column(arg);
    const other = table.columns.find((column) => column.name === nameOf(arg));
    return one && other ? [[one, other]] : [];
  });
  const flag = plugin.named.get('return_unmatched') ?? rest.find((arg) => !isKey(arg));
  const keepsUnmatched = flag ? plugin.constant(flag, 'bool', plugin.args.length) === true : false;
  return { table, address, network, extra, keepsUnmatched };
}
