import { say } from '@tyrian/diagnostics';
import { type ComputeItem, call, columnReference, constant, type PlanNode, type Scalar } from '@tyrian/plan';
import type { Graph, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { child, children, nameOf, optionalChildren, type Syntax, spanOf, wordOf } from '../syntax.ts';
import { columnOf, nodeIdOf, referenceOf } from './make-graph.ts';

/** `graph-to-table edges` or `nodes`: what the graph is made of. */
export function lowerGraphToTable(
  node: Syntax<'GraphToTableOperator'>,
  input: Table,
  _names: Names,
  lowering: Lowering,
): Table {
  const [output, ...more] = children(node, 'OutputClause');
  const { graph } = input;
  const why = graph ? say('nodesOrEdges') : say('takesGraph');
  if (!output || more.length > 0 || !graph) {
    lowering.refuse(messages.badArgument(spanOf(node), 'graph-to-table', why));
    return { node: input.node, columns: input.columns };
  }
  if (wordOf(output, 'EntityKeyword') === 'edges') {
    const edges = graph.edges();
    const shown = { node: edges.node, columns: edges.columns.filter(({ name }) => name !== graph.number) };
    const [source, target] = [graph.source, graph.target].map((name) => referenceOf(columnOf(edges, name)));
    return withHashes(output, shown, { with_source_id: source, with_target_id: target }, lowering);
  }
  const nodes = allNodes(graph, lowering);
  // A name that begins with a blank is ours.
  const visible = nodes.table.columns.filter(({ name }) => !name.startsWith(' '));
  return withHashes(output, { ...nodes.table, columns: visible }, { with_node_id: nodes.id }, lowering);
}

/** The hashes of ids that the parameters ask for stand first. */
function withHashes(
  output: Syntax<'GraphToTableOutputClause'>,
  table: Table,
  ids: Readonly<Record<string, Scalar | undefined>>,
  lowering: Lowering,
): Table {
  const items: ComputeItem[] = [];
  const columns: NamedColumn[] = [];
  for (const parameter of optionalChildren(output, 'Parameters')) {
    const word = nameOf(child(parameter, 'Name'));
    const name = nameOf(child(parameter, 'Expression'));
    const id = Object.hasOwn(ids, word) ? ids[word] : undefined;
    if (!id || name === '') {
      lowering.refuse(messages.parameter(spanOf(parameter), 'graph-to-table', word));
      continue;
    }
    const made = lowering.newId();
    items.push({ id: made, expression: call('long', 'hash', id) });
    columns.push({ name, id: made, type: 'long' });
  }
  if (items.length === 0) return table;
  return {
    node: { kind: 'compute', input: table.node, items },
    columns: [...columns, ...table.columns],
  };
}

/** The rows of the nodes, and one for each id that only edges name. */
export function allNodes(graph: Graph, lowering: Lowering): { readonly table: Table; readonly id: Scalar } {
  const nodes = graph.nodes?.() ?? null;
  const key = nodes ? columnOf(nodes, graph.nodeId ?? '') : null;
  const ends = [graph.source, graph.target].map((end) => {
    const edges = graph.edges();
    const id = referenceOf(columnOf(edges, end));
    return { input: edges.node, columns: [key ? nodeIdOf(id, key) : id] };
  });
  const type = key?.type ?? ends[0]?.columns[0]?.type ?? 'string';
  const id = { id: lowering.newId(), type };
  const idKey = lowering.newId();
  const named: PlanNode = {
    kind: 'aggregate',
    input: { kind: 'union', columns: [id], branches: ends },
    keys: [{ id: idKey, expression: columnReference(id.id, type) }],
    items: [],
  };
  if (!nodes || !key) {
    const columns = graph.nodeId === null ? [] : [{ name: graph.nodeId, id: idKey, type }];
    return { table: { node: named, columns }, id: columnReference(idKey, type) };
  }
  const known = graph.nodes?.() ?? nodes;
  const knownKey = columnOf(known, key.name);
  const lonely: PlanNode = {
    kind: 'join',
    join: 'leftanti',
    left: named,
    right: known.node,
    keys: [{ left: columnReference(idKey, type), right: referenceOf(knownKey) }],
  };
  const columns = nodes.columns.map((column) => ({ ...column, id: lowering.newId() }));
  const empty = (column: NamedColumn): Scalar =>
    column.name === key.name
      ? columnReference(idKey, type)
      : constant(column.type, column.type === 'string' ? '' : null);
  const node: PlanNode = {
    kind: 'union',
    columns: columns.map((column) => ({ id: column.id, type: column.type })),
    branches: [
      { input: nodes.node, columns: nodes.columns.map(referenceOf) },
      { input: lonely, columns: nodes.columns.map(empty) },
    ],
  };
  const table: Table = { node, columns };
  return { table, id: referenceOf(columnOf(table, key.name)) };
}
