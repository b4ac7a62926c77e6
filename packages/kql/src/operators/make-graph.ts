import { say } from '@tyrian/diagnostics';
import { type ColumnId, call, columnReference, copyPlan, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Binding, Graph, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import { asKind, child, children, isKind, nameOf, optionalChild, type Syntax, spanOf } from '../syntax.ts';

// A graph is two tables that are read again and again: its edges, each with a number of its own, and its nodes, one for
// each id. They are computed once; a use of them has columns of its own.

/** `make-graph source --> target with nodes on id`. */
export function lowerMakeGraph(
  node: Syntax<'MakeGraphOperator'>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  const partition = optionalChild(node, 'PartitionedByClause');
  if (partition) lowering.refuse(messages.parameter(spanOf(partition), 'make-graph', 'partitioned-by'));
  const end = (property: 'SourceColumn' | 'TargetColumn'): NamedColumn | null => {
    const name = nameOf(child(node, property));
    const column = input.columns.find((one) => one.name === name);
    if (!column) lowering.refuse(messages.unknownName(spanOf(node), name));
    return column ?? null;
  };
  const [source, target] = [end('SourceColumn'), end('TargetColumn')];
  if (!source || !target) return input;
  const edges = numbered(input, lowering);
  const graph: Graph = {
    edges: reusable(edges.table, lowering),
    number: edges.number,
    source: source.name,
    target: target.name,
    ...nodesOf(node, names, lowering),
  };
  return { ...input, graph };
}

/** The edges with a number that no other edge has. */
function numbered(input: Table, lowering: Lowering): { readonly table: Table; readonly number: string } {
  const id = lowering.newId();
  const number = 'edge number';
  const expression = call('long', 'row_id');
  return {
    table: {
      node: { kind: 'compute', input: input.node, items: [{ id, expression }] },
      columns: [...input.columns, { name: number, id, type: 'long' }],
    },
    number,
  };
}

/** A table that is computed once; every call gives it with columns of its own. */
export function reusable(table: Table, lowering: Lowering): () => Table {
  let used = false;
  const make = (): Table => {
    const copy = used ? copyPlan(table.node, () => lowering.newId()) : null;
    used = true;
    const ids = new Map<ColumnId, ColumnId>();
    const columns = table.columns.map((column) => {
      const id = lowering.newId();
      ids.set(id, copy ? copy.idOf(column.id) : column.id);
      return { ...column, id };
    });
    return {
      node: {
        kind: 'once',
        key: lowering.keyOf(binding),
        input: copy?.node ?? table.node,
        columns: columns.map(({ id, type }) => ({ id, type, source: ids.get(id) ?? id })),
      },
      columns,
    };
  };
  const binding: Binding = { kind: 'rows', make };
  return make;
}

/** The table of nodes and its key; none where nodes have only their id, under the name that the query gives it. */
function nodesOf(
  node: Syntax<'MakeGraphOperator'>,
  names: Names,
  lowering: Lowering,
): Pick<Graph, 'nodes' | 'nodeId'> {
  const clause = optionalChild(node, 'WithClause');
  if (!clause) return { nodes: null, nodeId: null };
  if (isKind(clause, 'MakeGraphWithImplicitIdClause'))
    return { nodes: null, nodeId: nameOf(child(clause, 'Name')) };
  const tables = children(asKind(clause, 'MakeGraphWithTablesAndKeysClause'), 'TablesAndKeys');
  const [first] = tables;
  if (!first || tables.length > 1) {
    lowering.refuse(messages.badArgument(spanOf(clause), 'make-graph', say('oneNodeTable')));
    return { nodes: null, nodeId: null };
  }
  const table = lowering.table(child(first, 'Table'), { names, columns: [] });
  const nodeId = nameOf(child(first, 'Column'));
  const key = table.columns.find((column) => column.name === nodeId);
  if (!key) {
    lowering.refuse(messages.unknownName(spanOf(first), nodeId));
    return { nodes: null, nodeId: null };
  }
  const unique: Table = {
    ...table,
    node: { kind: 'unique-by', input: table.node, keys: [columnReference(key.id, key.type)] },
  };
  return { nodes: reusable(unique, lowering), nodeId };
}

/** A column of a table of the graph. */
export function columnOf(table: Table, name: string): NamedColumn {
  const column = table.columns.find((one) => one.name === name);
  if (!column) throw new Error(`The graph has no column ${name}`);
  return column;
}

export const referenceOf = ({ id, type }: NamedColumn): Scalar => columnReference(id, type);

/** The id of a node at the end of an edge, in the type of the key of the nodes. */
export const nodeIdOf = (end: Scalar, key: NamedColumn): Scalar => convertTo(end, key.type);
