import { call, type JoinKey, type PlanNode, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { Graph, Lowering, NamedColumn, Names, Place, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  boundColumns,
  child,
  children,
  kindOf,
  nameOf,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
} from '../syntax.ts';
import { columnOf, nodeIdOf, referenceOf } from './make-graph.ts';

// `graph-match`: a pattern of edges in a row is a join of as many uses of the edges. What it asks of a node is joined
// last. An edge stands once in a match, as Kusto has it by default.

/** `graph-match (a)-[e]->(b) where ... project ...` for patterns of edges that have a direction and are one step long. */
export function lowerGraphMatch(node: Syntax, input: Table, names: Names, lowering: Lowering): Table {
  if (!input.graph) {
    lowering.refuse(messages.badArgument(spanOf(node), 'graph-match', 'takes what make-graph gives'));
    return input;
  }
  const match = new GraphMatch(node, input.graph, names, lowering);
  for (const pattern of children(node, 'Patterns')) match.add(children(pattern, 'PatternElements'));
  return match.result() ?? { node: input.node, columns: input.columns };
}

class GraphMatch {
  readonly #node: Syntax;
  readonly #graph: Graph;
  readonly #names: Names;
  readonly #lowering: Lowering;
  /** The id of each named node; an unnamed one has a name that no query can give. */
  readonly #ids = new Map<string, Scalar>();
  readonly #edges = new Map<string, Table>();
  readonly #nodes = new Map<string, Table>();
  #plan: PlanNode | null = null;
  #unnamed = 0;

  constructor(node: Syntax, graph: Graph, names: Names, lowering: Lowering) {
    this.#node = node;
    this.#graph = graph;
    this.#names = names;
    this.#lowering = lowering;
  }

  /** One pattern: node, edge, node ... */
  add(elements: readonly Syntax[]): void {
    let left: string | null = null;
    let edge: Syntax | null = null;
    for (const element of elements) {
      if (kindOf(element) === 'GraphMatchPatternEdge') {
        edge = element;
        continue;
      }
      const right = this.#nameOf(element);
      if (left !== null && edge) this.#addEdge(edge, left, right);
      left = right;
      edge = null;
    }
    if (elements.length < 3)
      this.#refuse(this.#node, 'takes patterns with an edge; read nodes with graph-to-table');
  }

  result(): Table | null {
    const project = child(this.#node, 'ProjectClause');
    if (!this.#plan || !project) {
      if (!project) this.#refuse(this.#node, 'needs a project');
      return null;
    }
    this.#keepEdgesApart();
    const where = child(this.#node, 'WhereClause');
    const condition = where ? child(where, 'Condition') : null;
    const predicate = condition ? this.#lowering.expression(condition, this.#place()) : null;
    const bound = boundColumns(this.#node);
    const shown = children(project, 'Expressions').map((expression, index) => {
      const value = this.#lowering.expression(expression, this.#place());
      const column = bound[index];
      return { name: column?.name ?? '', expression: convertTo(value, column?.type ?? value.type) };
    });
    if (bound.length !== shown.length) this.#refuse(project, 'shows columns that cannot be worked out');
    // The nodes that the expressions ask for are joined now.
    const input: PlanNode = predicate ? { kind: 'filter', input: this.#plan, predicate } : this.#plan;
    const items = shown.map(({ expression }) => ({ id: this.#lowering.newId(), expression }));
    const columns = shown.map(({ name, expression }, index): NamedColumn => {
      return { name, id: items[index]?.id ?? 0, type: expression.type };
    });
    return { node: { kind: 'compute', input, items }, columns };
  }

  #refuse(node: Syntax, why: string): void {
    this.#lowering.refuse(messages.badArgument(spanOf(node), 'graph-match', why));
  }

  #nameOf(element: Syntax): string {
    const name = nameOf(child(element, 'Name'));
    if (name !== '') return name;
    this.#unnamed += 1;
    return ` ${this.#unnamed}`;
  }

  #addEdge(element: Syntax, left: string, right: string): void {
    const [opening, closing] = ['FirstToken', 'LastToken'].map((one) => {
      const token = child(element, one);
      return token ? textOf(token) : '';
    });
    const text = String((element as unknown as { toString(): string }).toString()).trim();
    if (child(element, 'Range')) {
      this.#refuse(element, 'takes edges of one step; write a pattern for each length');
      return;
    }
    const backwards = (opening ?? '').startsWith('<') || text.startsWith('<');
    const forwards = (closing ?? '').endsWith('>') || text.endsWith('>');
    if (backwards === forwards) {
      this.#refuse(element, 'takes edges with a direction; union the matches of both');
      return;
    }
    const edges = this.#graph.edges();
    this.#edges.set(this.#nameOf(element), edges);
    const source = referenceOf(columnOf(edges, this.#graph.source));
    const target = referenceOf(columnOf(edges, this.#graph.target));
    const ends: [string, Scalar][] = backwards
      ? [
          [left, target],
          [right, source],
        ]
      : [
          [left, source],
          [right, target],
        ];
    this.#join(element, edges.node, ends);
  }

  #join(element: Syntax, edges: PlanNode, ends: readonly [string, Scalar][]): void {
    const known = ends.flatMap(([name, end]): JoinKey[] => {
      const id = this.#ids.get(name);
      return id ? [{ left: id, right: end, nullsMatch: true }] : [];
    });
    if (this.#plan && known.length === 0) this.#refuse(element, 'takes patterns that share a node');
    this.#plan = this.#plan
      ? { kind: 'join', join: 'inner', left: this.#plan, right: edges, keys: known }
      : edges;
    for (const [name, end] of ends) {
      const before = this.#ids.get(name);
      if (!before) this.#ids.set(name, end);
      // An edge from a node to itself.
      else if (known.length === 0)
        this.#plan = { kind: 'filter', input: this.#plan, predicate: call('bool', 'equal', before, end) };
    }
  }

  /** `cycles=unique_edges` is the default: no edge stands in a match twice; `none`: no node does. */
  #keepEdgesApart(): void {
    const given = parametersOf(this.#node).get('cycles');
    const cycles = given ? (nameOf(given) || textOf(given)).replace(/['"]/g, '') : 'unique_edges';
    if (!['all', 'none', 'unique_edges'].includes(cycles))
      this.#refuse(given ?? this.#node, 'cycles is all, none or unique_edges');
    const numbers = [...this.#edges.values()].map((edges) =>
      referenceOf(columnOf(edges, this.#graph.number)),
    );
    this.#keepApart(cycles === 'all' ? [] : numbers);
    this.#keepApart(cycles === 'none' ? [...this.#ids.values()] : []);
  }

  #keepApart(values: readonly Scalar[]): void {
    values.forEach((one, index) => {
      for (const other of values.slice(index + 1))
        if (this.#plan)
          this.#plan = {
            kind: 'filter',
            input: this.#plan,
            predicate: call('bool', 'not_equal', one, other),
          };
    });
  }

  #place(): Place {
    return {
      names: this.#names,
      columns: [],
      state: (owner, property) => this.#property(owner, nameOf(property)),
    };
  }

  /** `a.name` of a node, `e.name` of an edge. */
  #property(owner: Syntax, property: string): Scalar | null {
    const name = nameOf(owner);
    const edges = this.#edges.get(name);
    if (edges) {
      const column = edges.columns.find((one) => one.name === property);
      return column && property !== this.#graph.number ? referenceOf(column) : null;
    }
    const id = this.#ids.get(name);
    if (!id) return null;
    if (!this.#graph.nodes) return property === this.#graph.nodeId ? id : null;
    const table = this.#nodes.get(name) ?? this.#joinNodes(name, id, this.#graph.nodes());
    const key = columnOf(table, this.#graph.nodeId ?? '');
    // A node without a row of its own has its id and nothing else.
    if (property === key.name) return nodeIdOf(id, key);
    const column = table.columns.find((one) => one.name === property);
    return column ? referenceOf(column) : null;
  }

  #joinNodes(name: string, id: Scalar, table: Table): Table {
    this.#nodes.set(name, table);
    const key = columnOf(table, this.#graph.nodeId ?? '');
    if (this.#plan)
      this.#plan = {
        kind: 'join',
        join: 'leftouter',
        left: this.#plan,
        right: table.node,
        keys: [{ left: nodeIdOf(id, key), right: referenceOf(key), nullsMatch: true }],
      };
    return table;
  }
}
