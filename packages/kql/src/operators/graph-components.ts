import { type Sentence, say } from '@tyrian/diagnostics';
import { call, columnReference, constant, type PlanNode, type Scalar, type UnionBranch } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Graph, Lowering, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { PlanSteps } from '../plugins/plan-steps.ts';
import { type Syntax, spanOf, wordOfParameter } from '../syntax.ts';
import { allNodes } from './graph-to-table.ts';
import { columnOf, nodeIdOf, referenceOf, reusable } from './make-graph.ts';

/** The id of a node where the query names none. */
const HIDDEN_ID = ' id';

/** `graph-mark-components`: the same graph, whose nodes say to which part of it they belong. */
export function lowerGraphComponents(
  node: Syntax<'GraphMarkComponentsOperator'>,
  input: Table,
  _names: Names,
  lowering: Lowering,
): Table {
  const { graph } = input;
  const refuse = (why: Sentence): Table => {
    lowering.refuse(messages.badArgument(spanOf(node), 'graph-mark-components', why));
    return input;
  };
  if (!graph) return refuse(say('takesGraph'));
  const kind = wordOfParameter(node, 'kind') || 'weak';
  if (kind !== 'weak') return refuse(say('weakOnly'));
  const name = wordOfParameter(node, 'with_component_id') || 'ComponentId';
  return { ...input, graph: { ...graph, ...marked(graph, name, lowering) } };
}

/** The nodes with the number of their component. */
function marked(graph: Graph, name: string, lowering: Lowering): Pick<Graph, 'nodes' | 'nodeId'> {
  const nodes = allNodes(graph, lowering);
  const own = nodes.id;
  const pairs = components(graph, lowering);
  const [id, component] = [lowering.newId(), lowering.newId()];
  const read = (at: number): Scalar => call('dynamic', 'element', pairs.pair, constant('long', String(at)));
  const table: PlanNode = {
    kind: 'compute',
    input: pairs.node,
    items: [
      { id, expression: convertTo(read(0), own.type) },
      { id: component, expression: convertTo(read(1), 'long') },
    ],
  };
  const joined: PlanNode = {
    kind: 'join',
    join: 'leftouter',
    left: nodes.table.node,
    right: table,
    keys: [{ left: own, right: columnReference(id, own.type) }],
  };
  const known = nodes.table.columns;
  const hidden =
    graph.nodeId === null && own.kind === 'column' ? [{ name: HIDDEN_ID, id: own.id, type: own.type }] : [];
  const columns = [...known, ...hidden, { name, id: component, type: 'long' as const }];
  return { nodes: reusable({ node: joined, columns }, lowering), nodeId: graph.nodeId ?? HIDDEN_ID };
}

/** One row for each node: `[id, number]`. */
function components(graph: Graph, lowering: Lowering): { readonly node: PlanNode; readonly pair: Scalar } {
  const pair = lowering.newId();
  const edges = graph.edges();
  const nodes = graph.nodes?.() ?? null;
  const key = nodes ? columnOf(nodes, graph.nodeId ?? '') : null;
  const end = (name: string): Scalar => {
    const id = referenceOf(columnOf(edges, name));
    return key ? nodeIdOf(id, key) : id;
  };
  const both = call('dynamic', 'pack_array', end(graph.source), end(graph.target));
  const branches: UnionBranch[] = [{ input: edges.node, columns: [both] }];
  if (nodes && key)
    branches.push({
      input: nodes.node,
      columns: [call('dynamic', 'pack_array', referenceOf(key), referenceOf(key))],
    });
  const all: PlanNode = { kind: 'union', columns: [{ id: pair, type: 'dynamic' }], branches };
  const steps = new PlanSteps(all, lowering);
  const [list] = steps.group(
    [],
    [{ fn: 'list_of_values', type: 'dynamic', args: [columnReference(pair, 'dynamic')] }],
  ).values;
  const { element } = steps.expand(call('dynamic', 'graph_components', list ?? constant('dynamic', null)));
  return { node: steps.node, pair: element };
}
