import { type Sentence, say } from '@tyrian/diagnostics';
import { call, type JoinKey, type PlanNode, type Scalar } from '@tyrian/plan';
import { convertTo } from '../expressions/convert.ts';
import type { ExpressionContext, Graph, Lowering, NamedColumn, Names, Table } from '../lowering.ts';
import { messages } from '../messages.ts';
import {
  asKind,
  boundColumns,
  child,
  children,
  isKind,
  kindOf,
  nameOf,
  optionalChild,
  optionalWordOf,
  parametersOf,
  type Syntax,
  spanOf,
  textOf,
  wordOf,
  wordOfParameter,
  writtenText,
} from '../syntax.ts';
import {
  type Cycles,
  edgesBothWays,
  numbersOfEdge,
  PathBuilder,
  type PathRange,
  type Paths,
  sharesNothing,
  shortestRows,
} from './graph-paths.ts';
import { PathQuestions } from './graph-questions.ts';
import { columnOf, nodeIdOf, referenceOf } from './make-graph.ts';

// `graph-match`: a pattern of edges in a row is a join of as many uses of the edges. What it asks of a node is joined
// last. An edge stands once in a match, as Kusto has it by default. `graph-shortest-paths` keeps the shortest matches.

/** Longer paths would be a plan too big to run. */
const LONGEST_PATH = 16;

type MatchKind = 'GraphMatchOperator' | 'GraphShortestPathsOperator';
type Edge = Syntax<'GraphMatchPatternEdge'>;
type Range = Syntax<'GraphMatchPatternEdgeRange'>;

/** `graph-match (a)-[e]->(b)-[f*1..5]->(c) where ... project ...`, and `graph-shortest-paths`. */
export function lowerGraphMatch(
  node: Syntax<MatchKind>,
  input: Table,
  names: Names,
  lowering: Lowering,
): Table {
  if (!input.graph) {
    lowering.refuse(messages.badArgument(spanOf(node), operatorOf(node), say('takesGraph')));
    return input;
  }
  const match = new GraphMatch(node, input.graph, names, lowering);
  for (const pattern of children(node, 'Patterns')) match.add(children(pattern, 'PatternElements'));
  return match.result() ?? { node: input.node, columns: input.columns };
}

const isShortest = (node: Syntax): boolean => kindOf(node) === 'GraphShortestPathsOperator';

const operatorOf = (node: Syntax): string => (isShortest(node) ? 'graph-shortest-paths' : 'graph-match');

class GraphMatch {
  readonly #node: Syntax<MatchKind>;
  readonly #graph: Graph;
  readonly #names: Names;
  readonly #lowering: Lowering;
  /** The id of each named node; an unnamed one has a name that no query can give. */
  readonly #ids = new Map<string, Scalar>();
  readonly #edges = new Map<string, Table>();
  readonly #paths = new Map<string, Paths>();
  readonly #nodes = new Map<string, Table>();
  readonly #questions: PathQuestions;
  readonly #cycles: Cycles;
  #ends: { first: string; last: string } | null = null;
  #filtering = false;
  #plan: PlanNode | null = null;
  #unnamed = 0;

  constructor(node: Syntax<MatchKind>, graph: Graph, names: Names, lowering: Lowering) {
    this.#node = node;
    this.#graph = graph;
    this.#names = names;
    this.#lowering = lowering;
    this.#cycles = this.#cyclesOf();
    const ranged = children(node, 'Patterns')
      .flatMap((pattern) => children(pattern, 'PatternElements'))
      .filter((element) => isKind(element, 'GraphMatchPatternEdge'))
      .filter((edge) => optionalChild(edge, 'Range'))
      .map((edge) => nameOf(optionalChild(edge, 'Name')));
    const clauses = [optionalChild(node, 'WhereClause'), optionalChild(node, 'ProjectClause')];
    this.#questions = new PathQuestions(clauses, new Set(ranged), names, lowering);
  }

  /** One pattern: node, edge, node ... */
  add(elements: readonly Syntax[]): void {
    let left: string | null = null;
    let edge: Edge | null = null;
    for (const element of elements) {
      if (isKind(element, 'GraphMatchPatternEdge')) {
        edge = element;
        continue;
      }
      const right = this.#nameOf(asKind(element, 'GraphMatchPatternNode'));
      if (left !== null && edge) this.#addEdge(edge, left, right);
      this.#ends = { first: this.#ends?.first ?? right, last: right };
      left = right;
      edge = null;
    }
    if (elements.length < 3) this.#refuse(this.#node, say('needsEdge'));
  }

  result(): Table | null {
    const project = optionalChild(this.#node, 'ProjectClause');
    if (!this.#plan || !project) {
      if (!project) this.#refuse(this.#node, say('needsProject'));
      return null;
    }
    this.#keepEdgesApart();
    const where = optionalChild(this.#node, 'WhereClause');
    const condition = where ? child(where, 'Condition') : null;
    this.#filtering = true;
    const predicate = condition ? this.#lowering.expression(condition, this.#context()) : null;
    this.#filtering = false;
    const bound = boundColumns(this.#node);
    const shown = children(project, 'Expressions').map((expression, index) => {
      const value = this.#lowering.expression(expression, this.#context());
      const column = bound[index];
      return { name: column?.name ?? '', expression: convertTo(value, column?.type ?? value.type) };
    });
    if (bound.length !== shown.length) this.#refuse(project, say('showsUnknownColumns'));
    // The nodes that the expressions ask for are joined now.
    const found: PlanNode = predicate ? { kind: 'filter', input: this.#plan, predicate } : this.#plan;
    const input = isShortest(this.#node) ? this.#shortest(found) : found;
    const items = shown.map(({ expression }) => ({ id: this.#lowering.newId(), expression }));
    const columns = shown.map(({ name, expression }, index): NamedColumn => {
      return { name, id: items[index]?.id ?? 0, type: expression.type };
    });
    return { node: { kind: 'compute', input, items }, columns };
  }

  #refuse(node: Syntax, why: Sentence): void {
    this.#lowering.refuse(messages.badArgument(spanOf(node), operatorOf(this.#node), why));
  }

  #refuseParameter(name: string, why: Sentence): void {
    this.#refuse(parametersOf(this.#node).get(name) ?? this.#node, why);
  }

  /** One of the shortest matches of each pair of ends; every one with `output=all`. */
  #shortest(input: PlanNode): PlanNode {
    const word = wordOfParameter(this.#node, 'output') ?? 'any';
    if (!['all', 'any'].includes(word)) this.#refuseParameter('output', say('outputWords'));
    const [first, ...rest] = [...this.#paths.values()].map(({ length }) => length);
    if (!first || !this.#ends || children(this.#node, 'Patterns').length > 1) {
      this.#refuse(this.#node, say('oneVariablePattern'));
      return input;
    }
    const length = rest.reduce((one, other) => call('long', 'add', one, other), first);
    const id = this.#lowering.newId();
    const measured: PlanNode = { kind: 'compute', input, items: [{ id, expression: length }] };
    const ends = [this.#ends.first, this.#ends.last].flatMap((name) => this.#ids.get(name) ?? []);
    const own: Scalar = { kind: 'column', id, type: 'long' };
    return shortestRows(measured, ends, own, word === 'all', this.#lowering);
  }

  #nameOf(element: Syntax<'GraphMatchPatternNode' | 'GraphMatchPatternEdge'>): string {
    const name = nameOf(optionalChild(element, 'Name'));
    if (name !== '') return name;
    this.#unnamed += 1;
    return ` ${this.#unnamed}`;
  }

  #addEdge(element: Edge, left: string, right: string): void {
    const [opening, closing] = [wordOf(element, 'FirstToken'), optionalWordOf(element, 'LastToken')];
    const text = writtenText(element);
    const backwards = opening.startsWith('<') || text.startsWith('<');
    const forwards = closing.endsWith('>') || text.endsWith('>');
    const all =
      backwards === forwards
        ? edgesBothWays(this.#graph.edges, this.#graph, this.#lowering)
        : this.#graph.edges;
    const range = optionalChild(element, 'Range');
    if (range) {
      this.#addPaths(element, range, all, backwards && !forwards, [left, right]);
      return;
    }
    const edges = all();
    this.#edges.set(this.#nameOf(element), edges);
    const source = referenceOf(columnOf(edges, this.#graph.source));
    const target = referenceOf(columnOf(edges, this.#graph.target));
    const ends: [string, Scalar][] =
      backwards && !forwards
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

  #addPaths(
    element: Edge,
    range: Range,
    edges: () => Table,
    backwards: boolean,
    [left, right]: readonly [string, string],
  ): void {
    const lengths = this.#rangeOf(range);
    const name = this.#nameOf(element);
    if (!lengths) return;
    const asked = this.#questions.of(name);
    const builder = new PathBuilder(this.#graph, edges, backwards, asked, this.#cycles, this.#lowering);
    const paths = builder.paths(lengths);
    this.#paths.set(name, paths);
    this.#join(element, paths.node, [
      [left, paths.start],
      [right, paths.end],
    ]);
  }

  #rangeOf(range: Range): PathRange | null {
    const end = (name: 'RangeStart' | 'RangeEnd') => Number(textOf(child(range, name)));
    const [least, most] = [end('RangeStart'), end('RangeEnd')];
    if (
      Number.isInteger(least) &&
      Number.isInteger(most) &&
      least >= 1 &&
      most >= least &&
      most <= LONGEST_PATH
    )
      return { least, most };
    this.#refuse(range, say('pathLengths', { limit: LONGEST_PATH }));
    return null;
  }

  #join(element: Syntax, edges: PlanNode, ends: readonly [string, Scalar][]): void {
    const known = ends.flatMap(([name, end]): JoinKey[] => {
      const id = this.#ids.get(name);
      return id ? [{ left: id, right: end }] : [];
    });
    if (this.#plan && known.length === 0) this.#refuse(element, say('sharedNode'));
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
  #cyclesOf(): Cycles {
    const cycles = wordOfParameter(this.#node, 'cycles') ?? 'unique_edges';
    if (cycles === 'all' || cycles === 'none' || cycles === 'unique_edges') return cycles;
    this.#refuseParameter('cycles', say('cyclesWords'));
    return 'unique_edges';
  }

  #keepEdgesApart(): void {
    if (this.#cycles === 'all') return;
    const numbers = [...this.#edges.values()].map((edges) =>
      referenceOf(columnOf(edges, this.#graph.number)),
    );
    this.#keepApart(numbers);
    const paths = [...this.#paths.values()];
    paths.forEach((path, index) => {
      for (const other of paths.slice(index + 1)) this.#filter(sharesNothing(path.numbers, other.numbers));
      for (const number of numbers) this.#filter(sharesNothing(path.numbers, numbersOfEdge(number)));
    });
    if (this.#cycles !== 'none') return;
    this.#keepApart([...this.#ids.values()]);
    paths.forEach((path, index) => {
      for (const other of paths.slice(index + 1)) this.#filter(sharesNothing(path.inner, other.inner));
      for (const id of this.#ids.values()) this.#filter(sharesNothing(path.inner, numbersOfEdge(id)));
    });
  }

  #filter(predicate: Scalar): void {
    if (this.#plan) this.#plan = { kind: 'filter', input: this.#plan, predicate };
  }

  #keepApart(values: readonly Scalar[]): void {
    values.forEach((one, index) => {
      for (const other of values.slice(index + 1)) this.#filter(call('bool', 'not_equal', one, other));
    });
  }

  #context(): ExpressionContext {
    return {
      names: this.#names,
      columns: [],
      state: (owner, property) => this.#property(owner, nameOf(property)),
      graphCall: (node) => {
        const at = this.#questions.callAt(node);
        return at ? (this.#paths.get(at.edge)?.carried[at.index] ?? null) : null;
      },
    };
  }

  /** The values of a property along a path; a condition says whether it holds for all of them or for any. */
  #alongPath(owner: Syntax, paths: Paths, property: string): Scalar | null {
    if (this.#filtering) this.#refuse(owner, say('asksPath', { name: nameOf(owner) }));
    const index = this.#questions.propertyAt(nameOf(owner), property);
    return index === null ? null : (paths.carried[index] ?? null);
  }

  /** `a.name` of a node, `e.name` of an edge. */
  #property(owner: Syntax, property: string): Scalar | null {
    const name = nameOf(owner);
    const edges = this.#edges.get(name);
    if (edges) {
      const column = edges.columns.find((one) => one.name === property);
      return column && property !== this.#graph.number ? referenceOf(column) : null;
    }
    const paths = this.#paths.get(name);
    if (paths) return this.#alongPath(owner, paths, property);
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
        keys: [{ left: nodeIdOf(id, key), right: referenceOf(key) }],
      };
    return table;
  }
}
